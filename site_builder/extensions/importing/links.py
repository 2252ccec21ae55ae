"""Resolves the links of imported texts: to other imported posts and to files that are copied."""

import os
import posixpath
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote, urljoin, urlsplit

from site_builder.extensions.importing.sources import SourcePost, SourceProject, is_inside
from site_builder.project.posts import ACCEPTED, is_writeup

_HUGO_FOLDERS = ("static", "content", "assets", "")
_EXTERNAL_SCHEMES = ("http", "https", "mailto", "tel", "ftp", "data", "doi", "news")


@dataclass
class LinkResolver:
    """All possible targets of links.

    posts: those that are imported. page_paths: other paths of the site.
    copies: path in the project -> file to copy; `resolve` adds to it.
    """

    project: SourceProject
    posts: Collection[SourcePost]
    page_paths: Collection[str]
    copies: dict[str, Path] = field(default_factory=dict)

    def __post_init__(self) -> None:
        url, base = self.project.address()
        self.base = f"/{base}" if base else ""
        self.is_hugo = self.project.dialect == "hugo"
        self.site_urls = [each for each in dict.fromkeys((url + self.base, url)) if each.startswith("http")]
        self.by_file = {post.source.name: post.path for post in self.posts}  # for post_url, link and ref
        self.by_file |= {post.source.inside.name: post.path for post in self.posts}
        self.by_file |= {str(post.source.inside): post.path for post in self.posts}
        self.by_url = {_normalized(url): post.path for post in self.posts for url in (post.path, post.old_url) if url}

    def resolve(self, post: SourcePost, link: str) -> str | None:
        """Return the new link for one in the source; None if its target is missing."""
        for site_url in self.site_urls:
            if link == site_url or link.startswith((site_url + "/", site_url + "#", site_url + "?")):
                link = link[len(site_url) :] or "/"
        try:
            parts = urlsplit(link)
        except ValueError:
            return None
        if parts.netloc or parts.scheme:
            return link if parts.netloc or parts.scheme.lower() in _EXTERNAL_SCHEMES else None
        path, suffix = unquote(parts.path), ("?" + parts.query if parts.query else "")
        suffix += "#" + parts.fragment if parts.fragment else ""
        if not path:
            return link
        if self.base and (path == self.base or path.startswith(self.base + "/")):
            path = path[len(self.base) :] or "/"
        found = (self._new_link(post, candidate) for candidate in self._candidates(post, path))
        new = next((each for each in found if each is not None), None)
        return None if new is None else new + suffix

    def _candidates(self, post: SourcePost, path: str) -> list[str]:
        """Paths below the root to which a link may refer, the most likely first."""
        if path.startswith("/"):
            return [posixpath.normpath(path).lstrip("/") + ("/" if path.endswith("/") else "")]
        from_file = posixpath.normpath(posixpath.join(posixpath.dirname(str(post.source.inside)), path))
        from_url = urljoin(post.old_url, path).lstrip("/") if post.old_url else from_file
        found = [from_file, from_url] if self.is_hugo else [from_url, from_file]
        return list(dict.fromkeys([*found, posixpath.normpath(path)]))

    def _new_link(self, post: SourcePost, path: str) -> str | None:
        in_content = f"content/{path}" if self.is_hugo else path
        target = self.by_file.get(path) or self.by_file.get(in_content) or self.by_url.get(_normalized(path))
        if target is not None:
            return f"/{target}"
        page = path.rstrip("/").removesuffix("index.html").rstrip("/")
        page += "/" if page and "." not in posixpath.basename(page) else ""
        if page in self.page_paths:
            return f"/{page}"
        return self._link_to_copy(post, path)

    def _link_to_copy(self, post: SourcePost, path: str) -> str | None:
        """The link to a file that is copied; None if the project has no such file."""
        if not path or path.startswith("../") or any(part.startswith(".") for part in path.split("/")):
            return None
        root, folders = self.project.root, _HUGO_FOLDERS if self.is_hugo else ("",)
        folder = next((each for each in folders if os.path.isfile(root / each / path)), None)
        if folder is None or not is_inside(file := root / folder / path, root):
            return None
        target, link = path, f"/{quote(path)}"
        if not folder and (post.notebook or self.project.dialect != "kramdown"):
            own = posixpath.relpath(path, posixpath.dirname(str(post.source.inside)) or ".")
            own = posixpath.basename(path) if own.startswith("../") else own
            target, link = f"{post.target}/{own}", quote(own)
        in_project = f"content/{target}"
        if is_writeup(PurePosixPath(target)) or in_project.lower().startswith(ACCEPTED):  # a post or an answer there
            return None
        self.copies[in_project] = file
        return link


def _normalized(url: str) -> str:
    """The same URL for /x, /x/, /x.html and /x/index.html."""
    return url.strip("/").removesuffix("index.html").rstrip("/").removesuffix(".html").lower()
