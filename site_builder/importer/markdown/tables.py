"""Tables of kramdown -> tables as posts write them: with a head, and nothing that only kramdown knows."""

from collections.abc import Sequence

from site_builder.importer.markdown import block_marks
from site_builder.importer.markdown.kramdown_spans import spans
from site_builder.importer.markdown.lines import Line, Text


def table(rows: Sequence[Line], text: Text) -> list[Line] | None:
    """The rows as a table; None where they are none."""
    rules = [block_marks.SEPARATOR.match(row.text) is not None for row in rows]
    is_headless = not any(rules)
    if is_headless and (text.is_notebook or not rows[0].text.lstrip().startswith("|")):
        return None
    for row in rows:
        if block_marks.FOOTER.match(row.text):
            text.note(row.number, "the foot of a table", "its rows stand in the table as others do")
    inside = list(rows[1:] if rules[0] else rows)  # kramdown: a line above everything
    inside = [row for row in inside if not block_marks.FOOTER.match(row.text)]
    lines = [row for row in inside if block_marks.SEPARATOR.match(row.text)]
    made = spans([row for row in inside if row not in lines], text)
    if not made:
        return None
    for row in lines[1:]:
        text.note(row.number, "a line between the parts of a table", "left out")
    if lines and inside[0] not in lines:
        return [made[0], Line(lines[0].text.replace("+", "|"), lines[0].number), *made[1:]]
    cells = max(row.text.strip().strip("|").count("|") + 1 for row in inside)
    number = rows[0].number
    return [Line("|" + "  |" * cells, number), Line("|" + "--|" * cells, number), *made]
