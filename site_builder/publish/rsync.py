"""A folder of another machine as the target: rsync compares by bytes, sends what differs, and removes last.

rsync is told with each path what it may remove there: what publishing wrote, by the record that lies beside it.
"""

import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from site_builder.project.publish_settings import PublishSettings
from site_builder.publish.diff import RECORD, Difference, Found, widened_record
from site_builder.publish.programs import SSH, Ran, Runner, failed
from site_builder.publish.redact import secrets_of_address
from site_builder.publish.snapshot import Snapshot
from site_builder.storage.folder_transaction import folders_above

_NO_SUCH_FOLDER = 23  # as for every file that rsync cannot read
_LOGIN = (
    "see that rsync reaches it without asking: an SSH key in ssh-agent, or RSYNC_PASSWORD for a daemon"
    "\nrsync 3.1 or newer is needed on both sides, and the folder above the site's has to be there"
)
_LISTING = ("--recursive", "--links", "--8-bit-output", "--no-motd")
_CHANGE = re.compile(r"(?:(?P<kind>[<>]f|cd)(?P<how>\S{9}) |\*deleting +)(?P<path>.*)")
_NEW = "+++++++++"
_IN_THE_WAY = re.compile(r"\S[^d]\S{9} (?P<path>.*)")


@dataclass(frozen=True)
class Machine:
    """A folder that rsync reaches. address: as rsync takes it."""

    runner: Runner
    address: str
    extras: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The target in words."""
        return self.address

    def finish(self) -> None:
        """What was cut short is finished by sending what is missing."""

    def look(self, site: Snapshot) -> "SeenMachine":
        """The folder as it is now, compared with the site by the bytes of files. Raises SiteError."""
        record = self._record()
        ran = self.rsync("--dry-run", "--itemize-changes", "--delete", f"{site.folder}/", f"{self.address}/")
        if ran.status:
            raise self.failed("rsync could not compare it; nothing was published", ran)
        added: set[str] = set()
        folders: set[str] = set()
        differing: set[str] = set()
        extra: set[str] = set()
        for line in ran.text.split("\n"):
            if found := _CHANGE.fullmatch(line):
                path = _unescaped(found["path"])
                if found["kind"] == "cd":
                    folders.add(path.removesuffix("/"))
                elif not path.endswith("/"):
                    {None: extra, _NEW: added}.get(found["how"], differing).add(path)
        standing = self._names() & (added | folders) if added | folders else set()
        there = extra | site.files - added | standing
        return SeenMachine(self, Found(frozenset(there) - {RECORD}, frozenset(differing | standing & added), record))

    def _names(self) -> set[str]:
        """All that is there but folders: to rsync a link, or a file where a folder goes, is as if it were not there."""
        with tempfile.TemporaryDirectory(prefix="puzzlepress-rsync-") as empty:
            words = ("--dry-run", "--out-format=%i %n", f"{self.address}/", f"{empty}/")
            ran = self.runner.run("rsync", *_LISTING, *words)
        if ran.status not in (0, _NO_SUCH_FOLDER):
            raise self.failed("rsync could not list it; nothing was published", ran)
        found = (_IN_THE_WAY.fullmatch(line) for line in ran.text.split("\n"))
        return {_unescaped(each["path"]) for each in found if each}

    def rsync(self, *words: str) -> Ran:
        """Run rsync so that it compares files by their bytes."""
        return self.runner.run("rsync", "--checksum", *_LISTING, *words)

    def send_record(self, record: bytes) -> None:
        """Put the record there. Raises SiteError."""
        with tempfile.TemporaryDirectory(prefix="puzzlepress-rsync-") as folder:
            file = Path(folder) / RECORD
            file.write_bytes(record)
            os.chmod(file, 0o644)
            ran = self.rsync(str(file), f"{self.address}/")
        if ran.status:
            raise self.failed("rsync could not write there; the site there is as it was", ran)

    def failed(self, fault: str, ran: Ran) -> Exception:
        """The fault of an rsync that failed."""
        return failed(self.runner.tell(self.name), fault, ran, _LOGIN)

    def _record(self) -> bytes | None:
        """The record that lies there; None where there is none, or no folder yet."""
        with tempfile.TemporaryDirectory(prefix="puzzlepress-rsync-") as folder:
            ran = self.rsync(f"--include=/{RECORD}", "--exclude=*", f"{self.address}/", f"{folder}/")
            if ran.status not in (0, _NO_SUCH_FOLDER):
                raise self.failed("rsync could not reach it; nothing was published", ran)
            file = Path(folder) / RECORD
            return file.read_bytes() if file.is_file() and not file.is_symlink() else None


@dataclass(frozen=True)
class SeenMachine:
    """The folder as rsync compared it."""

    target: Machine
    found: Found

    def notes(self) -> list[str]:
        """What else the author should know."""
        return []

    def put(self, site: Snapshot, change: Difference) -> str:
        """Send the site, then remove what is gone. Raises SiteError when rsync fails."""
        wider = widened_record(self.found.record, site.files)
        if wider != self.found.record:  # before the files that it names, so that none of them is ever taken for foreign
            self.target.send_record(wider)
        with tempfile.TemporaryDirectory(prefix="puzzlepress-rsync-") as folder:
            rules = Path(folder) / "rules"
            rules.write_text("".join(f"{rule}\n" for rule in self._rules(change)), "utf-8", "surrogateescape")
            ran = self.target.rsync(
                *("--delay-updates", "--delete-after", f"--filter=merge {rules}"),
                *(f"{site.folder}/", f"{self.target.address}/"),
            )
        if ran.status:
            raise self.target.failed("rsync was cut short: a part of the site may be there; publish again", ran)
        if wider != change.record:
            self.target.send_record(change.record)
        return ""

    def _rules(self, change: Difference) -> Iterator[str]:
        """What rsync may remove there: files that publishing wrote, and the folders that this leaves empty."""
        yield from (f"risk /{_literal(path)}" for path in change.removed)
        folders = {above for path in change.removed for above in folders_above(path)}
        # It looks into a folder that the site has not only if it may remove it, and it removes none that is not empty.
        yield from (f"risk /{_literal(path)}/" for path in sorted(folders))
        yield "protect *"


def machine_target(root: Path, settings: PublishSettings) -> Machine:
    """The folder that the settings name. Raises SiteError where rsync is not installed."""
    quiet = () if os.environ.get("RSYNC_RSH") else (("RSYNC_RSH", SSH),)
    runner = Runner(root, frozenset(secrets_of_address(str(settings.rsync))), quiet)
    runner.run("rsync", "--version")
    return Machine(runner, str(settings.rsync))


def _unescaped(path: str) -> str:
    r"""A path as it is: rsync writes a sign that cannot be printed as \#ooo."""
    return re.sub(r"\\#([0-7]{3})", lambda found: chr(int(found[1], 8)), path)


def _literal(path: str) -> str:
    """A path as a pattern that matches nothing else; a backslash is one only where a pattern has wildcards."""
    return re.sub(r"([\\*?\[])", r"\\\1", path) if re.search(r"[*?\[]", path) else path
