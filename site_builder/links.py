"""Links and images in the HTML of a post: where they lead in the site, and whether anything is there."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape, unescape
from urllib.parse import quote, unquote, urlsplit

from site_builder.config import Config
from site_builder.content import Content, Post
from site_builder.errors import Place, SiteError, nearest
from site_builder.tokens import link

TAG = re.compile(r"<[a-zA-Z](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
_VALUE = r"(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=<>`]+))"
_ADDRESS = re.compile(rf"(\s(href|src|srcset|poster|data)\s*=\s*){_VALUE}", re.IGNORECASE)
_ID = re.compile(rf"\sid\s*=\s*{_VALUE}", re.IGNORECASE)


@dataclass(frozen=True)
class Link:
    """A link as it stands in a post, and the place in the site that it means: a path, and a fragment with its #."""

    written: str
    path: str
    fragment: str
    is_image: bool


def anchors_in(html: str) -> frozenset[str]:
    """The ids in some HTML."""
    return frozenset(unescape(m[1] or m[2] or m[3] or "") for tag in TAG.findall(html) for m in [_ID.search(tag)] if m)


def set_aside(html: str, resolve: Callable[[str], tuple[str, str] | None]) -> tuple[str, list[Link]]:
    """The HTML with the address of each link within the site as a token, and those links.

    resolve: path of an address as written, and its query and fragment; or None for one that leads out of the site.
    """
    found: list[Link] = []

    def of_tag(tag: re.Match[str]) -> str:
        return _ADDRESS.sub(lambda match: of_address(tag[0], match), tag[0])

    def of_address(tag: str, match: re.Match[str]) -> str:
        value = unescape(next(group for group in match.groups()[2:] if group is not None))
        if match[2].lower() != "srcset" or "data:" in value:
            return f'{match[1]}"{escape(within(tag, value))}"'
        pictures = (picture.strip().partition(" ") for picture in value.split(","))
        return f'{match[1]}"{escape(", ".join(within(tag, url) + space + size for url, space, size in pictures))}"'

    def within(tag: str, written: str) -> str:
        target = resolve(written)
        if target is None:
            return written
        path, rest = target
        _, sign, fragment = rest.partition("#")
        found.append(Link(written, path, sign + fragment, is_image=not tag.lower().startswith("<a")))
        return link(quote(path), rest)

    return TAG.sub(of_tag, html), found


class Addresses:
    """What the addresses in a post's text mean, by the files in content/ and the paths of the site."""

    def __init__(self, content: Content) -> None:
        self.by_file = {post.source.removeprefix("content/"): post.path for post in content.writeups}
        self.by_file |= {path: path for path in content.files}
        self.files = frozenset(content.files)

    def resolve(self, post: Post, address: str) -> tuple[str, str] | None:
        """Path in the site, and query and fragment as they are; None for an address elsewhere.

        A file that is not there keeps its name.
        """
        try:
            parts = urlsplit(address)
        except ValueError:  # such as a bracket of an IPv6 address that is left open: it leads nowhere
            return address, ""
        if parts.scheme or parts.netloc or address.startswith("//"):
            return None
        rest = (f"?{parts.query}" if parts.query else "") + (f"#{parts.fragment}" if parts.fragment else "")
        path = unquote(parts.path)
        if not path:
            return post.path, rest
        if path.startswith("/"):
            return self._place(posixpath.normpath(path).lstrip("/"), path.endswith("/")), rest
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(post.source), path))
        inside = beside.removeprefix("content/") if beside.startswith("content/") else f"../{beside}"
        return self.by_file.get(inside) or self._place(inside, path.endswith("/")), rest

    def _place(self, path: str, is_folder: bool) -> str:
        """A path of the site as pages write it: `posts/x`, `posts/x/` and `posts/x/index.html` are one place."""
        if path in self.files:
            return path
        if posixpath.basename(path) == "index.html":
            return path.removesuffix("index.html")
        return path if not path or ("." in posixpath.basename(path) and not is_folder) else path + "/"


def check_links(
    post: Post,
    links: Sequence[Link],
    lines: Callable[[str], list[int]],
    anchors: Mapping[str, frozenset[str] | None],
) -> Iterator[SiteError]:
    """A fault for each link that leads nowhere.

    lines: the lines in which an address stands. anchors: every path of the site with its ids (None: not checked).
    """
    faults: dict[tuple[str, str], Link] = {}
    for found in links:
        path = found.path if found.path in anchors else f"{found.path}/"
        if path not in anchors:
            faults[found.written, "path"] = found
        else:
            known = anchors[path]
            if found.fragment and known is not None and unquote(found.fragment[1:]) not in known:
                faults[found.written, "anchor"] = found
    for (written, kind), found in faults.items():
        for line in lines(written) or [post.body_line]:
            yield _broken(Place(post.source, line), written, kind, found, anchors)


def check_navigation(config: Config, paths: Iterable[str]) -> Iterator[SiteError]:
    """A fault for each link at the head of every page that leads nowhere. paths: every path of the site."""
    known = set(paths)
    for label, path in config.settings.navigation.items():
        if path.lstrip("/") not in known:
            place = config.reading.place("navigation", label)
            cure = nearest(path.lstrip("/"), known - {""})
            yield SiteError(place, f"navigation has {path!r}, which leads nowhere in the site", cure)


def _broken(
    place: Place, written: str, kind: str, found: Link, anchors: Mapping[str, frozenset[str] | None]
) -> SiteError:
    if kind == "anchor":
        known = anchors.get(found.path) or anchors.get(f"{found.path}/") or frozenset()
        fault = f"the link {written} leads to a page that has no anchor {found.fragment[1:]!r}"
        return SiteError(place, fault, nearest(found.fragment[1:], known))
    what = "image" if found.is_image else "link"
    close = nearest(found.path, anchors)
    cure = close if close.startswith("did you") else "write it relative to this file, or from the site's root with a /"
    return SiteError(place, f"the {what} {written} leads nowhere", cure)
