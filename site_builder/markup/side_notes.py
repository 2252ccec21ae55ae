"""Footnotes as side notes, an extension of Markdown.

A note stands in a fold right after the block that first refers to it. There it can be read on any screen; the
stylesheet moves it into the margin where there is one.
"""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.extensions.footnotes import FootnoteExtension
from markdown.extensions.toc import unique
from markdown.treeprocessors import Treeprocessor

from site_builder.values.language import current

_HOLD_BLOCKS = {"div", "blockquote", "li", "dd", "details", "section", "article", "aside", "main", "header", "footer"}
_ALONE = re.compile("\\s*(?:\ufdd0\\d+\ufdd1|\x02[^\x03]*\x03)\\s*")  # a placeholder, or a block that Markdown replaced
_REFERENCE = re.compile(r"\[\^([^\]]*)\]")
_BACK = "↩\N{VARIATION SELECTOR-15}"  # an arrow, and not the picture of one

LooseNote = tuple[str, str]  # "no note", "no reference" or "twice", and the label


class SideNotes(FootnoteExtension):
    """Footnotes of Markdown, each in a fold of its own. loose: those without a reference or without a note."""

    loose: list[LooseNote]
    folds: dict[str, Element]

    def reset(self) -> None:
        """Forget the notes of the previous text."""
        super().reset()
        self.loose, self.folds = [], {}

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Register the processors."""
        super().extendMarkdown(md)
        md.treeprocessors.deregister("footnote-duplicate")
        md.postprocessors.deregister("footnote")
        md.treeprocessors.register(_Placing(md, self), "side notes", 15)  # when the references are elements

    def setFootnote(self, id: str, text: str) -> None:  # noqa: N802
        """Store a note."""
        if id in self.footnotes:
            self.loose.append(("twice", id))
        super().setFootnote(id, text)

    def findFootnotesPlaceholder(self, root: Element) -> None:  # noqa: N802
        """Do nothing: the notes do not stand together."""

    def makeFootnotesDiv(self, root: Element) -> Element | None:  # noqa: N802
        """Return all notes in one element for the inline processors; `_Placing` takes them apart."""
        together = Element("div")
        while len(self.folds) < len(self.footnotes):  # a note may bring another
            for label in list(self.footnotes)[len(self.folds) :]:
                fold = self.folds[label] = SubElement(together, "details", {"class": "sidenote"})
                SubElement(fold, "summary")
                self.parser.parseChunk(SubElement(fold, "div"), self.footnotes[label])
        return together if self.folds else None


class _Placing(Treeprocessor):
    """Puts notes behind the blocks that refer to them, numbered in the order of the references."""

    def __init__(self, md: Markdown, notes: SideNotes) -> None:
        super().__init__(md)
        self._notes = notes

    def run(self, root: Element) -> None:
        """Place all notes that something refers to; the others are loose."""
        notes = self._notes
        if "[^" in "".join(root.itertext()):
            notes.loose += [("no note", label) for text in _texts(root) for label in _REFERENCE.findall(text)]
        if not notes.folds:
            return
        self._folds = set(notes.folds.values())
        (together,) = (child for child in root if self._folds.intersection(child))
        root.remove(together)
        self._placed: dict[str, list[Element]] = {}
        self._walk(root, None)
        names: set[str] = set()
        for number, (label, references) in enumerate(self._placed.items(), 1):
            _link(notes.folds[label], references, number, _name(label, names))
        notes.loose += [("no reference", label) for label in notes.folds if label not in self._placed]

    def _walk(self, element: Element, behind: tuple[Element, Element] | None, is_in_note: bool = False) -> None:
        """Place the notes of the references in an element, and of those in notes placed on the way.

        behind: where notes are placed: in the former element, right behind the latter.
        """
        index = 0
        while index < len(element):  # it may grow behind the index
            child, own = element[index], behind
            if not is_in_note and (behind is None or (element.tag in _HOLD_BLOCKS and child.tag != "summary")):
                own = element, child
            kind, _, label = child.get("id", "").partition(":")
            if child.tag != "sup" or not kind.startswith("fnref"):
                self._walk(child, own, is_in_note or child in self._folds)
            elif own:
                if label not in self._placed:
                    self._place(self._notes.folds[label], *own)
                self._placed.setdefault(label, []).append(child)
            index += 1

    def _place(self, fold: Element, parent: Element, block: Element) -> None:
        """Put a note behind a block, and behind the notes that stand there already."""
        after = list(parent).index(block) + 1
        while after < len(parent) and (
            parent[after] in self._folds or not (self._is_block(block) or self._is_block(parent[after]))
        ):
            block = parent[after]
            after += 1
        parent.insert(after, fold)
        fold.tail = "\n"

    def _is_block(self, element: Element) -> bool:
        return bool(self.md.is_block_level(element.tag))


def _texts(root: Element) -> Iterator[str]:
    """The texts of a tree, without those of code."""
    for element in root.iter():
        yield from (element.text or "" if element.tag != "code" else "", element.tail or "")


def _name(label: str, names: set[str]) -> str:
    """The name of a note in anchors: its label, so that it stays when other notes are added."""
    plain = re.sub(r"[^\w]+", "-", label).strip("-") or "note"
    return unique(plain, names)


def _link(fold: Element, references: list[Element], number: int, name: str) -> None:
    """Link a note with its references."""
    summary, note = fold
    word = current().word
    summary.text = word("Note %(number)s") % {"number": number}
    note.attrib |= {"id": f"fn:{name}", "role": "doc-footnote", "data-number": str(number)}
    end = _end(note)
    for place, reference in enumerate(references, 1):
        anchor = f"fnref{place if place > 1 else ''}:{name}"
        reference.set("id", anchor)
        reference[0].attrib |= {"href": f"#fn:{name}", "role": "doc-noteref", "aria-label": summary.text}
        reference[0].text = str(number)
        words = word("Back to the text, note %(number)s") % {"number": number}
        words += word(", place %(place)s") % {"place": place} if len(references) > 1 else ""
        facts = {"class": "footnote-backref", "role": "doc-backlink", "href": f"#{anchor}", "aria-label": words}
        back = SubElement(end, "a", facts)
        back.text = _BACK if place == 1 else f"{_BACK}{place}"


def _end(note: Element) -> Element:
    """The paragraph that ends a note, with a space at its end."""
    last = note[-1] if len(note) else None
    if last is None or last.tag != "p" or (not len(last) and _ALONE.fullmatch(last.text or "")):
        return SubElement(note, "p")
    if len(last):
        last[-1].tail = (last[-1].tail or "") + "\N{NO-BREAK SPACE}"
    else:
        last.text = (last.text or "") + "\N{NO-BREAK SPACE}"
    return last
