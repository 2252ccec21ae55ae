"""Numbers of displayed formulas, and references to them within TeX: \\label, \\tag, \\eqref, \\ref; `{#eq-x}`."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import count

from site_builder.errors import Place, PostError, SiteError, collecting, nearest
from site_builder.markup.placeholders import FormattedText, Inline, Placeholders, reference, tex_of
from site_builder.markup.segments import Segment, segments
from site_builder.markup.typeset import bare_tex, formula, typeset
from site_builder.values.language import current

ARGUMENT = r"\s*\{(?P<argument>(?:[^{}]|\{[^{}]*\})*)\}"
"""What stands in braces behind a command, and may have braces in it."""
_COMMAND = re.compile(rf"\\(?P<name>label|tag\*?|eqref|ref){ARGUMENT}|\\.", re.DOTALL)
_QUARTO_LABEL = re.compile(r"[ \t]*\{#(?P<label>eq-[\w-]*\w)\}")  # behind a displayed formula
_REFERENCES = ("eqref", "ref")
_LABEL = re.compile(r"[^\s\\{}$#%&<>\"']+")
_TABLE_RULE = re.compile(r"^[ \t>]*(?=[^\n]*\|)\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$", re.MULTILINE)
_ROWS = re.compile(r"(?:\n[^\n]*\S[^\n]*)*")
_ESCAPED_BAR = re.compile(r"\\\\|\\\|")
_DOLLAR = re.compile(r"\\\$")
_LABELS = "letters, digits and : . _ - alone, as in \\label{eq:sum}"


@dataclass(frozen=True)
class Equation:
    """The number of a displayed formula in references, and as it stands beside it; its anchor ("" without a label)."""

    number: Inline
    shown: Inline
    anchor: str = ""


@dataclass(frozen=True, eq=False)
class Formula:
    """A formula as it is written, without its signs; results in it are placeholders."""

    tex: str
    is_displayed: bool
    place: Place


class Equations:
    """The numbered formulas of a text. by_label: those with a label. errors: the errors of labels and numbers."""

    def __init__(self, sources: Sequence[Formula], placeholders: Placeholders) -> None:
        """Number the formulas with a label, in their order; \\tag gives a formula a number of its own.

        A formula with several labels or several tags has a number beside each of their rows.
        """
        self.by_label: dict[str, Equation] = {}
        self.errors: list[SiteError] = []
        self._of_source: dict[Formula, dict[int, Equation]] = {}
        self._lines: dict[str, int] = {}
        self._placeholders = placeholders
        read = {source: self._marks(source) for source in sources}
        of_rows = [(source, at, marks) for source, rows in read.items() for at, marks in rows.items()]
        tags = {(source, at): self._tag(source, marks) for source, at, marks in of_rows if "tag" in marks}
        taken = {tag.number.text for tag in tags.values()}
        numbers = (str(number) for number in count(1) if str(number) not in taken)
        for source, at, marks in of_rows:
            equation = tags.get((source, at)) or _equation(Inline(*[next(numbers)] * 2))
            equation = self._labelled(source, marks.get("label", ""), equation)
            self._of_source.setdefault(source, {})[at] = equation

    def placeholder(self, source: Formula) -> FormattedText:
        """A formula with its number, if it has one; a link where it consists of a reference, as in $\\eqref{eq:x}$.

        Raises SiteError for TeX that is broken, and for a reference that leads nowhere.
        """

        equations = self._of_source.get(source, {})
        is_by_rows = len(equations) > 1

        def written(found: re.Match[str]) -> str:
            if found["name"] in _REFERENCES:
                return self._reference(source, found).tex
            if is_by_rows and (equation := equations.get(found.start())):
                return rf"\tag*{{{tex_of(equation.shown.text)}}}"
            return "\n" * found[0].count("\n") if found["name"] else found[0]

        if (found := _COMMAND.fullmatch(source.tex.strip())) and found["name"] in _REFERENCES:
            return self._reference(source, found)
        tex = _COMMAND.sub(written, source.tex)
        made = formula(tex, source.is_displayed, source.place, self._placeholders)
        shown = _box(made, list(equations.values())) if equations else made
        return FormattedText(shown.text, shown.html, tex, is_html=bool(equations))

    def reference(self, label: str, form: str) -> FormattedText:
        """A link to a formula. form: eqref for its number in parentheses, @ for the word before it, else it alone.

        Raises PostError where there is no such label.
        """
        equation = self.by_label.get(label) or self.by_label.get(label.replace("-", ":", 1))
        if equation is None:
            in_tex = f"\\label{{{label}}} in the displayed formula that is meant"
            how = in_tex if form.endswith("ref") else f"$$...$$ {{#{label}}}"
            close = nearest(label, self.by_label)
            cure = close if close.startswith("did you") else f"write {how}; {close}".removesuffix("; ")
            raise PostError(f"no formula has the label {label!r}", cure)
        shown, name = equation.number, current().word("Equation")
        if form == "@":
            return reference(equation.anchor, Inline(f"{name}&nbsp;{shown.html}", f"{name} {shown.text}"))
        shown = _in_parentheses(shown) if form == "eqref" else shown
        return reference(equation.anchor, shown, f' aria-label="{name} {escape(shown.text)}"')

    def argument(self, found: re.Match[str]) -> str:
        """What stands in the braces of a command."""
        return self._placeholders.fill(found["argument"], lambda each: each.tex).replace("\\_", "_").strip()

    def _marks(self, source: Formula) -> dict[int, dict[str, str]]:
        """The arguments of \\label and \\tag in a formula; a \\tag* also as "tag*".

        By the place of the first of them: in the formula, or in each row where one of them stands several times.
        """
        marks: dict[int, dict[str, str]] = {}
        commands = list(_COMMAND.finditer(source.tex))
        names = [(found["name"] or "").rstrip("*") for found in commands]
        has_rows, own = max(names.count("label"), names.count("tag")) > 1, dict[str, str]()
        for found, name in zip(commands, names, strict=True):
            if has_rows and found[0] == "\\\\":
                own = {}
            if name not in ("label", "tag"):
                continue
            place = _place(source, found)
            if not source.is_displayed:
                cure = "write the formula between $$ and $$"
                self.errors.append(SiteError(place, f"\\{name} in a formula within a line, which has no number", cure))
            elif name in own:
                cure = "give each number a row of its own in align, or a formula of its own between $$ and $$"
                self.errors.append(SiteError(place, f"a second \\{name} for one number", cure))
            else:
                if not own:
                    marks[found.start()] = own
                own[name] = self.argument(found)
                own |= {"tag*": ""} if found["name"] == "tag*" else {}
        return marks

    def _tag(self, source: Formula, marks: Mapping[str, str]) -> Equation:
        tag = marks["tag"]
        if not tag or re.search(r"\\(?!\$)", re.sub(r"\$[^$]*\$", "", tag)):
            cure = "write \\tag{3} or \\tag{$\\star$}: words, or TeX between dollar signs"
            self.errors.append(SiteError(source.place, f"\\tag{{{tag}}} is no number of a formula", cure))
            tag = "?"
        number = Inline("?", "?")
        with collecting(self.errors):
            number = typeset(tag, source.place)
        return Equation(number, number) if "tag*" in marks else _equation(number)

    def _labelled(self, source: Formula, label: str, equation: Equation) -> Equation:
        """The equation with the anchor of its label, by which it is known from now on."""
        if not label:
            return equation
        anchor = label if label.startswith(("eq:", "eq-")) else f"eq:{label}"
        if not _LABEL.fullmatch(label):
            message = f"the label {label} has characters that an address cannot have"
            self.errors.append(SiteError(source.place, message, f"write {_LABELS}"))
        elif anchor in self._lines:
            message = f"the label {label} is given twice, first in line {self._lines[anchor]}"
            self.errors.append(SiteError(source.place, message, "give one of the two formulas another label"))
        else:
            self._lines[anchor] = source.place.line
            equation = self.by_label[label] = replace(equation, anchor=anchor)
        return equation

    def _reference(self, source: Formula, found: re.Match[str]) -> FormattedText:
        try:
            return self.reference(self.argument(found), found["name"])
        except PostError as error:
            raise SiteError(_place(source, found), error.message, error.cure) from error


def _equation(number: Inline) -> Equation:
    return Equation(number, _in_parentheses(number))


def _in_parentheses(number: Inline) -> Inline:
    return Inline(f"({number.html})", f"({number.text})")


def set_formulas(
    text: str, lines: Sequence[int], path: str, placeholders: Placeholders
) -> tuple[str, list[int], Equations]:
    """The text with each formula as a placeholder, the lines of the file for its lines, and its numbered formulas."""
    every, rows = segments(text, jinja=False), _table_lines(text)
    formulas = {
        each: Formula(_tex_of(each, text, rows), each.kind == "display", Place(path, lines[each.line - 1]))
        for each in every
        if each.kind in ("tex", "display")
    }
    equations = Equations(list(formulas.values()), placeholders)
    pieces = []
    swallowed: set[int] = set()  # lines inside a formula, which are no lines of the text any more
    for segment in every:
        if formula := formulas.get(segment):
            with collecting(equations.errors):
                pieces.append(placeholders.put(equations.placeholder(formula)))
            swallowed.update(range(segment.line, segment.line + segment.text.count("\n")))
        elif segment.kind == "text":
            label = _QUARTO_LABEL.match(segment.text)
            rest = segment.text[label.end() if label else 0 :]
            pieces.append(_DOLLAR.sub(lambda _: placeholders.put(FormattedText("$")), rest))
        else:
            pieces.append(segment.text)
    return "".join(pieces), [number for place, number in enumerate(lines) if place not in swallowed], equations


def _tex_of(formula: Segment, text: str, rows: Collection[int]) -> str:
    """The TeX of a formula; in a table a bar may be written as \\|. Its label may stand behind it as Quarto has it."""
    tex = bare_tex(formula.text)
    if formula.line in rows:
        tex = _ESCAPED_BAR.sub(lambda found: "|" if found[0] == "\\|" else found[0], tex)
    label = _QUARTO_LABEL.match(text, formula.end) if formula.kind == "display" else None
    return f"{tex}\\label{{{label['label']}}}" if label else tex


def _table_lines(text: str) -> Collection[int]:
    """The numbers of the lines of tables, from 1."""
    found: set[int] = set()
    for rule in _TABLE_RULE.finditer(text) if "\\|" in text else ():
        first = text.count("\n", 0, rule.start())
        found.update(range(first, first + 2 + len(_ROWS.match(text, rule.end())[0].split("\n"))))  # type: ignore[index]
    return found


def _box(formula: Inline, equations: Sequence[Equation]) -> Inline:
    """A formula with its anchor, and with its number beside it unless each of its rows has one of its own."""
    name, *more = [f' id="{escape(each.anchor)}"' for each in equations if each.anchor] or [""]
    words, text = "".join(f"<span{each}></span>" for each in more), formula.text
    if len(equations) == 1:
        shown = equations[0].shown
        words, text = f'<span class="unseen">{current().word("Equation")} </span>{shown.html}', f"{text} {shown.text}"
    number = f'<span class="equation-number">{words}</span>'
    return Inline(f'<span class="equation"{name}>{formula.html} {number}</span>', text)


def _place(source: Formula, found: re.Match[str]) -> Place:
    return Place(source.place.path, source.place.line + source.tex.count("\n", 0, found.start()))
