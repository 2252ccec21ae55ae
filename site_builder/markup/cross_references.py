"""Formulas, numbers of figures and references to both, and citations: `{#fig-x}`, `@fig-x`, `[@key]` of `sources:`.

Each becomes a placeholder. Numbers are those of Quarto (Figure 1, 2, ...), citations those of numeric styles ([1]) in
the order of the text.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from html import escape
from typing import Protocol

from site_builder.errors import Place, SiteError, nearest, raise_all
from site_builder.markup.equations import QUARTO_LABEL, Equations, Formula
from site_builder.markup.placeholders import Inline, Placeholder, Placeholders
from site_builder.markup.segments import Segment, segments, without
from site_builder.markup.typeset import bare_tex, typeset
from site_builder.values.language import current

PICTURE = re.compile(
    "(?P<front>[ \t>]*)!\\[(?P<number>\ufdd0\\d+\ufdd1)?(?P<caption>.*)\\]\\((?P<address>.*)\\)"
    r"\{(?P<attributes>[^{}]*#(?P<label>fig-[\w-]*\w)[^{}]*)\}\s*"
)
"""The line of such a picture; number: the placeholder of its number, once it has one."""
_LABEL = re.compile(r"\{[^{}\n]*#fig-[\w-]*\w")
_DRAWN = re.compile(
    "(?P<front>[ \t>]*)(?P<shown>\ufdd0(?P<number>\\d+)\ufdd1)[ \t]*\\{:?[ \t]*#(?P<label>fig-[\\w-]*\\w)[ \t]*\\}\\s*"
)
_BARE = r"(?<![\w.@/\\+-])(?P<bare>-?@[A-Za-z](?:[\w-]*\w)?)"
_GROUP = r"(?<![\\!\w\]])\[(?P<group>(?:[^\[\]\n]*[\s;])?-?@[A-Za-z][^\[\]]*)\](?![(\[:{])"
_REFERENCE = re.compile(f"{_GROUP}|{_BARE}")
_KEY = re.compile(r"(?<![\w.@/\\+])(?P<minus>-?)@(?P<key>[A-Za-z](?:[\w-]*\w)?)")
_OTHERS = {"tbl": "tables", "sec": "sections", "lst": "listings", "thm": "theorems"}  # what Quarto numbers too
BIBLIOGRAPHY = "ref-"
"""The beginning of the anchor of each entry of the list of references."""

_TABLE_RULE = re.compile(r"^[ \t>]*(?=[^\n]*\|)\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$", re.MULTILINE)
_ROWS = re.compile(r"(?:\n[^\n]*\S[^\n]*)*")
_ESCAPED_BAR = re.compile(r"\\\\|\\\|")
_DOLLAR = re.compile(r"\\\$")


class Source(Protocol):
    """A publication that a text cites."""

    @property
    def title(self) -> str: ...
    @property
    def author(self) -> str: ...
    @property
    def date(self) -> datetime | None: ...
    @property
    def url(self) -> str: ...


@dataclass
class CrossReferences:
    """The figures and citations of a text. cited: keys of sources in the order of their numbers."""

    sources: Mapping[str, Source]
    placeholders: Placeholders
    figures: dict[str, int] = field(default_factory=dict)
    cited: dict[str, int] = field(default_factory=dict)

    def placed(self, text: str, place: Callable[[int], Place]) -> str:
        """Return the text with placeholders for numbers of figures, references and citations.

        place: the place in the file of a line of the text, counted from 0. Raises all errors in one go.
        """
        if "#fig-" not in text and "@" not in text:
            return text
        errors: list[SiteError] = []
        numbered = self._with_figures(text, place, errors) if "#fig-" in text else text
        pieces = []
        for segment in segments(numbered, jinja=False):

            def written(found: re.Match[str], line: int = segment.line - 1, inside: str = segment.text) -> str:
                try:
                    return self._group(found["group"]) if found["group"] else self._bare(found["bare"])
                except _ReferenceError as error:
                    errors.append(SiteError(place(line + inside.count("\n", 0, found.start())), *error.args))
                    return found[0]

            is_text = segment.kind == "text" and "@" in segment.text
            pieces.append(_REFERENCE.sub(written, segment.text) if is_text else segment.text)
        raise_all(errors)
        return "".join(pieces)

    def _with_figures(self, text: str, place: Callable[[int], Place], errors: list[SiteError]) -> str:
        """The text with a number for each figure that has a label."""
        lines, masked = text.split("\n"), without(text, "code", "html code", "comment").split("\n")
        for at, (line, shown) in enumerate(zip(lines, masked, strict=True)):
            if _LABEL.search(shown):
                try:
                    lines[at] = self._numbered(line)
                except _ReferenceError as error:
                    errors.append(SiteError(place(at), *error.args))
        return "\n".join(lines)

    def _numbered(self, line: str) -> str:
        picture, drawn = PICTURE.fullmatch(line), _DRAWN.fullmatch(line)
        found = picture or drawn
        if not found:
            cure = "write ![Caption](file.png){#fig-x} or {{ figure(...) }} {#fig-x}, alone on its line"
            raise _ReferenceError("a label of a figure stands behind no figure", cure)
        label = found["label"]
        if label in self.figures:
            raise _ReferenceError(f"two figures have the label {label}", "give one of them another label")
        number = self.figures[label] = len(self.figures) + 1
        if drawn:
            return drawn["front"] + self._drawn(drawn, label, number)
        name = _figure(number)
        html = f'<span class="figure-number">{name}{":" if found["caption"] else ""}</span>'
        shown = self.placeholders.put(Placeholder(Inline(html, f"{name}:")))
        return line.replace("![", f"![{shown}", 1)

    def _drawn(self, found: re.Match[str], label: str, number: int) -> str:
        """The placeholder of a drawn figure, which knows its label and number from now on."""
        at = int(found["number"])
        part = self.placeholders.found[at].part
        if getattr(part, "kind", "") != "figure":
            raise _ReferenceError(f"{label} is the label of no figure", "write it behind {{ figure(...) }}")
        self.placeholders.found[at] = replace(
            self.placeholders.found[at], part=replace(part, label=label, number=_figure(number))
        )
        return found["shown"]

    def _bare(self, written: str) -> str:
        """A reference without brackets; a word that is none stays as it is."""
        key = written.lstrip("-@")
        if self._is_figure(key):
            return self._link(key, written[0] == "-")
        if key not in self.sources:
            return written
        author = self.sources[key].author
        before = f"{author} [" if author and written[0] == "@" else "["
        return f"{self._text(before)}{self._number(key)}{self._text(']')}"

    def _group(self, inside: str) -> str:
        """References in brackets, with words around them."""
        parts = [(part, _KEY.search(part)) for part in inside.split(";")]
        keys = [found["key"] for _, found in parts if found]
        if len(keys) < len(parts):
            raise _ReferenceError(f"[{inside}] has a part without a source", "write [@key; @other], each with its @")
        if any(self._is_figure(key) for key in keys):
            return "; ".join(self._figure_in_brackets(part, found) for part, found in parts if found)
        pieces = [self._piece(part, found) for part, found in parts if found]
        return f"{self._text('[')}{'; '.join(pieces)}{self._text(']')}"

    def _figure_in_brackets(self, part: str, found: re.Match[str]) -> str:
        """`[Fig. @fig-x]` is Fig. 1, and `[-@fig-x]` the number alone."""
        words = part[: found.start()].strip()
        is_bare = bool(words or found["minus"])
        return f"{words} ".lstrip() + self._link(found["key"], is_bare) + part[found.end() :]

    def _piece(self, part: str, found: re.Match[str]) -> str:
        key = found["key"]
        if key not in self.sources:
            cure = nearest(key, list(self.sources)) if self.sources else f"write sources: {{{key}: {{title: ...}}}}"
            raise _ReferenceError(
                f"no source is named {key!r}", f"{cure}, in the front matter" if not self.sources else cure
            )
        return part[: found.start()].lstrip() + self._number(key) + part[found.end() :].rstrip()

    def _number(self, key: str) -> str:
        number = str(self.cited.setdefault(key, len(self.cited) + 1))
        return self.placeholders.put(Placeholder(Inline(number, number), target=f"{BIBLIOGRAPHY}{key}"))

    def _text(self, text: str) -> str:
        """Text that Markdown does not read."""
        return self.placeholders.put(Placeholder(Inline(escape(text, quote=False), text)))

    def _is_figure(self, key: str) -> bool:
        """Return whether a key is that of a figure. Raises for those of other things that Quarto would number."""
        kind = key.partition("-")[0]
        if kind in _OTHERS and "-" in key:
            cure = "write a link: [words](#anchor)"
            raise _ReferenceError(f"@{key}: {_OTHERS[kind]} have no numbers", cure)
        return key.startswith("fig-")

    def _link(self, label: str, is_bare: bool) -> str:
        if label not in self.figures:
            cure = nearest(label, list(self.figures)) if self.figures else f"write {{#{label}}} behind the figure"
            raise _ReferenceError(f"no figure has the label {label!r}", cure)
        shown = str(self.figures[label]) if is_bare else _figure(self.figures[label])
        return self.placeholders.put(Placeholder(Inline(shown.replace(" ", "&nbsp;"), shown), target=label))


def _figure(number: int) -> str:
    """The name of a figure in the language of its post."""
    return f"{current().word('Figure')} {number}"


class _ReferenceError(Exception):
    """A reference that is wrong: problem and cure."""


def bibliography(cited: Sequence[str], sources: Mapping[str, Source], place: Place, heading: str) -> str:
    """Return the list of the cited sources as HTML. heading: its HTML, empty below a heading of the text."""
    entries = "".join(f'<li id="{BIBLIOGRAPHY}{escape(key)}">{_entry(sources[key], place)}</li>\n' for key in cited)
    return f'\n<section class="references" role="doc-bibliography">\n{heading}<ol>\n{entries}</ol>\n</section>'


def _entry(source: Source, place: Place) -> str:
    title = f"<cite>{typeset(source.title, place).html}</cite>"
    if source.url:
        title = f'<a href="{escape(source.url)}">{title}</a>'
    facts = [typeset(source.author, place).html if source.author else "", title]
    facts.append(str(source.date.year) if source.date else "")
    return ". ".join(fact for fact in facts if fact) + "."


# Formulas.


def set_formulas(text: str, lines: Sequence[int], path: str, placeholders: Placeholders) -> tuple[str, list[int]]:
    """The text with each formula and each reference to one as a placeholder, and the lines of the file for its lines.

    Raises every broken formula in one go.
    """
    pieces, wrong = [], []
    rows = _table_lines(text)
    sources = {
        segment.start: Formula(
            (_in_cell(bare_tex(segment.text)) if segment.line in rows else bare_tex(segment.text))
            + _label_behind(segment, text),
            segment.kind == "display",
            Place(path, lines[segment.line - 1]),
        )
        for segment in segments(text, jinja=False)
        if segment.kind in ("tex", "display")
    }
    labels = {found.start() for found in QUARTO_LABEL.finditer(text)} if "{#eq-" in text else set()
    equations = Equations(list(sources.values()), placeholders)
    swallowed: set[int] = set()  # lines inside a formula, which are no lines of the text any more
    for segment in segments(text, jinja=False):
        if segment.kind == "text":
            own = QUARTO_LABEL.sub("", segment.text, count=1) if segment.start in labels else segment.text
            linked = equations.link(own, Place(path, lines[segment.line - 1]))
            pieces.append(_DOLLAR.sub(lambda _: placeholders.put(Placeholder(Inline("$", "$"))), linked))
            continue
        if segment.kind not in ("tex", "display"):
            pieces.append(segment.text)
            continue
        source = sources[segment.start]
        try:
            made = equations.placeholder(source)
        except SiteError as error:
            wrong.append(error)
        else:
            pieces.append(placeholders.put(made))
            swallowed.update(range(segment.line, segment.line + segment.text.count("\n")))
    raise_all(equations.errors + wrong)
    return "".join(pieces), [number for place, number in enumerate(lines) if place not in swallowed]


def _label_behind(formula: Segment, text: str) -> str:
    """The label that stands behind a displayed formula as Quarto has it, as TeX; else empty."""
    found = QUARTO_LABEL.match(text, formula.end) if formula.kind == "display" else None
    return f"\\label{{{found['label']}}}" if found else ""


def _table_lines(text: str) -> frozenset[int]:
    """The numbers of the lines of tables, from 1."""
    found: set[int] = set()
    for rule in _TABLE_RULE.finditer(text) if "\\|" in text else ():
        first = text.count("\n", 0, rule.start())
        found.update(range(first, first + 2 + len(_ROWS.match(text, rule.end())[0].split("\n"))))  # type: ignore[index]
    return frozenset(found)


def _in_cell(tex: str) -> str:
    """The TeX of a formula in a table, where a bar may be written as \\|."""
    return _ESCAPED_BAR.sub(lambda found: "|" if found[0] == "\\|" else found[0], tex)
