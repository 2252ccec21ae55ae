"""Blocks that Python-Markdown has not: divs between `:::`, and pictures with numbers."""

import re
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.blockprocessors import BlockProcessor
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

from site_builder.markup.cross_references import PICTURE
from site_builder.values.language import current

DIV = re.compile(r"^ {0,3}:{3,}[ \t]*(?:(?P<name>[\w-]+)|\{(?P<attributes>[^}\n]*)\})?[ \t:]*$", re.MULTILINE)
"""A line that opens a div, or that closes one, without words after its colons."""

_CALLOUT = "callout-"
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}


class OwnBlocks(Extension):
    """Pandoc's fenced divs, Quarto's callouts, and figures of pictures with a label that begins with `fig-`."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Register the processors."""
        md.parser.blockprocessors.register(_FencedDivs(md.parser), "fenced_div", 110)
        md.parser.blockprocessors.register(_NumberedFigures(md.parser), "numbered_figure", 12)  # before paragraphs
        md.treeprocessors.register(_CalloutNames(md), "callout_names", 6)


class _CalloutNames(Treeprocessor):
    """The titles of callouts that have the name of their kind, in the language of the text."""

    def run(self, root: Element) -> None:
        """Translate the titles."""
        for callout in root.iterfind(".//div[p]"):
            classes = callout.get("class", "").split()
            title = callout[0]
            if "admonition" in classes and title.text and title.text.lower() in classes:
                title.text = current().word(title.text)


class _FencedDivs(BlockProcessor):
    """Divs such as `::: warning` or `::: {#id .class}`."""

    def test(self, parent: Element, block: str) -> bool:
        """Return whether a div opens in the block."""
        found = DIV.search(block)
        return bool(found and is_opening(found))

    def run(self, parent: Element, blocks: list[str]) -> bool | None:
        """Put what stands up to the closing line into a div; False where there is no closing line."""
        text = "\n\n".join(blocks)
        opening = DIV.search(text)
        closing = opening and _closing(text, opening.end())
        if not opening or not closing:
            return False
        before, inside, after = text[: opening.start()], text[opening.end() : closing.start()], text[closing.end() :]
        if before.strip():
            self.parser.parseChunk(parent, before.rstrip("\n"))
        blocks[:] = after.strip("\n").split("\n\n") if after.strip() else []
        div = SubElement(parent, "div", {"class": opening["name"]} if opening["name"] else {})
        attributes: Any = self.parser.md.treeprocessors["attr_list"]
        attributes.assign_attrs(div, opening["attributes"] or "")
        self.parser.parseChunk(div, inside.strip("\n"))
        _make_callout(div)
        return None


def is_opening(line: re.Match[str]) -> bool:
    """Return whether a line of colons opens a div: a name or attributes stand on it."""
    return line["name"] is not None or line["attributes"] is not None


def _closing(text: str, start: int) -> re.Match[str] | None:
    """The line that closes the div which opens before `start`."""
    depth = 1
    for line in DIV.finditer(text, start):
        depth += 1 if is_opening(line) else -1
        if not depth:
            return line
    return None


def _make_callout(div: Element) -> None:
    """Make a div of Quarto's class `callout-note` an admonition, or a fold where it has `collapse`.

    Its title is the attribute `title`, else a heading at its head, else the name of its kind.
    """
    classes = div.get("class", "").split()
    kind = next((each.removeprefix(_CALLOUT) for each in classes if each.startswith(_CALLOUT)), "")
    if not kind:
        return
    title = Element("p", {"class": "admonition-title"})
    title.text = div.attrib.pop("title", "")
    if not title.text and len(div) and div[0].tag in _HEADINGS:
        title.text = div[0].text
        div.remove(div[0])
    title.text = title.text or kind.capitalize()
    collapse, *_ = (div.attrib.pop(each, "") for each in ("collapse", "icon", "appearance"))
    if collapse:
        div.tag, title.tag, title.attrib = "details", "summary", {}
        div.attrib |= {} if collapse == "true" else {"open": "open"}
    others = [each for each in classes if not each.startswith(_CALLOUT)]
    div.set("class", " ".join([*([] if collapse else ["admonition"]), kind, *others]))
    div.insert(0, title)


class _NumberedFigures(BlockProcessor):
    def test(self, parent: Element, block: str) -> bool:
        """Return whether the block is a picture with a label and a number."""
        found = PICTURE.fullmatch(block)
        return bool(found and found["number"])

    def run(self, parent: Element, blocks: list[str]) -> None:
        """Put the picture and its caption into a figure."""
        found = PICTURE.fullmatch(blocks.pop(0))
        assert found
        others = " ".join(each for each in found["attributes"].split() if each != f"#{found['label']}")
        attributes = f"{{{others}}}" if others.strip(": ") else ""
        figure = SubElement(parent, "figure", {"class": "figure", "id": found["label"]})
        words = found["caption"].replace("*", "")
        figure.text = f"![{words}]({found['address']}){attributes}"
        caption = SubElement(figure, "figcaption")
        caption.text = f"{found['number']} {found['caption']}".strip()
