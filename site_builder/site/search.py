"""Parts of pages for their search index: attributes with plain text, and words to offer for misspelt ones."""

import re
from collections.abc import Iterable

from site_builder.markup.placeholders import fill_parts, strip_tags
from site_builder.posts.blocks import Body, FigureBlock, TableBlock
from site_builder.posts.summary import PostSummary
from site_builder.site.model import Site
from site_builder.values.digest import digest

# A formula of one sign is its own text.
_FORMULA = re.compile(r'<math(?=[^>]* alttext="[^"]*[^\w."])')
_PICTURE = re.compile(r"<img(?=\s)")
_MATHEMATICS = re.compile(r"<math\b.*?</math>", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]{4,24}")


def with_plain_texts(page: bytes) -> bytes:
    """The page, where pagefind indexes a formula and a picture of the text by their alternative texts.

    The text of MathML would be indexed without its signs: 1 over 2 as 12.
    """
    html = _FORMULA.sub('<math data-pagefind-index-attrs="alttext"', page.decode())
    return _PICTURE.sub('<img data-pagefind-index-attrs="alt"', html).encode()


def offered_words(site: Site, texts: Iterable[PostSummary]) -> bytes:
    """The words that a search may offer for a misspelt one: of four letters or more, one to a line."""
    found: set[str] = set()
    for text in texts:
        key = digest("words", text.title.text, text.summary.text, text.body)
        found.update(site.recall(key, lambda text=text: _words(text, site.body(text))).decode().split())  # type: ignore[misc]
    return "\n".join(sorted(found)).encode()


def _words(text: PostSummary, body: Body) -> bytes:
    blocks = [block for block in body.parts if isinstance(block, (FigureBlock, TableBlock))]
    captions = [part.html for block in blocks for part in (block.title, block.caption)]
    html = " ".join([text.title.text, text.summary.text, fill_parts(body.html, lambda number: " "), *captions])
    words = _WORD.findall(strip_tags(_MATHEMATICS.sub(" ", html)).lower())
    return " ".join(sorted(set(words))).encode()
