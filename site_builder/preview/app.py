"""The preview over HTTP: pages of the site, the preview's own script and style, and an event stream for each page.

It answers requests under its own name, by its own pages, and reports in the terminal what happens.
"""

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
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import uvicorn
from jinja2 import Environment
from markupsafe import escape
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from site_builder.errors import SiteError, UsageError, counted
from site_builder.preview.controller import PageError, Preview, PreviewState
from site_builder.project.posts import file_path

USUAL = 8000
_TRIES = 20  # ports from the usual one on
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_EVERYWHERE = ("0.0.0.0", "::")
_AROUND = 3  # lines before and after the line of an error
_INNER = re.compile(r"\b((?:solvers|templates|content)/[^\s:]+):(\d+)")
_HEARTBEAT = 10.0  # seconds after which a stream without news sends a heartbeat
_FIRST_WAIT = 1.0  # seconds that the first requests wait for the site rather than show that it is being built
_UNTIL_SHOWN = 3.0  # seconds to wait for the site before its address is printed
_NO_STORE = {"Cache-Control": "no-store"}
OWN = "/.preview"  # no page or file of a site can have such an address
CLIENT = Path(__file__).parent / "client"
HOLDING = (CLIENT / "holding.html").read_bytes()
_ERRORS = Environment(autoescape=True).from_string((CLIENT / "errors.html").read_text("utf-8"))
_HEAD_END = re.compile(rb"</head\s*>", re.IGNORECASE)
_POLICY = re.compile(  # one that does not say which hosts a page may ask
    rb"""<meta\s[^>]*http-equiv\s*=\s*["']?Content-Security-Policy["']?[^>]*?\scontent\s*=\s*"(?![^"]*connect-src)[^"]*""",
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
    errors: tuple[SiteError, ...] = ()


def with_client(html: bytes, path: str, digest: str) -> bytes:
    """The page with the script of the preview in its head, which may connect to the preview alone.

    path: of the page in the site; digest: of its bytes.
    """
    end = _HEAD_END.search(html)
    head, rest = (html[: end.start()], html[end.start() :]) if end else (html, b"")
    script = f'<script src="{OWN}/client.js" data-path="{escape(path)}" data-digest="{digest}" defer></script>\n'
    return _POLICY.sub(rb"\g<0>; connect-src 'self'", head) + script.encode() + rest


def lines_around(error: SiteError, root: Path) -> tuple[str, int, Sequence[tuple[int, str]]]:
    """The file and line where to look for an error, which for a solver that fails is its own line.

    With them the numbered lines around it, as they are now, in the project in `root`; none where it has none.
    """
    inner = _INNER.search(error.message)
    file, line = (inner[1], int(inner[2])) if inner else (error.place.path, error.place.line)
    try:
        lines = (root / file).read_text("utf-8", "replace").split("\n") if line else []
    except (OSError, ValueError):
        lines = []
    first = max(1, line - _AROUND)
    return file, line, list(enumerate(lines[first - 1 : line + _AROUND], first))


# Where it listens, and whom it answers


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


def refusal(host: str, headers: Headers, path: str) -> PlainTextResponse | None:
    """The refusal of a request of another site, which could read the preview at this host by it; None for others."""
    asked, origin = headers.get("host", "").lower(), headers.get("origin", "").lower()
    if not _is_own(host.lower(), asked):
        return PlainTextResponse(f"This preview does not answer as {asked[:200] or 'nobody'}.\n", 421)
    is_link = headers.get("sec-fetch-mode") == "navigate" and not path.startswith(f"{OWN}/")
    is_foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
    if origin not in ("", f"http://{asked}") or (is_foreign and not is_link):
        return PlainTextResponse("This preview answers its own pages only; another site has asked.\n", 403)
    return None


def _is_own(host: str, asked: str) -> bool:
    """True when a Host header has a name of the preview; DNS may lead other names here, but no number."""
    try:
        name = urlsplit(f"//{asked}").hostname
        own = (*_LOOPBACK, host, *([socket.gethostname().lower()] if host in _EVERYWHERE else []))
        return name in own or (host in _EVERYWHERE and bool(ip_address(name or "")))
    except ValueError:  # neither a host nor a number
        return False


# In the terminal


class Terminal:
    """Reports on a preview in plain lines. echo: prints what is done; warn: what is wrong."""

    def __init__(self, echo: Callable[[str], None], warn: Callable[[str], None]) -> None:
        self.echo, self.warn, self._state = echo, warn, PreviewState()

    def failed(self, errors: Sequence[SiteError]) -> None:
        """Errors have come up."""
        for error in errors:
            self.warn(error.with_calls())

    def report(self, state: PreviewState) -> None:
        """Report what has changed."""
        before, self._state = self._state, state
        for path in state.pending.keys() - before.pending.keys():
            self.echo(f"/{path}: {state.pending[path]}; until then the page stays as it was")
        known = set(map(str, before.errors))
        self.failed([error for error in state.errors if str(error) not in known])
        if before.errors and not state.errors:
            self.echo("All errors are corrected.")
        elif state.version > before.version > 0 and not state.errors:
            some = ", ".join(state.changed[:3]) + (f" and {len(state.changed) - 3} more" if state.changed[3:] else "")
            self.echo(f"{some or 'The pages that were still being computed'}: built again ({state.seconds:.2f} s)")


# The application


def run(preview: Preview, host: str, port: int | None, terminal: Terminal) -> None:
    """Answer requests until a signal comes, or until this process is outdated. Raises UsageError."""
    with open_socket(host, port) as opened, suppress(KeyboardInterrupt):  # uvicorn raises the signal that has ended it
        app = App(preview, opened, host, terminal)
        signal.signal(signal.SIGHUP, app.server.handle_exit)
        app.server.run(sockets=[opened])


class App:
    """Answers requests for a preview, by its server."""

    def __init__(self, preview: Preview, opened: socket.socket, host: str, terminal: Terminal) -> None:
        self._preview, self._opened, self._host, self._terminal = preview, opened, host, terminal
        self._news = asyncio.Event()  # set when the state has changed; then another one takes its place
        self._good: dict[str, FoundPage] = {}  # the last page without an error, by path
        own = [Route("/events", self._stream), Mount("/", StaticFiles(directory=CLIENT))]
        routes = [Mount(OWN, routes=own), Route("/{path:path}", self._page)]
        self._app = Starlette(routes=routes, lifespan=self._lifespan)
        config = uvicorn.Config(self, ws="none", log_config=None, log_level="critical", proxy_headers=False)
        config.timeout_graceful_shutdown = 1
        self.server = uvicorn.Server(config)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        refused = refusal(self._host, Headers(scope=scope), scope["path"]) if scope["type"] == "http" else None
        await (refused or self._app)(scope, receive, send)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()

        def notify(state: object) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._notify)

        self._preview.listeners.append(notify)
        self._notify()
        tasks = [asyncio.create_task(each) for each in (self._announce(), self._end_streams())]
        yield
        for task in tasks:
            task.cancel()

    def _notify(self) -> None:
        state = self._preview.state
        self._terminal.report(state)
        self.server.should_exit |= state.is_outdated
        before, self._news = self._news, asyncio.Event()
        before.set()

    async def _announce(self) -> None:
        await self._first(_UNTIL_SHOWN)
        port = self._opened.getsockname()[1]
        host = "127.0.0.1" if self._host in _EVERYWHERE else self._host
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}{self._preview.files.base}"
        self._terminal.echo(f"Preview: {address} (Ctrl-C ends it)")
        if self._host not in _LOOPBACK:
            self._terminal.warn(f"everybody on the network can see this preview at port {port}")
        if not (self._preview.state.version or self._preview.state.errors):
            self._terminal.echo("The site is being built for the first time; its pages show when they are there.")

    async def _end_streams(self) -> None:
        while not self.server.should_exit:
            await asyncio.sleep(0.1)
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
                found = b"" if is_waiting else await self._file("404.html") or b""
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
            words = self._message(path, page, digest)
            digest = page.digest or digest
            if words != last:
                last = words
                yield f"data: {words}\n\n"
            try:
                async with asyncio.timeout(_HEARTBEAT):
                    await news.wait()
            except TimeoutError:
                yield "event: beat\ndata:\n\n"

    def _message(self, path: str, page: FoundPage, before: str) -> str:
        """The message to the page at a path, as JSON. before: the digest that the browser has."""
        state = self._preview.state
        errors = {str(error): (error, *lines_around(error, self._preview.root)) for error in state.errors + page.errors}
        news = {
            "is_new": page.digest not in ("", before),
            "digest": page.digest or before,
            "late": state.pending.get(path, ""),
            "working": state.progress,
            "count": counted(len(errors), "error") if errors else "",
            "errors": _ERRORS.render(errors=errors.values()).strip(),
        }
        return json.dumps(news)
