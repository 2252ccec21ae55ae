"""Find the media, frames and scripts that a text loads, in its tags, and those that pages may not load.

Pages load files of the site alone, as their Content-Security-Policy says; allow_hosts of config.yaml names other hosts.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from html import unescape
from typing import NamedTuple
from urllib.parse import urlsplit

from site_builder.errors import Place, SiteError
from site_builder.posts.links import lines_of

_NAME = re.compile(
    r"<(img|source|video|audio|track|image|input|iframe|frame|object|embed|script|link|form)\b", re.IGNORECASE
)
_ATTRIBUTE = re.compile(
    r"[\s\"'/](?:xlink:)?(src|srcset|poster|href|data|rel|type|action)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=<>`]+))",
    re.IGNORECASE,
)
_LOADED = ("src", "srcset", "poster")
_ELSEWHERE = re.compile(r"(?:(?:https?|ftp):|[\\/]{2})", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_WORDS = {"img": "the picture", "image": "the picture", "input": "the picture"}
_SCRIPT_FILE = 'save it as a file beside this one and write <script src="name.js"></script>'


class MediaProblem(NamedTuple):
    """An element or address that is refused. written: what is looked for in its lines; fault, cure: the error."""

    written: str
    message: str
    cure: str


class MediaReferences(NamedTuple):
    """All that a text loads. hosts: other than the site, all of them allowed; problems: the rest.

    A host from which scripts come or to which forms are sent stands behind that word: "script cdn.example.org".
    """

    hosts: tuple[str, ...]
    problems: tuple[MediaProblem, ...]


def media_in(tags: Iterable[str], allowed: Collection[str]) -> MediaReferences:
    """Find what a text loads, in its tags with placeholders for links of the site. allowed: hosts of config.yaml."""
    hosts: set[str] = set()
    problems: dict[MediaProblem, None] = {}  # in order
    for written, tag in [(found[0], tag) for tag in tags if (found := _NAME.match(tag))]:
        for each in _of_tag(written, _attributes(tag), allowed):
            if isinstance(each, str):
                hosts.add(each)
            else:
                problems[each] = None
    return MediaReferences(tuple(sorted(hosts)), tuple(problems))


def media_errors(
    source: str, problems: Iterable[MediaProblem], lines: Sequence[tuple[int, str]]
) -> Iterator[SiteError]:
    """An error for all that is refused, at each of its lines. lines: of the file, numbered, without code."""
    for written, message, cure in problems:
        yield from (SiteError(Place(source, line), message, cure) for line in lines_of(written, lines))


def _attributes(tag: str) -> dict[str, str]:
    """The attributes of a tag by name; of two with one name, the first is the one that browsers take."""
    found: dict[str, str] = {}
    for each in _ATTRIBUTE.finditer(tag):
        found.setdefault(each[1].lower(), unescape(each[2] or each[3] or each[4] or "").strip())
    return found


def _of_tag(written: str, attributes: dict[str, str], allowed: Collection[str]) -> Iterator[str | MediaProblem]:
    """The allowed hosts of one tag, and what is refused of it. written: how it begins, such as <img."""
    name = written[1:].lower()
    addresses = [attributes[key] for key in _LOADED if attributes.get(key)]
    address = addresses[0] if addresses else ""
    if name in ("object", "embed"):
        cure = "write ![words](file.svg) for a picture, <video> or <audio> for a recording, else a link"
        yield MediaProblem(written, f"<{name}> is not shown by the pages of this site", cure)
    elif name == "script":
        if not address and "json" not in attributes.get("type", ""):
            message = "a script in the text does not run: pages run files of the site alone"
            yield MediaProblem(written, message, _SCRIPT_FILE)
        elif _ELSEWHERE.match(address):
            yield _with_kind("script", _from_host(address, f"the script {address}", allowed, _SCRIPT_FILE))
    elif name == "form":
        yield from _of_form(written, attributes.get("action", ""), allowed)
    elif name == "link":
        address = attributes.get("href", "")
        if "stylesheet" in attributes.get("rel", "").lower() and _ELSEWHERE.match(address):
            cure = "save it as templates/custom.css, or beside this file"
            message = f"the stylesheet {address} is on another host, from which pages load none"
            yield MediaProblem(address, message, cure)
    elif name in ("iframe", "frame"):
        yield from _of_frame(written, address, allowed)
    else:
        if name == "image":
            addresses = [attributes.get("href", "")]
        for each in addresses:
            for part in re.split(r",\s+", each) if each == attributes.get("srcset") else [each]:
                url = part.split()[0] if part.split() else ""
                if _ELSEWHERE.match(url):
                    yield _from_host(url, f"{_WORDS.get(name, 'the file')} {url}", allowed, "save it beside this file")


def _of_frame(written: str, address: str, allowed: Collection[str]) -> Iterator[str | MediaProblem]:
    if _ELSEWHERE.match(address):
        yield _from_host(address, f"the frame {address}", allowed, "write a link to it")
    elif not address.startswith("data:"):  # which no link may, and links say so
        message = f"{written}> without an address of an allowed host is not shown"
        yield MediaProblem(written, message, "write a link to the page")


def _of_form(written: str, address: str, allowed: Collection[str]) -> Iterator[str | MediaProblem]:
    if _ELSEWHERE.match(address):
        yield _with_kind(
            "form", _from_host(address, f"the form that is sent to {address}", allowed, "write a link to it")
        )
    elif not _SCHEME.match(address):  # another scheme is refused with the links, unless it is one such as mailto:
        message = f"{written}> is sent to this site, which is files alone and answers no form"
        yield MediaProblem(written, message, 'write action="https://..." with the address of what answers it')


def _with_kind(kind: str, found: str | MediaProblem) -> str | MediaProblem:
    """An allowed host with what is loaded from it or sent to it."""
    return f"{kind} {found}" if isinstance(found, str) else found


def _from_host(address: str, what: str, allowed: Collection[str], instead: str) -> str | MediaProblem:
    """The host of an address if it is allowed, else the error."""
    try:
        parts = urlsplit(address.replace("\\", "/"))
        host = parts.netloc.lower()
    except ValueError:  # such as a bracket of an IPv6 address that is left open
        return MediaProblem(address, f"{what} has no host that can be read", instead)
    if host not in allowed:
        allow = f", or allow_hosts: [{host}] in config.yaml"
        return MediaProblem(address, f"{what} is on another host, from which pages load nothing", instead + allow)
    if parts.scheme.lower() != "https":
        return MediaProblem(address, f"{what} is not loaded over https", f"write https://{host}{parts.path}")
    return host
