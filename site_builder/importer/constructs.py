"""Lists the constructs that stay in a converted text as they are, each with what to do."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from site_builder.importer.lines import ConversionContext, Dialect, SourceLine, join_lines
from site_builder.markup.segments import segments

_WRITE = "it stands as text; write in Markdown what it showed"


class _Construct(NamedTuple):
    """A construct that is not converted. name: with the parts of the match in braces; action: what to do."""

    name: str
    pattern: re.Pattern[str]
    action: str = _WRITE


_SHORTCODE = _Construct("the shortcode {name}", re.compile(r"\{\{[<%]/?\*?\s*/?\s*(?P<name>[\w./-]*)[^{}]*[>%]\}\}"))
_OF: Mapping[Dialect, tuple[_Construct, ...]] = {
    "kramdown": (
        _Construct("the Liquid tag {name}", re.compile(r"\{%-?\s*(?P<name>\w+)[^{}]*%\}")),
        _Construct("the Liquid value {name}", re.compile(r"\{\{(?![<%])-?\s*(?P<name>[^{}]*?)\s*-?\}\}")),
        _Construct("the mark {0}", re.compile(r"\{:[:/][^{}\n]*\}"), "it stands as text; delete it"),
    ),
    "hugo": (
        _SHORTCODE,
        _Construct(
            "attributes {0}",
            re.compile(r"^ {0,3}\{[.#][^{}\n]*\}[ \t]*$", re.MULTILINE),
            "they stand as text; delete them",
        ),
    ),
    "quarto": (
        _SHORTCODE,
        _Construct(
            "the div {0}",
            re.compile(r"(?<=:::)(?!.*callout-)(?:\{[^{}\n]*\}|[ \t]+[^\s:].*)$", re.MULTILINE),
            "its text stays, and looks like any other",
        ),
        _Construct(
            "a table that is drawn with lines",
            re.compile(r"^[ \t]*(?:\+[-=:]+\+[-=:+]*|-{2,}(?:[ \t]+-{2,})+)[ \t]*\n(?=[ \t]*[|\w])", re.MULTILINE),
            "it stands as text; write it with |",
        ),
        _Construct(
            "{0}", re.compile(r"^\\(?:new|clear)page\b|^\\pagebreak\b", re.MULTILINE), "it stands as text; delete it"
        ),
    ),
}
_INLINE_CELL = re.compile(r"`\{?(?:r|python)(?:\} ?| )[^`]+`")


def report_constructs(lines: Sequence[SourceLine], context: ConversionContext) -> None:
    """Add a note for every construct that is left in the lines of a post, outside of code, formulas and comments."""
    constructs = _OF.get(context.dialect, ())
    for part in segments(join_lines(lines), jinja=False):
        if part.kind == "code" and context.dialect == "quarto" and _INLINE_CELL.fullmatch(part.text):
            context.report(lines[part.line - 1].number, f"the expression {part.text}", "not run; it stands as code")
        for construct in constructs if part.kind == "text" else ():
            for found in construct.pattern.finditer(part.text):
                line = part.line - 1 + part.text.count("\n", 0, found.start())
                context.report(lines[line].number, _named(construct, found), construct.action)


def _named(construct: _Construct, found: re.Match[str]) -> str:
    parts = {key: value or "" for key, value in found.groupdict().items()}
    named = construct.name.format(" ".join(found[0].split()), **parts)
    return named if len(named) <= 70 else f"{named[:68]} …"
