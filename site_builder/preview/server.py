"""The server of a preview."""

import signal
from collections.abc import Callable

import uvicorn

from site_builder.preview.app import App
from site_builder.preview.controller import Preview
from site_builder.preview.listener import Listener
from site_builder.preview.state import PreviewState
from site_builder.preview.terminal import Terminal

_ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run(preview: Preview, listener: Listener, echo: Callable[[str], None], warn: Callable[[str], None]) -> None:
    """Answer requests until a signal comes, or until this process is outdated. echo and warn: see Terminal."""
    app = App(preview, listener, Terminal(listener, echo, warn), lambda: server.should_exit)
    config = uvicorn.Config(
        app.asgi, ws="none", log_config=None, log_level="critical", proxy_headers=False, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)

    def end_if_outdated(state: PreviewState) -> None:
        server.should_exit |= state.is_outdated

    preview.subscribe(end_if_outdated)
    before = {each: signal.signal(each, server.handle_exit) for each in _ENDINGS}
    try:
        server.run(sockets=[listener.socket])
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
