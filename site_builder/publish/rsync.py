"""A folder of another machine as the target: rsync compares by bytes, sends what differs, and removes last.

rsync may remove only what publishing wrote there: a rule for each of these paths comes from the record on the target.
"""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from site_builder.publish.target import RECORD, Changes, Snapshot, Target, TargetFiles, failed, load, read_record, run
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
        """Raises SiteError where rsync is not installed."""
        super().__init__(address.rstrip("/"))
        self._root = root
        run(root, "rsync", "--version")

    def compare(self, site: Snapshot) -> TargetFiles:
        """Compare the folder with the site by the bytes of files. Raises SiteError."""
        with tempfile.TemporaryDirectory(prefix="puzzlepress-rsync-") as own:
            there = self._listed(_THERE, f"{self.name}/", f"{own}/")
            self._read(*_RECORDS, f"{self.name}/", f"{own}/")
            record, answers = load(Path(own), RECORD), load(Path(own), ANSWERS)
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

    def put(self, site: Snapshot, changes: Changes) -> None:
        """Send the site with a record of all that may be there, remove what is gone, and send its own record.

        Raises SiteError.
        """
        rules = "".join(f"{rule}\n" for rule in _rules(changes))
        wider, last = changes.records
        self._send(site, wider, "", rules, "--delay-updates", "--delete-after")
        if wider != last:
            self._send(site, last, RECORD, rules)

    def _send(self, site: Snapshot, record: bytes, path: str, rules: str, *words: str) -> None:
        """Send a file of the site, or all of it, with a record."""
        (site.folder / RECORD).write_bytes(record)
        how = (*_USUAL, "--checksum", "--filter=merge -", *words)
        ran = run(self._root, "rsync", *how, f"{site.folder}/{path}", f"{self.name}/", lines=rules)
        if ran.returncode:
            message = "rsync was cut short: a part of the site may be there; publish again"
            raise failed(self.name, message, ran, _LOGIN)


def _rules(changes: Changes) -> Iterator[str]:
    """Rules for what rsync may remove there: files that publishing wrote, and the folders that this leaves empty."""
    yield from (f"risk /{_literal(path)}" for path in changes.removed)
    folders = {above for path in changes.removed for above in folders_above(path)}
    # It looks into a folder that the site has not only if it may remove it, and it removes none that is not empty.
    yield from (f"risk /{_literal(path)}/" for path in sorted(folders))
    yield "protect *"


def _literal(path: str) -> str:
    """A path as a pattern that matches nothing else; a backslash is one only where a pattern has wildcards."""
    return re.sub(r"([\\*?\[])", r"\\\1", path) if re.search(r"[*?\[]", path) else path
