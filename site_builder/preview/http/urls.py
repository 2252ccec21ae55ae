"""Requested URL -> path in the site; no file system lies behind it."""

import posixpath
from mimetypes import MimeTypes
from urllib.parse import quote, unquote, unquote_to_bytes

OWN = "/.preview/"  # no page or file of a site can have such an address
_UNSAFE = (b"%2f", b"%5c", b"\\")
_TYPES = MimeTypes().types_map[True] | {
    ".ico": "image/x-icon",
    ".ipynb": "application/json",
    ".js": "text/javascript",
    ".map": "application/json",
    ".md": "text/markdown",
    ".mjs": "text/javascript",
    ".otf": "font/otf",
    ".py": "text/plain",
    ".ttf": "font/ttf",
    ".webp": "image/webp",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
}


def site_path(raw: bytes, base: str) -> str | None:
    """The path in the site that an address requests, such as posts/x/ or feed.xml; None where there can be none.

    raw: the address as it was sent, without its query; base: the path below which the site lies.
    """
    if any(each in raw.lower() for each in _UNSAFE):
        return None
    try:
        text = unquote_to_bytes(raw).decode("utf-8")
    except UnicodeDecodeError:
        return None
    root = unquote(base)
    if not text.startswith(root) or not text.isprintable():
        return None
    path = text.removeprefix(root)
    *folders, name = path.split("/")
    parts = [*folders, name] if name else folders
    return path if all(part and not part.startswith(".") for part in parts) else None


def address_of(path: str, base: str) -> str:
    """The address of a path of the site, from the root of the host."""
    return quote(unquote(base) + path)


def page_path(path: str) -> str:
    """One name for a page that has two: posts/x/index.html is posts/x/."""
    return path.removesuffix("index.html") if posixpath.basename(path) == "index.html" else path


def content_type(path: str) -> str:
    """The Content-Type of a file."""
    if posixpath.basename(path) == "feed.json":
        return "application/feed+json"
    found = _TYPES.get(posixpath.splitext(path)[1].lower(), "application/octet-stream")
    return f"{found}; charset=utf-8" if found.startswith("text/") else found
