"""Who may ask: whoever knows the preview by its own name, and pages of its own; no other site through a browser."""

import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address

_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^:\[\]\s/@]+)(?::(\d{1,5}))?")
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Refusal:
    """Why a request is not answered: status of HTTP, and words."""

    status: int
    words: str


@dataclass(frozen=True)
class Gate:
    """Looks at the headers of requests. host: where it listens; port: where, too.

    A name that an attacker's DNS leads to this machine is refused, since it would make a foreign page one of ours.
    """

    host: str
    port: int

    def refusal(self, headers: Mapping[str, str], is_own: bool) -> Refusal | None:
        """Why this request is not answered; None where it is. is_own: for what pages of the preview alone may ask."""
        asked = headers.get("host", "").lower()
        match = _HOST.fullmatch(asked)
        if match is None or not self._is_known(match[1].strip("[]")) or int(match[2] or 80) != self.port:
            known = " or ".join(f"http://{shown_host(name)}:{self.port}/" for name in self._names())
            return Refusal(421, f"This preview answers as {known}, and was asked as {asked[:200] or 'nobody'}.")
        origin = headers.get("origin", "").lower()
        if origin and origin != f"http://{asked}":
            return Refusal(403, "This preview answers its own pages only; another site has asked.")
        site = headers.get("sec-fetch-site", "none")
        if site not in ("none", "same-origin") and (is_own or headers.get("sec-fetch-mode") != "navigate"):
            return Refusal(403, "This preview answers its own pages only; another site has asked.")
        return None

    def _names(self) -> list[str]:
        if is_everywhere(self.host):
            return [*LOOPBACK[:2], socket.gethostname()]
        return list(LOOPBACK[:2]) if is_loopback(self.host) else [self.host]

    def _is_known(self, name: str) -> bool:
        """Whether it is a name of the preview; a number cannot be led here by DNS."""
        own = socket.gethostname().lower()
        if is_everywhere(self.host) and (_is_number(name) or name in (own, f"{own}.local")):
            return True
        return name in LOOPBACK or name == self.host.lower()


def is_everywhere(host: str) -> bool:
    """Whether to listen at this host is to listen to the whole network."""
    return _is_number(host) and ip_address(host).is_unspecified


def is_loopback(host: str) -> bool:
    """Whether only this machine can ask there."""
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
