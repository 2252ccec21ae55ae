"""Look up the page at a path of the site, as it is now or was when it last had no errors."""

import hashlib
import posixpath
import re
import threading
import traceback
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import unquote, urlsplit

from site_builder.errors import SiteError, errors_of
from site_builder.preview.controller import Preview
from site_builder.preview.state import ShownError, shown
from site_builder.project.posts import file_path

Known = TypeVar("Known")
_KEPT = 300  # pages that are remembered as they were
_SOURCE = re.compile(rb"""<(?:img|source|video|audio|embed|track)\s[^>]*?\bsrc\s*=\s*"([^"]*)\"""", re.IGNORECASE)
_FINGERPRINTED = re.compile(r"\.[0-9a-f]{10}\.\w+")


@dataclass(frozen=True)
class FoundPage:
    """The page at a path. kind: a file; another address, with a slash at its end; nothing; nothing yet.

    data: its bytes, for "lost" those of the page for addresses that do not exist. digest: of all that a page shows,
    empty where there is no page yet. errors: why there is none, or why it is the last good one.
    """

    kind: Literal["file", "moved", "lost", "waiting"]
    data: bytes = b""
    digest: str = ""
    errors: tuple[ShownError, ...] = ()


class PageLookup:
    """Looks up pages of a preview from any thread, and remembers those that were found."""

    def __init__(self, preview: Preview, root: Path) -> None:
        self._preview = preview
        self._root = root
        self._last: OrderedDict[str, tuple[str, bytes]] = OrderedDict()  # by name: the last good page and its digest
        self._pages: OrderedDict[str, bytes] = OrderedDict()  # by digest
        self._lock = threading.Lock()

    def look_up(self, path: str) -> FoundPage:
        """Look up the page at the path now. A page that fails shows as it was when it last did not."""
        state, name = self._preview.state, file_path(path)
        try:
            data = self._preview.file(name)
            if data is not None:
                return FoundPage("file", data, self._remembered(name, data))
            if state.version == 0 or path in state.pending:
                return FoundPage("waiting")
            if name == path and self._preview.file(f"{path}/index.html") is not None:
                return FoundPage("moved")
            lost = self._preview.file("404.html") or b""
            return FoundPage("lost", lost, self._remembered("404.html", lost))
        except (SiteError, ExceptionGroup) as error:
            return self._last_good(name, tuple(shown(each, self._root) for each in errors_of(error)))
        except Exception as error:  # a preview goes on, whatever it shows
            traceback.print_exc()
            cure = "this is an error of the builder, not of your files; the terminal has its traceback"
            shown_error = ShownError(
                "site_builder", f"{type(error).__name__}: {error}", cure, "", "site_builder", 0, ()
            )
            return self._last_good(name, (shown_error,))

    def page(self, digest: str) -> bytes | None:
        """The page with this digest, if it is still remembered."""
        with self._lock:
            return self._pages.get(digest)

    def _last_good(self, name: str, errors: tuple[ShownError, ...]) -> FoundPage:
        with self._lock:
            digest, data = self._last.get(name, ("", b""))
        return FoundPage("file" if digest else "waiting", data, digest, errors)

    def _remembered(self, name: str, data: bytes) -> str:
        """The digest of a page and of the pictures in it without a digest in their address; empty for other files."""
        if not name.endswith(".html"):
            return ""
        found = hashlib.sha256(data)
        for picture in _pictures(data, name):
            found.update(self._preview.file(picture) or b"")
        digest = found.hexdigest()[:20]
        with self._lock:
            _remember(self._last, name, (digest, data))
            _remember(self._pages, digest, data)
        return digest


def _remember(memory: OrderedDict[str, Known], key: str, value: Known) -> None:
    """Keep the value as the newest; the oldest goes where there are too many."""
    memory[key] = value
    memory.move_to_end(key)
    if len(memory) > _KEPT:
        memory.popitem(last=False)


def _pictures(html: bytes, name: str) -> Iterator[str]:
    """The paths in the site of pictures and the like in a page, where these may change under the same name."""
    for address in dict.fromkeys(_SOURCE.findall(html)):
        parts = urlsplit(address.decode("utf-8", "replace"))
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path)))
        if not (parts.scheme or parts.netloc or parts.path.startswith("/") or _FINGERPRINTED.search(path)):
            yield path
