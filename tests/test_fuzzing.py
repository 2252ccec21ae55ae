"""Whatever bytes a reader is given, it reads them or refuses them with the errors that it declares."""

import importlib.util
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.fuzzing import PIECES, SEEDS, TARGETS

SECONDS = 30


@pytest.mark.parametrize("name", TARGETS)
def test_any_bytes_are_read_or_refused(name):
    pieces = st.lists(st.one_of(st.sampled_from(PIECES[name]), st.binary(max_size=6)), max_size=20).map(b"".join)

    given(st.one_of(pieces, st.text().map(str.encode)))(TARGETS[name])()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("cache", b"{}"),
        ("cache", b"[{}]"),
        ("cache", b'{"fraction":"1/0"}'),
        ("cache", b'{"array":",f8","shape":[1]}\n12345678'),
        ("yaml", "value: \xa1\x1b".encode()),
        ("config", "\xa0\x08".encode()),
        ("setting", "\xa1\x1b".encode()),
    ],
)
def test_what_was_found_once_is_refused(name, data):
    TARGETS[name](data)


@pytest.mark.deep
@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is not installed")
@pytest.mark.timeout(10 * SECONDS)
@pytest.mark.parametrize("name", SEEDS)
def test_a_search_guided_by_what_the_code_runs_finds_no_other_error(name, tmp_path):
    words = tmp_path / "words"
    words.write_text("".join('"' + "".join(map("\\x{:02x}".format, piece)) + '"\n' for piece in PIECES[name]))
    (corpus := tmp_path / "corpus").mkdir()
    for number, seed in enumerate(SEEDS[name]):
        (corpus / str(number)).write_bytes(seed)
    command = [
        sys.executable,
        "-m",
        "tests.run_fuzzing",
        name,
        f"-max_total_time={SECONDS}",
        f"-dict={words}",
        str(corpus),
    ]

    ran = subprocess.run(
        [*command, f"-artifact_prefix={tmp_path}/", "-rss_limit_mb=2048", "-timeout=25"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr[-3000:]
