"""The preview's own script in a page, and what two pages have in common but for their stylesheets."""

import re
from html import unescape

from markupsafe import escape

OWN = "/.preview"  # no page or file of a site can have such an address
_HEAD_END = re.compile(rb"</head\s*>", re.IGNORECASE)
_POLICY = re.compile(
    rb"""(<meta\s[^>]*http-equiv\s*=\s*["']?Content-Security-Policy["']?[^>]*?\scontent\s*=\s*")([^"]*)(")""",
    re.IGNORECASE,
)
_REDIRECT = re.compile(rb"""<meta\s[^>]*http-equiv\s*=\s*["']?refresh""", re.IGNORECASE)
_SHEET = re.compile(rb"""(<link\s[^>]*?\bhref\s*=\s*")([^"]*\.css)(")""", re.IGNORECASE)


def with_client(html: bytes, path: str, digest: str, is_holding: bool = False) -> bytes:
    """The page with the script of the preview in its head, which may connect to the preview alone.

    path: of the page in the site; digest: of its bytes. A page that redirects stays as it is.
    """
    end = _HEAD_END.search(html)
    head, rest = (html[: end.start()], html[end.start() :]) if end else (html, b"")
    if _REDIRECT.search(head) and not is_holding:
        return html
    named = f'data-path="{escape(path)}" data-digest="{digest}"{" data-holding" if is_holding else ""}'
    script = f'<script src="{OWN}/client.js" {named} defer></script>\n'
    return _POLICY.sub(lambda found: found[1] + _with_own(found[2]) + found[3], head) + script.encode() + rest


def _with_own(policy: bytes) -> bytes:
    """A Content-Security-Policy that lets the page load scripts and styles from its own host, and ask it."""
    found = {name.lower(): values for name, *values in filter(None, map(bytes.split, policy.split(b";")))}
    for name in (b"script-src", b"style-src", b"connect-src"):
        allowed = found.get(name, found.get(b"default-src", [b"*"]))
        if not {b"'self'", b"*"} & set(allowed):
            found[name] = [*(each for each in allowed if each != b"'none'"), b"'self'"]
    return b"; ".join(b" ".join([name, *values]) for name, values in found.items())


def new_sheets(before: bytes, after: bytes) -> list[tuple[str, str]]:
    """The stylesheets that differ between two pages, old and new; none where anything else differs."""
    if _SHEET.sub(rb"\1\3", before) != _SHEET.sub(rb"\1\3", after):
        return []
    old, new = ([unescape(found[1].decode()) for found in _SHEET.findall(html)] for html in (before, after))
    return [(one, other) for one, other in zip(old, new, strict=True) if one != other]
