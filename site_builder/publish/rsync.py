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
_SENT = re.compile(r"[<>]f\S{9} (?P<path>.*)")
_THERE = re.compile(r"\S[^d]\S{9} (?P<path>.*)")  # a file or a link


class RsyncFolder(Target):
    """A folder that rsync reaches at its `name`."""

    def __init__(self, root: Path, address: str) -> None:
        super().__init__(address)
        self.root = root
        self.scratch = tempfile.TemporaryDirectory(prefix="puzzlepress-rsync-")

    def compare(self, site: Snapshot) -> TargetFiles:
        """Compare the folder with the site by the bytes of files. Raises SiteError."""
        empty, own = self._folder("empty"), self._folder("own")
        wanted = (f"--include=/{RECORD}", f"--include=/{ANSWERS}", "--exclude=*")
        self._rsync("rsync could not reach it; nothing was published", *wanted, f"{self.name}/", f"{own}/")
        there = self._listed(_THERE, f"{self.name}/", f"{empty}/")
        sent = self._listed(_SENT, "--checksum", f"{site.folder}/", f"{self.name}/")
        record, answers = bytes_in(own, RECORD), bytes_in(own, ANSWERS)
        return TargetFiles(there - {RECORD}, sent & there, read_record(record), answers)

    def _folder(self, name: str) -> Path:
        """An empty folder of this machine."""
        return Path(tempfile.mkdtemp(prefix=name, dir=self.scratch.name))

    def _listed(self, form: re.Pattern[str], *words: str) -> frozenset[str]:
        """The paths of this form that rsync would copy; none from a folder that is not there."""
        message = "rsync could not compare it; nothing was published"
        text = self._rsync(message, "--dry-run", "--out-format=%i %n", *words)
        return frozenset(found["path"] for line in text.split("\n") if (found := form.fullmatch(line)))

    def _rsync(self, message: str, *words: str, is_read: bool = True) -> str:
        """The output of rsync. message: the error where it fails; is_read: it may be that there is no folder yet."""
        ran = run(self.root, "rsync", *_USUAL, *words)
        if ran.status not in ((0, _NO_SUCH_FOLDER) if is_read else (0,)):
            raise failed(self.name, message, ran, _LOGIN)
        return ran.text

    def put(self, site: Snapshot, changes: TargetChanges) -> str:
        """Send the site, then remove what is gone. Raises SiteError when rsync fails."""
        wider, last = changes.records
        self._send_record(wider)
        rules = self._folder("rules") / "rules"
        rules.write_text("".join(f"{rule}\n" for rule in _rules(changes)), "utf-8", "surrogateescape")
        message = "rsync was cut short: a part of the site may be there; publish again"
        words = ("--checksum", "--delay-updates", "--delete-after", f"--filter=merge {rules}")
        self._rsync(message, *words, f"{site.folder}/", f"{self.name}/", is_read=False)
        if wider != last:
            self._send_record(last)
        return ""

    def _send_record(self, record: bytes) -> None:
        """Put the record there. Raises SiteError."""
        file = self._folder("record") / RECORD
        file.write_bytes(record)
        message = "rsync could not write there; the site there is as it was"
        self._rsync(message, "--checksum", str(file), f"{self.name}/", is_read=False)


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
