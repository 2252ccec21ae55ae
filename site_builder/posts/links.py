"""The links and images of a post: found in its HTML, resolved and checked."""

import posixpath
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property, partial
from html import escape, unescape
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from site_builder.errors import Place, SiteError, nearest
from site_builder.markup.placeholders import link
from site_builder.project.config import Config
from site_builder.values.digest import digest

TAG = re.compile(r"<[a-zA-Z](?:[^<>=]|=\s*+(?:\"[^\"]*+\"|'[^']*+'|))*+>")  # quotes mean something after = alone
# The same but for bare tags and spans with one class, which hold no address: highlighted code has them by the hundred.
# Bare tags of elements that pages may not load are read.
_BEGINNING = r"<(?!span class=\"[\w-]+\">|(?!(?i:script|iframe|frame|object|embed|form)>)\w+>)"
TAG_TO_READ = re.compile(TAG.pattern.replace("<", _BEGINNING, 1))
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_VALUE = r"(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=<>`]+))"
_RESOLVED = ("href", "src", "srcset", "poster", "data", "data-script")
_CHECKED = ("action", "background", "cite", "formaction", "from", "ping", "to", "values")  # some of SVG's animations
_ADDRESS = re.compile(rf"([\s\"'/](?:xlink:)?({'|'.join(_RESOLVED + _CHECKED)})\s*=\s*){_VALUE}", re.IGNORECASE)
_SCHEME = re.compile(r"[\x00-\x20]*([a-z][a-z0-9+.\t\n\r-]*):", re.IGNORECASE)  # as browsers read it
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".bmp", ".ico")
SCHEMES = ("https", "http", "mailto", "tel", "sms", "ftp", "irc", "ircs", "xmpp", "matrix", "gemini", "magnet")
_BEFORE_ADDRESS, _AFTER_ADDRESS = re.compile(r"[\w/.#-]"), re.compile(r"[\w/?#-]|\.\w")  # it goes on
_ID = re.compile(rf"\sid\s*=\s*{_VALUE}", re.IGNORECASE)


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


class LinkedText(NamedTuple):
    """Some HTML with a placeholder for each link within the site, and those links.

    refused: the addresses whose scheme is not allowed, such as javascript:x. tags: those that can have an address or an
    id; shown: the ones that are not in comments.
    """

    html: str
    links: list[Link]
    refused: list[str]
    tags: list[str]
    shown: list[str]


def anchors_in(tags: Iterable[str]) -> frozenset[str]:
    """The ids in some tags."""
    return frozenset(unescape(m[1] or m[2] or m[3] or "") for tag in tags for m in [_ID.search(tag)] if m)


def replace_links(html: str, source: str, fill: Callable[[str], str]) -> LinkedText:
    """Replace the links within the site in the HTML of the post in the file `source` by placeholders.

    fill: fills in the other placeholders in a tag.
    """
    found = LinkedText(html, [], [], [], [])
    comments = [each.span() for each in _COMMENT.finditer(html)] if "<!--" in html else []

    def of_tag(match: re.Match[str]) -> str:
        tag = fill(match[0])
        tag = _ADDRESS.sub(partial(_replace_address, found, source, tag), tag)
        found.tags.append(tag)
        if not any(start < match.start() < end for start, end in comments):
            found.shown.append(tag)
        return tag

    return found._replace(html=TAG_TO_READ.sub(of_tag, html))


def _replace_address(text: LinkedText, source: str, tag: str, match: re.Match[str]) -> str:
    """An attribute with an address, its links as placeholders and added to those of the text."""
    name, value = match[2].lower(), unescape(next(group for group in match.groups()[2:] if group is not None))
    pictures = [value] if name != "srcset" or "data:" in value else value.split(",")
    text.refused.extend(each for each in pictures if not _is_allowed(each, tag))
    if name in _CHECKED:
        return match[0]
    if len(pictures) == 1:
        return f'{match[1]}"{escape(_link_placeholder(text, source, tag, value))}"'
    parted = (picture.strip().partition(" ") for picture in pictures)
    placed = (_link_placeholder(text, source, tag, url) + space + size for url, space, size in parted)
    return f'{match[1]}"{escape(", ".join(placed))}"'


def _link_placeholder(text: LinkedText, source: str, tag: str, written: str) -> str:
    """The placeholder of a link within the site, which is added to those of the text; another address as it is."""
    named = _named(source, written)
    if named is None:
        return written
    target, rest = named
    _, sign, fragment = rest.partition("#")
    is_image = not re.match(r"<(?:a|area)\b", tag, re.IGNORECASE)
    text.links.append(Link(written, target, sign + fragment, is_image))
    return link(quote(target), rest)


def _is_allowed(address: str, tag: str) -> bool:
    """True when an address has no scheme, or one of those that posts may link to; images may hold their data."""
    scheme = _SCHEME.match(address)
    if scheme is None or re.sub(r"\s", "", scheme[1]).lower() in SCHEMES:
        return True
    return re.match(r"<(img|source|video)\b", tag, re.IGNORECASE) is not None and address.startswith("data:image/")


class SourceLines:
    """The lines of a file in which links may stand, by their numbers; finds those in which an address is written."""

    def __init__(self, lines: Sequence[tuple[int, str]]) -> None:
        self._numbers = [number for number, _ in lines]
        self._text = unescape("".join(f"{line}\n" for _, line in lines))
        self._ends = [found.end() for found in re.finditer("\n", self._text)]

    def of(self, address: str) -> tuple[int, ...]:
        """The lines in which an address or the beginning of a tag stands as a whole, else the first of all."""
        starts = list(self._starts(" ".join(address.split())))
        if not starts and address[:1] not in ("", "#"):  # it may go on in the next line
            in_parts = re.compile(r"\s*".join(map(re.escape, re.sub(r"\s", "", address))))
            starts = [found.start() for found in in_parts.finditer(self._text)]
        return tuple(sorted({self._numbers[bisect_right(self._ends, start)] for start in starts}) or self._numbers[:1])

    def _starts(self, address: str) -> Iterator[int]:
        at = self._text.find(address)
        while at >= 0 and address:
            goes_on = at and _BEFORE_ADDRESS.match(self._text, at - 1)
            if not (goes_on or _AFTER_ADDRESS.match(self._text, at + len(address))):
                yield at
            at = self._text.find(address, at + 1)


def scheme_errors(source: str, refused: Iterable[str], lines: SourceLines) -> Iterator[SiteError]:
    """An error for each address with a scheme that is not allowed, at its lines."""
    for address in dict.fromkeys(refused):
        message = f"the link {' '.join(address.split())} has a scheme that links may not have"
        cure = (
            f"begin with {', '.join(f'{each}:' for each in SCHEMES[:4])} or a path; write ./ before a name with a colon"
        )
        yield from (SiteError(Place(source, number), message, cure) for number in lines.of(address))


def _named(source: str, address: str) -> tuple[str, str] | None:
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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Addresses) and (self._by_file, self._files) == (other._by_file, other._files)

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def digest(self) -> str:
        """Digest of everything that links may resolve to."""
        return digest(sorted(self._by_file.items()))

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
    errors: dict[tuple[str, str], tuple[Link, str]] = {}
    for found, path in zip(links, places, strict=True):
        there = path if path in anchors else f"{path}/"
        if there not in anchors:
            errors.setdefault((found.written, "path"), (found, path))
        elif found.fragment and found.fragment != "#top":  # which is the top of any page
            known = anchors[there]
            if known is not None and unquote(found.fragment[1:]) not in known:
                errors.setdefault((found.written, "anchor"), (found, path))
    for (_, kind), (found, path) in errors.items():
        for line in found.lines:
            yield _broken(Place(source, line), kind, found, path, anchors)


def check_navigation(config: "Config", paths: Iterable[str]) -> Iterator[SiteError]:
    """An error for each link of the navigation that leads nowhere. paths: every path of the site."""
    known = set(paths)
    for label, path in config.settings.navigation.items():
        if path.lstrip("/") not in known:
            place = config.reading.place("navigation", label)
            cure = nearest(path.lstrip("/"), known - {""})
            yield SiteError(place, f"navigation has {path!r}, which leads nowhere in the site", cure)


def _nearest_picture(path: str, paths: Iterable[str]) -> str:
    """The cure for a picture that lies in another folder than the link says."""
    names = {posixpath.basename(each): each for each in paths if each.lower().endswith(_PICTURES)}
    close = get_close_matches(posixpath.basename(path), names, n=1, cutoff=0.6)
    return f"did you mean {names[close[0]]!r}?" if close else ""


def _broken(
    place: Place, kind: str, found: Link, path: str, anchors: Mapping[str, Collection[str] | None]
) -> SiteError:
    if kind == "anchor":
        known = anchors.get(path) or anchors.get(f"{path}/") or ()
        message = f"the link {found.written} leads to a page that has no anchor {found.fragment[1:]!r}"
        return SiteError(place, message, nearest(found.fragment[1:], known))
    is_picture = found.written.lower().split("?")[0].endswith(_PICTURES)
    what = ("image" if is_picture else "file") if found.is_image else "link"
    close = nearest(path, [each for each in anchors if not found.is_image or each.lower().endswith(_PICTURES)])
    if is_picture and not close.startswith("did you"):
        close = _nearest_picture(path, anchors)
    cure = close if close.startswith("did you") else "write it relative to this file, or from the site's root with a /"
    return SiteError(place, f"the {what} {found.written} leads nowhere", cure)
