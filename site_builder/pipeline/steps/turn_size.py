"""The total size of the settings of a post: an error beyond the limit in config.yaml."""

import gzip
from collections import Counter
from collections.abc import Iterable
from pathlib import PurePosixPath

from site_builder.errors import SiteError
from site_builder.posts.summary import PostSummary
from site_builder.site.page import NewSite

_KINDS = {("turn", ".js"), ("figures", ".svg")}
_NAMED = 3  # of the largest, in a message


def turn_size_errors(posts: Iterable[PostSummary], site: NewSite, limit: int) -> list[SiteError]:
    """An error for each post whose settings are too large, with what is largest.

    Scripts and drawings count, compressed; limit: in bytes.
    """
    own: dict[str, list[str]] = {post.beside("").rstrip("/"): [] for post in posts if "turn" in post.lines}
    if not own:
        return []
    for path in site.paths():
        folder, _, kind = path.rpartition("/")[0].rpartition("/")
        if folder in own and (kind, PurePosixPath(path).suffix) in _KINDS:
            own[folder].append(path)
    by_folder = {post.beside("").rstrip("/"): post for post in posts}
    found = (_error(by_folder[folder], paths, site, limit) for folder, paths in own.items())
    return [error for error in found if error]


def _error(post: PostSummary, paths: list[str], site: NewSite, limit: int) -> SiteError | None:
    if sum(map(site.size, paths)) <= limit:  # and compressed they are smaller
        return None
    sizes = Counter[str]()
    for path in paths:
        sizes[_part(path)] += len(gzip.compress(site.read(path), 9))
    if (total := sizes.total()) <= limit:
        return None
    message = (
        f"its settings have {_megabytes(total)} of scripts and figures, compressed; they may have {_megabytes(limit)}"
    )
    largest = ", ".join(f"{name} ({_megabytes(size)})" for name, size in sizes.most_common(_NAMED) if size * 20 > total)
    cure = f"leave out settings, or make what is largest smaller: {largest}; or raise limits.turns in config.yaml"
    return SiteError(post.place("turn"), message, cure)


def _part(path: str) -> str:
    """The part that a file belongs to: the figure of some name, or the texts."""
    name = PurePosixPath(path).name.partition(".")[0].removesuffix("-narrow").partition("-step-")[0]
    return "the texts" if path.endswith(".js") else f"figure {name}"


def _megabytes(size: int) -> str:
    return f"{size / 10**6:.1f} MB"
