"""Targets of publishing: what they hold, what a publishing changes there, and the programs that reach them.

Programs run without a terminal to ask on; passwords in their messages are not shown.
"""

import json
import os
import re
import shlex
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from site_builder.errors import Place, SiteError, command_line, counted, printable
from site_builder.extension import Registration, guarded
from site_builder.project.publish_settings import FOLDER
from site_builder.site.provenance import ANSWERS
from site_builder.storage.atomic_files import make_files, replace_file
from site_builder.storage.staging import MANIFEST, Manifest, folders_above, is_inside, read_manifest
from site_builder.values.characters import without_control
from site_builder.values.digest import bytes_digest, digest

RECORD = ".puzzlepress-published.json"  # on the target: which files publishing wrote there
_KEPT = frozenset((".nojekyll", "CNAME"))  # what GitHub Pages reads; never removed
_MOST_NAMED = 5
_ASK_NOBODY = {"GIT_TERMINAL_PROMPT": "0", "SSH_ASKPASS_REQUIRE": "never", "GCM_INTERACTIVE": "never"}
# A hook of git sets these; they would lead git to another repository than the project's.
_OF_HOOKS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_PREFIX")
_USER_IN_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*://)[^\s/]*@", re.IGNORECASE)


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
class Changes:
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


def difference(site: frozenset[str], found: TargetFiles) -> Changes:
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
    return Changes(site, found, *changes, others - blocking, taken)


def refuse(changes: Changes, place: str) -> None:
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


def report_lines(changes: Changes, posts: Collection[str], is_dry: bool) -> Iterator[str]:
    """Files of others and addresses that will be gone; where is_dry, all changes. posts: pages of the site's."""
    if changes.foreign:
        files = counted(len(changes.foreign), "file")
        yield f"{files} there that publishing did not write: kept ({_named(changes.foreign)})"
    if lost := lost_addresses(changes, posts):
        kept = "aliases: in the front matter of what takes its place keeps an address"
        yield f"{counted(len(lost), 'page')} there will be gone: {_named(lost)}; {kept}"
    for kind, paths in (("add", changes.added), ("change", changes.changed), ("remove", changes.removed)):
        yield from (f"  {kind:<6}  {printable(path)}" for path in paths if is_dry)


def lost_addresses(changes: Changes, posts: Collection[str]) -> list[str]:
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
        return frozenset(filter(is_inside, json.loads(record)["files"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        return frozenset()


@dataclass(frozen=True)
class Snapshot:
    """A folder with the files of the site, beside which publishing puts its own. digests: by path."""

    folder: Path
    digests: Mapping[str, str]


class Target(ABC):
    """A place for the site. name: the place in words."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def compare(self, site: Snapshot) -> TargetFiles:
        """Compare it with the site, and change nothing. Raises SiteError."""

    @abstractmethod
    def put(self, site: Snapshot, changes: Changes) -> None:
        """Put the site there, after `compare`. Raises SiteError."""


def take_snapshot(source: Path, digests: Mapping[str, str], into: Path) -> Snapshot:
    """A snapshot of the built files whose digests are given, and of no others in the folder.

    Raises SiteError when one of them is not what was built.
    """
    into.mkdir()
    make_files(into, {path: source / path for path in digests}, "TMPDIR names the folder for a copy of the site")
    for path, found in digests.items():
        if bytes_digest((into / path).read_bytes()) != found:
            place = Place(os.fspath(source / path))
            message = "it is not what was built any more: somebody changed it meanwhile; nothing was published"
            raise SiteError(place, message, "publish again, when nothing else builds")
    return Snapshot(into, digests)


def load(folder: Path, path: str) -> bytes | None:
    """The bytes of a file of a folder; None where it is no file, or a link."""
    file = folder / path
    return file.read_bytes() if file.is_file() and not file.is_symlink() else None


class RecordedTarget(Target):
    """A target that only a program or an extension can reach: what it holds is known from what was put there last.

    A manifest of its files, and the published answers, are kept in the cache's folder of the project. Where they are
    lost, all files count as new ones. put_site: puts the whole site there, and is given its folder.
    """

    def __init__(self, name: str, root: Path, put_site: Callable[[Path], None]) -> None:
        super().__init__(name)
        self._put_site = put_site
        self._known = root / ".store" / "published" / digest(name)

    def compare(self, site: Snapshot) -> TargetFiles:
        """Compare the site with what was put there last."""
        files = read_manifest(str(self._known)).files or {}
        differing = frozenset(path for path in files if site.digests.get(path, files[path]) != files[path])
        return TargetFiles(frozenset(files), differing, frozenset(files) or None, load(self._known, ANSWERS))

    def put(self, site: Snapshot, changes: Changes) -> None:
        """Put the site there, and remember what it holds. Raises SiteError where the function fails."""
        self._put_site(site.folder)
        replace_file(self._known / ANSWERS, load(site.folder, ANSWERS) or b"")
        replace_file(self._known / MANIFEST, Manifest(site.digests).written())


def command_target(root: Path, command: str) -> RecordedTarget:
    """The target of `publish: {command: ...}`, run in the project without a shell."""
    words = shlex.split(command)

    def put(folder: Path) -> None:
        ran = run(root, *(word.replace(FOLDER, str(folder)) for word in words))
        if ran.returncode:
            cure = "try the command by hand, with the folder _site in place of {folder}"
            raise failed(words[0], f"it ended with status {ran.returncode}", ran, cure)

    return RecordedTarget(f"command {words[0]}", root, put)


def extension_target(root: Path, registration: Registration, value: Any) -> RecordedTarget:
    """The target that an extension has registered. value: what config.yaml says of it."""
    publish = guarded("target", registration)
    return RecordedTarget(f"{registration.name} {value}", root, lambda folder: publish(folder, value))


def run(
    folder: Path, *words: str, lines: str = "", more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder to its end. lines: its input; more: of the environment.

    Raises SiteError where there is no such program. It has a session of its own, and so no terminal: ssh, git and rsync
    fail rather than ask for a password.
    """
    environment = {name: value for name, value in os.environ.items() if name not in _OF_HOOKS}
    environment |= _ASK_NOBODY | dict(more or {})
    try:
        return subprocess.run(
            words,
            cwd=folder,
            input=lines,
            capture_output=True,
            env=environment,
            start_new_session=True,
            check=False,
            encoding="utf-8",
            errors="surrogateescape",
        )
    except FileNotFoundError as error:
        cure = f"install it (on Debian: apt install {words[0]})"
        raise SiteError(Place(words[0]), "it is needed to publish, and it is not installed", cure) from error


def failed(place: str, message: str, ran: subprocess.CompletedProcess[str], cure: str) -> SiteError:
    """The error for a program that failed, with its messages, without users and passwords of addresses in them."""
    output = _USER_IN_ADDRESS.sub(r"\1***@", without_control(ran.stderr))
    lines = [f"    {line.rstrip()}" for line in output.splitlines() if line.strip()]
    return SiteError(Place(place), "\n".join([message, *lines]), cure)
