"""Small projects in folders of their own, built for real."""

import fcntl
import gc
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

try:
    from hypothesis import HealthCheck, settings
except ModuleNotFoundError:  # script/site does not install it, and the test of a new puzzle needs none
    settings = None

from site_builder.solving.processes.worker import FIXED
from site_builder.solving.processes.worker_process import SAFE_PATH
from site_builder.storage.sqlite_file import NAME
from tests import ready_workers
from tests.processes import Begun
from tests.ready_builder import ReadyBuilder, Started

ROOT = Path(__file__).resolve().parents[1]

# Tests that read the five puzzles of this repository are left out where these are not: those of whole folders, and
# others that are marked.
of_the_five = pytest.mark.needs(str(ROOT / "content/posts/coinball.md"), str(ROOT / "solvers/coinball"))
collect_ignore = [] if (ROOT / "solvers/coinball").exists() else ["blog", "browser", "solvers"]

# Tests, and all that they start, hear Ctrl-C as at a terminal: a shell that begins them in the background ignores it.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

# How long an example takes says more of what else the machine does than of the code: no test is about it.
if settings is not None:
    any_time = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
    settings.register_profile("few", max_examples=20, **any_time)
    settings.register_profile("many", max_examples=300, **any_time)

# What takes a process longest is begun first, or the others would wait for it at the end; script/test keeps this order.
LONGEST = (
    *("browser/test_pages.py", "test_staleness.py", "test_noticing.py", "test_damaged_store.py"),
    *("test_sameness.py", "preview/", "browser/", "blog/", "test_notorious_coins.py", "test_extending.py", "dask/"),
    *("cli/test_main.py", "pipeline/", "publish/"),
    *("cli/test_json_schema.py", "posts/test_functions.py", "solving/", "test_checking.py", "cli/", "figures/"),
    *(
        "test_getting_started.py",
        "test_new_puzzle.py",
        "test_wheel.py",
        "solvers/",
        "test_sites.py",
        "posts/",
        "extensions/",
        "benchmarks/",
    ),
)


# Besides what builds sites or drives a browser: other long tests of their own processes, and of the five solvers.
NOT_QUICK = (
    *("test_getting_started.py", "test_new_puzzle.py", "pipeline/test_output.py", "solving/test_archive.py"),
    *(
        "test_wheel.py",
        "solvers/",
        "figures/test_data.py",
        "figures/test_draw.py",
        "storage/test_reachability_of_solvers.py",
    ),
)


def deep(*values: object) -> Any:
    """A case of a test that runs with --deep alone, since others catch the same faults every day."""
    return pytest.param(*values, marks=pytest.mark.deep)


def few(*cases: tuple[object, ...]) -> list[Any]:
    """Cases of a test, of which the first two are tried every day, and the others with --deep."""
    return [*cases[:2], *(deep(*case) for case in cases[2:])]


def pytest_addoption(parser: pytest.Parser) -> None:
    """The two other sets of tests; script/test passes their options on."""
    group = parser.getgroup("puzzlepress")
    group.addoption("--quick", action="store_true", help="leave out tests of whole builds, browsers and solvers")
    group.addoption("--deep", action="store_true", help="many more random inputs, and the tests marked deep")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose the number of random inputs before any module of tests is read, and the time that a test may take."""
    if config.getoption("quick") and config.getoption("deep"):
        raise pytest.UsageError("--quick leaves out what --deep adds: choose one of them")
    if settings is not None:
        settings.load_profile("many" if config.getoption("deep") else "few")
    if config.pluginmanager.hasplugin("timeout"):
        # No test needs half of these seconds, and one that hangs is told with what it was doing. A thread also ends
        # what holds the main thread or uses the same signal, as limits of time do.
        config.option.timeout = config.option.timeout or 600
        config.option.timeout_method = config.option.timeout_method or "thread"
    Project.may_build = not config.getoption("quick")
    gc.disable()  # until all tests are collected, of which none is garbage


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what was not asked for, and what needs a program that is not here; put what takes longest first."""
    kept, left = [], []
    for item in items:
        (kept if _is_wanted(config, item) else left).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
    places = {name: place for place, name in enumerate(LONGEST)}

    def place(item: pytest.Item) -> int:
        path = item.path.relative_to(ROOT).as_posix()
        return min((places[name] for name in LONGEST if f"/{name}" in path), default=len(LONGEST))

    items[:] = sorted(kept, key=place)  # those of one file in their order


def pytest_collection_finish() -> None:
    """Find modules in as many folders as a builder of these tests: to the cache the same libraries are installed."""
    sys.path[:] = [str(ROOT), *dict.fromkeys(sys.path)]
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def collects_its_garbage() -> Iterator[None]:
    """Keep builds within this process from changing how it collects garbage, which ends with none of them.

    They freeze all objects that there are, garbage too, and so the process would grow with each.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name in ("freeze", "set_threshold"):
            patch.setattr(gc, name, lambda *numbers: None)
        yield


@pytest.fixture(autouse=True)
def leaves_the_process_as_it_was() -> Iterator[None]:
    """Fail a test that leaves another way to find modules or to take Ctrl-C, which would fail others later, far off."""
    path = [*sys.path]
    yield
    left, sys.path[:] = [*sys.path], path
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    blocked = signal.pthread_sigmask(signal.SIG_SETMASK, ())
    assert (left, handler, blocked) == (path, signal.default_int_handler, set())


def _is_wanted(config: pytest.Config, item: pytest.Item) -> bool:
    if config.getoption("quick") and {"builds", "chromium"} & set(getattr(item, "fixturenames", ())):
        return False
    if config.getoption("quick") and any(f"/{name}" in item.path.as_posix() for name in NOT_QUICK):
        return False
    if item.get_closest_marker("deep") and not config.getoption("deep"):
        return False
    needed = [name for mark in item.iter_markers("needs") for name in mark.args]
    return all(shutil.which(name) or Path(name).exists() for name in needed)


RUIN = '''"""The gambler's ruin: one coin a round, until broke or at the goal.

State: coins in hand, 0..goal.
Source: Feller, An Introduction to Probability Theory, vol. I, ch. XIV, sect. 2.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np

from site_builder.contract import Column, Curve, ErrorBound, Field, Grid, Heatmap, Series, Table


@dataclass(frozen=True, eq=False)
class Result:
    chance: tuple[Fraction, ...]
    half: Fraction
    rounded: Annotated[float, ErrorBound(1e-16)]
    map: Grid
    names: dict[str, int]
    goal: int


def solve(
    goal: Annotated[int, Field(ge=1, le=1000, description="coins that end the game")] = 20,
    win: Annotated[Fraction, Field(gt=0, lt=1, description="chance $p$ of winning a round")] = Fraction(1, 2),
) -> Result:
    """The chance of the goal from s coins; with r = (1 - p) / p it is (1 - r^s) / (1 - r^goal), or s / goal."""
    ratio = (1 - win) / win
    chance = tuple(
        Fraction(s, goal) if ratio == 1 else (1 - ratio**s) / (1 - ratio**goal)  # Feller's (2.4) and (2.5)
        for s in range(goal + 1)
    )
    floats = np.array([[float(c) for c in chance], [1 - float(c) for c in chance]])
    grid = Grid(floats, {"outcome": ("goal", "ruin"), "coins": range(goal + 1)})
    return Result(chance, chance[goal // 2], float(chance[goal // 2]), grid, {"a_b": 1}, goal)


def figure_chance(chance):
    return Curve("Reaching the goal", (Series("", range(len(chance)), chance),), "coins", "chance", "With $p$.")


def figure_map(map):
    return Heatmap("Both ends", map, "coins", "chance", "How games end.")


def figure_table(chance):
    columns = Column("coins", range(len(chance))), Column("chance", chance, "fraction")
    return Table("Chances", columns, "All.")


def check_both_ends(goal, win):
    """Both ends, by the rules of the game"""
    worth = [Fraction(0), Fraction(1)]  # of so many coins, when no round changes it on average
    for _ in range(goal - 1):
        worth.append(worth[-1] + (worth[-1] - worth[-2]) * (1 - win) / win)
    floats = [float(each / worth[-1]) for each in worth]
    between = {coins: worth[coins] / worth[-1] for coins in range(1, goal)}
    return {"chance": {0: 0, goal: 1} | between, "map": [floats, [1 - each for each in floats]]}


def check_half_way(chance, goal):
    """Half way, a chance of the table"""
    return {"half": chance[goal // 2], "rounded": float(chance[goal // 2]), "names": {"a_b": 1}}
'''

CONFIG = "title: A blog\nbase_url: https://blog.example.org/sub/\ndescription: About chance.\nauthor: An author\n"

_RUN = """
import faulthandler
import signal
import sys
faulthandler.register(signal.SIGUSR1)
from pathlib import Path
from site_builder.cli.main import main
sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
"""


BUILDING = ("build", "check", "explain", "accept", "solve")  # commands that look into the store


@dataclass(frozen=True)
class SolverRuns:
    """How a command ended."""

    status: int
    out: str
    err: str


class Project:
    """A small project with one solver, gamblers_ruin, and the real templates.

    Its first build knows from a store what stands in the builder's own code, which takes a second to find out, and all
    are copies of a process that has the builder loaded. With is_bare there is no store; with from_nothing each build
    has a process from nothing.
    """

    is_bare = False
    from_nothing = False
    may_build = True  # not with --quick
    shared: Path  # the folder of all processes of these tests
    _has_built = True

    def __init__(self, root: Path, is_bare: bool = False, from_nothing: bool = False) -> None:
        self.root = root
        self.is_bare = is_bare
        self.from_nothing = from_nothing
        self._has_built = False
        self.write("config.yaml", CONFIG)
        self.write("solvers/gamblers_ruin.py", RUIN)
        self.write("content/posts/.keep", "")
        (root / "templates").symlink_to(ROOT / "templates")

    @classmethod
    def at(cls, root: Path) -> "Project":
        """A project that is in the folder already, store and all."""
        project = cls.__new__(cls)
        project.root = root
        return project

    def copy_to(self, root: Path) -> "Project":
        """The project as it is, store and all, in another folder."""
        shutil.copytree(self.root, root, symlinks=True)
        return Project.at(root)

    def write(self, path: str, text: str) -> Path:
        """Write a file of the project, folders included."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return file

    def post(self, body: str, name: str = "ruin", front: str = "", title: str = "A title") -> Path:
        """Write a post with a fixed run `fair` of the solver, unless the front matter has runs of its own."""
        runs = "" if "runs:" in front or "solver:" in front else "runs:\n  fair: {solver: gamblers_ruin, fixed: true}\n"
        return self.write(
            f"content/posts/{name}.md", f"---\ntitle: {title}\ndate: 2026-03-01\n{front}{runs}---\n{body}"
        )

    def forget(self) -> None:
        """Remove the store and the built site; the next build has again a store that knows the builder's code alone."""
        for name in (".store", "_site"):
            shutil.rmtree(self.root / name, ignore_errors=True)
        self._has_built = False

    def build(self, *options: str, status: int | None = 0, umask: int = -1, **environment: str) -> SolverRuns:
        """Run the build; with a status, it must end with it. environment: more variables for its process."""
        self.lay_store(options)
        if self.from_nothing or environment or umask != -1:
            done = subprocess.run(
                self._command(options),
                capture_output=True,
                text=True,
                env=self._environment(environment),
                cwd=self.root,
                check=False,
                umask=umask,
            )
            ran = SolverRuns(done.returncode, done.stdout, done.stderr)
        else:
            ran = SolverRuns(*_ready_builder().run(self.root, options, self._environment({})))
        assert status is None or ran.status == status, ran.err
        return ran

    def run(self, *words: str, status: int | None = 0) -> SolverRuns:
        """Run a command of the builder; with a status, it must end with it."""
        return self.build(*words, status=status)

    def start(self, *options: str) -> Begun | Started:
        """Begin a build and leave it alone, in a session of its own."""
        self.lay_store(options)
        if not self.from_nothing:
            return _ready_builder().start(self.root, options, self._environment({}))
        return Begun(
            self._command(options),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self._environment({}),
            cwd=self.root,
            start_new_session=True,
        )

    def _command(self, options: Sequence[str]) -> list[str]:
        return [sys.executable, "-c", _RUN, str(self.root), *options]

    def lay_store(self, options: Sequence[str] = ()) -> None:
        """Give the project the store of its first build, which begins with these words."""
        assert self.may_build, "a test that builds asks for the fixture `builds`"
        if options and not options[0].startswith("-") and options[0] not in BUILDING:
            return
        if not (self.is_bare or self._has_built or (self.root / ".store").exists()):
            (self.root / ".store").mkdir()
            shutil.copy(once(self.shared / "store-that-knows-code", _know_code) / NAME, self.root / ".store")
        self._has_built = True  # from now on its store is what builds, and tests, have made of it

    def _environment(self, more: Mapping[str, str]) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": str(ROOT), **more}

    def page(self, path: str) -> str:
        """A file of the built site."""
        return (self.root / "_site" / path).read_text("utf-8")

    def files(self, folder: str = "_site") -> dict[str, bytes]:
        """All files of the built site."""
        site = self.root / folder
        return {
            path.relative_to(site).as_posix(): path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()
        }


@cache
def _ready_workers() -> socket.socket:
    """Asks for workers that need load nothing; from now on this process asks as well, for builds within it."""
    ready = ready_workers.begin({**FIXED, **SAFE_PATH, "PYTHONPATH": str(ROOT)})
    ready_workers.ask(ready)
    return ready


@cache
def _ready_builder() -> ReadyBuilder:
    return ReadyBuilder(_ready_workers())


def _know_code(folder: Path) -> None:
    """Make the file of a store that a build has left, with nothing in it of the project but the card of its site."""
    project = Project(folder / "project", is_bare=True, from_nothing=True)
    project.build()
    with closing(sqlite3.connect(project.root / ".store" / NAME)) as store:
        cards = store.execute("SELECT key FROM entries WHERE kind = 'card'").fetchall()
    project.post("{{ figure(results.fair.figures.chance) }}\n")
    project.build()
    with closing(sqlite3.connect(project.root / ".store" / NAME)) as store:
        with store:
            (card,) = cards[0]
            is_card = "(kind IN ('card', 'carded') AND key = ?)"
            store.execute(f"DELETE FROM entries WHERE kind NOT IN ('module', 'references') AND NOT {is_card}", [card])
            store.execute("DELETE FROM documents WHERE family != 'code inputs'")
        store.execute("VACUUM")
    shutil.copy(project.root / ".store" / NAME, folder)


@pytest.fixture
def project(builds, tmp_path):
    return Project(tmp_path)


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory):
    """A folder that is the same for all processes of these tests."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


def once(folder: Path, make: Callable[[Path], None]) -> Path:
    """The folder that make makes, made by the first process that asks, while the others wait."""
    made = folder.with_suffix(".made")
    folder.parent.mkdir(exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            make(folder)
            made.touch()
    return folder


@pytest.fixture(scope="session")
def builds(shared_folder):
    """Asked for by all that builds a site; what asks for it, be it by another fixture, is not among the quick tests."""
    Project.shared = shared_folder
    _ready_workers()


@pytest.fixture(scope="session")
def clean(builds, shared_folder):
    """The project that uses everything, built once from nothing, for all processes of these tests: only to be read."""
    from tests.everything import everything

    return Project.at(once(shared_folder / "everything", lambda folder: everything(folder, from_nothing=True).build()))


@pytest.fixture(scope="session")
def blog(builds, shared_folder):
    """The blog that several files of tests read, built once for all processes: only to be read."""
    from tests.support.blog import build_blog, read_blog

    return read_blog(Project.at(once(shared_folder / "small-blog", lambda root: build_blog(Project(root)))))


@pytest.fixture(scope="session")
def wheel(builds, shared_folder):
    """The wheel of this checkout, made once for all processes."""
    from tests.support.installing import make_wheel

    pytest.importorskip("hatchling")
    (found,) = once(shared_folder / "wheel", make_wheel).glob("*.whl")
    return found


@pytest.fixture(scope="session")
def installed(wheel, shared_folder):
    """An environment with the wheel in it, made once for all processes: only to be run."""
    from tests.support.installing import Installed, install

    return Installed(once(shared_folder / "installed", lambda folder: install(wheel, folder)))


@pytest.fixture(scope="session")
def published_blog(builds, shared_folder):
    """A small blog that tests copy before they publish it, built once for all processes."""
    from tests.support import published

    with pytest.MonkeyPatch.context() as patch:
        for name, value in published.OWN_SETTINGS.items():
            patch.setenv(name, value)
        yield Project.at(once(shared_folder / "published" / "blog", published.make_blog))
