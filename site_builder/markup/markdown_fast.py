"""Shortcuts through Python-Markdown that change no byte of what it writes: steps that find nothing are left out.

It tries every kind of block on every block of the text, and every inline pattern on every piece. Here each is tried
only where a sign stands without which it cannot match; one that is not listed below, as of another version, is always
tried. What stands in a text for the result of a pattern holds none of these signs: they are looked for only once.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any
from xml.etree.ElementTree import HTML_EMPTY, Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.extensions.attr_list import AttrListTreeprocessor
from markdown.extensions.toc import TocExtension, TocTreeprocessor
from markdown.serializers import BOOLEAN_ATTRIBUTES, RE_AMP, to_html_string  # type: ignore[attr-defined]
from markdown.treeprocessors import InlineProcessor, UnescapeTreeprocessor
from markdown.util import STX, AtomicString
from pymdownx.highlight import Highlight, HighlightExtension  # type: ignore[import-untyped]

from site_builder.markup.highlight import highlighted

_INDENT = "    "
# The signs of which a block must hold one, by the name of the kind of block; no sign is a part of another.
_BLOCK_SIGNS = {
    **dict.fromkeys(("indent", "defindent", "code"), (_INDENT,)),
    "admonition": ("!", _INDENT),
    "details": ("?", _INDENT),
    "markdown_block": (STX,),
    "table": ("|",),
    "hashheader": ("#",),
    "setextheader": ("\n",),
    "hr": ("-", "_", "*"),
    "deflist": (":",),
    "quote": (">",),
    **dict.fromkeys(("footnote", "reference"), ("]",)),
    "abbr": ("*",),
}
_BRACKET = ("reference", "link", "image_link", "image_reference", "short_reference", "short_image_ref", "footnote")
_INLINE_SIGNS = {
    "backtick": ("`",),
    "escape": ("\\",),
    **dict.fromkeys(_BRACKET, ("[",)),
    **dict.fromkeys(("autolink", "automail", "html"), ("<",)),
    "linebreak": ("  \n",),
    "entity": ("&",),
    "em_strong": ("*", "_"),
    **dict.fromkeys(("smarty-em-dashes", "smarty-en-dashes"), ("--",)),
    "smarty-ellipses": ("...",),
    **{f"smarty-quotes-{number}": ("'", '"') for number in range(15)},
}


class Shortcuts(Extension):
    """Takes the place of steps of Markdown; it comes after all other extensions."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Replace the steps by those that find the same with less work."""
        steps = md.treeprocessors
        smarty: Any = steps["smarty"]
        steps.register(_Inline(md, md.inlinePatterns), "inline", 20)
        steps.register(_Smarty(md, smarty.inlinePatterns), "smarty", 6)
        steps.register(_Unescape(md), "unescape", 0)
        steps.register(_AttrList(md), "attr_list", 8)
        md.parser.parseBlocks = _Blocks(md.parser).parse  # type: ignore[method-assign]
        md.serializer = serialized
        md.is_block_level = _Tags(md.is_block_level).__getitem__  # type: ignore[method-assign, assignment]


class Headings(TocExtension):
    """Markdown's headings with anchors, its table of contents made only for a text that has its mark."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Add the step that makes the anchors."""
        self.TreeProcessorClass = _Toc
        super().extendMarkdown(md)


class Highlighting(HighlightExtension):  # type: ignore[misc]
    """Highlighting for superfences, which asks this extension for it."""

    def get_pymdownx_highlighter(self) -> type:
        """What highlights a block."""
        return _Highlight


class _Highlight(Highlight):  # type: ignore[misc]
    def highlight(self, src: str, language: str | None, css_class: str = "highlight", **options: Any) -> Any:
        """The code as HTML; a block that asks for more than its language goes the long way."""
        asked = any(options.get(name) for name in ("hl_lines", "classes", "id_value", "attrs", "title", "inline"))
        if asked or options["linestart"] > 0 or css_class != "highlight":
            return super().highlight(src, language, css_class, **options)
        return highlighted(src, language or "")


class _Steps:
    """The steps of a registry, each with the signs that it needs; None for one that is not known."""

    def __init__(self, registry: Any, signs: Mapping[str, tuple[str, ...]]) -> None:
        known = {registry[name]: frozenset(needed) for name, needed in signs.items() if name in registry}
        self.steps = [(step, known.get(step)) for step in registry]
        self.all_known = len(known) == len(self.steps)
        self._sign = re.compile("|".join(re.escape(sign) for sign in sorted(frozenset().union(*known.values()))))

    def signs_in(self, text: str) -> frozenset[str]:
        """The signs that stand in a text."""
        return frozenset(self._sign.findall(text))


class _Blocks:
    """Markdown's kinds of blocks."""

    def __init__(self, parser: Any) -> None:
        self._steps = _Steps(parser.blockprocessors, _BLOCK_SIGNS)

    def parse(self, parent: Element, blocks: list[str]) -> None:
        """Put the blocks into the tree below `parent`, as BlockParser.parseBlocks does."""
        while blocks:
            found = self._steps.signs_in(blocks[0])
            for step, signs in self._steps.steps:
                if (signs is None or not signs.isdisjoint(found)) and step.test(parent, blocks[0]):
                    if step.run(parent, blocks) is not False:
                        break
                    found = self._steps.signs_in(blocks[0])


class _Inline(InlineProcessor):
    """Markdown's inline patterns."""

    def __init__(self, md: Markdown, patterns: Any) -> None:
        super().__init__(md)
        self.inlinePatterns = patterns
        self._steps = _Steps(patterns, _INLINE_SIGNS)

    def _InlineProcessor__handleInline(self, data: str, patternIndex: int = 0) -> str:  # noqa: N802, N803
        # The name is that of the method which Markdown's own class calls: this one takes its place.
        found = self._steps.signs_in(data)
        if isinstance(data, AtomicString) or (not found and self._steps.all_known):
            return data
        apply = self._InlineProcessor__applyPattern  # type: ignore[attr-defined]
        for index in range(patternIndex, len(self._steps.steps)):
            pattern, signs = self._steps.steps[index]
            matched, start = signs is None or not signs.isdisjoint(found), 0
            while matched:
                data, matched, start = apply(pattern, data, index, start)
        return data


class _Smarty(_Inline):
    """The quotes and dashes of print. They make no elements, so that the tree stays as it is but for its texts."""

    def run(self, tree: Element, ancestors: list[str] | None = None) -> Element:
        """The tree with the signs in its texts replaced."""
        if self._steps.all_known and not self._steps.signs_in(_texts(tree)):
            return tree
        self.stashed_nodes = {}
        self.ancestors = []
        for element in tree.iter():
            if element is tree:
                continue
            if element.text:
                element.text = self._replaced(element.text)
            if element.tail:
                element.tail = self._replaced(element.tail)
        return tree

    def _replaced(self, text: str) -> str:
        done = self._InlineProcessor__handleInline(text)
        if done is text:
            return text
        holder = Element("p")
        self._InlineProcessor__processPlaceholders(done, holder)  # type: ignore[attr-defined]
        return holder.text or ""


class _AttrList(AttrListTreeprocessor):
    def run(self, doc: Element) -> None:
        """Move the attributes that are written in the texts of the tree into their elements."""
        if "{" in _texts(doc):
            super().run(doc)


class _Toc(TocTreeprocessor):
    def run(self, doc: Element) -> None:
        """Give the headings of the tree their anchors."""
        self._is_wanted = any(self.marker in (element.text or "") for element in doc.iter())
        super().run(doc)

    def build_toc_div(self, toc_list: Any) -> Element:
        """The table of contents; an empty one where no mark asks for it."""
        return super().build_toc_div(toc_list) if self._is_wanted else Element("div")

    def replace_marker(self, root: Element, elem: Element) -> None:
        """Put the table of contents in the place of its mark."""
        if self._is_wanted:
            super().replace_marker(root, elem)


class _Unescape(UnescapeTreeprocessor):
    def run(self, root: Element) -> None:
        """Put the escaped signs of the tree back as they are."""
        if self.RE.search(_texts(root)):
            super().run(root)

    def unescape(self, text: str) -> str:
        """The text with its escaped signs as they are."""
        return super().unescape(text) if STX in text else text


def _texts(tree: Element) -> str:
    """All texts of a tree, for signs that may stand in any of them."""
    return "".join([text for element in tree.iter() for text in (element.text, element.tail) if text])


class _Tags(dict[Any, bool]):
    """Whether a tag is one of a block, asked of Markdown once for each tag."""

    def __init__(self, is_block: Callable[[Any], bool]) -> None:
        super().__init__()
        self._is_block = is_block

    def __missing__(self, tag: Any) -> bool:
        self[tag] = self._is_block(tag)
        return self[tag]


def serialized(tree: Element) -> str:
    """A tree as HTML, byte for byte as Markdown writes it."""
    if any(type(element.tag) is not str for element in tree.iter()):  # comments and the like
        return to_html_string(tree)
    pieces: list[str] = []
    _serialize(tree, pieces)
    return "".join(pieces)


def _serialize(element: Element, pieces: list[str]) -> None:
    tag, text, tail = element.tag, element.text, element.tail
    attributes = element.items()
    pieces.append(f"<{tag}{_attributes(attributes)}>" if attributes else f"<{tag}>")
    if text:
        pieces.append(text if tag.lower() in ("script", "style") else _escaped(text))
    for child in element:
        _serialize(child, pieces)
    if tag not in HTML_EMPTY and tag.lower() not in HTML_EMPTY:
        pieces.append(f"</{tag}>")
    if tail:
        pieces.append(_escaped(tail))


def _attributes(found: Any) -> str:
    written = []
    for name, value in sorted(found):
        if value is None:
            written.append(f" {name}")
            continue
        value = _escaped(value).replace('"', "&quot;")
        is_bare = name == value and name in BOOLEAN_ATTRIBUTES["html"]
        written.append(f" {name}" if is_bare else f' {name}="{value}"')
    return "".join(written)


def _escaped(text: str) -> str:
    if "&" in text:
        text = RE_AMP.sub("&amp;", text)
    if "<" in text:
        text = text.replace("<", "&lt;")
    if ">" in text:
        text = text.replace(">", "&gt;")
    return text
