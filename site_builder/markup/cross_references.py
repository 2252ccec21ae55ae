"""Numbers of figures, references to them and to formulas, citations: `{#fig-x}`, `@fig-x`, `\\eqref{x}`, `[@key]`.

Each becomes a placeholder. Numbers are those of Quarto (Figure 1, 2, ...), citations those of numeric styles ([1]) in
the order of the text.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from site_builder.errors import Place, PostError, SiteError, nearest, raise_all
from site_builder.markup.equations import ARGUMENT, Equations
from site_builder.markup.placeholders import FormattedText, Inline, Placeholders, reference
from site_builder.markup.segments import segments, without
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
_REFERENCE = re.compile(rf"{_GROUP}|{_BARE}|(?<!\\)\\(?P<command>eqref|ref){ARGUMENT}")
_KEY = re.compile(r"(?<![\w.@/\\+])(?P<minus>-?)@(?P<key>[A-Za-z](?:[\w-]*\w)?)")
_OTHERS = {"tbl": "tables", "sec": "sections", "lst": "listings", "thm": "theorems"}  # what Quarto numbers too
BIBLIOGRAPHY = "ref-"
"""The beginning of the anchor of each entry of the list of references."""


@dataclass
class CrossReferences:
    """The figures and citations of a text. authors: of the sources, by key; cited: their keys with their numbers.

    equations: its numbered formulas, with the errors in them.
    """

    authors: Mapping[str, str]
    equations: Equations
    placeholders: Placeholders
    figures: dict[str, int] = field(default_factory=dict)
    cited: dict[str, int] = field(default_factory=dict)

    def placed(self, text: str, place: Callable[[int], Place]) -> str:
        """Return the text with placeholders for numbers of figures, references and citations.

        place: the place in the file of a line of the text, counted from 0. Raises all errors in one go.
        """
        errors = self.equations.errors
        numbered = self._with_figures(text, place, errors) if "#fig-" in text else text
        pieces = []
        for segment in segments(numbered, jinja=False):

            def written(found: re.Match[str], line: int = segment.line - 1, inside: str = segment.text) -> str:
                try:
                    return self._written(found)
                except PostError as error:
                    at = place(line + inside.count("\n", 0, found.start()))
                    errors.append(SiteError(at, error.message, error.cure))
                    return found[0]

            is_text = segment.kind == "text" and ("@" in segment.text or "ref" in segment.text)
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
                except PostError as error:
                    errors.append(SiteError(place(at), error.message, error.cure))
        return "\n".join(lines)

    def _numbered(self, line: str) -> str:
        picture, drawn = PICTURE.fullmatch(line), _DRAWN.fullmatch(line)
        found = picture or drawn
        if not found:
            cure = "write ![Caption](file.png){#fig-x} or {{ figure(...) }} {#fig-x}, alone on its line"
            raise PostError("a label of a figure stands behind no figure", cure)
        label = found["label"]
        if label in self.figures:
            raise PostError(f"two figures have the label {label}", "give one of them another label")
        number = self.figures[label] = len(self.figures) + 1
        if drawn:
            return drawn["front"] + self._drawn(drawn, label, number)
        name = _figure(number)
        html = f'<span class="figure-number">{name}{":" if found["caption"] else ""}</span>'
        shown = self.placeholders.put(FormattedText(f"{name}:", html))
        return line.replace("![", f"![{shown}", 1)

    def _drawn(self, found: re.Match[str], label: str, number: int) -> str:
        """The placeholder of a drawn figure, which knows its label and number from now on."""
        at = int(found["number"])
        part = self.placeholders.found[at]
        if getattr(part, "kind", "") != "figure":
            raise PostError(f"{label} is the label of no figure", "write it behind {{ figure(...) }}")
        self.placeholders.found[at] = replace(part, label=label, number=_figure(number))
        return found["shown"]

    def _written(self, found: re.Match[str]) -> str:
        if found["command"]:
            return self.placeholders.put(self.equations.reference(self.equations.argument(found), found["command"]))
        return self._group(found["group"]) if found["group"] else self._bare(found["bare"])

    def _bare(self, written: str) -> str:
        """A reference without brackets; a word that is none stays as it is."""
        key = written.lstrip("-@")
        if self._has_number(key):
            return self._link(key, written[0] == "-")
        if key not in self.authors:
            return written
        author = self.authors[key]
        before = f"{author} [" if author and written[0] == "@" else "["
        return f"{self._text(before)}{self._number(key)}{self._text(']')}"

    def _group(self, inside: str) -> str:
        """References in brackets, with words around them."""
        parts = [(part, _KEY.search(part)) for part in inside.split(";")]
        keys = [found["key"] for _, found in parts if found]
        if len(keys) < len(parts):
            raise PostError(f"[{inside}] has a part without a source", "write [@key; @other], each with its @")
        have_number = {self._has_number(key) for key in keys}
        if len(have_number) > 1:
            cure = f"write brackets of their own: {' and '.join(f'[@{key}]' for key in keys)}"
            raise PostError(f"[{inside}] mixes sources with figures or formulas", cure)
        if have_number == {True}:
            return "; ".join(self._number_in_brackets(part, found) for part, found in parts if found)
        pieces = [self._piece(part, found) for part, found in parts if found]
        return f"{self._text('[')}{'; '.join(pieces)}{self._text(']')}"

    def _number_in_brackets(self, part: str, found: re.Match[str]) -> str:
        """`[Fig. @fig-x]` is Fig. 1, and `[-@fig-x]` the number alone."""
        words = part[: found.start()].strip()
        is_bare = bool(words or found["minus"])
        return f"{words} ".lstrip() + self._link(found["key"], is_bare) + part[found.end() :]

    def _piece(self, part: str, found: re.Match[str]) -> str:
        key = found["key"]
        if key not in self.authors:
            cure = f"write sources: {{{key}: {{title: ...}}}}, in the front matter"
            raise PostError(f"no source is named {key!r}", nearest(key, self.authors) if self.authors else cure)
        return part[: found.start()].lstrip() + self._number(key) + part[found.end() :].rstrip()

    def _number(self, key: str) -> str:
        number = str(self.cited.setdefault(key, len(self.cited) + 1))
        return self.placeholders.put(reference(f"{BIBLIOGRAPHY}{key}", Inline(number, number), ' role="doc-biblioref"'))

    def _text(self, text: str) -> str:
        """Text that Markdown does not read."""
        return self.placeholders.put(FormattedText(text))

    def _has_number(self, key: str) -> bool:
        """Return whether a key is that of a figure or formula. Raises for other things that Quarto would number."""
        kind = key.partition("-")[0]
        if kind in _OTHERS and "-" in key:
            cure = "write a link: [words](#anchor)"
            raise PostError(f"@{key}: {_OTHERS[kind]} have no numbers", cure)
        return key.startswith(("fig-", "eq-"))

    def _link(self, label: str, is_bare: bool) -> str:
        if label.startswith("eq-"):
            return self.placeholders.put(self.equations.reference(label, "" if is_bare else "@"))
        if label not in self.figures:
            cure = nearest(label, self.figures) if self.figures else f"write {{#{label}}} behind the figure"
            raise PostError(f"no figure has the label {label!r}", cure)
        shown = str(self.figures[label]) if is_bare else _figure(self.figures[label])
        return self.placeholders.put(reference(label, Inline(shown.replace(" ", "&nbsp;"), shown)))


def _figure(number: int) -> str:
    """The name of a figure in the language of its post."""
    return f"{current().word('Figure')} {number}"
