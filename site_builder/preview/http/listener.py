"""Where a preview listens, and which requests it answers: those under its own name, by its own pages."""

import errno
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass, replace
from ipaddress import ip_address

from site_builder.errors import UsageError

USUAL = 8000
_TRIES = 20
_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^:\[\]\s/@]+)(?::(\d{1,5}))?")
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Listener:
    """An open socket, and the check of the requests to it.

    taken: the port that was wanted and is in use, 0 where the wanted one was free.
    """

    socket: socket.socket
    host: str
    port: int
    taken: int = 0

    @property
    def address(self) -> str:
        """Where a browser on this machine finds it."""
        host = "127.0.0.1" if is_everywhere(self.host) else self.host
        return f"http://{shown_host(host)}:{self.port}"

    def refusal_of(self, headers: Mapping[str, str], is_own: bool) -> tuple[int, str] | None:
        """HTTP status and words that refuse a request with these headers; None where it is answered.

        A name that an attacker's DNS leads to this machine is refused: pages of another site could read the preview by
        it. is_own: for what only pages of the preview may request.
        """
        asked = headers.get("host", "").lower()
        match = _HOST.fullmatch(asked)
        if match is None or not self._is_known(match[1].strip("[]")) or int(match[2] or 80) != self.port:
            known = " or ".join(f"http://{shown_host(name)}:{self.port}/" for name in self._names())
            return (421, f"This preview answers as {known}, and was asked as {asked[:200] or 'nobody'}.")
        origin = headers.get("origin", "").lower()
        if origin and origin != f"http://{asked}":
            return (403, "This preview answers its own pages only; another site has asked.")
        site = headers.get("sec-fetch-site", "none")
        if site not in ("none", "same-origin") and (is_own or headers.get("sec-fetch-mode") != "navigate"):
            return (403, "This preview answers its own pages only; another site has asked.")
        return None

    def _names(self) -> list[str]:
        if is_everywhere(self.host):
            return [*LOOPBACK[:2], socket.gethostname()]
        return list(LOOPBACK[:2]) if is_loopback(self.host) else [self.host]

    def _is_known(self, name: str) -> bool:
        """True when it is a name of the preview; a number cannot be led here by DNS."""
        own = socket.gethostname().lower()
        if is_everywhere(self.host) and (_is_number(name) or name in (own, f"{own}.local")):
            return True
        return name in LOOPBACK or name == self.host.lower()


def open_listener(host: str, port: int | None) -> Listener:
    """Listen at a port of a host, without one at the usual port or the next that is free.

    Raises UsageError for a port that is in use, with the next free one as the cure, and for a host that is not here.
    """
    wanted, cure = USUAL if port is None else port, "name another one with --port"
    for number in range(wanted, max(wanted + 1, min(wanted + 1 + _TRIES, 65536))):
        try:
            opened = _opened(host, number)
        except OSError as error:
            if number == wanted and error.errno != errno.EADDRINUSE:
                raise _refused(host, wanted, error) from error
            continue
        if port is None or number == wanted:
            return opened if number == wanted else replace(opened, taken=wanted)
        opened.socket.close()
        cure = f"take one that is free: --port {opened.port}"
        break
    raise UsageError(f"port {wanted} of {host} is in use by another program", cure)


def _opened(host: str, port: int) -> Listener:
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
    return Listener(opened, host, opened.getsockname()[1])


def _refused(host: str, port: int, error: OSError) -> UsageError:
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return UsageError(f"--host {host}: this machine has no such address", "leave --host out to see it here alone")
    if error.errno == errno.EACCES:
        return UsageError(f"port {port} is kept for the system", "name one above 1023 with --port")
    return UsageError(f"nothing can listen at {host}, port {port}: {error.strerror}", "name another one with --port")


def is_everywhere(host: str) -> bool:
    """True when listening at this host is listening to the whole network."""
    return _is_number(host) and ip_address(host).is_unspecified


def is_loopback(host: str) -> bool:
    """True when only this machine can send requests there."""
    return host == "localhost" or (_is_number(host) and ip_address(host).is_loopback)


def shown_host(host: str) -> str:
    """A host as addresses write it: ::1 is [::1]."""
    return f"[{host}]" if ":" in host else host


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
