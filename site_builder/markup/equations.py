"""Formulas of a text -> placeholders, with numbers beside those with a \\label, a \\tag or `{#eq-x}` behind them."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import count

from site_builder.errors import Place, collecting
from site_builder.markup.cross_references import ARGUMENT, CrossReferences, in_parentheses
from site_builder.markup.placeholders import FormattedText, Inline, tex_of
from site_builder.markup.segments import Segment, segments
from site_builder.markup.typeset import bare_tex, formula, typeset
from site_builder.values.language import current

_COMMAND = re.compile(rf"\\(?P<name>label|tag\*?|eqref|ref){ARGUMENT}|\\.", re.DOTALL)
_QUARTO_LABEL = re.compile(r"[ \t]*\{#(?P<label>eq-[\w-]*\w)\}")  # behind a displayed formula
_TABLE = re.compile(r"^.*\|.*\n(?=.*\|)[ \t>]*[-:|][-:| \t]*$(?:\n.*\S.*)*", re.MULTILINE)
_ESCAPED_BAR = re.compile(r"\\\\|\\\|")
_DOLLAR = re.compile(r"\\\$")


@dataclass(frozen=True)
class _Number:
    """The number of a formula or of one of its rows, in references and as it is shown; its anchor ("" without one)."""

    number: Inline
    shown: Inline
    anchor: str = ""


@dataclass(frozen=True, eq=False)
class _Formula:
    """A formula as it is written, without its signs; results in it are placeholders."""

    tex: str
    is_displayed: bool
    place: Place

    def rows(self) -> list[dict[str, re.Match[str]]]:
        """The \\label and the \\tag of the formula, or of each row where one of them stands several times."""
        commands = list(_COMMAND.finditer(self.tex)) if self.is_displayed else []
        names = [(found["name"] or "").rstrip("*") for found in commands]
        has_rows = max(names.count("label"), names.count("tag")) > 1
        rows: list[dict[str, re.Match[str]]] = [{}]
        for found, name in zip(commands, names, strict=True):
            if has_rows and found[0] == "\\\\":
                rows.append({})
            elif name in ("label", "tag"):
                rows[-1].setdefault(name, found)  # a second one stays in the TeX, which refuses it
        return [row for row in rows if row]

    def place_of(self, found: re.Match[str]) -> Place:
        return Place(self.place.path, self.place.line + self.tex.count("\n", 0, found.start()))


def set_formulas(text: str, lines: Sequence[int], path: str, references: CrossReferences) -> tuple[str, list[int]]:
    """The text with each formula as a placeholder, and the lines of the file for its lines.

    Adds the formulas with a label, and all errors, to the references.
    """
    every, tables = segments(text, jinja=False), _tables(text)
    formulas = {
        each: _Formula(_tex_of(each, text, tables), each.kind == "display", Place(path, lines[each.line - 1]))
        for each in every
        if each.kind in ("tex", "display")
    }
    numbers = _numbers(list(formulas.values()), references)
    pieces: list[str] = []
    swallowed: set[int] = set()  # lines inside a formula, which are no lines of the text any more
    for segment in every:
        if source := formulas.get(segment):
            with collecting(references.errors):
                pieces.append(references.placeholders.put(_formatted(source, numbers.get(source, {}), references)))
            swallowed.update(range(segment.line, segment.line + segment.text.count("\n")))
        elif segment.kind == "text":
            label = _QUARTO_LABEL.match(segment.text)
            rest = segment.text[label.end() if label else 0 :]
            pieces.append(_DOLLAR.sub(lambda _: references.placeholders.put(FormattedText("$")), rest))
        else:
            pieces.append(segment.text)
    return "".join(pieces), [number for place, number in enumerate(lines) if place not in swallowed]


def _tables(text: str) -> list[range]:
    """The places of tables in which formulas may have a bar behind a backslash."""
    return [range(*found.span()) for found in _TABLE.finditer(text)] if "\\|" in text else []


def _tex_of(formula: Segment, text: str, tables: Collection[range]) -> str:
    """The TeX of a formula; in a table a bar may be written as \\|. Its label may stand behind it as Quarto has it."""
    tex = bare_tex(formula.text)
    if any(formula.start in table for table in tables):
        tex = _ESCAPED_BAR.sub(lambda found: "|" if found[0] == "\\|" else found[0], tex)
    label = _QUARTO_LABEL.match(text, formula.end) if formula.kind == "display" else None
    return f"{tex}\\label{{{label['label']}}}" if label else tex


def _numbers(formulas: Sequence[_Formula], references: CrossReferences) -> dict[_Formula, dict[int, _Number]]:
    """The numbers of each formula: by its \\tag, else the next one that no tag has. By the first command of each."""
    rows = [(source, row) for source in formulas for row in source.rows()]
    tags = [_tag(source, row["tag"], references) if "tag" in row else None for source, row in rows]
    taken = {tag.number.text for tag in tags if tag}
    free = (str(number) for number in count(1) if str(number) not in taken)
    found: dict[_Formula, dict[int, _Number]] = {}
    for (source, row), tag in zip(rows, tags, strict=True):
        made = tag or _numbered(Inline(*[next(free)] * 2))
        if label := row.get("label"):
            name, place = references.plain(label["argument"]), source.place_of(label)
            made = replace(made, anchor=references.add(name, "Equation", made.number, place))
        at = min(each.start() for each in row.values())
        found.setdefault(source, {})[at] = made
    return found


def _tag(source: _Formula, found: re.Match[str], references: CrossReferences) -> _Number:
    """The number that a \\tag gives: words, with TeX between dollar signs."""
    tag, number = references.plain(found["argument"]), Inline("?", "?")
    if not tag or re.search(r"\\(?!\$)", re.sub(r"\$[^$]*\$", "", tag)):
        cure = "write \\tag{3} or \\tag{$\\star$}: words, or TeX between dollar signs"
        references.refuse(source.place, f"\\tag{{{tag}}} is no number of a formula", cure)
    else:
        with collecting(references.errors):
            number = typeset(tag, source.place)
    return _Number(number, number) if found["name"] == "tag*" else _numbered(number)


def _numbered(number: Inline) -> _Number:
    return _Number(number, in_parentheses(number))


def _formatted(source: _Formula, numbers: Mapping[int, _Number], references: CrossReferences) -> FormattedText:
    """A formula with its number, if it has one; a link where it consists of a reference, as in $\\eqref{eq:x}$.

    Raises SiteError for TeX that is broken.
    """

    read = {each.start() for row in source.rows() for each in row.values()} if numbers else set()

    def written(found: re.Match[str]) -> str:
        if found["name"] in ("eqref", "ref"):
            return references.reference(found["argument"], found["name"], source.place_of(found)).tex
        if len(numbers) > 1 and (number := numbers.get(found.start())):
            return rf"\tag*{{{tex_of(number.shown.text)}}}"
        return "\n" * found[0].count("\n") if found.start() in read else found[0]

    if (alone := _COMMAND.fullmatch(source.tex.strip())) and alone["name"] in ("eqref", "ref"):
        return references.reference(alone["argument"], alone["name"], source.place)
    tex = _COMMAND.sub(written, source.tex)
    made = formula(tex, source.is_displayed, source.place, references.placeholders)
    shown = _box(made, list(numbers.values())) if numbers else made
    return FormattedText(shown.text, shown.html, tex, is_html=bool(numbers))


def _box(formula: Inline, numbers: Sequence[_Number]) -> Inline:
    """A formula with its anchor, and with its number beside it unless each of its rows has one of its own."""
    name, *more = [f' id="{escape(each.anchor)}"' for each in numbers if each.anchor] or [""]
    words, text = "".join(f"<span{each}></span>" for each in more), formula.text
    if len(numbers) == 1:
        shown = numbers[0].shown
        words, text = f'<span class="unseen">{current().word("Equation")} </span>{shown.html}', f"{text} {shown.text}"
    number = f'<span class="equation-number">{words}</span>'
    return Inline(f'<span class="equation"{name}>{formula.html} {number}</span>', text)
