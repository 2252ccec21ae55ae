"""The links of a post: their targets, resolved and checked."""

import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from site_builder.errors import Place, SiteError, nearest
from site_builder.project.config import Config

_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".bmp", ".ico")


class Link(NamedTuple):
    """A link of a post and its target; `Addresses.place` resolves it.

    target: a file below content/ such as posts/other.md, or with a / before it a path of the site; empty for the post
    itself. fragment: with its #. lines: those of the file in which it is written; empty where an earlier link has them.
    """

    written: str
    target: str
    fragment: str
    is_image: bool
    lines: tuple[int, ...] = ()


def target_of(source: str, address: str) -> tuple[str, str] | None:
    """The target of an address in a file of content/, and its query and fragment; None for an address elsewhere."""
    try:
        parts = urlsplit(address)
    except ValueError:  # such as a bracket of an IPv6 address that is left open: it leads nowhere
        return f"/{address}", ""
    if parts.scheme or parts.netloc or address.startswith("//"):
        return None
    rest = (f"?{parts.query}" if parts.query else "") + (f"#{parts.fragment}" if parts.fragment else "")
    path = unquote(parts.path)
    if not path:
        return "", rest
    folder = "/" if path.endswith("/") else ""
    if path.startswith("/"):
        inside = posixpath.normpath(path).lstrip("/")
        return f"/{inside}{folder if inside else ''}", rest
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    return (beside.removeprefix("content/") if beside.startswith("content/") else f"../{beside}") + folder, rest


class Addresses:
    """Resolves the links of posts."""

    def __init__(self, paths: Mapping[str, str], files: Iterable[str]) -> None:
        """paths: of the posts, by source. files: those below content/ that are published as they are."""
        self._files = frozenset(files)
        self._by_file = {source.removeprefix("content/"): path for source, path in paths.items()}
        self._by_file |= {path: path for path in self._files}

    def place(self, path: str, target: str) -> str:
        """The path in the site of the target of a link on the page at `path`; an unknown target keeps its own."""
        if not target:
            return path
        if target.startswith("/"):
            return self._place(target[1:])
        return self._by_file.get(target) or self._place(target)

    def _place(self, path: str) -> str:
        """A path of the site as pages write it: `posts/x`, `posts/x/` and `posts/x/index.html` are one place."""
        if path in self._files or not path or path.endswith("/"):
            return path
        name = posixpath.basename(path)
        if name == "index.html":
            return path.removesuffix("index.html")
        return path if "." in name else path + "/"


def check_links(
    source: str,
    links: Sequence[Link],
    places: Sequence[str],
    anchors: Mapping[str, Collection[str] | None],
) -> Iterator[SiteError]:
    """An error for each link of the post in the file `source` that leads nowhere.

    places: the path in the site of each link. anchors: every path of the site with its ids (None: not checked).
    """
    for found, path in zip(links, places, strict=True):
        there = f"{path}/" if path not in anchors and f"{path}/" in anchors else path
        known = anchors.get(there, ())
        # every page has a #top
        is_found = known is None or found.fragment in ("", "#top") or unquote(found.fragment[1:]) in known
        if there not in anchors or not is_found:
            yield from (_broken(Place(source, line), found, there, anchors) for line in found.lines)


def check_navigation(config: "Config", paths: Iterable[str]) -> Iterator[SiteError]:
    """An error for each link of the navigation that is no path of the site."""
    known = set(paths)
    for label, path in config.settings.navigation.items():
        if path.lstrip("/") not in known:
            place = config.reading.place("navigation", label)
            cure = nearest(path.lstrip("/"), known - {""})
            yield SiteError(place, f"navigation has {path!r}, which leads nowhere in the site", cure)


def _broken(place: Place, found: Link, path: str, anchors: Mapping[str, Collection[str] | None]) -> SiteError:
    if path in anchors:
        known = anchors[path] or ()
        message = f"the link {found.written} leads to a page that has no anchor {found.fragment[1:]!r}"
        return SiteError(place, message, nearest(found.fragment[1:], known))
    is_picture = found.written.lower().split("?")[0].endswith(_PICTURES)
    what = ("image" if is_picture else "file") if found.is_image else "link"
    close = nearest(path, [each for each in anchors if not found.is_image or each.lower().endswith(_PICTURES)])
    cure = close if close.startswith("did you") else "write it relative to this file, or from the site's root with a /"
    return SiteError(place, f"the {what} {found.written} leads nowhere", cure)
