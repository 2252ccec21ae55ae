"""What a worker must share with the machine that builds, in words where it does not."""

import platform

import numpy
import pytest

from site_builder.extensions.dask.on_worker import differences, needed_by_every_task


def test_a_machine_does_not_differ_from_itself():
    assert differences(needed_by_every_task()) == ""


@pytest.mark.parametrize(
    ("needed", "there"),
    [
        ({"Python": "3.99.1 (CPython)"}, f"Python {platform.python_version()} (CPython, linux, {platform.machine()})"),
        ({"numpy": "99.1"}, f"numpy {numpy.__version__}"),
        ({"Puzzlepress": "99.1 (12345678)"}, "Puzzlepress 0.1.0 ("),
    ],
)
def test_another_version_is_named_with_both_versions(needed, there):
    (version,) = needed.values()

    found = differences({**needed_by_every_task(), **needed})

    assert found.startswith(there)
    assert found.endswith(f" there, {version} here")
    assert ";" not in found


def test_a_library_of_one_solver_may_be_missing():
    assert differences({"no-such-library": "1.0"}) == "no-such-library is missing there, 1.0 here"


def test_another_processor_is_named_by_its_instructions():
    used = needed_by_every_task()["processor"]

    assert differences({"processor": f"{used} ABC"}) == f"processor {used} there, {used} ABC here"
