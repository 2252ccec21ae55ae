"""The tags of a text: its links and what it loads, in one pass over them, and what pages may not have.

Pages load files of the site alone, as their Content-Security-Policy says; allow_hosts of config.yaml names other hosts.
"""

import re
from collections.abc import Callable, Collection
from html import escape, unescape
from urllib.parse import quote, urlsplit

from site_builder.markup.placeholders import link
from site_builder.posts.links import Link, target_of

TAG = re.compile(r"<[a-zA-Z](?:[^<>=]|=\s*+(?:\"[^\"]*+\"|'[^']*+'|))*+>")  # quotes mean something after = alone
# The same but for bare tags and spans with one class, which hold no address: highlighted code has them by the hundred.
# Bare tags of elements that pages may not load are read.
_BEGINNING = r"<(?!span class=\"[\w-]+\">|(?!(?i:script|iframe|frame|object|embed|form)>)\w+>)"
TAG_TO_READ = re.compile(TAG.pattern.replace("<", _BEGINNING, 1))
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_RESOLVED = ("href", "src", "srcset", "poster", "data", "data-script")
_CHECKED = ("action", "background", "cite", "formaction", "from", "ping", "to", "values")  # some of SVG's animations
_READ = ("id", "rel", "type")
_ATTRIBUTE = re.compile(
    rf"([\s\"'/](?:xlink:)?({'|'.join(_RESOLVED + _CHECKED + _READ)})\s*=\s*)"
    r"(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=<>`]+))",
    re.IGNORECASE,
)
_SCHEME = re.compile(r"[\x00-\x20]*([a-z][a-z0-9+.\t\n\r-]*):", re.IGNORECASE)  # as browsers read it
SCHEMES = ("https", "http", "mailto", "tel", "sms", "ftp", "irc", "ircs", "xmpp", "matrix", "gemini", "magnet")
_SCHEME_CURE = "begin with {} or a path; write ./ before a name with a colon".format(
    ", ".join(f"{e}:" for e in SCHEMES[:4])
)
_IS_LINK = re.compile(r"<(?:a|area)\b", re.IGNORECASE)
_MAY_HOLD_DATA = re.compile(r"<(img|source|video)\b", re.IGNORECASE)
_ELSEWHERE = re.compile(r"(?:(?:https?|ftp):|[\\/]{2})", re.IGNORECASE)
_SCRIPT_FILE = 'save it as a file beside this one and write <script src="name.js"></script>'
_NO_OBJECT = "write ![words](file.svg) for a picture, <video> or <audio> for a recording, else a link"
_LOADING = {  # the elements that load or send something: what, its address beside srcset, and what to do instead
    **dict.fromkeys(("img", "input"), ("the picture", ("src",), "save it beside this file")),
    "image": ("the picture", ("href",), "save it beside this file"),
    **dict.fromkeys(("source", "video", "audio", "track"), ("the file", ("src", "poster"), "save it beside this file")),
    **dict.fromkeys(("iframe", "frame"), ("the frame", ("src",), "write a link to it")),
    "script": ("the script", ("src",), _SCRIPT_FILE),
    "form": ("the form that is sent to", ("action",), "write a link to it"),
    "link": ("the stylesheet", ("href",), "save it as templates/custom.css, or beside this file"),
    **dict.fromkeys(("object", "embed"), ("", (), _NO_OBJECT)),
}
TagProblem = tuple[str, str, str]  # an element or address that is refused, as it is written; message; cure

_LOADS = re.compile(rf"<({'|'.join(_LOADING)})\b", re.IGNORECASE)


class TagReader:
    """Reads the tags of the post in the file `source`.

    allowed: hosts of config.yaml; fill: fills in the placeholders in a tag, but for those of links. links: those within
    the site; anchors: ids; hosts: others that the text loads from, such as "cdn.example.org", behind "script" or "form"
    where these use them; problems: what is refused.
    """

    def __init__(self, source: str, allowed: Collection[str], fill: Callable[[str], str] = str) -> None:
        self.links: dict[Link, None] = {}  # in order
        self.anchors: set[str] = set()
        self.hosts: set[str] = set()
        self.problems: dict[TagProblem, None] = {}  # in order
        self._source, self._allowed, self._fill = source, allowed, fill

    def read(self, html: str, is_block: bool = False) -> str:
        """The HTML with a placeholder for each link within the site. is_block: of an extension, with ids of its own."""
        comments = [each.span() for each in _COMMENT.finditer(html)] if "<!--" in html else []

        def read_tag(match: re.Match[str]) -> str:
            is_shown = not any(start < match.start() < end for start, end in comments)
            return self._tag(self._fill(match[0]), is_shown, is_block)

        return TAG_TO_READ.sub(read_tag, html)

    def _tag(self, tag: str, is_shown: bool, is_block: bool) -> str:
        attributes: dict[str, str] = {}

        def read_attribute(match: re.Match[str]) -> str:
            name, value = match[2].lower(), unescape(match[3] or match[4] or match[5] or "")
            attributes.setdefault(name, value.strip())  # of two with one name, browsers take the first
            return match[0] if name in _READ else self._address(match, tag, name, value)

        tag = _ATTRIBUTE.sub(read_attribute, tag)
        if "id" in attributes and is_shown:
            self._note_id(attributes["id"], is_block)
        if is_shown and (element := _LOADS.match(tag)):
            self._load(element[0], attributes)
        return tag

    def _note_id(self, name: str, is_block: bool) -> None:
        """Note an id; those of headings are made apart, and the author has given another one twice."""
        if name in self.anchors and not is_block:
            self.problems[name, f"the id {name} is given twice", "give one of them another"] = None
        self.anchors.add(name)

    def _address(self, match: re.Match[str], tag: str, name: str, value: str) -> str:
        """An attribute with an address, or several, whose links are placeholders."""
        addresses = [value] if name != "srcset" or "data:" in value else value.split(",")
        for each in addresses:
            if not _is_allowed(each, tag):
                message = f"the link {' '.join(each.split())} has a scheme that links may not have"
                self.problems[each, message, _SCHEME_CURE] = None
        if name in _CHECKED:
            return match[0]
        if len(addresses) == 1:
            return f'{match[1]}"{escape(self._placeholder(tag, value))}"'
        parted = (each.strip().partition(" ") for each in addresses)
        placed = (self._placeholder(tag, url) + space + size for url, space, size in parted)
        return f'{match[1]}"{escape(", ".join(placed))}"'

    def _placeholder(self, tag: str, written: str) -> str:
        """The placeholder of a link within the site; another address as it is."""
        found = target_of(self._source, written)
        if found is None:
            return written
        target, rest = found
        _, sign, fragment = rest.partition("#")
        self.links[Link(written, target, sign + fragment, not _IS_LINK.match(tag))] = None
        return link(quote(target), rest)

    def _load(self, written: str, attributes: dict[str, str]) -> None:
        """Note the hosts that one element loads from, and what is refused of it. written: its beginning, as <img."""
        name = written[1:].lower()
        if name == "link" and "stylesheet" not in attributes.get("rel", "").lower():
            return
        if problem := _of_this_site(name, attributes):
            self.problems[written, *problem] = None
            return
        pictures = re.split(r",\s+", attributes.get("srcset", ""))
        addresses = [attributes.get(key, "") for key in _LOADING[name][1]]
        addresses += [(each.split() or [""])[0] for each in pictures]
        for address in filter(_ELSEWHERE.match, addresses):
            found = _from_host(name, address, self._allowed)
            if isinstance(found, str):
                self.hosts.add(f"{name} {found}" if name in ("script", "form") else found)
            else:
                self.problems[found] = None


def _is_allowed(address: str, tag: str) -> bool:
    """True when an address has no scheme, or one of those that posts may link to; images may hold their data."""
    scheme = _SCHEME.match(address)
    if scheme is None or re.sub(r"\s", "", scheme[1]).lower() in SCHEMES:
        return True
    return _MAY_HOLD_DATA.match(tag) is not None and address.startswith("data:image/")


def _of_this_site(name: str, attributes: dict[str, str]) -> tuple[str, str] | None:
    """The message and cure of a tag that no page shows, or that works on another host alone."""
    address = attributes.get("action" if name == "form" else "src", "")
    if name in ("object", "embed"):
        return f"<{name}> is not shown by the pages of this site", _NO_OBJECT
    if name == "script" and not address and "json" not in attributes.get("type", ""):
        return "a script in the text does not run: pages run files of the site alone", _SCRIPT_FILE
    if name in ("iframe", "frame") and not _ELSEWHERE.match(address) and not address.startswith("data:"):
        return f"<{name}> without an address of an allowed host is not shown", "write a link to the page"
    if name == "form" and not _SCHEME.match(address) and not _ELSEWHERE.match(address):
        cure = 'write action="https://..." with the address of what answers it'
        return "<form> is sent to this site, which is files alone and answers no form", cure
    return None


def _from_host(name: str, address: str, allowed: Collection[str]) -> str | TagProblem:
    """The host of an address if it is allowed, else the problem."""
    what, _, instead = _LOADING[name]
    try:
        parts = urlsplit(address.replace("\\", "/"))
        host = parts.netloc.lower()
    except ValueError:  # such as a bracket of an IPv6 address that is left open
        return address, f"{what} {address} has no host that can be read", instead
    if name == "link" or host not in allowed:
        message = f"{what} {address} is on another host, from which pages load nothing"
        allow = "" if name == "link" else f", or allow_hosts: [{host}] in config.yaml"
        return address, message, f"{instead}{allow}"
    if parts.scheme.lower() != "https":
        return address, f"{what} {address} is not loaded over https", f"write https://{host}{parts.path}"
    return host
