"""The server of a preview, and what the terminal shows of it: its address, then a line for whatever happens."""

import asyncio
import signal
import socket
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from site_builder.errors import Place, SiteError, counted
from site_builder.preview.controller import Preview
from site_builder.preview.http.app import App
from site_builder.preview.http.listener import Listener, is_everywhere, is_loopback
from site_builder.preview.state import PreviewState, ShownError

_ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_UNTIL_SHOWN = 3.0  # seconds to wait for the site before its address is printed


class Terminal:
    """Reports on a preview in plain lines. echo: prints what is done; warn: what is wrong."""

    def __init__(self, listener: Listener, echo: Callable[[str], None], warn: Callable[[str], None]) -> None:
        self._listener = listener
        self._echo = echo
        self._warn = warn
        self._state = PreviewState()
        self._errors: Sequence[ShownError] = ()

    def opened(self, base: str) -> None:
        """The first page can be requested."""
        listener = self._listener
        if listener.taken:
            self._echo(f"Port {listener.taken} is in use by another program; this preview takes {listener.port}.")
        self._echo(f"Preview: {listener.address}{base} (Ctrl-C ends it)")
        if is_everywhere(listener.host):
            self._warn(f"--host {listener.host}: everybody on the network can see this preview at port {listener.port}")
        elif not is_loopback(listener.host):
            self._warn(f"--host {listener.host}: others on the network can see this preview")
        if not self._state.version and not self._errors:
            self._echo("The site is being built for the first time; its pages show when they are there.")

    def report(self, state: PreviewState, errors: Sequence[ShownError]) -> None:
        """Report what has changed. errors: all that are known, those of requested pages as well."""
        before, known = self._state, self._errors
        self._state, self._errors = state, errors
        for path, doing in state.pending.items():
            if path not in before.pending:
                self._echo(f"/{path}: {doing}; until then the page stays as it was")
        for error in errors:
            if error not in known:
                self._warn(str(SiteError(Place(error.place), error.message, error.cure, error.notes.splitlines())))
        if errors and set(errors) < set(known):
            self._echo(f"{counted(len(known) - len(errors), 'error')} corrected, {len(errors)} left")
        elif known and not errors:
            self._echo("All errors are corrected.")
        elif state.version > before.version > 0:
            some = ", ".join(state.changed[:3]) + (f" and {len(state.changed) - 3} more" if state.changed[3:] else "")
            self._echo(f"{some or 'The pages that were still being computed'}: built again ({state.seconds:.2f} s)")


def run(
    preview: Preview, root: Path, listener: Listener, echo: Callable[[str], None], warn: Callable[[str], None]
) -> None:
    """Answer requests until a signal comes, or until this process is outdated. echo and warn: see Terminal."""
    terminal = Terminal(listener, echo, warn)
    app = App(preview, root, listener, terminal.report)
    config = uvicorn.Config(
        app,
        loop="asyncio",
        http=_Connection,
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
    server = _Server(config, app, lambda: terminal.opened(preview.base))
    preview.subscribe(server.end_if_outdated)
    server.run(sockets=[listener.socket])


class _Connection(H11Protocol):
    """A connection that ends where the rest of a request is malformed, also during its answer and after it."""

    def send_400_response(self, msg: str) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True  # what it still sends goes nowhere
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()


class _Server(uvicorn.Server):
    """Ends open streams when it is to end, and then restores the signal handlers of before."""

    def __init__(self, config: uvicorn.Config, app: App, opened: Callable[[], None]) -> None:
        super().__init__(config)
        self._app = app
        self._opened = opened
        self._opening: asyncio.Task[None] | None = None

    def end_if_outdated(self, state: PreviewState) -> None:
        """End where the builder's own code has changed, which this process cannot load."""
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
