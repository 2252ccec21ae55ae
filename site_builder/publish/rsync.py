"""A folder of another machine as the target: rsync compares by bytes, sends what differs, and removes last.

rsync may remove only what publishing wrote there: a rule for each of these paths comes from the record on the target.
"""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from site_builder.project.publish_settings import PublishSettings
from site_builder.publish.diff import RECORD, TargetChanges, TargetFiles, read_record
from site_builder.publish.programs import failed, run
from site_builder.publish.target import Snapshot, Target, bytes_in
from site_builder.site.provenance import ANSWERS
from site_builder.storage.staging import folders_above

_NO_SUCH_FOLDER = 23  # as for every file that rsync cannot read
_LOGIN = (
    "see that rsync reaches it without asking: an SSH key in ssh-agent, or RSYNC_PASSWORD for a daemon"
    "\nrsync 3.1 or newer is needed on both sides, and the folder above the site's has to be there"
)
_USUAL = ("--recursive", "--links", "--8-bit-output", "--no-motd")
_RECORDS = (f"--include=/{RECORD}", f"--include=/{ANSWERS}", "--exclude=*")
_SENT = re.compile(r"[<>]f\S{9} (?P<path>.*)")
_THERE = re.compile(r"\S[^d]\S{9} (?P<path>.*)")  # a file or a link


class RsyncFolder(Target):
    """A folder that rsync reaches at its `name`."""

    def __init__(self, root: Path, address: str) -> None:
        super().__init__(address)
        self._root = root

    def compare(self, site: Snapshot) -> TargetFiles:
        """Compare the folder with the site by the bytes of files. Raises SiteError."""
        with tempfile.TemporaryDirectory(prefix="puzzlepress-rsync-") as own:
            there = self._listed(_THERE, f"{self.name}/", f"{own}/")
            self._read(*_RECORDS, f"{self.name}/", f"{own}/")
            record, answers = bytes_in(Path(own), RECORD), bytes_in(Path(own), ANSWERS)
        sent = self._listed(_SENT, "--checksum", f"{site.folder}/", f"{self.name}/")
        return TargetFiles(there - {RECORD}, sent & there, read_record(record), answers)

    def _listed(self, form: re.Pattern[str], *words: str) -> frozenset[str]:
        """The paths of this form that rsync would copy; none from a folder that is not there."""
        lines = self._read("--dry-run", "--out-format=%i %n", *words).split("\n")
        return frozenset(found["path"] for line in lines if (found := form.fullmatch(line)))

    def _read(self, *words: str) -> str:
        """The output of an rsync that changes nothing there."""
        ran = run(self._root, "rsync", *_USUAL, *words)
        if ran.returncode not in (0, _NO_SUCH_FOLDER):
            raise failed(self.name, "rsync could not reach it; nothing was published", ran, _LOGIN)
        return ran.stdout

    def put(self, site: Snapshot, changes: TargetChanges) -> str:
        """Send the site with a record of all that may be there, then remove what is gone. Raises SiteError."""
        wider, last = changes.records
        site.write(RECORD, wider)
        rules = "".join(f"{rule}\n" for rule in _rules(changes))
        self._send(site, "", "--delay-updates", "--delete-after", "--filter=merge -", lines=rules)
        if wider != last:
            site.write(RECORD, last)
            self._send(site, RECORD)
        return ""

    def _send(self, site: Snapshot, path: str, *words: str, lines: str = "") -> None:
        """Send a file of the site, or all of it. lines: the input of rsync."""
        ran = run(
            self._root, "rsync", *_USUAL, "--checksum", *words, f"{site.folder}/{path}", f"{self.name}/", lines=lines
        )
        if ran.returncode:
            message = "rsync was cut short: a part of the site may be there; publish again"
            raise failed(self.name, message, ran, _LOGIN)


def rsync_target(root: Path, settings: PublishSettings) -> RsyncFolder:
    """The folder that the settings name. Raises SiteError where rsync is not installed."""
    run(root, "rsync", "--version")
    return RsyncFolder(root, str(settings.rsync).rstrip("/"))


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
