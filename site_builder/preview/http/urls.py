"""What a browser asks for -> the path in the site; no file system lies behind it."""

import posixpath
from urllib.parse import quote, unquote, unquote_to_bytes

OWN = "/.preview/"  # no page or file of a site can have such an address
_UNSAFE = (b"%2f", b"%5c", b"\\")
_TEXT = "; charset=utf-8"
_TYPES = {
    ".avif": "image/avif",
    ".css": "text/css" + _TEXT,
    ".csv": "text/csv" + _TEXT,
    ".gif": "image/gif",
    ".htm": "text/html" + _TEXT,
    ".html": "text/html" + _TEXT,
    ".ico": "image/x-icon",
    ".ipynb": "application/json",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".js": "text/javascript" + _TEXT,
    ".json": "application/json",
    ".map": "application/json",
    ".md": "text/markdown" + _TEXT,
    ".mjs": "text/javascript" + _TEXT,
    ".mp3": "audio/mpeg",
    ".mp4": "video/mp4",
    ".otf": "font/otf",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".py": "text/plain" + _TEXT,
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
    ".txt": "text/plain" + _TEXT,
    ".wasm": "application/wasm",
    ".webm": "video/webm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
    ".zip": "application/zip",
}


def site_path(raw: bytes, base: str) -> str | None:
    """The path in the site that an address asks for, such as posts/x/ or feed.xml; None where there can be none.

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
    """How a file is to be read, in the words of HTTP."""
    if posixpath.basename(path) == "feed.json":
        return "application/feed+json"
    return _TYPES.get(posixpath.splitext(path)[1].lower(), "application/octet-stream")
