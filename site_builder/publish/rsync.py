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
from site_builder.publish.programs import SSH, ProgramResult, Runner, failed, redacted
from site_builder.publish.target import Snapshot, Target
from site_builder.site.provenance import ANSWERS
from site_builder.storage.staging import folders_above

_NO_SUCH_FOLDER = 23  # as for every file that rsync cannot read
_LOGIN = (
    "see that rsync reaches it without asking: an SSH key in ssh-agent, or RSYNC_PASSWORD for a daemon"
    "\nrsync 3.1 or newer is needed on both sides, and the folder above the site's has to be there"
)
_LISTING = ("--recursive", "--links", "--8-bit-output", "--no-motd")
_SENT = re.compile(r"[<>]f\S{9} (?P<path>.*)")
_THERE = re.compile(r"\S[^d]\S{9} (?P<path>.*)")  # a file or a link


class RsyncFolder(Target):
    """A folder that rsync reaches at its `name`."""

    def __init__(self, runner: Runner, address: str) -> None:
        super().__init__(address)
        self.runner = runner

    def compare(self, site: Snapshot) -> TargetFiles:
        """Compare the folder with the site by the bytes of files. Raises SiteError."""
        fetched = self._fetched(RECORD, ANSWERS)
        with tempfile.TemporaryDirectory(prefix="puzzlepress-rsync-") as empty:
            there = self._listed(_THERE, f"{self.name}/", f"{empty}/")
        sent = self._listed(_SENT, "--checksum", f"{site.folder}/", f"{self.name}/")
        return TargetFiles(there - {RECORD}, sent & there, fetched.get(RECORD), fetched.get(ANSWERS))

    def _listed(self, form: re.Pattern[str], *words: str) -> frozenset[str]:
        """The paths of this form that rsync would copy; none from a folder that is not there."""
        ran = self.runner.run("rsync", *_LISTING, "--dry-run", "--out-format=%i %n", *words)
        if ran.status not in (0, _NO_SUCH_FOLDER):
            raise self._failed("rsync could not compare it; nothing was published", ran)
        return frozenset(found["path"] for line in ran.text.split("\n") if (found := form.fullmatch(line)))

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
        return failed(redacted(self.name), message, ran, _LOGIN)

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
    runner = Runner(root, quiet)
    runner.run("rsync", "--version")
    return RsyncFolder(runner, str(settings.rsync))


def _rules(changes: TargetChanges) -> Iterator[str]:
    """Rules for what rsync may remove there: files that publishing wrote, and the folders that this leaves empty."""
    yield from (f"risk /{_literal(path)}" for path in changes.removed)
    folders = {above for path in changes.removed for above in folders_above(path)}
    # It looks into a folder that the site has not only if it may remove it, and it removes none that is not empty.
    yield from (f"risk /{_literal(path)}/" for path in sorted(folders))
    yield "protect *"


def _literal(path: str) -> str:
    """A path as a pattern that matches nothing else; a backslash is one only where a pattern has wildcards."""
    return re.sub(r"([\\*?\[])", r"\\\1", path) if re.search(r"[*?\[]", path) else path
