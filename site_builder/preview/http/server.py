"""Runs the preview until somebody ends it."""

import asyncio
import signal
import socket
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from site_builder.preview.controller import Preview, PreviewState
from site_builder.preview.error_excerpt import ShownFault
from site_builder.preview.http.app import App
from site_builder.preview.http.host_check import Gate
from site_builder.preview.http.listen import Door

_ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_UNTIL_SHOWN = 3.0  # seconds for the site before its address is told all the same


def run(
    preview: Preview,
    root: Path,
    door: Door,
    opened: Callable[[], None],
    told: Callable[[PreviewState, Sequence[ShownFault]], None],
) -> None:
    """Answer at the door until a signal comes, or until this process is outdated.

    opened: called when the first page can be asked for.
    """
    app = App(preview, root, Gate(door.host, door.port), told)
    config = uvicorn.Config(
        app,
        loop="asyncio",
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=60,
        timeout_graceful_shutdown=1,
    )
    server = _Server(config, app, opened)
    preview.subscribe(server.heard)
    server.run(sockets=[door.socket])


class _Server(uvicorn.Server):
    """Ends open streams when it is to end, and after that leaves signals to whoever had them before."""

    def __init__(self, config: uvicorn.Config, app: App, opened: Callable[[], None]) -> None:
        super().__init__(config)
        self._app = app
        self._opened = opened
        self._opening: asyncio.Task[None] | None = None

    def heard(self, state: PreviewState) -> None:
        """End where the builder's own code has changed, which this process cannot take up."""
        if state.is_outdated:
            self.should_exit = True

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        before = {each: signal.signal(each, self.handle_exit) for each in _ENDINGS}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._app.begin()
        self._opening = asyncio.create_task(self._open())

    async def _open(self) -> None:
        await self._app.first(_UNTIL_SHOWN)
        self._opened()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._opening is not None:
            self._opening.cancel()
        self._app.end()
        await super().shutdown(sockets)
        self._app.close()
