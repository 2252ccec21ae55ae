"""The preview's own script in a page, and what two pages have in common but for their stylesheets."""

import html as htmls
import re
from collections.abc import Sequence

from markupsafe import escape

from site_builder.preview.http.urls import OWN

_HEAD_END = re.compile(rb"</head\s*>", re.IGNORECASE)
_POLICY = re.compile(
    rb"""(<meta\s[^>]*http-equiv\s*=\s*["']?Content-Security-Policy["']?[^>]*?\scontent\s*=\s*")([^"]*)(")""",
    re.IGNORECASE,
)
_REDIRECT = re.compile(rb"""<meta\s[^>]*http-equiv\s*=\s*["']?refresh""", re.IGNORECASE)
_LINK = re.compile(rb"<link\s[^>]*>", re.IGNORECASE)
_SHEET = re.compile(rb"""\srel\s*=\s*["']?stylesheet["'\s>]""", re.IGNORECASE)
_HREF = re.compile(rb"""(\shref\s*=\s*")([^"]*)(")""", re.IGNORECASE)
_WANTED = ("script-src", "style-src", "connect-src")


def with_client(html: bytes, path: str, digest: str, is_holding: bool = False) -> bytes:
    """The page with the script of the preview in its head, which may connect to the preview alone.

    path: of the page in the site; digest: of its bytes. A page that redirects stays as it is.
    """
    end = _HEAD_END.search(html)
    head, rest = (html[: end.start()], html[end.start() :]) if end else (html, b"")
    if _REDIRECT.search(head) and not is_holding:
        return html
    holding = " data-holding" if is_holding else ""
    script = (
        f'<script src="{OWN}client.js" data-path="{escape(path)}" data-digest="{escape(digest)}"{holding} defer>'
        "</script>\n"
    )
    return (
        _POLICY.sub(lambda found: found[1] + allowing_own(found[2].decode()).encode() + found[3], head)
        + script.encode()
        + rest
    )


def allowing_own(policy: str) -> str:
    """A Content-Security-Policy that lets the page load scripts and styles from its own host, and ask it."""
    directives = [directive.split() for directive in policy.split(";") if directive.strip()]
    sources = {name.lower(): values for name, *values in directives}
    added = []
    for name in _WANTED:
        allowed = sources.get(name, sources.get("default-src"))
        if allowed is None or "'self'" in allowed or "*" in allowed:
            continue
        wider = " ".join([name, *(value for value in allowed if value != "'none'"), "'self'"])
        if name in sources:
            policy = re.sub(rf"(?<![\w-]){name}(?![\w-])[^;]*", wider.replace("\\", r"\\"), policy, count=1)
        else:
            added.append(wider)
    return "; ".join([policy.rstrip("; "), *added]) if added else policy


def new_sheets(before: bytes, after: bytes) -> Sequence[tuple[str, str]] | None:
    """The stylesheets that differ between two pages, old and new; None where anything else differs."""
    old_rest, old = _apart(before)
    new_rest, new = _apart(after)
    if old_rest != new_rest:
        return None
    return [(one, other) for one, other in zip(old, new, strict=True) if one != other]


def _apart(html: bytes) -> tuple[bytes, list[str]]:
    """A page without the addresses of its stylesheets, and those."""
    found: list[str] = []

    def take(link: re.Match[bytes]) -> bytes:
        href = _HREF.search(link[0])
        if href is None or not _SHEET.search(link[0]):
            return link[0]
        found.append(htmls.unescape(href[2].decode()))
        return _HREF.sub(rb"\1\3", link[0], count=1)

    return _LINK.sub(take, html), found
