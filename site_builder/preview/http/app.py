"""The preview over HTTP: pages of the site, the preview's own script and style, and a stream of news for each page."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path

from starlette.datastructures import Headers, QueryParams
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from site_builder.preview.controller import Preview, PreviewState
from site_builder.preview.error_excerpt import ShownFault
from site_builder.preview.http.host_check import Gate
from site_builder.preview.http.inject import with_client
from site_builder.preview.http.messages import event, holding, lost, message
from site_builder.preview.http.page_lookup import Look, Looks
from site_builder.preview.http.urls import OWN, address_of, content_type, page_path, site_path

_CLIENT = Path(__file__).parent / "client"
_BEAT = 10.0  # seconds after which a quiet stream says that it is alive
_PATIENCE = 1.0  # seconds that the first requests wait for the site rather than show that it is being built
_THREADS = 16
_ALWAYS = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}


class App:
    """Answers requests for a preview, by ASGI. told: hears of each new state with all faults that are known."""

    def __init__(
        self, preview: Preview, root: Path, gate: Gate, told: Callable[[PreviewState, Sequence[ShownFault]], None]
    ) -> None:
        self._preview = preview
        self._gate = gate
        self._told = told
        self._looks = Looks(preview, root)
        self._threads = ThreadPoolExecutor(_THREADS, "preview")
        self._seen: dict[str, asyncio.Task[Look]] = {}  # of this version, by path
        self._version = 0
        self._failing: dict[str, tuple[ShownFault, ...]] = {}  # faults of pages that were looked at, by path
        self._waiting: set[asyncio.Event] = set()
        self._news: asyncio.Queue[PreviewState] = asyncio.Queue()
        self._first = asyncio.Event()
        self._ended = False
        self._hearing: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Listen to the preview, from within the loop that answers requests."""
        loop = asyncio.get_running_loop()

        def hear(state: PreviewState) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._news.put_nowait, state)

        self._hearing = asyncio.create_task(self._hear())
        self._preview.subscribe(hear)
        hear(self._preview.state)

    def end(self) -> None:
        """End all streams."""
        self._ended = True
        if self._hearing is not None:
            self._hearing.cancel()
        for waiting in self._waiting:
            waiting.set()

    def close(self) -> None:
        """Let go of all that is left, once nobody is answered any more."""
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
        if refusal := self._gate.refusal(headers, is_own):
            return _plain(refusal.status, refusal.words)
        if scope["method"] not in ("GET", "HEAD"):
            response = _plain(405, "A preview can be looked at, and no more: GET and HEAD.")
            response.headers["Allow"] = "GET, HEAD"
            return response
        if is_own:
            return self._own(raw.decode("ascii").removeprefix(OWN), scope, headers)
        return await self._page(raw, scope, headers)

    def _own(self, name: str, scope: Scope, headers: Headers) -> Response:
        if name == "events":
            asked = QueryParams(scope["query_string"])
            stream = self._events(asked.get("path", ""), asked.get("digest", ""))
            return StreamingResponse(stream if scope["method"] == "GET" else _nothing(), media_type="text/event-stream")
        data = _client().get(name)
        return _plain(404, "The preview has no such file.") if data is None else _file(name, data, headers)

    # Pages

    async def _page(self, raw: bytes, scope: Scope, headers: Headers) -> Response:
        base = self._preview.base
        if base != "/" and raw in (b"/", base[:-1].encode()):
            return _moved(base, scope)
        await self.first(_PATIENCE)
        path = site_path(raw, self._preview.base)
        path = page_path(path) if path is not None else None
        look = await self._look_once("404.html" if path is None else path, is_anew=True)
        if path is None and look.kind == "file":
            look = Look("lost", look.data, look.digest, look.faults)
        if look.kind == "moved":
            return _moved(address_of(f"{path}/", base), scope)
        state = self._preview.state
        if look.kind == "waiting":
            body = holding(state, path or "", self._faults(state, look))
            return _html(body, 500 if look.faults or state.faults else 503)
        if look.kind == "lost":
            body = with_client(look.data or lost(), path or "404.html", look.digest)
            return _html(body, 404)
        if not look.digest:
            return _file(path or "", look.data, headers)
        return _html(with_client(look.data, path or "", look.digest), 200)

    async def _look(self, path: str) -> Look:
        """What lies at a path now, seen from another thread."""
        look = await asyncio.get_running_loop().run_in_executor(self._threads, self._looks.look, path)
        before = self._failing.pop(path, ())
        if look.faults:
            self._failing[path] = look.faults
        if look.faults != before:
            self._tell()
        return look

    def _faults(self, state: PreviewState, look: Look) -> tuple[ShownFault, ...]:
        return tuple(dict.fromkeys([*state.faults, *look.faults]))

    # News

    async def _hear(self) -> None:
        """Pass each new state on; the newest is enough."""
        while True:
            state = await self._news.get()
            while not self._news.empty():
                state = self._news.get_nowait()
            if state.version != self._version:
                self._version = state.version
                self._seen.clear()
                for path in list(self._failing):
                    await self._look(path)
            if state.version or state.faults:
                self._first.set()
            self._tell()
            for waiting in self._waiting:
                waiting.set()

    def _tell(self) -> None:
        state = self._preview.state
        self._told(state, tuple(dict.fromkeys([*state.faults, *(f for each in self._failing.values() for f in each)])))

    async def _look_once(self, path: str, is_anew: bool = False) -> Look:
        """What lies at a path in this version, looked for once for all streams, so that none knows an older page."""
        if is_anew or path not in self._seen:
            self._seen[path] = asyncio.create_task(self._look(path))
        return await asyncio.shield(self._seen[path])

    async def _events(self, path: str, held: str) -> AsyncIterator[bytes]:
        """All that a page is told while it is open: at once how things stand, then every change.

        held: what names the page as the browser has it. What it has missed, it is told first.
        """
        waiting, before = asyncio.Event(), b""
        self._waiting.add(waiting)
        try:
            while not self._ended:
                waiting.clear()
                look, state = await self._look_once(path), self._preview.state
                told = message(state, path, look, self._faults(state, look), held, self._looks)
                held = told["digest"]
                if (news := event(told)) != before:
                    before = news
                    yield news
                try:
                    await asyncio.wait_for(waiting.wait(), _BEAT)
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
    """A file that a browser may keep if it asks each time whether it still is the same."""
    tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
    fresh = {"ETag": tag, "Cache-Control": "no-cache"}
    if tag in (each.strip().removeprefix("W/") for each in headers.get("if-none-match", "").split(",")):
        return Response(status_code=304, headers=fresh)
    return Response(data, headers=fresh | {"Content-Type": content_type(name)})


def _html(body: bytes, status: int) -> Response:
    return Response(body, status, {"Content-Type": content_type("x.html")})


def _plain(status: int, words: str) -> Response:
    return Response(f"{words}\n".encode(), status, {"Content-Type": content_type("x.txt")})


def _moved(address: str, scope: Scope) -> Response:
    query = f"?{scope['query_string'].decode('ascii')}" if scope["query_string"] else ""
    return Response(status_code=302, headers={"Location": address + query})
