"""Folds such as hints and solutions, each with an anchor: a link to it opens the fold, in browsers without a script."""

import re
from collections.abc import Callable
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.extensions.toc import unique
from markdown.treeprocessors import Treeprocessor

_SET_ASIDE = re.compile("\x02[^\x03]*\x03")


class Folds(Extension):
    """Gives each fold an anchor. slug: makes one of a title."""

    def __init__(self, slug: Callable[[str], str]) -> None:
        super().__init__()
        self._slug = slug

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Add the step that does it."""
        md.treeprocessors.register(_Anchors(md, self._slug), "folds", 4)  # when headings have theirs


class _Anchors(Treeprocessor):
    def __init__(self, md: Markdown, slug: Callable[[str], str]) -> None:
        super().__init__(md)
        self._slug = slug

    def run(self, root: Element) -> None:
        """Put what is folded into an element with an anchor: a browser opens a fold for what is inside, not for it."""
        folds = [fold for fold in root.iter("details") if fold.get("class") != "sidenote" and len(fold)]
        folds = [fold for fold in folds if fold[0].tag == "summary" and "id" not in fold.attrib]
        if not folds:
            return
        names = {element.attrib["id"] for element in root.iter() if "id" in element.attrib}
        for fold in folds:
            summary = fold[0]
            if not "".join(summary.itertext()).strip():
                summary.text = (fold.get("class", "").split() or ["more"])[0].capitalize()
            name = unique(self._slug(_title(summary)), names)
            inside = Element("div", {"class": "folded", "id": name})
            inside.extend(fold[1:])
            inside.text, summary.tail = summary.tail, "\n"
            inside.tail = "\n"
            fold[1:] = [inside]


def _title(summary: Element) -> str:
    """The words of a summary, without references to notes."""
    words = summary.text or ""
    for child in summary:
        if child.tag != "sup":
            words += _title(child)
        words += child.tail or ""
    return _SET_ASIDE.sub("", words)
