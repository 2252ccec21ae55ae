"""The record of the files of a site."""

import pytest

from site_builder.storage.staging import MANIFEST, Manifest, read_manifest

FILES = {"index.html": "12", "a/b.css": "34"}


def test_what_is_written_is_read(tmp_path):
    (tmp_path / MANIFEST).write_bytes(Manifest(FILES).written())
    finished = read_manifest(str(tmp_path))
    (tmp_path / MANIFEST).write_bytes(Manifest(FILES, is_unfinished=True).written())

    assert finished == Manifest(FILES)
    assert read_manifest(str(tmp_path)) == Manifest(FILES, is_unfinished=True)


def test_a_manifest_of_no_files_can_be_unfinished(tmp_path):
    (tmp_path / MANIFEST).write_bytes(Manifest({}, is_unfinished=True).written())

    assert read_manifest(str(tmp_path)) == Manifest({}, is_unfinished=True)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1, "files": 3}', '{"format": 99, "files": {}}'])
def test_a_manifest_that_cannot_be_read_is_one_of_an_unfinished_site(tmp_path, text):
    (tmp_path / MANIFEST).write_text(text)

    assert read_manifest(str(tmp_path)) == Manifest(None, is_unfinished=True)
