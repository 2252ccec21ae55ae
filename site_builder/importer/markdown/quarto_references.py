"""Numbers what Quarto's cross-references lead to, and makes links of them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from site_builder.importer.markdown.conversion import ConversionContext, SourceLine, join_lines, replace_in_text

KINDS: Mapping[str, str] = {
    "fig": "Figure",
    "tbl": "Table",
    "lst": "Listing",
    "eq": "Equation",
    "sec": "Section",
    "thm": "Theorem",
    "lem": "Lemma",
    "cor": "Corollary",
    "prp": "Proposition",
    "cnj": "Conjecture",
    "def": "Definition",
    "exm": "Example",
    "exr": "Exercise",
    "sol": "Solution",
    "rem": "Remark",
    "alg": "Algorithm",
    "nte": "Note",
    "tip": "Tip",
    "wrn": "Warning",
    "imp": "Important",
    "cau": "Caution",
}
_KEY = r"@(?P<key>[A-Za-z][\w-]*(?:[.:][\w-]+)*)"
_REFERENCE = re.compile(
    rf"\\.|\[(?P<group>[^\[\]]*(?<![\w/@.])@[A-Za-z][^\[\]]*)\](?![(\[])|(?<![\w/@.<:-]){_KEY}"
    r"|\]\(#(?P<equation>eq-[^\s()]+)\)",
    re.DOTALL,
)
_ONE = re.compile(rf"\s*(?P<prefix>.*?)\s*(?P<minus>-)?{_KEY}(?P<suffix>.*)$", re.DOTALL)


@dataclass(frozen=True)
class _Label:
    """The text of references to a labelled part: a word and its number or title."""

    word: str
    number: str

    @property
    def words(self) -> str:
        return f"{self.word} {self.number}"


@dataclass
class Labels:
    """Everything in a text that a reference can lead to, by identifier, numbered in the order of the text."""

    by_identifier: dict[str, _Label] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=dict)

    def add(self, identifier: str, title: str = "", part_of: str = "") -> str:
        """Number what has this identifier and return its name, such as Figure 1; empty if its kind has none.

        title: of a section, instead of a number. part_of: the figure inside of which it stands.
        """
        kind = kind_of(identifier)
        if not kind:
            return ""
        over = self.by_identifier.get(part_of)
        counted = part_of if over else kind
        self._counts[counted] = number = self._counts.get(counted, 0) + 1
        shown = f"{over.number} ({chr(96 + min(number, 26))})" if over else f"“{title}”" if title else str(number)
        label = self.by_identifier.setdefault(identifier, _Label(KINDS[kind], shown))
        return label.words


def kind_of(identifier: str) -> str:
    """The kind to which an identifier belongs by its first letters, such as fig; empty if it is no target."""
    kind, sign, _ = identifier.partition("-")
    return kind if sign and kind in KINDS else ""


def equation_label(identifier: str) -> str:
    """The label of a formula in a post: eq:sum for eq-sum."""
    return "eq:" + identifier.partition("-")[2]


def link_references(body: list[SourceLine], labels: Labels, context: ConversionContext) -> list[SourceLine]:
    """Replace references by links. body: lines of a post."""
    text = join_lines(body)
    if "@" not in text and "(#eq-" not in text:
        return body
    return replace_in_text(body, _REFERENCE, partial(_replaced, labels, context))


def _replaced(labels: Labels, context: ConversionContext, found: re.Match[str], number: int) -> str:
    if found["equation"]:
        identifier = found["equation"]
        known = identifier in labels.by_identifier
        return f"](#{equation_label(identifier) if known else identifier})"
    if found["key"]:
        return _link(found["key"], "", False, labels, context, number) or found[0]
    if not found["group"]:
        return found[0]
    made = []
    for one in found["group"].split(";"):
        each = _ONE.match(one)
        link = each and _link(each["key"], each["prefix"], bool(each["minus"]), labels, context, number)
        if each is None or link is None:
            return found[0]
        made.append(f"{link}{each['suffix']}")
    return ", ".join(made) + "\n" * (found[0].count("\n") - "".join(made).count("\n"))


def _link(
    key: str, prefix: str, is_number_alone: bool, labels: Labels, context: ConversionContext, line: int
) -> str | None:
    """The link for one reference; None if it leads nowhere, which is reported."""
    identifier = key[:1].lower() + key[1:]
    label = labels.by_identifier.get(identifier)
    if label is None:
        problem = f"there is no {key} in this file" if kind_of(identifier) else f"the citation @{key}"
        context.report(line, problem, "its sign stands as text")
        return None
    if kind_of(identifier) == "eq":
        command = rf"$\{'ref' if is_number_alone else 'eqref'}{{{equation_label(identifier)}}}$"
        return f"{prefix} {command}".lstrip() if prefix or is_number_alone else f"{label.word} {command}"
    if prefix or is_number_alone:
        return f"[{f'{prefix} {label.number}'.strip()}](#{identifier})"
    return f"[{label.words}](#{identifier})"
