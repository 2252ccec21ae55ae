"""Resolves the links of imported texts: to other imported posts and to files that are copied."""

import os
import posixpath
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote, urljoin, urlsplit

from site_builder.importer.sources import SourcePost, is_inside
from site_builder.project.posts import ACCEPTED, is_writeup

_GENERATED = (".md", ".markdown", ".html", ".xml", ".json", ".txt", ".css", ".scss", ".js")
_HUGO_FOLDERS = ("static", "content", "assets", "")
_EXTERNAL_SCHEMES = ("http", "https", "mailto", "tel", "ftp", "data", "doi", "news")


@dataclass
class LinkResolver:
    """All possible targets of links.

    root: the folder of the old project; site_urls, base_path: of the old site. targets_by_file, targets_by_url: path
    below the root or old URL -> file in content/; paths: that file -> path in the site. page_paths: other paths of the
    site; content_files: other files below content/. bundled: those files in content/ that may become folders. is_hugo:
    whether the old project is one of Hugo, whose addresses are paths below content/, static/ and assets/.
    copies: path in the project -> file to copy; `resolve` adds to it.
    """

    root: Path
    site_urls: tuple[str, ...]
    base_path: str
    targets_by_file: Mapping[str, str]
    targets_by_url: Mapping[str, str]
    paths: Mapping[str, str]
    page_paths: Collection[str]
    content_files: Collection[str]
    bundled: Collection[str] = ()
    is_hugo: bool = False
    copies: dict[str, Path] = field(default_factory=dict)

    def resolve(self, post: SourcePost, link: str) -> str | None:
        """Return the new link for one in the source; None if its target is missing."""
        for site_url in self.site_urls:
            if link == site_url or link.startswith((site_url + "/", site_url + "#", site_url + "?")):
                link = link[len(site_url) :] or "/"
        try:
            parts = urlsplit(link)
        except ValueError:
            return None
        if parts.netloc or (parts.scheme and parts.scheme.lower() in _EXTERNAL_SCHEMES):
            return link
        if parts.scheme:
            return None
        path, suffix = unquote(parts.path), ("?" + parts.query if parts.query else "")
        suffix += "#" + parts.fragment if parts.fragment else ""
        if not path:
            return link
        if self.base_path and (path == self.base_path or path.startswith(self.base_path + "/")):
            path = path[len(self.base_path) :] or "/"
        for candidate in self._candidates(post, path):
            found = self._new_link(post, candidate)
            if found is not None:
                return found + suffix
        return None

    def _candidates(self, post: SourcePost, path: str) -> list[str]:
        """Paths below the root to which a link may refer, the most likely first."""
        if path.startswith("/"):
            return [posixpath.normpath(path).lstrip("/") + ("/" if path.endswith("/") else "")]
        from_file = posixpath.normpath(posixpath.join(posixpath.dirname(post.source.relative_path), path))
        from_url = urljoin(post.old_url, path).lstrip("/") if post.old_url else from_file
        found = [from_file, from_url] if self.is_hugo else [from_url, from_file]
        return list(dict.fromkeys([*found, posixpath.normpath(path)]))

    def _new_link(self, post: SourcePost, path: str) -> str | None:
        target = self.targets_by_file.get(path) or self.targets_by_file.get(f"content/{path}" if self.is_hugo else path)
        target = target or self.targets_by_url.get(normalized_url(path))
        if target is not None:
            if post.folder or target in self.bundled:
                return "/" + self.paths[target]
            return quote(posixpath.relpath(target, posixpath.dirname(post.target)))
        page = path.rstrip("/").removesuffix("index.html").rstrip("/")
        page += "/" if page and "." not in posixpath.basename(page) else ""
        if page in self.page_paths:
            return f"/{page}"
        return self._link_to_copy(post, path) or (f"/{quote(path)}" if path in self.content_files else None)

    def _link_to_copy(self, post: SourcePost, path: str) -> str | None:
        """The link to a file that is copied; None if the project has no such file."""
        if not path or path.startswith("../") or any(part.startswith(".") for part in path.split("/")):
            return None
        folders = _HUGO_FOLDERS if self.is_hugo else ("",)
        folder = next((each for each in folders if os.path.isfile(self.root / each / path)), None)
        if folder is None or not is_inside(file := self.root / folder / path, self.root):
            return None
        if file.suffix in _GENERATED and file.read_bytes()[:3] == b"---":  # Jekyll generates another file from it
            return None
        target, link = path, f"/{quote(path)}"
        if post.folder and not folder:
            own = posixpath.relpath(path, posixpath.dirname(post.source.relative_path) or ".")
            own = posixpath.basename(path) if own.startswith("../") else own
            target, link = f"{post.folder}/{own}", quote(own)
        own_path = f"content/{target}"
        if is_writeup(PurePosixPath(target)) or own_path.lower().startswith(
            ACCEPTED
        ):  # it is a post or an answer there
            return None
        self.copies[own_path] = file
        return link


def normalized_url(url: str) -> str:
    """Return the same URL for /x, /x/, /x.html and /x/index.html."""
    return url.strip("/").removesuffix("index.html").rstrip("/").removesuffix(".html").lower()
