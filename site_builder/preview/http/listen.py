"""Where a preview listens."""

import errno
import socket
from dataclasses import dataclass

from site_builder.errors import UsageError
from site_builder.preview.http.host_check import is_everywhere, shown_host

USUAL = 8000
_TRIES = 20


@dataclass(frozen=True)
class Door:
    """An open socket. taken: the port that was wanted and is in use, 0 where the wanted one was free."""

    socket: socket.socket
    host: str
    port: int
    taken: int = 0

    @property
    def address(self) -> str:
        """Where a browser on this machine finds it."""
        host = "127.0.0.1" if is_everywhere(self.host) else self.host
        return f"http://{shown_host(host)}:{self.port}"


def open_door(host: str, port: int | None) -> Door:
    """Listen at a port of a host, without one at the usual port or the next that is free.

    Raises UsageError for a port that is in use, with the next free one as the cure, and for a host that is not here.
    """
    wanted = USUAL if port is None else port
    try:
        return _opened(host, wanted)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise _refused(host, wanted, error) from error
    free = _next(host, wanted)
    if free is None or port is not None:
        if free is not None:
            free.socket.close()
        cure = f"take one that is free: --port {free.port}" if free else "name another one with --port"
        raise UsageError(f"port {wanted} of {host} is in use by another program", cure)
    return Door(free.socket, host, free.port, wanted)


def _next(host: str, wanted: int) -> Door | None:
    """The first free port after this one."""
    for port in range(wanted + 1, min(wanted + 1 + _TRIES, 65536)):
        try:
            return _opened(host, port)
        except OSError:
            continue
    return None


def _opened(host: str, port: int) -> Door:
    """Listening at the first address of the host. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, address = sorted(found, key=lambda each: each[0] != socket.AF_INET)[0]
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # one that has just ended leaves traces
        opened.bind(address)
        opened.listen(128)
        opened.setblocking(False)
    except OSError:
        opened.close()
        raise
    return Door(opened, host, opened.getsockname()[1])


def _refused(host: str, port: int, error: OSError) -> UsageError:
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return UsageError(f"--host {host}: this machine has no such address", "leave --host out to see it here alone")
    if error.errno == errno.EACCES:
        return UsageError(f"port {port} is kept for the system", "name one above 1023 with --port")
    return UsageError(f"nothing can listen at {host}, port {port}: {error.strerror}", "name another one with --port")
