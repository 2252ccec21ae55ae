"""The HTML of a page -> the HTML of a feed, whose readers have no stylesheet and no scripts of the site."""

import re

_PIECE = re.compile(
    r"<math\b.*?</math\s*>"
    r'|<a class="headerlink".*?</a>'
    r"|<(?P<dropped>script|style)\b.*?</(?P=dropped)\s*>"
    r"|</span\s*>"
    r"|<[a-zA-Z](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>",
    re.DOTALL | re.IGNORECASE,
)
# Attributes that have a meaning only for the stylesheet and the scripts of the site.
_OF_THE_SITE = re.compile(
    r"\s(?:class|style|tabindex|role|aria-[\w-]+|loading|decoding|on\w+)\s*=\s*(?:\"[^\"]*\"|'[^']*')"
)


_COLOURED = re.compile(r'<span class="[^"]*">([^<]*)</span>')  # nearly all tags of a listing


def for_readers(html: str) -> str:
    """Return the HTML without what has no meaning in a feed; formulas stay as they are."""
    is_kept: list[bool] = []

    def piece(found: re.Match[str]) -> str:
        tag = found[0]
        if tag[:5].lower() == "<math":
            return tag
        if found["dropped"] or tag.startswith('<a class="headerlink"'):
            return ""
        if tag[:2] == "</":
            return tag if is_kept and is_kept.pop() else ""
        tag = _OF_THE_SITE.sub("", tag)
        if re.match(r"<span\b", tag, re.IGNORECASE):
            is_kept.append(tag[5:] != ">")
            return tag if is_kept[-1] else ""
        return tag

    return _PIECE.sub(piece, _COLOURED.sub(r"\1", html))
