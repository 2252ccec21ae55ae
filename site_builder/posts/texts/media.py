"""Find the media, frames and scripts that a text loads, in its tags, and those that pages may not load.

Pages load files of the site alone, as their Content-Security-Policy says; allow_hosts of config.yaml names other hosts.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from html import unescape
from typing import NamedTuple
from urllib.parse import urlsplit

from site_builder.errors import Place, SiteError
from site_builder.posts.links import SourceLines

_NAME = re.compile(
    r"<(img|source|video|audio|track|image|input|iframe|frame|object|embed|script|link|form)\b", re.IGNORECASE
)
_ATTRIBUTE = re.compile(
    r"[\s\"'/](?:xlink:)?(src|srcset|poster|href|data|rel|type|action)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=<>`]+))",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(r"(?:(?:https?|ftp):|[\\/]{2})", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_SCRIPT_FILE = 'save it as a file beside this one and write <script src="name.js"></script>'
_BESIDE = "save it beside this file"
_OTHERS = ("the file", _BESIDE)
_WORDS = {  # for what is loaded or sent, and what to do instead
    **dict.fromkeys(("img", "image", "input"), ("the picture", _BESIDE)),
    **dict.fromkeys(("iframe", "frame"), ("the frame", "write a link to it")),
    "script": ("the script", _SCRIPT_FILE),
    "form": ("the form that is sent to", "write a link to it"),
}
_INSTEAD_OF_OBJECT = "write ![words](file.svg) for a picture, <video> or <audio> for a recording, else a link"
_REFUSED = {
    name: (f"<{name}> is not shown by the pages of this site", _INSTEAD_OF_OBJECT) for name in ("object", "embed")
}


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


def media_errors(source: str, problems: Iterable[MediaProblem], lines: SourceLines) -> Iterator[SiteError]:
    """An error for all that is refused, at each of its lines. lines: of the file, without code."""
    for written, message, cure in problems:
        yield from (SiteError(Place(source, line), message, cure) for line in lines.of(written))


def _attributes(tag: str) -> dict[str, str]:
    """The attributes of a tag by name; of two with one name, the first is the one that browsers take."""
    found: dict[str, str] = {}
    for each in _ATTRIBUTE.finditer(tag):
        found.setdefault(each[1].lower(), unescape(each[2] or each[3] or each[4] or "").strip())
    return found


def _of_tag(written: str, attributes: dict[str, str], allowed: Collection[str]) -> Iterator[str | MediaProblem]:
    """The allowed hosts of one tag, and what is refused of it. written: how it begins, such as <img."""
    name = written[1:].lower()
    if problem := _REFUSED.get(name) or _of_this_site(name, attributes):
        yield MediaProblem(written, *problem)
        return
    for url in _addresses(name, attributes):
        if name == "link":
            message = f"the stylesheet {url} is on another host, from which pages load none"
            yield MediaProblem(url, message, "save it as templates/custom.css, or beside this file")
            continue
        words, instead = _WORDS.get(name, _OTHERS)
        found = _from_host(url, f"{words} {url}", allowed, instead)
        yield f"{name} {found}" if name in ("script", "form") and isinstance(found, str) else found


def _of_this_site(name: str, attributes: dict[str, str]) -> tuple[str, str] | None:
    """The fault and cure of a tag that works on another host alone."""
    address = attributes.get("action" if name == "form" else "src", "")
    if name == "script" and not address and "json" not in attributes.get("type", ""):
        return "a script in the text does not run: pages run files of the site alone", _SCRIPT_FILE
    if name in ("iframe", "frame") and not _ELSEWHERE.match(address) and not address.startswith("data:"):
        return f"<{name}> without an address of an allowed host is not shown", "write a link to the page"
    if name == "form" and not _SCHEME.match(address) and not _ELSEWHERE.match(address):
        cure = 'write action="https://..." with the address of what answers it'
        return "<form> is sent to this site, which is files alone and answers no form", cure
    return None


def _addresses(name: str, attributes: dict[str, str]) -> list[str]:
    """The addresses on other hosts from which a tag loads or to which it sends."""
    keys = {"form": ("action",), "link": ("href",), "image": ("href",)}.get(name, ("src", "poster"))
    if name == "link" and "stylesheet" not in attributes.get("rel", "").lower():
        return []
    pictures = re.split(r",\s+", attributes.get("srcset", ""))
    found = [attributes.get(key, "") for key in keys] + [(each.split() or [""])[0] for each in pictures]
    return [each for each in found if _ELSEWHERE.match(each)]


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
