"""Where a preview listens, and which requests it answers: those under its own name, by its own pages."""

import socket
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from site_builder.errors import UsageError

USUAL = 8000
_TRIES = 20
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Listener:
    """An open socket, and the check of the requests to it."""

    socket: socket.socket
    host: str
    port: int

    @property
    def address(self) -> str:
        """Where a browser on this machine finds it."""
        host = "127.0.0.1" if self.is_everywhere else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def is_everywhere(self) -> bool:
        """True when it listens to the whole network."""
        return self.host in ("", "0.0.0.0", "::")

    def refusal_of(self, headers: Mapping[str, str], is_own: bool) -> tuple[int, str] | None:
        """HTTP status and words that refuse a request with these headers; None where it is answered.

        A name that an attacker's DNS leads to this machine is refused: pages of another site could read the preview by
        it. is_own: for what only pages of the preview may request.
        """
        asked = headers.get("host", "").lower()
        if not self._is_known(asked):
            return (421, f"This preview answers as {self.address}/, and was asked as {asked[:200] or 'nobody'}.")
        origin, site = headers.get("origin", "").lower(), headers.get("sec-fetch-site", "none")
        is_link = not is_own and headers.get("sec-fetch-mode") == "navigate"
        if origin not in ("", f"http://{asked}") or (site not in ("none", "same-origin") and not is_link):
            return (403, "This preview answers its own pages only; another site has asked.")
        return None

    def _is_known(self, asked: str) -> bool:
        """True when a Host header has a name of the preview; a number cannot be led here by DNS."""
        try:
            name = urlsplit(f"//{asked}").hostname or ""
            if name in (*_LOOPBACK, self.host.lower()) or not self.is_everywhere:
                return name in (*_LOOPBACK, self.host.lower())
            return name == socket.gethostname().lower() or ip_address(name).version > 0
        except ValueError:  # neither a host nor a number
            return False


def open_listener(host: str, port: int | None) -> Listener:
    """Listen at a port of a host, without one at the usual port or the next that is free. Raises UsageError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    ports = range(USUAL, USUAL + _TRIES) if port is None else [port]
    for number in ports:
        try:
            opened = socket.create_server((host, number), family=family, backlog=128)
        except OSError as error:
            if number == ports[-1]:
                message = f"nothing can listen at --host {host}, port {ports[0]}: {error.strerror}"
                cure = "leave --host out to see it on this machine, and --port to have the next one that is free"
                raise UsageError(message, cure) from error
        else:
            return Listener(opened, host, opened.getsockname()[1])
    raise AssertionError
