"""The preview over HTTP: pages of the site, the preview's own script and style, and an event stream for each page."""

import asyncio
import hashlib
import json
import mimetypes
import re
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote, unquote

import uvicorn
from jinja2 import Environment
from markupsafe import escape
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from site_builder.errors import counted
from site_builder.preview.controller import PageError, Preview
from site_builder.preview.guard import EVERYWHERE, LOOPBACK, Guard
from site_builder.preview.state import PreviewState, ShownError
from site_builder.preview.terminal import Terminal
from site_builder.project.posts import file_path

_HEARTBEAT = 10.0  # seconds after which a stream without news sends a heartbeat
_FIRST_WAIT = 1.0  # seconds that the first requests wait for the site rather than show that it is being built
_UNTIL_SHOWN = 3.0  # seconds to wait for the site before its address is printed
_TICK = 0.1  # seconds between two looks whether the server ends
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


def run(preview: Preview, opened: socket.socket, host: str, terminal: Terminal) -> None:
    """Answer requests at an open socket until a signal comes, or until this process is outdated."""
    app = App(preview, opened, host, terminal)
    signal.signal(signal.SIGHUP, app.server.handle_exit)
    with suppress(KeyboardInterrupt):  # uvicorn raises once more the signal that has ended it
        app.server.run(sockets=[opened])


class App:
    """Answers requests for a preview, by its server."""

    def __init__(self, preview: Preview, opened: socket.socket, host: str, terminal: Terminal) -> None:
        self._preview, self._opened, self._host, self._terminal = preview, opened, host, terminal
        self._news = asyncio.Event()  # set when the state has changed; then another one takes its place
        self._good: dict[str, FoundPage] = {}  # the last page without an error, by path
        own = [Route("/events", self._stream), Mount("/", StaticFiles(directory=CLIENT))]
        routes = [Mount(OWN, routes=own), Route("/{path:path}", self._page)]
        app = Starlette(routes=routes, middleware=[Middleware(Guard, host=host)], lifespan=self._lifespan)
        config = uvicorn.Config(app, ws="none", log_config=None, log_level="critical", proxy_headers=False)
        config.timeout_graceful_shutdown = 1
        self.server = uvicorn.Server(config)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()

        def tell(state: object) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._tell)

        self._preview.subscribe(tell)
        self._tell()
        tasks = [asyncio.create_task(each) for each in (self._announce(), self._end_streams())]
        yield
        for task in tasks:
            task.cancel()

    def _tell(self) -> None:
        state = self._preview.state
        self._terminal.report(state)
        self.server.should_exit |= state.is_outdated
        before, self._news = self._news, asyncio.Event()
        before.set()

    async def _announce(self) -> None:
        await self._first(_UNTIL_SHOWN)
        port = self._opened.getsockname()[1]
        host = "127.0.0.1" if self._host in EVERYWHERE else self._host
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}{self._preview.files.base}"
        self._terminal.opened(address, 0 if self._host in LOOPBACK else port)

    async def _end_streams(self) -> None:
        while not self.server.should_exit:
            await asyncio.sleep(_TICK)
        self._news.set()

    async def _first(self, seconds: float) -> None:
        """Wait until there is something to show, but not longer than this."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not (self._preview.state.version or self._preview.state.errors):
                    await self._news.wait()

    # Pages

    async def _page(self, request: Request) -> Response:
        base, asked = unquote(self._preview.files.base), request.scope["path"]
        if base != "/" and asked in ("/", base[:-1]):
            return RedirectResponse(quote(base), 302)
        await self._first(_FIRST_WAIT)
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
        while not self.server.should_exit:
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
