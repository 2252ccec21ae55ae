"""The files that publishing would add, change and remove on a target, leaves alone, or refuses to replace."""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from site_builder.errors import Place, SiteError, command_line, counted, printable
from site_builder.storage.staging import folders_above, is_inside

RECORD = ".puzzlepress-published.json"  # on the target: which files publishing wrote there
_KEPT = frozenset((".nojekyll", "CNAME"))  # what GitHub Pages reads; never removed
_MOST_NAMED = 5


@dataclass(frozen=True)
class TargetFiles:
    """The files of a target. there: all of them but the record; differing: those with other bytes than the site's.

    recorded: those of its record, None where it has none; answers: the bytes of ANSWERS.
    """

    there: frozenset[str]
    differing: frozenset[str]
    recorded: frozenset[str] | None
    answers: bytes | None = None

    @property
    def ours(self) -> frozenset[str]:
        """The files there that publishing wrote, as far as anybody knows."""
        return (self.recorded or frozenset()) & self.there


@dataclass(frozen=True)
class TargetChanges:
    """The changes of publishing a site to a target. site: its files; found: what the target holds now.

    foreign: files there that publishing did not write, and that stay; taken: such files in the place of the site's.
    """

    site: frozenset[str]
    found: TargetFiles
    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    foreign: frozenset[str]
    taken: frozenset[str]

    @property
    def records(self) -> tuple[bytes, bytes]:
        """The record while files change, of all that may be there, so that none counts as foreign; the last record."""
        return written_record(self.site | self.found.ours), written_record(self.site)


def difference(site: frozenset[str], found: TargetFiles) -> TargetChanges:
    """The changes that publishing the files of a site would make."""
    ours = found.ours - _KEPT | found.ours & site
    others = found.there - site - ours - _KEPT
    folders = {above for path in site for above in folders_above(path)}
    blocking = {path for path in others if path in folders or not site.isdisjoint(folders_above(path))}
    added, changed = site - found.there, found.differing
    if found.recorded is None:
        added |= {RECORD}
    elif found.recorded != site:
        changed |= {RECORD}
    removed = ours - site | blocking
    taken = found.differing - ours - _KEPT | blocking
    changes = tuple(sorted(added)), tuple(sorted(changed)), tuple(sorted(removed))
    return TargetChanges(site, found, *changes, others - blocking, taken)


def refuse(changes: TargetChanges, place: str) -> None:
    """Raises SiteError for what publishing does with --yes alone."""
    pages, gone = _pages(changes.found.ours), _pages(changes.removed)
    if 2 * len(gone) > len(pages):
        words = f"remove {len(gone):,} of the {counted(len(pages), 'page')} that are there, more than half of them"
    elif changes.taken:
        words = f"write over {counted(len(changes.taken), 'file')} that it did not write ({_named(changes.taken)})"
    else:
        return
    cure = f"{command_line('publish --dry-run')} lists all of it; if it is meant, add --yes"
    raise SiteError(Place(place), f"publishing would {words}; nothing was published", cure)


def report_lines(changes: TargetChanges, posts: Collection[str], is_dry: bool) -> Iterator[str]:
    """Files of others and addresses that will be gone; where is_dry, all changes. posts: pages of the site's."""
    if changes.foreign:
        files = counted(len(changes.foreign), "file")
        yield f"{files} there that publishing did not write: kept ({_named(changes.foreign)})"
    if lost := lost_addresses(changes, posts):
        kept = "aliases: in the front matter of what takes its place keeps an address"
        yield f"{counted(len(lost), 'page')} there will be gone: {_named(lost)}; {kept}"
    for kind, paths in (("add", changes.added), ("change", changes.changed), ("remove", changes.removed)):
        yield from (f"  {kind:<6}  {printable(path)}" for path in paths if is_dry)


def lost_addresses(changes: TargetChanges, posts: Collection[str]) -> list[str]:
    """The addresses of pages that would be removed, but for settings of posts that stay. posts: pages of those."""
    gone = _pages(changes.removed)
    lost = [path for path in gone if f"{'/'.join(path.split('/')[:-2])}/index.html" not in posts]
    return [f"/{path.removesuffix('index.html')}" for path in lost]


def _pages(paths: Iterable[str]) -> list[str]:
    return [path for path in paths if path.endswith((".html", ".htm"))]


def _named(paths: Collection[str]) -> str:
    """The first few paths."""
    first = [printable(path) for path in sorted(paths)[:_MOST_NAMED]]
    more = len(paths) - len(first)
    return ", ".join(first) + (f" and {more:,} more" if more else "")


def written_record(files: Iterable[str]) -> bytes:
    """The record of files, a line for each, so that its own changes are small."""
    return (json.dumps({"files": sorted(files)}, indent=0, ensure_ascii=False) + "\n").encode()


def read_record(record: bytes | None) -> frozenset[str] | None:
    """The files of a record, None without one; of one that cannot be read none, so that nothing is removed."""
    if record is None:
        return None
    try:
        read: Any = json.loads(record)
        return frozenset(filter(is_inside, read["files"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        return frozenset()
