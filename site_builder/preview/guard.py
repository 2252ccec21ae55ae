"""Where a preview listens, and which requests it answers: those under its own name, by its own pages."""

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from site_builder.errors import UsageError

USUAL = 8000
_TRIES = 20
LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = ("0.0.0.0", "::")


def open_socket(host: str, port: int | None) -> socket.socket:
    """Listen at a port of a host, without one at the usual port or the next that is free. Raises UsageError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    ports = range(USUAL, USUAL + _TRIES) if port is None else [port]
    for number in ports:
        try:
            return socket.create_server((host, number), family=family, backlog=128)
        except OSError as error:
            failure = error
    message = f"nothing can listen at --host {host}, port {ports[0]}: {failure.strerror}"
    cure = "leave --host out to see it on this machine, and --port to have the next one that is free"
    raise UsageError(message, cure) from failure


class Guard:
    """Refuses requests of other sites for the preview at this host."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app, self._host = app, host.lower()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        refusal = self._refusal(Headers(scope=scope), scope["path"]) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, headers: Headers, path: str) -> PlainTextResponse | None:
        """The refusal of a request, as of a page of another site that could read the preview by it."""
        asked, origin = headers.get("host", "").lower(), headers.get("origin", "").lower()
        if not self._is_own(asked):
            return PlainTextResponse(f"This preview does not answer as {asked[:200] or 'nobody'}.\n", 421)
        is_link = headers.get("sec-fetch-mode") == "navigate" and not path.startswith("/.preview/")
        is_foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if origin not in ("", f"http://{asked}") or (is_foreign and not is_link):
            return PlainTextResponse("This preview answers its own pages only; another site has asked.\n", 403)
        return None

    def _is_own(self, asked: str) -> bool:
        """True when a Host header has a name of the preview; DNS may lead other names here, but no number."""
        try:
            name = urlsplit(f"//{asked}").hostname
            own = (*LOOPBACK, self._host, *([socket.gethostname().lower()] if self._host in EVERYWHERE else []))
            return name in own or (self._host in EVERYWHERE and bool(ip_address(name or "")))
        except ValueError:  # neither a host nor a number
            return False
