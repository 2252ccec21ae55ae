"""Code -> HTML with a span for each token, as Pygments writes it."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.formatter import Formatter
    from pygments.lexer import Lexer


@lru_cache(maxsize=512)
def highlighted(code: str, language: str) -> str:
    """Return the code as a <div class="highlight">; without spans when the language is unknown."""
    from pygments import highlight

    return highlight(code, _lexer(language), _formatter()).strip()


@cache
def _lexer(language: str) -> "Lexer":
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language)
    except ClassNotFound:
        return get_lexer_by_name("text")


@cache
def _formatter() -> "Formatter[str]":
    from pygments.formatters import HtmlFormatter

    return HtmlFormatter(cssclass="highlight", wrapcode=True)
