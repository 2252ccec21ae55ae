"""Lists the constructs that stay in a converted text as they are, each with what to do."""

import re
from collections.abc import Sequence

from site_builder.importer.lines import ConversionContext, SourceLine, join_lines
from site_builder.markup.segments import segments

_LEFT = "it stands as text; write in Markdown what it showed"
_CONSTRUCTS = {
    "the shortcode {name}": (r"\{\{[<%]/?\*?\s*/?\s*(?P<name>[\w./-]*)[^{}]*[>%]\}\}", _LEFT),
    "the Liquid tag {name}": (r"\{%-?\s*(?P<name>\w+)[^{}]*%\}", _LEFT),
    "the Liquid value {name}": (r"\{\{(?![<%])-?\s*(?P<name>[^{}]*?)\s*-?\}\}", _LEFT),
    "the mark {name}": (r"(?P<name>\{:[:/][^{}\n]*\}|^\\(?:(?:new|clear)page|pagebreak)\b)", _LEFT),
    "the div {name}": (
        r"(?<=:::)(?!.*callout-)[ \t]*(?P<name>\{[^{}\n]*\}|[^\s:{].*)$",
        "its text stays, and looks like any other",
    ),
    "a table that is drawn with lines": (
        r"^[ \t]*(?:\+[-=:]+\+[-=:+]*|-{2,}(?:[ \t]+-{2,})+)[ \t]*\n(?=[ \t]*[|\w])",
        "it stands as text; write it with |",
    ),
}
_PATTERNS = [(name, re.compile(pattern, re.MULTILINE), action) for name, (pattern, action) in _CONSTRUCTS.items()]
_INLINE_CELL = re.compile(r"`\{?(?:r|python)(?:\} ?| )[^`]+`")


def report_constructs(lines: Sequence[SourceLine], context: ConversionContext) -> None:
    """Add a note for every construct that is left in the lines of a post, outside of code, formulas and comments."""
    for part in segments(join_lines(lines), jinja=False):
        if part.kind == "code" and context.dialect == "quarto" and _INLINE_CELL.fullmatch(part.text):
            context.report(lines[part.line - 1].number, f"the expression {part.text}", "not run; it stands as code")
        is_text = part.kind == "text" and context.dialect != "notebook"
        for name, pattern, action in _PATTERNS if is_text else ():
            for found in pattern.finditer(part.text):
                line = part.line - 1 + part.text.count("\n", 0, found.start())
                words = " ".join(found.groupdict().get("name", "").split())[:70]
                context.report(lines[line].number, name.format(name=words), action)
