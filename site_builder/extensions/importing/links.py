"""Resolves the links of imported texts: to other imported posts and to files that are copied."""

import os
import posixpath
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote, urljoin, urlsplit

from site_builder.extensions.importing.generators import is_inside, site_address
from site_builder.extensions.importing.sources import SourcePost, SourceProject
from site_builder.project.posts import ACCEPTED, is_writeup

_GENERATED = (".md", ".markdown", ".html", ".xml", ".json", ".txt", ".css", ".scss", ".js")
_HUGO_FOLDERS = ("static", "content", "assets", "")
_EXTERNAL_SCHEMES = ("http", "https", "mailto", "tel", "ftp", "data", "doi", "news")
_ENDINGS = ("", ".md", "/index.md", "/_index.md", ".markdown")


@dataclass
class LinkResolver:
    """All possible targets of links.

    posts: those that are imported. existing: file of the project -> path in the site. page_paths: other paths of the
    site; content_files: other files below content/. copies: path in the project -> file to copy; `resolve` adds to it.
    """

    project: SourceProject
    posts: Collection[SourcePost]
    existing: Mapping[str, str]
    page_paths: Collection[str]
    content_files: Collection[str]
    copies: dict[str, Path] = field(default_factory=dict)

    def __post_init__(self) -> None:
        url, base = site_address(self.project.settings)
        self.base = f"/{base}" if base else ""
        self.site_urls = [each for each in dict.fromkeys((url + self.base, url)) if each.startswith("http")]
        files = {name: name for name in self.existing if name.startswith("content/posts/")}
        files |= {post.source.relative_path: f"content/{post.target}.md" for post in self.posts}
        self.by_file = {f"_posts/{PurePosixPath(file).stem}.md": target for file, target in files.items()} | files
        self.by_url = {_normalized(post.old_url): f"content/{post.target}.md" for post in self.posts if post.old_url}
        self.paths = dict(self.existing) | {f"content/{post.target}.md": post.path for post in self.posts}

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

    def reference(self, post: SourcePost, written: str) -> str | None:
        """Return the link for the argument of ref or relref; None if it leads nowhere."""
        own = posixpath.dirname(post.source.relative_path)
        wanted = posixpath.normpath(posixpath.join(own, written)) if written.startswith(".") else written.strip("/")
        ends = tuple(f"/{wanted}{ending}" for ending in _ENDINGS)
        found = [each for source in self.project.sources if (each := f"/{source.relative_path}").endswith(ends)]
        return min(found, key=lambda each: (posixpath.dirname(each) != f"/{own}", each), default=None)

    def _candidates(self, post: SourcePost, path: str) -> list[str]:
        """Paths below the root to which a link may refer, the most likely first."""
        if path.startswith("/"):
            return [posixpath.normpath(path).lstrip("/") + ("/" if path.endswith("/") else "")]
        from_file = posixpath.normpath(posixpath.join(posixpath.dirname(post.source.relative_path), path))
        from_url = urljoin(post.old_url, path).lstrip("/") if post.old_url else from_file
        found = [from_file, from_url] if self.project.is_hugo else [from_url, from_file]
        return list(dict.fromkeys([*found, posixpath.normpath(path)]))

    def _new_link(self, post: SourcePost, path: str) -> str | None:
        in_content = f"content/{path}" if self.project.is_hugo else path
        target = self.by_file.get(path) or self.by_file.get(in_content) or self.by_url.get(_normalized(path))
        if target is not None:
            return "/" + self.paths[target]
        page = path.rstrip("/").removesuffix("index.html").rstrip("/")
        page += "/" if page and "." not in posixpath.basename(page) else ""
        if page in self.page_paths:
            return f"/{page}"
        return self._link_to_copy(post, path) or (f"/{quote(path)}" if path in self.content_files else None)

    def _link_to_copy(self, post: SourcePost, path: str) -> str | None:
        """The link to a file that is copied; None if the project has no such file."""
        if not path or path.startswith("../") or any(part.startswith(".") for part in path.split("/")):
            return None
        root, folders = self.project.root, _HUGO_FOLDERS if self.project.is_hugo else ("",)
        folder = next((each for each in folders if os.path.isfile(root / each / path)), None)
        if folder is None or not is_inside(file := root / folder / path, root):
            return None
        if file.suffix in _GENERATED and file.read_bytes()[:3] == b"---":  # Jekyll generates another file from it
            return None
        target, link = path, f"/{quote(path)}"
        if post.has_folder and not folder:
            own = posixpath.relpath(path, posixpath.dirname(post.source.relative_path) or ".")
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
