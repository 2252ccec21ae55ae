"""The files that publishing would add, change and remove on a target, leaves alone, or refuses to replace."""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from site_builder.errors import Place, SiteError, command_line, counted, printable, raise_all
from site_builder.storage.staging import folders_above, is_inside

RECORD = ".puzzlepress-published.json"  # on the target: which files publishing wrote there
KEPT = frozenset((".nojekyll", "CNAME"))  # what GitHub Pages reads; never removed
_FORMAT = 1
_MOST_NAMED = 5
_FEW_POSTS = 4  # so few may be removed without --yes


@dataclass(frozen=True)
class TargetFiles:
    """The files of a target. there: all of them but the record; differing: those with other bytes than the site's.

    record: the bytes of the record, None where there is none; answers: the same of ANSWERS.
    """

    there: frozenset[str]
    differing: frozenset[str]
    record: bytes | None
    answers: bytes | None = None

    @property
    def ours(self) -> frozenset[str]:
        """The files there that publishing wrote, as far as anybody knows."""
        return _read_record(self.record) & self.there

    @property
    def posts(self) -> frozenset[str]:
        """The pages of posts among the files there that publishing wrote."""
        return _read_record(self.record, "posts") & self.there


@dataclass(frozen=True)
class TargetChanges:
    """The changes of publishing to a target. found: what it holds now; record: the bytes of its record afterwards.

    foreign: files there that publishing did not write, and that stay; taken: such files, where the site has others.
    """

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    foreign: tuple[str, ...]
    taken: tuple[str, ...]
    record: bytes
    found: TargetFiles

    @property
    def is_nothing(self) -> bool:
        """True when the target holds the site already."""
        return not (self.added or self.changed or self.removed)


def difference(files: Collection[str], posts: Collection[str], found: TargetFiles) -> TargetChanges:
    """The changes that publishing would make. files: of the site; posts: those of them that are pages of posts."""
    site = frozenset(files)
    ours = found.ours - KEPT | found.ours & site
    record = written_record(site, posts)
    added = sorted(site - found.there)
    changed = sorted(found.differing)
    if found.record != record:
        (changed if found.record is not None else added).append(RECORD)
    return TargetChanges(
        tuple(added),
        tuple(changed),
        tuple(sorted(ours - site)),
        tuple(sorted(found.there - site - ours - KEPT)),
        tuple(sorted(found.differing - ours - KEPT)),
        record,
        found,
    )


def refuse(changes: TargetChanges, place: str, is_meant: bool) -> None:
    """Raises SiteError for what publishing would not do. is_meant: with --yes."""
    _refuse_obstacles(changes, place)
    if is_meant:
        return
    cure = f"{command_line('publish --dry-run')} lists all of it; if it is meant, add --yes"
    posts, pages = changes.found.posts, frozenset(filter(_is_page, changes.found.ours))
    for noun, there in (("post", posts if len(posts) > _FEW_POSTS else frozenset()), ("page", pages)):
        removed = len(there.intersection(changes.removed))
        if 2 * removed <= len(there):
            continue
        words = f"{removed:,} of the {counted(len(there), noun)} that are there"
        message = f"publishing would remove {words}, more than half of them; nothing was published"
        raise SiteError(Place(place), message, cure)
    if changes.taken:
        words = f"{counted(len(changes.taken), 'file')} that it did not write ({named(changes.taken)})"
        message = f"publishing would write over {words}; nothing was published"
        raise SiteError(Place(place), message, cure)


def report_lines(changes: TargetChanges, posts: Collection[str], is_dry: bool) -> Iterator[str]:
    """Files of others and addresses that will be gone; where is_dry, all changes. posts: pages of the site's."""
    if changes.foreign:
        files = counted(len(changes.foreign), "file")
        yield f"{files} there that publishing did not write: kept ({named(changes.foreign)})"
    if lost := lost_addresses(changes, posts):
        kept = "aliases: in the front matter of what takes its place keeps an address"
        yield f"{counted(len(lost), 'page')} there will be gone: {named(lost)}; {kept}"
    for kind, paths in (("add", changes.added), ("change", changes.changed), ("remove", changes.removed)):
        yield from (f"  {kind:<6}  {printable(path)}" for path in paths if is_dry)


def lost_addresses(changes: TargetChanges, posts: Collection[str]) -> list[str]:
    """The addresses of pages that would be removed, but for settings of posts that stay. posts: pages of those."""
    pages = [path for path in changes.removed if _is_page(path)]
    lost = [path for path in pages if f"{'/'.join(path.split('/')[:-2])}/index.html" not in posts]
    return [f"/{path.removesuffix('index.html')}" for path in lost]


def totals(changes: TargetChanges) -> str:
    """The numbers of files added, changed and removed, in words."""
    added = counted(len(changes.added), "file")
    return f"{added} added, {len(changes.changed):,} changed, {len(changes.removed):,} removed"


def named(paths: Collection[str]) -> str:
    """The first few paths."""
    first = [printable(path) for path in sorted(paths)[:_MOST_NAMED]]
    more = len(paths) - len(first)
    return ", ".join(first) + (f" and {more:,} more" if more else "")


def written_record(files: Iterable[str], posts: Iterable[str] = ()) -> bytes:
    """The record of files, a line for each, so that its own changes are small. posts: those that are pages of posts."""
    lists = {"files": sorted(files), "posts": sorted(posts)}
    return (json.dumps({"format": _FORMAT, **lists}, indent=0, ensure_ascii=False) + "\n").encode()


def widened_record(record: bytes | None, other: bytes) -> bytes:
    """A record of all that two records name."""
    return written_record(*(_read_record(record, key) | _read_record(other, key) for key in ("files", "posts")))


def _read_record(record: bytes | None, key: str = "files") -> frozenset[str]:
    """The files or posts that a record names; none where it cannot be read, and then nothing there is removed."""
    try:
        read: Any = json.loads(record or b"{}")
        return frozenset(filter(is_inside, read[key] if read.get("format") == _FORMAT else ()))
    except (ValueError, KeyError, TypeError, AttributeError):
        return frozenset()


def _refuse_obstacles(changes: TargetChanges, place: str) -> None:
    """Files of others where the site needs a folder, and the other way round, which nothing can be written over."""
    ours = {*changes.added, *changes.changed}
    folders = {above for path in ours for above in folders_above(path)}
    message = "publishing did not write this file, and it stands where the site needs a folder or a file of its own"
    obstacles = [path for path in changes.foreign if path in folders or not ours.isdisjoint(folders_above(path))]
    shown = [Place(f"{place}: {printable(path)}") for path in obstacles[:_MOST_NAMED]]
    raise_all([SiteError(each, message, "move it away there") for each in shown])


def _is_page(path: str) -> bool:
    return path.endswith((".html", ".htm"))
