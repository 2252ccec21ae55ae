"""Where a preview listens."""

import socket

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
