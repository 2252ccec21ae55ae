"""The preview over HTTP: pages of the site, the preview's own script and style, and an event stream for each page."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from itertools import chain
from pathlib import Path

from starlette.datastructures import Headers, QueryParams
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from site_builder.preview.controller import Preview
from site_builder.preview.http.inject import with_client
from site_builder.preview.http.listener import Listener
from site_builder.preview.http.messages import event, holding, lost, message
from site_builder.preview.http.page_lookup import FoundPage, PageLookup
from site_builder.preview.http.urls import OWN, address_of, content_type, page_path, site_path
from site_builder.preview.state import PreviewState, ShownError

_CLIENT = Path(__file__).parent / "client"
_HEARTBEAT = 10.0  # seconds after which a stream without news sends a heartbeat
_FIRST_WAIT = 1.0  # seconds that the first requests wait for the site rather than show that it is being built
_THREADS = 16
_ALWAYS = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}


class App:
    """Answers requests for a preview, by ASGI. report: is called with each new state and all errors that are known."""

    def __init__(
        self, preview: Preview, root: Path, listener: Listener, report: Callable[[PreviewState, list[ShownError]], None]
    ) -> None:
        self._preview = preview
        self._listener = listener
        self._report = report
        self._lookup = PageLookup(preview, root)
        self._threads = ThreadPoolExecutor(_THREADS, "preview")
        self._seen: dict[str, asyncio.Task[FoundPage]] = {}  # of this version, by path
        self._version = 0
        self._failing: dict[str, tuple[ShownError, ...]] = {}  # errors of requested pages, by path
        self._waiting: set[asyncio.Event] = set()
        self._news: asyncio.Queue[PreviewState] = asyncio.Queue()
        self._first = asyncio.Event()
        self._ended = False
        self._passing_on: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Listen to the preview, from within the loop that answers requests."""
        loop = asyncio.get_running_loop()

        def put(state: PreviewState) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._news.put_nowait, state)

        self._passing_on = asyncio.create_task(self._pass_on())
        self._preview.subscribe(put)
        put(self._preview.state)

    def end(self) -> None:
        """End all streams."""
        self._ended = True
        if self._passing_on is not None:
            self._passing_on.cancel()
        for waiting in self._waiting:
            waiting.set()

    def close(self) -> None:
        """Shut down the threads, once no request is answered any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def first(self, seconds: float) -> None:
        """Wait until there is something to show, but not longer than this."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._first.wait(), seconds)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        response = await self._answer(scope)
        for name, value in _ALWAYS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-store")
        await response(scope, receive, send)

    async def _answer(self, scope: Scope) -> Response:
        headers, raw = Headers(scope=scope), scope["raw_path"]
        is_own = raw.startswith(OWN.encode())
        if refusal := self._listener.refusal_of(headers, is_own):
            return PlainTextResponse(f"{refusal[1]}\n", refusal[0])
        if scope["method"] not in ("GET", "HEAD"):
            words = "A preview can be looked at, and no more: GET and HEAD.\n"
            return PlainTextResponse(words, 405, {"Allow": "GET, HEAD"})
        if is_own:
            return self._own(raw.decode("ascii").removeprefix(OWN), scope, headers)
        return await self._page(raw, scope, headers)

    def _own(self, name: str, scope: Scope, headers: Headers) -> Response:
        if name == "events":
            asked = QueryParams(scope["query_string"])
            stream = self._events(asked.get("path", ""), asked.get("digest", ""))
            return StreamingResponse(stream if scope["method"] == "GET" else _nothing(), media_type="text/event-stream")
        data = _client().get(name)
        if data is None:
            return PlainTextResponse("The preview has no such file.\n", 404)
        return _file(name, data, headers)

    # Pages

    async def _page(self, raw: bytes, scope: Scope, headers: Headers) -> Response:
        base = self._preview.base
        if base != "/" and raw in (b"/", base[:-1].encode()):
            return _moved(base, scope)
        await self.first(_FIRST_WAIT)
        path = site_path(raw, self._preview.base)
        path = page_path(path) if path is not None else None
        page = await self._current_page("404.html" if path is None else path, is_anew=True)
        if path is None and page.kind == "file":
            page = FoundPage("lost", page.data, page.digest, page.errors)
        if page.kind == "moved":
            return _moved(address_of(f"{path}/", base), scope)
        state = self._preview.state
        if page.kind == "waiting":
            body = holding(state, path or "", self._errors(state, page))
            return HTMLResponse(body, 500 if page.errors or state.errors else 503)
        if page.kind == "lost":
            body = with_client(page.data or lost(), path or "404.html", page.digest)
            return HTMLResponse(body, 404)
        if not page.digest:
            return _file(path or "", page.data, headers)
        return HTMLResponse(with_client(page.data, path or "", page.digest), 200)

    async def _look_up(self, path: str) -> FoundPage:
        """The page at a path now, looked up in another thread."""
        page = await asyncio.get_running_loop().run_in_executor(self._threads, self._lookup.look_up, path)
        before = self._failing.pop(path, ())
        if page.errors:
            self._failing[path] = page.errors
        if page.errors != before:
            self._report_errors()
        return page

    def _errors(self, state: PreviewState, page: FoundPage) -> tuple[ShownError, ...]:
        return tuple(dict.fromkeys([*state.errors, *page.errors]))

    # News

    async def _pass_on(self) -> None:
        """Pass each new state on; the newest is enough."""
        while True:
            state = await self._news.get()
            while not self._news.empty():
                state = self._news.get_nowait()
            if state.version != self._version:
                self._version = state.version
                self._seen.clear()
                for path in list(self._failing):
                    await self._look_up(path)
            if state.version or state.errors:
                self._first.set()
            self._report_errors()
            for waiting in self._waiting:
                waiting.set()

    def _report_errors(self) -> None:
        state = self._preview.state
        self._report(state, list(dict.fromkeys(chain(state.errors, *self._failing.values()))))

    async def _current_page(self, path: str, is_anew: bool = False) -> FoundPage:
        """The page at a path in this version, looked up once for all streams, so that none has an older page."""
        if is_anew or path not in self._seen:
            self._seen[path] = asyncio.create_task(self._look_up(path))
        return await asyncio.shield(self._seen[path])

    async def _events(self, path: str, held: str) -> AsyncIterator[bytes]:
        """The messages to an open page: at once the present state, then every change.

        held: digest of the page in the browser, which may have missed changes.
        """
        waiting, before = asyncio.Event(), b""
        self._waiting.add(waiting)
        try:
            while not self._ended:
                waiting.clear()
                page, state = await self._current_page(path), self._preview.state
                news = message(state, path, page, self._errors(state, page), held, self._lookup)
                held = news["digest"]
                if (data := event(news)) != before:
                    before = data
                    yield data
                try:
                    await asyncio.wait_for(waiting.wait(), _HEARTBEAT)
                except TimeoutError:
                    yield b"event: beat\ndata:\n\n"
        finally:
            self._waiting.discard(waiting)


async def _nothing() -> AsyncIterator[bytes]:
    yield b""


@cache
def _client() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in _CLIENT.iterdir() if path.is_file()}


def _file(name: str, data: bytes, headers: Headers) -> Response:
    """A file that a browser may cache if it revalidates it each time."""
    tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
    fresh = {"ETag": tag, "Cache-Control": "no-cache"}
    if tag in (each.strip().removeprefix("W/") for each in headers.get("if-none-match", "").split(",")):
        return Response(status_code=304, headers=fresh)
    return Response(data, headers=fresh | {"Content-Type": content_type(name)})


def _moved(address: str, scope: Scope) -> Response:
    query = f"?{scope['query_string'].decode('ascii')}" if scope["query_string"] else ""
    return Response(status_code=302, headers={"Location": address + query})
