"""Footnotes as side notes: each becomes a fold right after the block that first refers to it.

In the fold a note can be read on any screen, by any reader; the stylesheet moves it into the margin where there is one.
"""

import re
from itertools import count
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.extensions.footnotes import FootnoteExtension, FootnoteInlineProcessor
from markdown.treeprocessors import Treeprocessor

_HOLD_BLOCKS = {"div", "blockquote", "li", "dd", "details", "section", "article", "aside", "main", "header", "footer"}
_ALONE = re.compile("\\s*(?:\ufdd0\\d+\ufdd1|\x02[^\x03]*\x03)\\s*")  # a token, or a block that Markdown set aside
_BACK = "↩\N{VARIATION SELECTOR-15}"  # an arrow, and not the picture of one
Loose = tuple[str, str]  # what is wrong with a note, and its label

NO_NOTE, NO_REFERENCE, TWICE = "no note", "no reference", "twice"


class SideNotes(FootnoteExtension):
    """Markdown's footnotes, each in a fold of its own; `loose` tells those that belong to nothing."""

    def __init__(self) -> None:
        self.loose: list[Loose] = []
        self.folds: dict[str, Element] = {}
        self.references: dict[Element, str] = {}
        super().__init__()

    def reset(self) -> None:
        """Forget the notes of the text before."""
        super().reset()
        self.loose = []
        self.folds = {}
        self.references = {}

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Add the steps that read notes and references, and the one that puts each note in its place."""
        super().extendMarkdown(md)
        md.inlinePatterns.register(_References(r"\[\^([^\]]*)\]", self), "footnote", 175)
        md.treeprocessors.deregister("footnote-duplicate")
        md.postprocessors.deregister("footnote")
        md.treeprocessors.register(_Placing(md, self), "side notes", 15)  # when the references are elements

    def setFootnote(self, id: str, text: str) -> None:  # noqa: N802
        """Keep a note that was read."""
        if id in self.footnotes:
            self.loose.append((TWICE, id))
        super().setFootnote(id, text)

    def findFootnotesPlaceholder(self, root: Element) -> None:  # noqa: N802
        """No place is marked for the notes: they do not stand together."""

    def makeFootnotesDiv(self, root: Element) -> Element | None:  # noqa: N802
        """The notes, read, for the steps that read what stands within lines; `_Placing` takes them apart."""
        together = Element("div")
        while waiting := [label for label in self.footnotes if label not in self.folds]:  # a note may bring another
            fold = self.folds[waiting[0]] = SubElement(together, "details", {"class": "sidenote"})
            SubElement(fold, "summary")
            note = SubElement(fold, "div")
            self.parser.parseChunk(note, self.footnotes[waiting[0]])
        return together if self.folds else None


class _References(FootnoteInlineProcessor):
    def __init__(self, pattern: str, notes: SideNotes) -> None:
        super().__init__(pattern, notes)
        self._notes = notes

    def handleMatch(self, m: re.Match[str], data: str) -> Any:  # type: ignore[override]  # noqa: N802
        """A reference as an element; its number comes when all are known."""
        label, notes = m.group(1), self._notes
        if label not in notes.footnotes:
            notes.loose.append((NO_NOTE, label))
            return None, None, None
        reference = Element("sup")
        SubElement(reference, "a", {"class": "footnote-ref", "role": "doc-noteref"})
        notes.references[reference] = label
        return reference, m.start(0), m.end(0)


class _Placing(Treeprocessor):
    """Puts notes behind the blocks that refer to them, numbered in the order of the references."""

    def __init__(self, md: Markdown, notes: SideNotes) -> None:
        super().__init__(md)
        self._notes = notes

    def run(self, root: Element) -> None:
        """Place all notes that something refers to; the others are told."""
        notes = self._notes
        if not notes.folds:
            return
        (together,) = (child for child in root if any(fold in child for fold in notes.folds.values()))
        root.remove(together)
        self._met: dict[str, list[Element]] = {}
        self._walk([root])
        names: set[str] = set()
        for number, (label, references) in enumerate(self._met.items(), 1):
            _link(notes.folds[label], references, number, _name(label, names))
        notes.loose += [(NO_REFERENCE, label) for label in notes.folds if label not in self._met]

    def _walk(self, path: list[Element]) -> None:
        """Meet the references in the last element of a path in their order, and those in notes placed on the way."""
        element = path[-1]
        index = 0
        while index < len(element):  # it may grow behind the index
            child = element[index]
            if child in self._notes.references and (links := [each for each in path if each.tag == "a"]):
                _take_out(child, path, links[0])
                continue
            if child in self._notes.references:
                self._meet(child, path)
            else:
                self._walk([*path, child])
            index += 1

    def _meet(self, reference: Element, path: list[Element]) -> None:
        label = self._notes.references[reference]
        if label not in self._met:
            self._place(self._notes.folds[label], [*path, reference])
        self._met.setdefault(label, []).append(reference)

    def _place(self, fold: Element, path: list[Element]) -> None:
        """Put a note behind the block at the end of a path, and behind the notes that stand there already."""
        folds = list(self._notes.folds.values())
        inside = [depth for depth, element in enumerate(path) if element in folds]
        depth = inside[0] if inside else _depth_of_block(path)
        parent, block = path[depth - 1], path[depth]
        after = list(parent).index(block) + 1
        while after < len(parent) and (
            parent[after] in folds or not (self._is_block(block) or self._is_block(parent[after]))
        ):
            block = parent[after]
            after += 1
        parent.insert(after, fold)
        fold.tail = "\n"

    def _is_block(self, element: Element) -> bool:
        return bool(self.md.is_block_level(element.tag))


def _depth_of_block(path: list[Element]) -> int:
    """The place in a path of the innermost element behind which a block may stand."""
    for depth in range(len(path) - 1, 0, -1):
        if path[depth - 1].tag in _HOLD_BLOCKS and path[depth].tag != "summary":
            return depth
    return 1


def _take_out(reference: Element, path: list[Element], link: Element) -> None:
    """Move a reference behind the link in which it stands: a link holds no other."""
    holder, around = path[-1], path[path.index(link) - 1]
    index = list(holder).index(reference)
    holder.remove(reference)
    if index:
        holder[index - 1].tail = (holder[index - 1].tail or "") + (reference.tail or "")
    else:
        holder.text = (holder.text or "") + (reference.tail or "")
    reference.tail, link.tail = link.tail, None
    around.insert(list(around).index(link) + 1, reference)


def _name(label: str, names: set[str]) -> str:
    """What the anchors of a note are made of: its label, so that they stay when other notes come."""
    plain = re.sub(r"[^\w]+", "-", label).strip("-") or "note"
    name = next(name for number in count(1) if (name := plain if number == 1 else f"{plain}-{number}") not in names)
    names.add(name)
    return name


def _link(fold: Element, references: list[Element], number: int, name: str) -> None:
    """Link a note with its references."""
    summary, note = fold
    summary.text = f"Note {number}"
    note.attrib |= {"id": f"fn:{name}", "role": "doc-footnote", "data-number": str(number)}
    end = _end(note)
    for place, reference in enumerate(references, 1):
        anchor = f"fnref{place if place > 1 else ''}:{name}"
        reference.set("id", anchor)
        reference[0].attrib |= {"href": f"#fn:{name}", "aria-label": f"Note {number}"}
        reference[0].text = str(number)
        words = f"Back to the text, note {number}" + (f", place {place}" if len(references) > 1 else "")
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
