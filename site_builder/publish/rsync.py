"""A folder of another machine as the target: rsync compares by bytes, sends what differs, and removes last.

rsync may remove only what publishing wrote there: a rule for each of these paths comes from the record on the target.
"""

import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from site_builder.project.publish_settings import PublishSettings
from site_builder.publish.diff import RECORD, TargetChanges, TargetFiles, widened_record
from site_builder.publish.programs import SSH, ProgramResult, Runner, failed, secrets_of_address
from site_builder.publish.target import Snapshot, Target
from site_builder.site.provenance import ANSWERS
from site_builder.storage.staging import folders_above

_NO_SUCH_FOLDER = 23  # as for every file that rsync cannot read
_LOGIN = (
    "see that rsync reaches it without asking: an SSH key in ssh-agent, or RSYNC_PASSWORD for a daemon"
    "\nrsync 3.1 or newer is needed on both sides, and the folder above the site's has to be there"
)
_LISTING = ("--recursive", "--links", "--8-bit-output", "--no-motd")
_CHANGE = re.compile(r"(?:(?P<kind>[<>]f|cd)(?P<how>\S{9}) |\*deleting +)(?P<path>.*)")
_NEW = "+++++++++"
_IN_THE_WAY = re.compile(r"\S[^d]\S{9} (?P<path>.*)")


class RsyncFolder(Target):
    """A folder that rsync reaches at its `name`."""

    def __init__(self, runner: Runner, address: str) -> None:
        super().__init__(address, {})
        self.runner = runner

    def compare(self, site: Snapshot) -> TargetFiles:
        """Compare the folder with the site by the bytes of files. Raises SiteError."""
        fetched = self._fetched(RECORD, ANSWERS)
        ran = self._rsync("--dry-run", "--itemize-changes", "--delete", f"{site.folder}/", f"{self.name}/")
        if ran.status:
            raise self._failed("rsync could not compare it; nothing was published", ran)
        added, folders, differing, extra = set[str](), set[str](), set[str](), set[str]()
        for line in ran.text.split("\n"):
            if found := _CHANGE.fullmatch(line):
                path = _unescaped(found["path"])
                if found["kind"] == "cd":
                    folders.add(path.removesuffix("/"))
                elif not path.endswith("/"):
                    {None: extra, _NEW: added}.get(found["how"], differing).add(path)
        hidden = self._names() & (added | folders) if added | folders else set()
        there = extra | site.files - added | hidden
        changed = frozenset(differing | hidden & added)
        return TargetFiles(frozenset(there) - {RECORD}, changed, fetched.get(RECORD), fetched.get(ANSWERS))

    def _names(self) -> set[str]:
        """All that is there but folders: to rsync a link, or a file where a folder goes, is as if it were not there."""
        with tempfile.TemporaryDirectory(prefix="puzzlepress-rsync-") as empty:
            words = ("--dry-run", "--out-format=%i %n", f"{self.name}/", f"{empty}/")
            ran = self.runner.run("rsync", *_LISTING, *words)
        if ran.status not in (0, _NO_SUCH_FOLDER):
            raise self._failed("rsync could not list it; nothing was published", ran)
        found = (_IN_THE_WAY.fullmatch(line) for line in ran.text.split("\n"))
        return {_unescaped(each["path"]) for each in found if each}

    def _rsync(self, *words: str) -> ProgramResult:
        """Run rsync so that it compares files by their bytes."""
        return self.runner.run("rsync", "--checksum", *_LISTING, *words)

    def _send_record(self, record: bytes) -> None:
        """Put the record there. Raises SiteError."""
        with tempfile.TemporaryDirectory(prefix="puzzlepress-rsync-") as folder:
            file = Path(folder) / RECORD
            file.write_bytes(record)
            os.chmod(file, 0o644)
            ran = self._rsync(str(file), f"{self.name}/")
        if ran.status:
            raise self._failed("rsync could not write there; the site there is as it was", ran)

    def _failed(self, message: str, ran: ProgramResult) -> Exception:
        """The error for an rsync that failed."""
        return failed(self.runner.redact(self.name), message, ran, _LOGIN)

    def _fetched(self, *names: str) -> dict[str, bytes]:
        """The files of these names that are there; none where there is no folder yet."""
        with tempfile.TemporaryDirectory(prefix="puzzlepress-rsync-") as folder:
            wanted = [f"--include=/{name}" for name in names]
            ran = self._rsync(*wanted, "--exclude=*", f"{self.name}/", f"{folder}/")
            if ran.status not in (0, _NO_SUCH_FOLDER):
                raise self._failed("rsync could not reach it; nothing was published", ran)
            files = [Path(folder) / name for name in names]
            return {file.name: file.read_bytes() for file in files if file.is_file() and not file.is_symlink()}

    def put(self, site: Snapshot, changes: TargetChanges) -> str:
        """Send the site, then remove what is gone. Raises SiteError when rsync fails."""
        wider = widened_record(changes.found.record, changes.record)
        if wider != changes.found.record:  # before the files that it names, so that none of them ever counts as foreign
            self._send_record(wider)
        with tempfile.TemporaryDirectory(prefix="puzzlepress-rsync-") as folder:
            rules = Path(folder) / "rules"
            rules.write_text("".join(f"{rule}\n" for rule in _rules(changes)), "utf-8", "surrogateescape")
            ran = self._rsync(
                *("--delay-updates", "--delete-after", f"--filter=merge {rules}"),
                *(f"{site.folder}/", f"{self.name}/"),
            )
        if ran.status:
            raise self._failed("rsync was cut short: a part of the site may be there; publish again", ran)
        if wider != changes.record:
            self._send_record(changes.record)
        return ""


def rsync_target(root: Path, settings: PublishSettings) -> RsyncFolder:
    """The folder that the settings name. Raises SiteError where rsync is not installed."""
    quiet = () if os.environ.get("RSYNC_RSH") else (("RSYNC_RSH", SSH),)
    runner = Runner(root, frozenset(secrets_of_address(str(settings.rsync))), quiet)
    runner.run("rsync", "--version")
    return RsyncFolder(runner, str(settings.rsync))


def _rules(changes: TargetChanges) -> Iterator[str]:
    """Rules for what rsync may remove there: files that publishing wrote, and the folders that this leaves empty."""
    yield from (f"risk /{_literal(path)}" for path in changes.removed)
    folders = {above for path in changes.removed for above in folders_above(path)}
    # It looks into a folder that the site has not only if it may remove it, and it removes none that is not empty.
    yield from (f"risk /{_literal(path)}/" for path in sorted(folders))
    yield "protect *"


def _unescaped(path: str) -> str:
    r"""A path as it is: rsync writes a sign that cannot be printed as \#ooo."""
    return re.sub(r"\\#([0-7]{3})", lambda found: chr(int(found[1], 8)), path)


def _literal(path: str) -> str:
    """A path as a pattern that matches nothing else; a backslash is one only where a pattern has wildcards."""
    return re.sub(r"([\\*?\[])", r"\\\1", path) if re.search(r"[*?\[]", path) else path
