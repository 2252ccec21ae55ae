"""Python-Markdown that tries a processor only where a trigger occurs: a string without which it cannot match.

Python-Markdown tries every block processor on every block, and every inline pattern on every piece of text. The loops
below are those of its VERSION, and the output is the same to the byte; with another version installed, the library's
own loops run. A processor without an entry below is always tried. What a pattern leaves in a text holds no trigger, so
that they are searched once for each block.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from xml.etree.ElementTree import Element

import markdown
from markdown.blockparser import BlockParser
from markdown.extensions.smarty import SmartyExtension, SubstituteTextPattern
from markdown.treeprocessors import InlineProcessor
from markdown.util import STX, Registry
from pymdownx.highlight import Highlight, HighlightExtension  # type: ignore[import-untyped]

from site_builder.markup.highlight import highlighted
from site_builder.values.language import ENGLISH

VERSION = "3.11.3"  # before it is raised: compare the changed loops of the library, and run the tests of this module
_INDENT = "    "
_BLOCK_TRIGGERS = {
    **dict.fromkeys(("indent", "defindent", "code"), (_INDENT,)),
    "admonition": ("!!!", _INDENT),
    "details": ("???", _INDENT),
    "tabbed": ("===", _INDENT),
    "fenced_div": (":::",),
    "numbered_figure": ("#fig-",),
    "markdown_block": (STX,),
    "table": ("|",),
    "hashheader": ("#",),
    "setextheader": ("\n",),
    "hr": ("-", "_", "*"),
    "deflist": (":",),
    "quote": (">",),
    **dict.fromkeys(("footnote", "reference"), ("]:",)),
    "abbr": ("*[",),
}
_INLINE_TRIGGERS = {
    "backtick": ("`",),
    "escape": ("\\",),
    **dict.fromkeys(("reference", "link", "short_reference"), ("[",)),
    **dict.fromkeys(("image_link", "image_reference", "short_image_ref"), ("![",)),
    "footnote": ("[^",),
    "bracket_span": ("]{",),
    **dict.fromkeys(("autolink", "automail", "html"), ("<",)),
    "magic-link": ("://", "w.", "W."),
    "magic-mail": ("@",),
    "delimiter": ("~", "^", "=="),
    "emoji": (":",),
    "linebreak": ("  \n",),
    "backslash_break": ("\\\n",),
    "entity": ("&",),
    "em_strong": ("*", "_"),
}
_SMARTY_TRIGGERS = {
    **dict.fromkeys(("smarty-em-dashes", "smarty-en-dashes"), ("--",)),
    "smarty-ellipses": ("...",),
    **{f"smarty-quotes-{number}": ("'", '"') for number in range(15)},
    "apostrophe": ("'",),
}
_QUOTES = tuple(f"{side}-{kind}-quote" for kind in ("double", "single") for side in ("left", "right"))


def add_triggers(md: markdown.Markdown, quotes: "Quotes") -> None:
    """Let Markdown try its processors at their triggers only, if the library has that version."""
    if markdown.__version__ != VERSION:
        return
    parser = _BlockParser(md)
    parser.blockprocessors = md.parser.blockprocessors
    parser.triggers = _Triggers(parser.blockprocessors, _BLOCK_TRIGGERS)
    for processor in parser.blockprocessors:
        processor.parser = parser
    md.parser = parser
    md.is_block_level = cache(md.is_block_level)  # type: ignore[method-assign]  # asked five times for each element
    md.treeprocessors.register(_Inline(md, md.inlinePatterns, _INLINE_TRIGGERS), "inline", 20)
    md.treeprocessors.register(_Inline(md, quotes.inlinePatterns, _SMARTY_TRIGGERS), "smarty", 6)


class Quotes(SmartyExtension):
    """Typographic quotes, dashes and ellipses. quotes: see Language."""

    def __init__(self, quotes: Sequence[str]) -> None:
        self._is_english = list(quotes) == ENGLISH.quotes
        super().__init__(substitutions={} if self._is_english else dict(zip(_QUOTES, quotes, strict=True)))

    def extendMarkdown(self, md: markdown.Markdown) -> None:  # noqa: N802
        """Register the processor of the patterns; an apostrophe is no closing quote."""
        super().extendMarkdown(md)
        if not self._is_english:
            apostrophe = SubstituteTextPattern(r"(?<=\w)'(?=\w)", ("&rsquo;",), md)
            self.inlinePatterns.register(apostrophe, "apostrophe", 40)


class _Triggers:
    """Selects the processors of a registry that a text needs."""

    def __init__(self, registry: Any, triggers: Mapping[str, Sequence[str]]) -> None:
        known = {id(registry[name]): frozenset(triggers[name]) for name in triggers if name in registry}
        self._processors = [(processor, known.get(id(processor))) for processor in registry]
        self._triggers = frozenset().union(*known.values())
        self._selected: dict[frozenset[str], Registry[Any]] = {}

    def select(self, text: str) -> Registry[Any]:
        """Return the processors of which a trigger occurs in the text, and those without triggers, in their order."""
        found = frozenset([trigger for trigger in self._triggers if trigger in text])
        if found not in self._selected:
            selected = self._selected[found] = Registry()
            for position, (processor, needed) in enumerate(self._processors):
                if needed is None or needed & found:
                    selected.register(processor, str(position), -position)
        return self._selected[found]


class _BlockParser(BlockParser):
    triggers: _Triggers

    def parseBlocks(self, parent: Element, blocks: list[str]) -> None:  # noqa: N802
        """Put the blocks into the tree below `parent`."""
        while blocks:
            for processor in self.triggers.select(blocks[0]):
                if processor.test(parent, blocks[0]) and processor.run(parent, blocks) is not False:
                    break


class _Inline(InlineProcessor):
    """Applies inline patterns to one child of the tree after the other, those that its text needs."""

    def __init__(self, md: markdown.Markdown, patterns: Any, triggers: Mapping[str, Sequence[str]]) -> None:
        super().__init__(md)
        self._triggers = _Triggers(patterns, triggers)

    def run(self, tree: Element, ancestors: list[str] | None = None) -> Element:
        """Return the tree with the elements that the patterns make of its texts."""
        children: list[Element] = []
        for child in tree:
            self.inlinePatterns = self._triggers.select("".join(child.itertext()) + (child.tail or ""))
            if self.inlinePatterns:
                holder = Element(tree.tag)
                holder.append(child)
                super().run(holder, ancestors)
                children += holder
            else:
                children.append(child)
        tree[:] = children
        return tree


class CodeHighlighting(HighlightExtension):  # type: ignore[misc]
    """Makes superfences highlight blocks of code by `highlighted`."""

    def get_pymdownx_highlighter(self) -> type:
        """Return the class that highlights a block."""
        return _Highlight


class _Highlight(Highlight):  # type: ignore[misc]
    def highlight(self, src: str, language: str | None, css_class: str = "highlight", **options: Any) -> Any:
        """Return the code as HTML; pymdownx makes that of a block with more options than its language."""
        asked = any(options.get(name) for name in ("hl_lines", "classes", "id_value", "attrs", "title", "inline"))
        if asked or options["linestart"] > 0 or css_class != "highlight":
            return super().highlight(src, language, css_class, **options)
        return highlighted(src, language or "")
