"""What a worker loads of a project: texts as they are, and only those that the build has made its keys from."""

import os
import py_compile
import time

import pytest

from site_builder.project.config import Limits
from site_builder.solving import solver_tasks
from site_builder.solving.failure import Failure
from site_builder.solving.pool import local_workers
from site_builder.storage.file_fingerprints import Loadable
from site_builder.values.digest import bytes_digest
from site_builder.values.packing import pack, unpack
from tests.support.finders import LATE, READING, finding


def answers(root, *loadables):
    """What one worker answers, one solve of the solver `finder` after the other."""
    with local_workers(root, 1) as workers:
        found = [
            workers.submit(solver_tasks.solve, "finder", each, pack({"goal": 2}), limits=Limits()).result()
            for each in loadables
        ]
    return [each if isinstance(each, Failure) else unpack(each).names["found"] for each in found]


def named(root, *names):
    return {name: bytes_digest((root / name).read_bytes()) for name in names}


# Bytecode that was left behind


@pytest.mark.parametrize("name", ["solvers/common/late.py", "late.py"])
def test_a_worker_runs_the_text_though_bytecode_of_an_older_one_passes_for_it(project, name):
    project.write("solvers/finder.py", LATE.replace("solvers.common.late", name[:-3].replace("/", ".")))
    late = project.write(name, "found = 'older'\n")
    py_compile.compile(str(late), doraise=True)
    times = late.stat().st_atime_ns, late.stat().st_mtime_ns
    late.write_text("found = 'newer'\n")
    os.utime(late, ns=times)

    assert answers(project.root, Loadable()) == ["newer"]


def test_a_solver_that_makes_its_own_loader_runs_the_text_as_well(project):
    words = (
        "from importlib.util import module_from_spec, spec_from_file_location\n"
        "    spec = spec_from_file_location('solvers.late', 'solvers/late.py')\n"
        "    module = module_from_spec(spec)\n    spec.loader.exec_module(module)\n    found = module.found"
    )
    project.write("solvers/finder.py", finding(words))
    late = project.write("solvers/late.py", "found = 'older'\n")
    py_compile.compile(str(late), doraise=True)
    times = late.stat().st_atime_ns, late.stat().st_mtime_ns
    late.write_text("found = 'newer'\n")
    os.utime(late, ns=times)

    assert answers(project.root, Loadable()) == ["newer"]


def test_bytecode_without_its_text_is_refused(project):
    project.write("solvers/finder.py", LATE)
    late = project.write("solvers/common/late.py", "found = 'older'\n")
    py_compile.compile(str(late), cfile=f"{late}c", doraise=True)
    late.unlink()

    (fault,) = answers(project.root, Loadable())

    assert fault.kind == "contract"
    assert fault.message == "solve imports solvers/common/late.pyc, which is bytecode without its text"


# What a worker says of the files that it loads


def test_a_worker_answers_when_the_files_are_those_that_were_scanned(project):
    project.write("solvers/finder.py", LATE)
    project.write("solvers/common/late.py", "found = 'it'\n")
    loadable = Loadable(code=named(project.root, "solvers/finder.py", "solvers/common/late.py"))

    assert answers(project.root, loadable) == ["it"]


@pytest.mark.parametrize("changed", ["solvers/finder.py", "solvers/common/late.py"])
def test_a_worker_answers_nothing_with_code_that_has_changed(project, changed):
    project.write("solvers/finder.py", LATE)
    project.write("solvers/common/late.py", "found = 'it'\n")
    loadable = Loadable(code=named(project.root, "solvers/finder.py", "solvers/common/late.py"))
    with (project.root / changed).open("a") as file:
        file.write("# more\n")

    (fault,) = answers(project.root, loadable)

    assert (fault.kind, fault.path) == ("changed", changed)


def test_a_solver_cannot_hide_that_its_code_has_changed(project):
    project.write(
        "solvers/finder.py",
        finding("try:\n        from solvers.common.late import found\n    except BaseException:\n        found = 'no'"),
    )
    project.write("solvers/common/late.py", "found = 'it'\n")
    loadable = Loadable(code=named(project.root, "solvers/finder.py", "solvers/common/late.py"))
    project.write("solvers/common/late.py", "found = 'at'\n")

    (fault,) = answers(project.root, loadable)

    assert (fault.kind, fault.path) == ("changed", "solvers/common/late.py")


def test_code_that_takes_the_place_of_other_code_has_changed(project):
    project.write("solvers/finder.py", LATE)
    project.write("solvers/common/late.py", "found = 'it'\n")
    loadable = Loadable(code=named(project.root, "solvers/finder.py", "solvers/common/late.py"))
    project.write("solvers/common/late/__init__.py", "found = 'another'\n")

    (fault,) = answers(project.root, loadable)

    assert (fault.kind, fault.path) == ("changed", "solvers/common/late/__init__.py")


def test_a_worker_answers_nothing_with_data_that_has_changed(project):
    project.write("solvers/finder.py", READING)
    project.write("solvers/words.txt", "one")
    before = Loadable(data=named(project.root, "solvers/words.txt"))
    project.write("solvers/words.txt", "two")
    after = Loadable(data=named(project.root, "solvers/words.txt"))

    fault, found = answers(project.root, before, after)

    assert (fault.kind, fault.path) == ("changed", "solvers/words.txt")
    assert found == "two"


SIGNALLING = """import time
    from pathlib import Path

    def wait_for(name):
        while not Path(SIGNS, name).exists():
            time.sleep(0.01)

    Path(SIGNS, "begun").touch()
    wait_for("changed")
    found = Path("solvers/words.txt").read_text()
    Path(SIGNS, "read").touch()
    wait_for("restored")"""


def test_data_that_was_something_else_for_a_moment_has_changed(project, tmp_path_factory):
    signs = tmp_path_factory.mktemp("signs")
    text = finding(SIGNALLING.replace("SIGNS", repr(str(signs))))
    project.write("solvers/finder.py", text.replace("DATA = ()", "DATA = ('words.txt',)"))
    words = project.write("solvers/words.txt", "one")
    loadable = Loadable(data=named(project.root, "solvers/words.txt"))
    with local_workers(project.root, 1) as workers:
        answer = workers.submit(solver_tasks.solve, "finder", loadable, pack({"goal": 2}), limits=Limits(time=60))
        wait_for(signs / "begun")
        words.write_text("two")
        (signs / "changed").touch()
        wait_for(signs / "read")
        words.write_text("one")
        (signs / "restored").touch()

        fault = answer.result()

    assert (fault.kind, fault.path) == ("changed", "solvers/words.txt")


def wait_for(path):
    until = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < until
        time.sleep(0.01)
