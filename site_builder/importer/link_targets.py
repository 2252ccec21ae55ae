"""Where the links of imported texts lead now: to other imported posts, to files that come with them, or nowhere."""

import os
import posixpath
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote, urljoin, urlsplit

from site_builder.project.posts import is_writeup

_MADE = (".md", ".markdown", ".html", ".xml", ".json", ".txt", ".css", ".scss", ".js")
_KEPT_SCHEMES = ("http", "https", "mailto", "tel", "ftp", "data", "doi", "news")


@dataclass(frozen=True)
class Home:
    """Where a text comes from and goes to. address: that which it had; target: its file below content/.

    beside: the folder below content/ that takes its files; empty where they go to the place that they had.
    """

    path: Path
    inside: str
    address: str
    target: str
    beside: str


@dataclass
class Places:
    """All that links may mean. root: the folder of the project; own: the addresses of the site itself.

    by_file: path below the root -> file below content/; by_address: old address -> the same; paths: file below
    content/ -> path in the site; known: paths that the site has anyway; files: those of content/.
    bundled: files that may become folders.
    copied: path in the project -> file to copy.
    """

    root: Path
    own: tuple[str, ...]
    base: str
    by_file: Mapping[str, str]
    by_address: Mapping[str, str]
    paths: Mapping[str, str]
    known: Collection[str]
    files: Collection[str]
    bundled: Collection[str] = ()
    copied: dict[str, Path] = field(default_factory=dict)

    def resolve(self, home: Home, written: str) -> str | None:
        """What to write in a post for a link; None where it leads nowhere."""
        for own in self.own:
            if written == own or written.startswith((own + "/", own + "#", own + "?")):
                written = written[len(own) :] or "/"
        try:
            parts = urlsplit(written)
        except ValueError:
            return None
        if parts.netloc or (parts.scheme and parts.scheme.lower() in _KEPT_SCHEMES):
            return written
        if parts.scheme:
            return None
        path, rest = unquote(parts.path), ("?" + parts.query if parts.query else "")
        rest += "#" + parts.fragment if parts.fragment else ""
        if not path:
            return written
        if self.base and (path == self.base or path.startswith(self.base + "/")):
            path = path[len(self.base) :] or "/"
        for candidate in self._candidates(home, path):
            found = self._place(home, candidate)
            if found is not None:
                return found + rest
        return None

    def _candidates(self, home: Home, path: str) -> list[str]:
        """Paths below the root that a link may mean, the likeliest first."""
        if path.startswith("/"):
            return [posixpath.normpath(path).lstrip("/") + ("/" if path.endswith("/") else "")]
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(home.inside), path))
        of_page = urljoin(home.address, path).lstrip("/") if home.address else beside
        return list(dict.fromkeys([of_page, beside, posixpath.normpath(path)]))

    def _place(self, home: Home, path: str) -> str | None:
        target = self.by_file.get(path) or self.by_address.get(old(path))
        if target is not None:
            if home.beside or target in self.bundled:
                return "/" + self.paths[target]
            return quote(posixpath.relpath(target, posixpath.dirname(home.target)))
        bare = path.rstrip("/").removesuffix("index.html")
        if (bare if not bare or "." in posixpath.basename(bare) else bare.rstrip("/") + "/") in self.known:
            return "/" + bare + ("/" if bare and "." not in posixpath.basename(bare) else "")
        return self._copied(home, path) or (f"/{quote(path)}" if path in self.files else None)

    def _copied(self, home: Home, path: str) -> str | None:
        """The address of a file that comes along; None where there is none inside of the project."""
        file = self.root / path
        if not path or path.startswith("../") or any(part.startswith(".") for part in path.split("/")):
            return None
        if not os.path.isfile(file) or not _is_inside(file, self.root):
            return None
        if file.suffix in _MADE and file.read_bytes()[:3] == b"---":  # Jekyll makes something else of it
            return None
        if not home.beside:
            return "/" + quote(path) if self._copies(path, file) else None
        folder = posixpath.dirname(home.inside)
        inside = posixpath.relpath(path, folder) if folder else path
        inside = posixpath.basename(path) if inside.startswith("../") else inside
        return quote(inside) if self._copies(f"{home.beside}/{inside}", file) else None

    def _copies(self, target: str, file: Path) -> bool:
        """Whether a file may go to a place below content/: not where it would be a post, which it is none of."""
        if is_writeup(PurePosixPath(target)):
            return False
        self.copied[f"content/{target}"] = file
        return True


def _is_inside(file: Path, folder: Path) -> bool:
    return Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder))


def old(address: str) -> str:
    """An address such that all ways to write it are one: /x, /x/, /x.html and /x/index.html."""
    return address.strip("/").removesuffix("index.html").rstrip("/").removesuffix(".html").lower()
