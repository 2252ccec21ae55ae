"""Pictures with a number: `![Caption](file.png){#fig-x}` on a line of its own."""

import re
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.blockprocessors import BlockProcessor
from markdown.extensions import Extension

PICTURE = re.compile(
    "(?P<front>[ \t>]*)!\\[(?P<number>\ufdd0\\d+\ufdd1)?(?P<caption>.*)\\]\\((?P<address>.*)\\)"
    r"\{(?P<attributes>[^{}]*#(?P<label>fig-[\w-]*\w)[^{}]*)\}\s*"
)
"""The line of such a picture; number: the placeholder of its number, once it has one."""


class NumberedFigures(Extension):
    """Makes figures of pictures with a label that begins with `fig-`."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Register the processor."""
        md.parser.blockprocessors.register(_NumberedFigures(md.parser), "numbered_figure", 12)  # before paragraphs


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
