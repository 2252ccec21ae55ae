"""Pages with the preview's own script in them, and the messages to them."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment
from markupsafe import escape

from site_builder.errors import counted
from site_builder.preview.state import PreviewState, ShownError

OWN = "/.preview"  # no page or file of a site can have such an address
CLIENT = Path(__file__).parent / "client"
HOLDING = (CLIENT / "holding.html").read_bytes()
_ERRORS = Environment(autoescape=True).from_string((CLIENT / "errors.html").read_text("utf-8"))
_HEAD_END = re.compile(rb"</head\s*>", re.IGNORECASE)
_POLICY = re.compile(
    rb"""(<meta\s[^>]*http-equiv\s*=\s*["']?Content-Security-Policy["']?[^>]*?\scontent\s*=\s*")([^"]*)(")""",
    re.IGNORECASE,
)
_REDIRECT = re.compile(rb"""<meta\s[^>]*http-equiv\s*=\s*["']?refresh""", re.IGNORECASE)


@dataclass(frozen=True)
class FoundPage:
    """The page or file at a path. status: as in HTTP; 404 has the page for addresses that do not exist.

    digest: of all that a page shows, empty for other files and where there is no page yet. errors: why there is none,
    or why it is the last good one.
    """

    status: int = 503
    data: bytes = b""
    digest: str = ""
    errors: tuple[ShownError, ...] = ()


def with_client(html: bytes, path: str, digest: str) -> bytes:
    """The page with the script of the preview in its head, which may connect to the preview alone.

    path: of the page in the site; digest: of its bytes. A page that redirects stays as it is.
    """
    end = _HEAD_END.search(html)
    head, rest = (html[: end.start()], html[end.start() :]) if end else (html, b"")
    if _REDIRECT.search(head):
        return html
    script = f'<script src="{OWN}/client.js" data-path="{escape(path)}" data-digest="{digest}" defer></script>\n'
    return _POLICY.sub(lambda found: found[1] + _with_own(found[2]) + found[3], head) + script.encode() + rest


def _with_own(policy: bytes) -> bytes:
    """A Content-Security-Policy that lets the page ask its own host."""
    return policy if b"connect-src" in policy else policy + b"; connect-src 'self'"


def message(state: PreviewState, path: str, page: FoundPage, before: str) -> str:
    """The message to the page at a path, as JSON. before: the digest that the browser has."""
    errors = dict.fromkeys(state.errors + page.errors)
    news = {
        "is_new": page.digest not in ("", before),
        "digest": page.digest or before,
        "late": state.pending.get(path, ""),
        "working": state.progress,
        "count": counted(len(errors), "error") if errors else "",
        "errors": _ERRORS.render(errors=errors).strip(),
    }
    return json.dumps(news)
