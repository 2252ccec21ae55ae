"""Bundles: a run's answer computed again away from the site, by whoever downloads it."""

import os
import re
import signal
import subprocess
import sys
import time
import venv
from contextlib import contextmanager
from fractions import Fraction
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZIP_STORED, ZipFile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from site_builder.errors import CuredError, Place, SiteError
from site_builder.extension import RunFacts, SolverCode
from site_builder.extensions.bundles import proof
from site_builder.extensions.bundles.archive import bundle, name_of
from site_builder.extensions.bundles.run import difference
from site_builder.pipeline.steps.extension_use import FileChecks
from site_builder.pipeline.steps.worker_tasks import check_file
from site_builder.posts.summary import FileCheck
from site_builder.project.config import Limits
from site_builder.project.extensions import load_extensions
from site_builder.solving.code.code_keys import CodeKeys
from site_builder.solving.code.libraries import environment_stamp
from site_builder.solving.plan import read_reply
from site_builder.solving.processes.pool import Workers
from site_builder.solving.tasks import solver_tasks
from site_builder.storage.file_fingerprints import ABSENT, digests, scan
from site_builder.storage.store import Store
from site_builder.values.digest import bytes_digest, digest
from site_builder.values.packing import pack, unpack
from site_builder.values.plain_values import fields_of_any
from tests.conftest import ROOT, RUIN, Project, deep, of_the_five
from tests.support.steps import StandIn, context_of

PLACE = Place("content/posts/ruin.md", 5)
CHECK = check_file, "bundle", "bundles"
PARTED = RUIN.replace("@dataclass", "from solvers.parts import ruin\nfrom beside import half\n\n\n@dataclass").replace(
    "    ratio = ", "    assert half() == ruin.HALF\n    ratio = "
)


class Bench:
    """A project with all that makes bundles of its solvers."""

    def __init__(self, root, workers):
        self.root = root
        self.workers = workers
        self.store = Store(root.parent / f"{root.name}.store", 2**30, pytest.fail)

    @property
    def codes(self):
        return CodeKeys(self.root, self.store, digests(scan(self.root), {}), environment_stamp())

    def facts(self, solver="gamblers_ruin", run="fair", fields=None, **parameters):
        """A run of the solver with the answer that a build finds, or with these fields."""
        loadable = self.codes.loadable(solver)
        if fields is None:
            asked = self.workers.submit(solver_tasks.describe, solver, loadable, [parameters], limits=Limits())
            packed = pack(read_reply(asked.result().data).answers[0]["parameters"])
            found = self.workers.submit(solver_tasks.solve, solver, loadable, packed, limits=Limits()).result()
            parameters, fields = unpack(packed), fields_of_any(unpack(found.data))
        return RunFacts(run, solver, False, {}, parameters, lambda: fields, lambda: self.code(solver))

    def code(self, solver):
        codes = self.codes
        digests_, libraries = codes.shared_code(solver)
        return SolverCode({name: codes.read(name) for name in digests_}, libraries)

    def make(self, *runs, workers=None, limits=None, told=None):
        """The bytes of the bundles, proved."""
        use = SimpleNamespace(loaded=load_extensions(self.root))
        step = FileChecks(context_of(self.root, self.store, workers or self.workers), use)
        limits, made = limits or Limits(), [bundle(facts) for facts in runs]
        places = {}
        for facts, data in zip(runs, made, strict=True):
            key = bytes_digest(data)
            self.store.put("file", key, data)
            name = f"{name_of(facts)}.zip"
            places[FileCheck(key, name, "bundle", PLACE.line, limits.time, limits.memory)] = PLACE
        missing = step.missing(places)
        if told is not None:
            told += [each in missing for each in places]
        step.run({each: places[each] for each in missing})
        return made

    def message(self, *runs, **more):
        """The fault with which no bundle is made."""
        with pytest.raises(SiteError) as caught:
            self.make(*runs, **more)
        return caught.value


@pytest.fixture(scope="module")
def open_bench(tmp_path_factory):
    """Makes benches; those of one folder of tests share their workers' processes."""
    opened = []

    def open_one(project):
        workers = Workers(project.root, 1)
        bench = Bench(project.root, workers.__enter__())
        opened.append((workers, bench))
        return bench

    yield open_one
    for workers, bench in opened:
        workers.__exit__(None, None, None)
        bench.store.close()


@pytest.fixture(scope="module")
def bench(open_bench, tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("bundling") / "blog")
    project.write("solvers/parted.py", PARTED)
    project.write("solvers/parts/ruin.py", "from fractions import Fraction\n\nHALF = Fraction(1, 2)\n")
    project.write("beside.py", "from solvers.parts import ruin\n\n\ndef half():\n    return ruin.HALF\n")
    project.write("solvers/odds/chances.txt", "1/2\n")
    project.write("solvers/endless.py", RUIN.replace("    ratio = ", "    while True:\n        pass\n    ratio = "))
    hungry = "    if goal == 7:\n        bytearray(10**9)\n"
    project.write("solvers/hungry.py", RUIN.replace("    ratio = ", f"{hungry}    ratio = "))
    optional = "try:\n    import nowhere_to_be_found\nexcept ImportError:\n    pass\n\n\n@dataclass"
    project.write("solvers/optional.py", RUIN.replace("@dataclass", optional))
    lost = '    open("solvers/odds/chances.txt")\n    ratio = '
    for name in ("undeclared", "recorded"):
        project.write(f"solvers/{name}.py", RUIN.replace("    ratio = ", lost))
    return open_bench(project)


@pytest.fixture(scope="module")
def parted(bench):
    """A proved bundle of a solver whose code lies in several files."""
    return bench.make(bench.facts("parted"))[0]


@pytest.fixture(scope="module")
def real(open_bench, tmp_path_factory):
    """The solvers of this very project."""
    root = tmp_path_factory.mktemp("real") / "blog"
    project = Project(root)
    (root / "solvers" / "gamblers_ruin.py").unlink()
    (root / "solvers").rmdir()
    (root / "solvers").symlink_to(ROOT / "solvers")
    return open_bench(project)


def unpacked(data, folder):
    """The folder of a bundle, unpacked."""
    with ZipFile(BytesIO(data)) as archive:
        archive.extractall(folder)
    (home,) = Path(folder).iterdir()
    return home


def run(home, python=sys.executable):
    """What a reader sees who runs it, from a folder of their own."""
    return subprocess.run(
        [python, "-I", str(home / "run.py")], capture_output=True, text=True, env={}, cwd="/", check=False
    )


def files_of(data):
    """The files of a bundle by their paths in its folder."""
    with ZipFile(BytesIO(data)) as archive:
        return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}


def changed(data, **changes):
    """The bundle with other texts in some files, or without those whose text is None."""
    files = {**files_of(data), **changes}
    made = BytesIO()
    with ZipFile(made, "w") as archive:
        for name, content in files.items():
            if content is not None:
                archive.writestr(f"changed/{name}", content)
    return made.getvalue()


# What a reader gets


def test_a_bundle_prints_the_published_answer_with_nothing_but_itself(parted, tmp_path):
    ran = run(unpacked(parted, tmp_path))

    # Feller, vol. I, ch. XIV, sect. 2: in a fair game the chance from s coins is s / goal.
    assert ran.stderr == ""
    assert ran.returncode == 0
    assert "\nhalf = 1/2\nrounded = 0.5\n" in ran.stdout
    assert ran.stdout.endswith("\n\nthe same as published\n")


@of_the_five
@pytest.mark.parametrize(
    ("solver", "parameters", "field", "published"),
    [  # the figures that the posts about them cite, with their sources
        pytest.param("riddler_flips", {}, "win_probability", 0.6403174472759772, marks=pytest.mark.deep),
        pytest.param("coinball", {}, "win_probability", 0.489818590457, marks=pytest.mark.deep),
        ("notorious_coins", {"values": (8, 20, 3, 2)}, "best", 22),
    ],
)
def test_the_bundle_of_a_real_solver_gives_its_published_answer(real, tmp_path, solver, parameters, field, published):
    (data,) = real.make(real.facts(solver, **parameters))

    ran = run(unpacked(data, tmp_path))

    assert ran.returncode == 0, ran.stderr
    value = re.search(rf"^{field} = (\S+)$", ran.stdout, re.MULTILINE)[1]
    assert float(Fraction(value)) == pytest.approx(published, abs=1e-12)


def test_a_bundle_holds_the_code_that_its_solver_imports_and_no_other(parted):
    names = set(files_of(parted))

    assert {"beside.py", "solvers/parted.py", "solvers/parts/ruin.py", "solvers/__init__.py"} <= names
    assert {"README.txt", "run.py", "requirements.txt", "parameters.py", "expected.txt"} <= names
    assert {name for name in names if name.startswith("site_builder/")} == {
        "site_builder/__init__.py",
        "site_builder/values/__init__.py",
        "site_builder/values/plain_values.py",
        *(f"site_builder/contract/{path.name}" for path in (ROOT / "site_builder" / "contract").glob("*.py")),
        *(f"site_builder/extensions/{name}" for name in ("__init__.py", "games/__init__.py", "games/contract.py")),
    }
    assert not names & {"solvers/gamblers_ruin.py", "solvers/endless.py", "config.yaml"}


def test_the_files_that_a_solve_has_read_are_in_its_bundle(bench):
    order = bench.facts("recorded")
    bench.codes.reads.note("recorded", {"solvers/odds/chances.txt": bytes_digest(b"1/2\n"), "not/there": ABSENT})

    (data,) = bench.make(order)

    assert files_of(data)["solvers/odds/chances.txt"] == b"1/2\n"
    assert "not/there" not in files_of(data)


def test_a_bundle_asks_for_the_libraries_that_its_solver_needs_in_the_versions_that_are_installed(parted):
    lines = files_of(parted)["requirements.txt"].decode().splitlines()

    assert {f"numpy=={version('numpy')}", f"pydantic=={version('pydantic')}"} <= set(lines)
    assert not [line for line in lines if line.startswith(("matplotlib", "jinja2", "python", "Python"))]


@pytest.mark.deep
def test_a_library_that_a_solver_can_do_without_is_not_asked_for(bench):
    (data,) = bench.make(bench.facts("optional"))

    assert files_of(data)["requirements.txt"].startswith(b"annotated-types==")
    assert b"nowhere" not in files_of(data)["requirements.txt"]


def test_a_bundle_says_in_words_how_it_is_used(parted):
    words = files_of(parted)["README.txt"].decode()

    assert words.startswith("parted-fair: ")
    assert words.index("pip install -r requirements.txt") < words.index("python run.py")


@pytest.mark.deep
def test_who_changes_a_parameter_sees_another_answer_and_that_it_is_another(parted, tmp_path):
    home = unpacked(parted, tmp_path)
    text = (home / "parameters.py").read_text()
    (home / "parameters.py").write_text(text.replace("Fraction(1, 2)", "Fraction(2, 3)"))

    ran = run(home)

    # Feller's (2.4) for p = 2/3: r = 1/2, so that from 10 of 20 coins it is (1 - r^10) / (1 - r^20) = 1024 / 1025.
    assert "\nhalf = 1024/1025\n" in ran.stdout
    assert ran.stdout.splitlines()[-1].startswith("not the same as published: chance = ")
    assert ran.returncode == 1


def test_who_has_not_installed_the_libraries_reads_how(parted, tmp_path):
    home = unpacked(parted, tmp_path)

    ran = subprocess.run([sys.executable, "-I", "-S", "run.py"], cwd=home, capture_output=True, text=True, check=False)

    assert re.fullmatch(r"No module named '\w+'; first write: pip install -r requirements.txt\n", ran.stderr)
    assert ran.returncode == 1


@pytest.mark.deep
@given(
    some.dictionaries(
        some.text("abc", min_size=1),
        some.recursive(
            some.none()
            | some.booleans()
            | some.integers()
            | some.floats(allow_nan=False)
            | some.fractions()
            | some.text("aä∞\n\"'")
            | some.dates()
            | some.decimals(allow_nan=False),
            lambda inner: some.lists(inner, max_size=3).map(tuple) | some.dictionaries(some.integers(), inner),
            max_leaves=6,
        ),
    )
)
def test_parameters_in_a_bundle_are_exactly_those_of_the_run(parameters):
    data = bundle(RunFacts("fair", "any", False, {}, parameters, dict, lambda: SolverCode({}, {})))

    module: dict = {}
    exec(files_of(data)["parameters.py"], module)
    assert module["SOLVER"] == "any"
    assert module["PARAMETERS"] == parameters
    assert repr(module["PARAMETERS"]) == repr(parameters)


# How it differs


@pytest.mark.parametrize(
    ("published", "computed", "words"),
    [
        ("a = 1\n", "a = 1\n", ""),
        ("a = 1\nb = 2\n", "a = 1\nb = 3\n", "not the same as published: b = 3, but b = 2 was published"),
        ("a = 1\nb = 2\n", "a = 1\n", "not the same as published: 1 lines, but 2 were published"),
    ],
)
def test_two_answers_are_compared_line_by_line(published, computed, words):
    assert difference(published, computed) == words


# Proving


def test_an_answer_that_differs_from_the_published_one_is_a_fault(bench):
    right = bench.facts()

    message = bench.message(right._replace(fields=lambda: {**right.fields(), "half": Fraction(1, 3)}))

    assert message.place == PLACE
    assert message.message == (
        "the bundle of run 'fair' does not give the published answer by itself: "
        "not the same as published: half = 1/2, but half = 1/3 was published"
    )
    assert "must follow from its parameters alone: not from the order of a set" in message.cure


class Losing(StandIn):
    """Workers that are handed each bundle without one of its files."""

    def __init__(self, workers, name):
        self.workers = workers
        self.name = name

    def submit(self, task, check, extension, data, *arguments, limits, **_):
        data = changed(data, **{self.name: None})
        return self.workers.submit(task, check, extension, data, *arguments, limits=limits)


@pytest.mark.deep
@pytest.mark.parametrize("lost", ["solvers/parts/ruin.py", *map(deep, ("beside.py", "site_builder/contract/grid.py"))])
def test_a_module_that_is_missing_is_a_fault(bench, lost):
    message = bench.message(bench.facts("parted", run="less"), workers=Losing(bench.workers, lost))

    missing = lost.removesuffix(".py").replace("/", ".")
    assert f"No module named '{missing.removesuffix('.ruin')}" in message.message
    assert message.cure.startswith("import it by name at the top of the solver's file")


def test_a_file_that_no_solve_has_read_before_is_a_fault(bench):
    message = bench.message(bench.facts("undeclared", fields={}, goal=2))

    assert "FileNotFoundError" in message.message
    assert "solvers/odds/chances.txt" in message.message
    assert message.cure.startswith("put the file into the project")


def test_a_bundle_that_needs_more_memory_than_it_may_have_is_a_fault(bench):
    order = bench.facts("hungry", fields={}, goal=7)

    message = bench.message(order, limits=Limits(memory="300 MiB"))

    assert message.message.endswith(" it needs more memory than it may have")
    assert message.cure.startswith("allow more with limits: {memory: 4 GiB} in the post")


@pytest.mark.deep
def test_a_bundle_that_takes_too_long_is_stopped_and_its_fault_says_what_to_do(bench, monkeypatch):
    monkeypatch.setattr("site_builder.pipeline.steps.extension_use._STARTING", 1.0)

    message = bench.message(bench.facts("endless", fields={}, goal=2), limits=Limits(time=0.5))

    assert message.message.endswith(": it ran for more than 1.5 seconds and was stopped")
    assert message.cure == "allow more with limits: {time: 600} in the post, or ask for less"


@pytest.mark.deep
def test_all_faults_are_told_together_and_good_bundles_are_kept(bench):
    right = bench.facts(run="kept")
    wrong = [right._replace(name=name, fields=lambda: {"half": 1}) for name in ("one", "other")]

    with pytest.raises(ExceptionGroup) as caught:
        bench.make(wrong[0], right, wrong[1])

    assert [str(error)[:45] for error in caught.value.exceptions] == [
        f"{PLACE}: the bundle of run '{name}"[:45] for name in ("one", "other")
    ]
    told = []
    bench.make(right, told=told)
    assert told == [False]


ALONE = """import os, sys

def solve():
    print(sys.flags.isolated, os.environ.get("PYTHONPATH"), os.environ.get("A_SECRET"), *sorted(os.listdir("..")))
    sys.exit(1)
"""


def test_a_bundle_is_proved_alone_in_its_folder_and_without_what_surrounds_the_build(monkeypatch):
    monkeypatch.setenv("A_SECRET", "known")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    with pytest.raises(CuredError) as raised:
        proof.prove(solving(ALONE), 60)

    assert str(raised.value).endswith(" by itself: 1 None None starter-fair")


def solving(code):
    """A bundle of a solver that needs no library."""
    files = {"solvers/starter.py": code.encode()}
    return bundle(RunFacts("fair", "starter", False, {}, {}, dict, lambda: SolverCode(files, {})))


STARTER = """import os, subprocess, sys, time
from pathlib import Path

def solve():
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    Path({pids!r}).write_text(f"{{os.getpid()}} {{other.pid}}\\n")
    time.sleep(600)
"""


def starting(pids):
    """A bundle that writes its process and another that it starts into a file, and never ends."""
    return solving(STARTER.format(pids=str(pids)))


def are_gone(pids):
    """Whether the processes end that a file names, within a while."""
    numbers = pids.read_text().split()
    for _ in range(600):
        if not any(_is_alive(number) for number in numbers):
            return len(numbers) == 2
        time.sleep(0.1)
    return False


def _is_alive(number):
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.deep
def test_nothing_is_left_of_a_bundle_that_was_stopped(tmp_path):
    for seconds in (2, 8, 32, 128):  # on a slow machine it needs longer to begin
        with Workers(tmp_path, 1) as workers:  # which end all that a task has started
            limits = Limits(time=600)
            message = workers.submit(*CHECK, starting(tmp_path / "pids"), seconds, limits=limits).result()
        if (tmp_path / "pids").exists():
            break

    assert message.message.endswith(f" by itself: it ran for more than {seconds} seconds and was stopped")
    assert are_gone(tmp_path / "pids")


BUILD = """
import sys
from pathlib import Path
from site_builder.pipeline.steps import worker_tasks
from site_builder.project.config import Limits
from site_builder.solving.processes.pool import Workers

if __name__ == "__main__":
    with Workers(Path.cwd(), 1) as workers:
        check = worker_tasks.check_file, "bundle", "bundles", Path(sys.argv[1]).read_bytes(), 300
        workers.submit(*check, limits=Limits(time=300)).result()
"""


@pytest.mark.parametrize("told", [deep(signal.SIGINT), signal.SIGKILL], ids=["interrupted", "killed"])
def test_a_bundle_does_not_outlive_the_build_that_proves_it(tmp_path_factory, told):
    tmp_path = tmp_path_factory.mktemp("b")  # sockets in the folder of temporary files need a short path
    (tmp_path / "bundle.zip").write_bytes(starting(tmp_path / "pids"))
    (tmp_path / "build.py").write_text(BUILD)
    (tmp_path / "folders").mkdir()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path / "folders")}
    build = subprocess.Popen(
        [sys.executable, "build.py", "bundle.zip"], cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL
    )
    while not ((tmp_path / "pids").exists() and (tmp_path / "pids").read_text().endswith("\n")):
        assert build.poll() is None
        time.sleep(0.05)

    build.send_signal(told)

    build.wait(120)
    assert are_gone(tmp_path / "pids")


# Other code of the same names


@pytest.fixture(scope="module")
def foreign(tmp_path_factory):
    """A Python of its own, with a line that its .pth file shall have, and the folder of another project."""
    folder = tmp_path_factory.mktemp("foreign")
    venv.create(folder / "python", symlinks=True)
    for package in ("site_builder", "solvers", "solvers/parts"):
        (folder / "project" / package).mkdir(parents=True)
        (folder / "project" / package / "__init__.py").write_text("FOREIGN = True\n")
    (folder / "project" / "beside.py").write_text("from fractions import Fraction\nhalf = lambda: Fraction(1, 2)\n")
    (site,) = (folder / "python").glob("lib/python*/site-packages")

    def python(line):
        (site / "other.pth").write_text(f"{Path(np.__file__).parents[1]}\n{line}\n")
        return str(folder / "python" / "bin" / "python")

    return python, folder / "project"


@pytest.mark.deep
def test_a_project_of_the_same_names_on_the_path_changes_nothing(parted, foreign, tmp_path):
    python, other = foreign

    for line in (f"{other}", f"import sys; sys.path.insert(0, {str(other)!r})"):
        assert run(unpacked(parted, tmp_path / digest(line)), python=python(line)).returncode == 0


# Bytes


def test_equal_bundles_have_equal_bytes_wherever_and_whenever_they_are_made(open_bench, tmp_path):
    made = []
    before = os.umask(0o077)
    try:
        for number, (umask, names) in enumerate([(0o077, ("a", "b", "c")), (0o002, ("c", "b", "a"))]):
            os.umask(umask)
            project = Project(tmp_path / f"folder {number}" / "blog")
            parts = "from solvers.parts import a, b, c\n\n\n@dataclass"
            for name in names:
                path = project.write(f"solvers/parts/{name}.py", f"{name} = 1\n")
                os.utime(path, (10**9 + number, 10**9 + number))
            project.write("solvers/ruin.py", RUIN.replace("@dataclass", parts))
            bench = open_bench(project)
            made.append(bench.make(bench.facts("ruin")))
    finally:
        os.umask(before)

    assert made[0] == made[1]


def test_a_bundle_tells_no_time_no_user_and_no_order_of_its_own(parted):
    with ZipFile(BytesIO(parted)) as archive:
        entries = archive.infolist()

    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {(entry.create_system, entry.external_attr >> 16) for entry in entries} == {(3, 0o100644)}
    assert {entry.compress_type for entry in entries} == {ZIP_STORED}
    assert [entry.filename for entry in entries] == sorted(entry.filename for entry in entries)
    assert all(entry.filename.startswith("parted-fair/") for entry in entries)


# The store


class Refusing(StandIn):
    """Workers that are not to be asked."""

    def submit(self, *arguments, **_):
        pytest.fail("a bundle is proved again")


@pytest.mark.deep
def test_a_bundle_is_made_and_proved_once(bench):
    order = bench.facts(run="once")
    told = []
    first, same = bench.make(order, order, told=told)

    (second,) = bench.make(order, workers=Refusing(), told=told)

    assert second == first == same
    assert told == [True, False]


@contextmanager
def edited(path, old, new):
    """A file with another text for a while."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    try:
        yield
    finally:
        path.write_text(text)


@pytest.mark.deep
def test_another_text_of_the_solver_even_of_a_comment_makes_another_bundle(bench):
    order = bench.facts(run="comment")
    (first,) = bench.make(order)
    told = []

    with edited(bench.root / "solvers" / "gamblers_ruin.py", "# Feller's", "# William Feller's"):
        (second,) = bench.make(order, told=told)

    assert told == [True]
    assert b"# William Feller's" in files_of(second)["solvers/gamblers_ruin.py"]
    assert b"# William Feller's" not in files_of(first)["solvers/gamblers_ruin.py"]


@pytest.mark.parametrize("name", ["run.py", "parameters.py"])
def test_a_file_of_the_project_that_has_the_name_of_one_of_the_bundles_own_is_refused(name):
    with pytest.raises(SiteError) as caught:
        bundle(RunFacts("fair", "ruin", False, {}, {}, dict, lambda: SolverCode({name: b""}, {})))

    assert caught.value.place == Place(name)
    assert caught.value.cure == "give it another name"
