"""What has a number in a text, references to it, and citations: `{#fig-x}`, `@fig-x`, `\\eqref{x}`, `[@key]`.

Each becomes a placeholder. Numbers are those of Quarto (Figure 1, 2, ...), citations those of numeric styles ([1]) in
the order of the text.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from html import escape

from site_builder.errors import Place, SiteError, nearest, raise_all
from site_builder.markup.placeholders import FormattedText, Inline, Placeholders, reference
from site_builder.markup.segments import segments, without
from site_builder.values.language import current

ARGUMENT = r"\s*\{(?P<argument>(?:[^{}]|\{[^{}]*\})*)\}"
"""What stands in braces behind a command, and may have braces in it."""
PICTURE = re.compile(
    "(?P<front>[ \t>]*)!\\[(?P<number>\ufdd0\\d+\ufdd1)?(?P<caption>.*)\\]\\((?P<address>.*)\\)"
    r"\{(?P<attributes>[^{}]*#(?P<label>fig-[\w-]*\w)[^{}]*)\}\s*"
)
"""The line of such a picture; number: the placeholder of its number, once it has one."""
_LABEL = re.compile(r"\{[^{}\n]*#fig-[\w-]*\w")
_DRAWN = re.compile(
    "(?P<front>[ \t>]*)(?P<shown>\ufdd0(?P<number>\\d+)\ufdd1)[ \t]*\\{:?[ \t]*#(?P<label>fig-[\\w-]*\\w)[ \t]*\\}\\s*"
)
_GROUP = r"(?<![\\!\w\]])\[(?P<group>(?:[^\[\]\n]*[\s;])?-?@[A-Za-z][^\[\]]*)\](?![(\[:{])"
_BARE = r"(?<![\w.@/\\+-])(?P<minus>-?)@(?P<key>[A-Za-z](?:[\w-]*\w)?)"
_REFERENCE = re.compile(rf"{_GROUP}|{_BARE}|(?<!\\)\\(?P<command>eqref|ref){ARGUMENT}")
_KEY = re.compile(_BARE)
_LINK = "a link: [words](#anchor)"
_KINDS = {  # what @kind-name refers to, and what gives it its label; those with a link have numbers in Quarto alone
    "": ("formula", "\\label{<label>} in the displayed formula that is meant"),
    "fig": ("figure", "{#<label>} behind the figure"), "eq": ("formula", "$$...$$ {#<label>}"),
    "tbl": ("table", _LINK), "sec": ("section", _LINK), "lst": ("listing", _LINK), "thm": ("theorem", _LINK),
}  # fmt: skip
_HAS_KIND = re.compile("fig-|eq[:-]")
BIBLIOGRAPHY = "ref-"
"""The beginning of the anchor of each entry of the list of references."""


@dataclass(frozen=True)
class _Numbered:
    """A figure or formula with a label. word: what it is called, such as Figure."""

    label: str
    word: str
    number: Inline
    anchor: str


@dataclass
class CrossReferences:
    """The figures and formulas of a text that have a label, references to them, and citations.

    authors: of the sources, by key; cited: the keys of the cited ones, with their numbers; errors: of labels and
    references.
    """

    authors: Mapping[str, str]
    placeholders: Placeholders
    cited: dict[str, int] = field(default_factory=dict)
    errors: list[SiteError] = field(default_factory=list)
    _labels: dict[str, _Numbered] = field(default_factory=dict)
    _figures: int = 0

    def add(self, label: str, word: str, number: Inline, place: Place) -> str:
        """Add a figure or formula; return its anchor."""
        name = re.sub(r"[^\w:.-]+", "-", label)
        made = _Numbered(label, current().word(word), number, name if _HAS_KIND.match(name) else f"eq:{name}")
        if self._labels.setdefault(_key(label), made) is not made:
            self.refuse(place, f"the label {label} is given twice", "give one of the two another label")
        return made.anchor

    def reference(self, label: str, form: str, place: Place) -> FormattedText:
        """A link to a figure or formula; an error at this place where there is none with this label.

        form: eqref for its number in parentheses, "word" for the word before it, else it alone.
        """
        label = self.plain(label).replace("\\_", "_")
        if not (found := self._labels.get(_key(label))):
            what, how = _KINDS[_kind(label)]
            close = nearest(label, [each.label for each in self._labels.values()])
            cure = close if close.startswith("did you") else f"write {how.replace('<label>', label)}"
            self.refuse(place, f"no {what} has the label {label!r}", cure)
            return FormattedText("?")
        number, name = found.number, found.word
        if form == "word":
            return reference(found.anchor, Inline(f"{name}&nbsp;{number.html}", f"{name} {number.text}"))
        shown = in_parentheses(number) if form == "eqref" else number
        return reference(found.anchor, shown, f' aria-label="{name} {escape(shown.text)}"')

    def plain(self, argument: str) -> str:
        """The argument of a command, with its results."""
        return self.placeholders.fill(argument, lambda each: each.tex).strip()

    def refuse(self, place: Place, message: str, cure: str) -> str:
        """Add an error; return what stands there instead, nothing."""
        self.errors.append(SiteError(place, message, cure))
        return ""

    def placed(self, text: str, place: Callable[[int], Place]) -> str:
        """Return the text with placeholders for numbers of figures, references and citations.

        place: the place in the file of a line of the text, counted from 0. Raises all errors in one go.
        """
        numbered = self._with_figures(text, place) if "#fig-" in text else text
        pieces = []
        for segment in segments(numbered, jinja=False):

            def written(found: re.Match[str], line: int = segment.line - 1, inside: str = segment.text) -> str:
                return self._written(found, place(line + inside.count("\n", 0, found.start())))

            is_text = segment.kind == "text" and ("@" in segment.text or "ref" in segment.text)
            pieces.append(_REFERENCE.sub(written, segment.text) if is_text else segment.text)
        raise_all(self.errors)
        return "".join(pieces)

    def _with_figures(self, text: str, place: Callable[[int], Place]) -> str:
        """The text with a number for each figure that has a label."""
        lines, shown = text.split("\n"), without(text, "code", "html code", "comment").split("\n")
        for at, line in enumerate(lines):
            if _LABEL.search(shown[at]):
                lines[at] = self._numbered(line, place(at))
        return "\n".join(lines)

    def _numbered(self, line: str, place: Place) -> str:
        """The line of a figure, with the placeholder of its number; a drawn one has number and label from now on."""
        found, placeholders = PICTURE.fullmatch(line) or _DRAWN.fullmatch(line), self.placeholders
        drawn = placeholders.found[int(found["number"])] if found and found.re is _DRAWN else None
        if not found or (drawn is not None and getattr(drawn, "kind", "") != "figure"):
            cure = "write ![Caption](file.png){#fig-x} or {{ figure(...) }} {#fig-x}, alone on its line"
            return self.refuse(place, "a label of a figure stands behind no figure", cure)
        self._figures += 1
        self.add(found["label"], "Figure", Inline(*[str(self._figures)] * 2), place)
        name = f"{current().word('Figure')} {self._figures}"
        if drawn is not None:
            placeholders.found[int(found["number"])] = replace(drawn, label=found["label"], number=name)
            return found["front"] + found["shown"]
        html = f'<span class="figure-number">{name}{":" if found["caption"] else ""}</span>'
        return line.replace("![", f"![{placeholders.put(FormattedText(f'{name}:', html))}", 1)

    def _written(self, found: re.Match[str], place: Place) -> str:
        if found["command"]:
            return self._link(found["argument"], found["command"], place)
        if found["key"]:
            return self._bare(found, place)
        parts = [(part, _KEY.search(part)) for part in found["group"].split(";")]
        pieces = [self._part(part, key, place) if key else part for part, key in parts]
        are_sources = any(key and not _kind(key["key"]) for _, key in parts)
        return self._in_brackets("", ";".join(pieces)) if are_sources else ";".join(pieces)

    def _bare(self, found: re.Match[str], place: Place) -> str:
        """A reference without brackets; a word that is none stays as it is."""
        key, is_alone = found["key"], bool(found["minus"])
        if _kind(key):
            return self._link(key, "" if is_alone else "word", place)
        if key not in self.authors:
            return found[0]
        author = "" if is_alone else self.authors[key]
        return self._in_brackets(f"{author} " if author else "", self._citation(key))

    def _part(self, part: str, found: re.Match[str], place: Place) -> str:
        """A part of references in brackets: `[Fig. @fig-x]` is Fig. 1, `[-@fig-x]` the number alone."""
        before, key, after = part[: found.start()], found["key"], part[found.end() :]
        if _kind(key):
            is_alone = bool(before.strip() or found["minus"])
            return before + self._link(key, "" if is_alone else "word", place) + after
        if key not in self.authors:
            cure = f"write sources: {{{key}: {{title: ...}}}}, in the front matter"
            cure = nearest(key, self.authors) if self.authors else cure
            return self.refuse(place, f"no source is named {key!r}", cure)
        return before + self._citation(key) + after

    def _citation(self, key: str) -> str:
        number = str(self.cited.setdefault(key, len(self.cited) + 1))
        shown = reference(f"{BIBLIOGRAPHY}{key}", Inline(number, number), ' role="doc-biblioref"')
        return self.placeholders.put(shown)

    def _in_brackets(self, before: str, inside: str) -> str:
        """What stands in brackets that Markdown does not read."""
        put = self.placeholders.put
        return f"{put(FormattedText(f'{before}['))}{inside}{put(FormattedText(']'))}"

    def _link(self, label: str, form: str, place: Place) -> str:
        return self.placeholders.put(self.reference(label, form, place))


def _kind(key: str) -> str:
    """What a key such as fig-x or eq-x refers to by its number; "" for that of a source."""
    kind, hyphen, _ = key.partition("-")
    return kind if hyphen and kind in _KINDS else ""


def _key(label: str) -> str:
    """The label as the table has it: a formula is found by @eq-x, \\ref{eq:x} and \\ref{x} alike."""
    return label if label.startswith("fig-") else label.removeprefix("eq:").removeprefix("eq-")


def in_parentheses(number: Inline) -> Inline:
    """Return the number of a formula as it stands beside it."""
    return Inline(f"({number.html})", f"({number.text})")
