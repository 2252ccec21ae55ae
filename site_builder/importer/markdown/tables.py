"""Converts tables of kramdown to those of posts, which have a header row and no feet."""

from collections.abc import Sequence

from site_builder.importer.markdown import patterns
from site_builder.importer.markdown.conversion import ConversionContext, SourceLine
from site_builder.importer.markdown.kramdown_spans import convert_spans


def convert_table(rows: Sequence[SourceLine], context: ConversionContext) -> list[SourceLine] | None:
    """Convert the rows of a table; None if they are no table."""
    is_rule = [patterns.TABLE_RULE.match(row.text) is not None for row in rows]
    if not any(is_rule) and (context.is_notebook or not rows[0].text.lstrip().startswith("|")):
        return None
    for row in rows:
        if patterns.TABLE_FOOT.match(row.text):
            context.report(row.number, "the foot of a table", "its rows stand in the table as others do")
    inside = list(rows[1:] if is_rule[0] else rows)  # kramdown allows a rule above the first row
    inside = [row for row in inside if not patterns.TABLE_FOOT.match(row.text)]
    rules = [row for row in inside if patterns.TABLE_RULE.match(row.text)]
    converted = convert_spans([row for row in inside if row not in rules], context)
    if not converted:
        return None
    for row in rules[1:]:
        context.report(row.number, "a line between the parts of a table", "left out")
    if rules and inside[0] not in rules:
        return [converted[0], SourceLine(rules[0].text.replace("+", "|"), rules[0].number), *converted[1:]]
    cells = max(row.text.strip().strip("|").count("|") + 1 for row in inside)
    number = rows[0].number
    return [SourceLine("|" + "  |" * cells, number), SourceLine("|" + "--|" * cells, number), *converted]
