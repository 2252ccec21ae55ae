"""The preview over HTTP: pages of the site, the preview's own script and style, and an event stream for each page."""

import asyncio
import hashlib
import mimetypes
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from urllib.parse import quote, unquote

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from site_builder.preview.controller import PageError, Preview
from site_builder.preview.inject import OWN, with_client
from site_builder.preview.listener import Listener
from site_builder.preview.messages import CLIENT, FoundPage, holding, lost, message
from site_builder.preview.terminal import Terminal
from site_builder.project.posts import file_path

_HEARTBEAT = 10.0  # seconds after which a stream without news sends a heartbeat
_FIRST_WAIT = 1.0  # seconds that the first requests wait for the site rather than show that it is being built
_UNTIL_SHOWN = 3.0  # seconds to wait for the site before its address is printed
_TICK = 0.1  # seconds between two looks whether the server ends
_NO_STORE = {"Cache-Control": "no-store"}


class Guard:
    """Refuses requests of other sites."""

    def __init__(self, app: ASGIApp, listener: Listener) -> None:
        self._app, self._listener = app, listener

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        app = self._app
        if scope["type"] == "http":
            refusal = self._listener.refusal_of(Headers(scope=scope), is_own=scope["path"].startswith(f"{OWN}/"))
            app = PlainTextResponse(f"{refusal[1]}\n", refusal[0]) if refusal else app
        await app(scope, receive, send)


class App:
    """Answers requests for a preview. is_ending: whether the server is about to end, and streams with it."""

    def __init__(self, preview: Preview, listener: Listener, terminal: Terminal, is_ending: Callable[[], bool]) -> None:
        self._preview, self._terminal, self._is_ending = preview, terminal, is_ending
        self._news = asyncio.Event()  # set when the state has changed; then another one takes its place
        self._good: dict[str, FoundPage] = {}  # the last page without an error, by path
        own = [Route("/events", self._stream), Mount("/", StaticFiles(directory=CLIENT))]
        self.asgi = Starlette(
            routes=[Mount(OWN, routes=own), Route("/{path:path}", self._page)],
            middleware=[Middleware(Guard, listener=listener)],
            lifespan=self._lifespan,
        )

    @asynccontextmanager
    async def _lifespan(self, asgi: Starlette) -> AsyncIterator[None]:
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
        self._terminal.report(self._preview.state)
        before, self._news = self._news, asyncio.Event()
        before.set()

    async def _announce(self) -> None:
        await self._first(_UNTIL_SHOWN)
        self._terminal.opened(self._preview.base)

    async def _end_streams(self) -> None:
        while not self._is_ending():
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
        base, asked = unquote(self._preview.base), request.scope["path"]
        if base != "/" and asked in ("/", base[:-1]):
            return RedirectResponse(quote(base), 302)
        await self._first(_FIRST_WAIT)
        path = asked.removeprefix(base) if asked.startswith(base) else f"..{asked}"  # of which there is none
        page = await self._find(path)
        if page.status == 404 and await self._file(f"{path}/index.html") is not None:
            return RedirectResponse(f"{quote(asked)}/{'?' if request.url.query else ''}{request.url.query}", 302)
        if not page.data:
            html = holding(self._preview.state, path, page)
            return HTMLResponse(html, 500 if self._preview.state.errors + page.errors else page.status, _NO_STORE)
        if page.digest:
            return HTMLResponse(with_client(page.data, path, page.digest), page.status, _NO_STORE)
        headers = {"ETag": f'"{hashlib.sha256(page.data).hexdigest()}"', "Cache-Control": "no-cache"}
        if headers["ETag"] in request.headers.get("if-none-match", ""):
            return Response(None, 304, headers)
        return Response(page.data, 200, headers, mimetypes.guess_type(path)[0] or "application/octet-stream")

    async def _find(self, path: str) -> FoundPage:
        """The page at a path now. One that fails shows as it was when it last did not."""
        name, state = file_path(path), self._preview.state
        try:
            data, status = await self._file(name), 200
            if data is None:
                is_waiting = not state.version or path.removesuffix("index.html") in state.pending
                data, status = (b"", 503) if is_waiting else (await self._file("404.html") or lost(), 404)
        except PageError as error:
            self._terminal.failed(error.errors)
            return replace(self._good.get(name, FoundPage(500)), errors=error.errors)
        is_page = data and (name.endswith(".html") or status == 404)
        page = FoundPage(status, data, hashlib.sha256(data + state.files.encode()).hexdigest() if is_page else "")
        self._good[name] = page
        return page

    async def _file(self, name: str) -> bytes | None:
        return await asyncio.wrap_future(self._preview.request(name))

    # News

    async def _stream(self, request: Request) -> Response:
        asked = request.query_params
        events = self._events(asked.get("path", ""), asked.get("digest", ""))
        return StreamingResponse(events, media_type="text/event-stream")

    async def _events(self, path: str, held: str) -> AsyncIterator[str]:
        """The messages to an open page: at once the present state, then every change.

        held: digest of the page in the browser, which may have missed changes.
        """
        before, last = FoundPage(), ""
        while not self._is_ending():
            news, page = self._news, await self._find(path)
            words, held = message(self._preview.state, path, page, before, held)
            before = page if page.digest else before
            if words != last:
                last = words
                yield f"data: {words}\n\n"
            try:
                async with asyncio.timeout(_HEARTBEAT):
                    await news.wait()
            except TimeoutError:
                yield "event: beat\ndata:\n\n"
