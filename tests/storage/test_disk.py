"""All changes of the builder to the disk go through one module, so that tests can make each of them fail."""

import errno
import os
import re

import pytest

from site_builder.storage import disk
from tests.conftest import ROOT
from tests.support.faults import fault

CHANGE = re.compile(
    r"(?<!\bdisk)\.(unlink|rmdir|rmtree|rename|mkdir|makedirs|touch|utime|symlink|symlink_to|hardlink_to|truncate"
    r"|write_bytes|write_text|copyfile|copyfileobj|copytree|copy2)\(|os\.(replace|remove|link)\(|open\([^)]*[\"'][wxa]"
)
# These write into folders for temporary files, where an error harms nothing that lasts.
HARMLESS = {
    *("pipeline/steps/mutants.py", "publish/rsync.py", "solving/bundle/proof.py", "solving/cluster/on_worker.py"),
}


def test_only_one_module_changes_what_lasts():
    builder = ROOT / "site_builder"
    found = {
        f"{path.relative_to(builder)}:{number}"
        for path in builder.rglob("*.py")
        if path.relative_to(builder).as_posix() not in HARMLESS | {"storage/disk.py"}
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1)
        if CHANGE.search(line)
    }

    assert found == set()


def test_a_file_that_cannot_be_written_whole_is_not_there(tmp_path):
    with fault(2, errno.ENOSPC) as changes, pytest.raises(OSError, match="No space left"):
        disk.create(str(tmp_path / "a"), b"text")

    assert [kind for kind, _ in changes] == ["create", "write", "unlink"]
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_reported_with_the_file(tmp_path, monkeypatch):
    def full(kind, path):
        if kind == "write":
            raise OSError(errno.ENOSPC, "No space left on device")  # as file.write raises it

    monkeypatch.setattr(disk, "before_change", full)
    with pytest.raises(OSError, match="No space left") as raised:
        disk.create(str(tmp_path / "a"), b"text")

    assert raised.value.filename == str(tmp_path / "a")


def test_a_folder_is_made_with_those_above_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    disk.mkdir("a/b/c")
    disk.mkdir("a/b/c")

    assert os.path.isdir(tmp_path / "a/b/c")
    (tmp_path / "file").touch()
    for path in ("file", "file/inside"):
        with pytest.raises(OSError, match="file"):
            disk.mkdir(path)
