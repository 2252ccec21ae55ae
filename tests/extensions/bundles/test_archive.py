"""Bundles: a run's answer computed again away from the site, by whoever downloads it."""

import os
import re
import subprocess
import sys
import venv
from contextlib import contextmanager
from fractions import Fraction
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from site_builder.errors import Place, SiteError
from site_builder.extension import RunFacts, SolverCode
from site_builder.extensions.bundles.archive import bundle
from site_builder.extensions.bundles.run import difference
from site_builder.project.config import Limits
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
from tests.conftest import ROOT, RUIN, Project, of_the_five

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
    optional = "try:\n    import nowhere_to_be_found\nexcept ImportError:\n    pass\n\n\n@dataclass"
    project.write("solvers/optional.py", RUIN.replace("@dataclass", optional))
    lost = '    open("solvers/odds/chances.txt")\n    ratio = '
    project.write("solvers/recorded.py", RUIN.replace("    ratio = ", lost))
    return open_bench(project)


@pytest.fixture(scope="module")
def parted(bench):
    """A bundle of a solver whose code lies in several files."""
    return bundle(bench.facts("parted"))


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
    data = bundle(real.facts(solver, **parameters))

    ran = run(unpacked(data, tmp_path))

    assert ran.returncode == 0, ran.stderr
    value = re.search(rf"^{field} = (\S+)$", ran.stdout, re.MULTILINE)[1]
    assert float(Fraction(value)) == pytest.approx(published, abs=1e-12)


@of_the_five
@pytest.mark.deep
@pytest.mark.parametrize("solver", ["penney", "wythoff"])
def test_the_bundle_of_a_large_solver_gives_its_answer(real, tmp_path, solver):
    ran = run(unpacked(bundle(real.facts(solver)), tmp_path))

    assert ran.stderr == ""
    assert ran.stdout.endswith("\n\nthe same as published\n")


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
    assert not names & {"solvers/gamblers_ruin.py", "solvers/recorded.py", "config.yaml"}


def test_the_files_that_a_solve_has_read_are_in_its_bundle(bench):
    order = bench.facts("recorded")
    bench.codes.reads.note("recorded", {"solvers/odds/chances.txt": bytes_digest(b"1/2\n"), "not/there": ABSENT})

    data = bundle(order)

    assert files_of(data)["solvers/odds/chances.txt"] == b"1/2\n"
    assert "not/there" not in files_of(data)


def test_a_bundle_asks_for_the_libraries_that_its_solver_needs_in_the_versions_that_are_installed(parted):
    lines = files_of(parted)["requirements.txt"].decode().splitlines()

    assert {f"numpy=={version('numpy')}", f"pydantic=={version('pydantic')}"} <= set(lines)
    assert not [line for line in lines if line.startswith(("matplotlib", "jinja2", "python", "Python"))]


@pytest.mark.deep
def test_a_library_that_a_solver_can_do_without_is_not_asked_for(bench):
    data = bundle(bench.facts("optional"))

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
            made.append(bundle(bench.facts("ruin")))
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
    first = bundle(order)

    with edited(bench.root / "solvers" / "gamblers_ruin.py", "# Feller's", "# William Feller's"):
        second = bundle(order)

    assert b"# William Feller's" in files_of(second)["solvers/gamblers_ruin.py"]
    assert b"# William Feller's" not in files_of(first)["solvers/gamblers_ruin.py"]


@pytest.mark.parametrize("name", ["run.py", "parameters.py"])
def test_a_file_of_the_project_that_has_the_name_of_one_of_the_bundles_own_is_refused(name):
    with pytest.raises(SiteError) as caught:
        bundle(RunFacts("fair", "ruin", False, {}, {}, dict, lambda: SolverCode({name: b""}, {})))

    assert caught.value.place == Place(name)
    assert caught.value.cure == "give it another name"
