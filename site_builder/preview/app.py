"""The preview over HTTP: pages of the site, the preview's own script and style, and an event stream for each page."""

import asyncio
import hashlib
import json
import mimetypes
import re
import signal
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote, unquote

import uvicorn
from jinja2 import Environment
from markupsafe import escape
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from site_builder.errors import counted
from site_builder.preview.controller import PageError, Preview
from site_builder.preview.listening import EVERYWHERE, LOOPBACK
from site_builder.preview.state import PreviewState, ShownError
from site_builder.project.posts import file_path

_HEARTBEAT = 10.0  # seconds after which a stream without news sends a heartbeat
_NO_STORE = {"Cache-Control": "no-store"}
_LOST = b"<!doctype html>\n<title>Nothing has this address</title>\n<h1>Nothing has this address</h1>\n"
OWN = "/.preview"  # no page or file of a site can have such an address
CLIENT = Path(__file__).parent / "client"
HOLDING = (CLIENT / "holding.html").read_bytes()
_ERRORS = Environment(autoescape=True).from_string((CLIENT / "errors.html").read_text("utf-8"))
_HEAD_END = re.compile(rb"</head\s*>", re.IGNORECASE)
_POLICY = re.compile(
    rb"""(<meta\s[^>]*http-equiv\s*=\s*["']?Content-Security-Policy["']?[^>]*?\scontent\s*=\s*")([^"]*)(")""",
    re.IGNORECASE,
)


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

    path: of the page in the site; digest: of its bytes.
    """
    end = _HEAD_END.search(html)
    head, rest = (html[: end.start()], html[end.start() :]) if end else (html, b"")
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


# The application


def run(
    preview: Preview, opened: socket.socket, host: str, echo: Callable[[str], None], warn: Callable[[str], None]
) -> None:
    """Answer requests at an open socket until a signal comes, or until this process is outdated.

    echo: prints what is done; warn: what is wrong.
    """
    app = App(preview, Terminal(echo, warn), host)
    port = opened.getsockname()[1]
    name = "127.0.0.1" if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    echo(f"Preview: http://{name}:{port}{preview.files.base} (Ctrl-C ends it)")
    if host not in LOOPBACK:
        warn(f"everybody on the network can see this preview at port {port}")
    signal.signal(signal.SIGHUP, app.server.handle_exit)
    with suppress(KeyboardInterrupt):  # uvicorn raises once more the signal that has ended it
        app.server.run(sockets=[opened])


class Terminal:
    """Reports on a preview in plain lines."""

    def __init__(self, echo: Callable[[str], None], warn: Callable[[str], None]) -> None:
        self._echo, self._warn, self._state = echo, warn, PreviewState()

    def failed(self, errors: Sequence[ShownError]) -> None:
        """Errors have come up."""
        for error in errors:
            self._warn(error.text)

    def report(self, state: PreviewState) -> None:
        """Report what has changed."""
        before, self._state = self._state, state
        self.failed([error for error in state.errors if error not in before.errors])
        if before.errors and not state.errors:
            self._echo("All errors are corrected.")
        elif state.version > before.version and not state.errors:
            self._echo(f"Built{' again' if before.version else ''} ({state.seconds:.2f} s)")


class App:
    """Answers requests for a preview, by its server. host: at which it listens."""

    def __init__(self, preview: Preview, terminal: Terminal, host: str) -> None:
        self._preview, self._terminal = preview, terminal
        self._news = asyncio.Event()  # set when the state has changed; then another one takes its place
        self._good: dict[str, FoundPage] = {}  # the last page without an error, by path
        own = [Route("/events", self._stream), Mount("/", StaticFiles(directory=CLIENT))]
        routes = [Mount(OWN, routes=own), Route("/{path:path}", self._page)]
        # A page of another site could read the preview by a name of its own that leads to this machine.
        names = ["*"] if host in EVERYWHERE else [*LOOPBACK, host, f"[{host}]", "[::1]"]
        guard = Middleware(TrustedHostMiddleware, allowed_hosts=names, www_redirect=False)
        app = Starlette(routes=routes, middleware=[guard], lifespan=self._lifespan)
        config = uvicorn.Config(app, ws="none", log_config=None, log_level="critical", proxy_headers=False)
        config.timeout_graceful_shutdown = 0  # the streams of open pages do not end by themselves
        self.server = uvicorn.Server(config)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()

        def tell(state: object) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._tell)

        self._preview.listener = tell
        self._tell()
        yield

    def _tell(self) -> None:
        state = self._preview.state
        self._terminal.report(state)
        self.server.should_exit |= state.is_outdated
        before, self._news = self._news, asyncio.Event()
        before.set()

    # Pages

    async def _page(self, request: Request) -> Response:
        base, asked = unquote(self._preview.files.base), request.scope["path"]
        if base != "/" and asked in ("/", base[:-1]):
            return RedirectResponse(quote(base), 302)
        path = asked.removeprefix(base) if asked.startswith(base) else f"..{asked}"  # of which there is none
        page = await self._find(path)
        if page.status == 404 and await self._file(f"{path}/index.html") is not None:
            return RedirectResponse(f"{quote(asked)}/{'?' if request.url.query else ''}{request.url.query}", 302)
        if page.digest or not page.data:
            html = with_client(page.data or HOLDING, path, page.digest)
            return HTMLResponse(html, page.status, _NO_STORE)
        return Response(page.data, 200, _NO_STORE, mimetypes.guess_type(path)[0] or "application/octet-stream")

    async def _find(self, path: str) -> FoundPage:
        """The page at a path now. One that fails shows as it was when it last did not."""
        name, state = file_path(path), self._preview.state
        try:
            data, status = await self._file(name), 200
            if data is None:
                is_waiting = not state.version or path.removesuffix("index.html") in state.pending
                found = b"" if is_waiting else await self._file("404.html") or _LOST
                data, status = found, 404 if found else 500 if state.errors else 503
        except PageError as error:
            self._terminal.failed(error.errors)
            return replace(self._good.get(name, FoundPage(500)), errors=error.errors)
        is_page = data and (name.endswith(".html") or status == 404)
        digest = hashlib.sha256(data + state.files.encode()).hexdigest() if is_page else ""
        self._good[name] = page = FoundPage(status, data, digest)
        return page

    async def _file(self, name: str) -> bytes | None:
        return await asyncio.wrap_future(self._preview.request(name))

    # News

    async def _stream(self, request: Request) -> Response:
        asked = request.query_params
        events = self._events(asked.get("path", ""), asked.get("digest", ""))
        return StreamingResponse(events, media_type="text/event-stream")

    async def _events(self, path: str, digest: str) -> AsyncIterator[str]:
        """The messages to an open page: at once the present state, then every change.

        digest: of the page in the browser, which may have missed changes.
        """
        last = ""
        while True:
            news, page = self._news, await self._find(path)
            words = message(self._preview.state, path, page, digest)
            digest = page.digest or digest
            if words != last:
                last = words
                yield f"data: {words}\n\n"
            try:
                async with asyncio.timeout(_HEARTBEAT):
                    await news.wait()
            except TimeoutError:
                yield "event: beat\ndata:\n\n"
