"""Builds whose solvers run on a Dask cluster: a real scheduler and real workers, on this machine."""

import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import threading
import time
from contextlib import ExitStack, closing, suppress
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path

import psutil
import pytest

from site_builder.storage.sqlite_file import NAME
from tests.conftest import CONFIG, ROOT, RUIN, Project, of_the_five
from tests.support.cluster import cluster, wait_for
from tests.support.ports import free_port

# Clients of the tests themselves, of schedulers that are killed, are collected at any time.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

HEAD, BODY = RUIN.split("    ratio = ")
SWEEP = """runs:
  fair: {solver: gamblers_ruin, fixed: true}
  many: {solver: gamblers_ruin, fixed: true, sweep: {goal: {start: 1, stop: POINTS, steps: POINTS}}, keep: [half]}
"""
TEXT = "{{ results.fair.half }} \n\n{{ figure(results.fair.figures.map) }}\n\n {{ results.many.half | last }}\n"


def solving(body):
    """The solver with something done before it solves."""
    return f"{HEAD}{body}    ratio = {BODY}"


def sleeping(seconds):
    """The solver, which takes its time."""
    return solving(f"    import time\n\n    time.sleep({seconds})\n")


def waiting(go, above=0, seconds=0.0):
    """The solver, which takes its time, and for a goal above a number waits until there is a file."""
    wait = f"    while goal > {above} and not os.path.exists({str(go)!r}):\n        time.sleep(0.01)\n"
    return solving(f"    import os, time\n\n    time.sleep({seconds})\n{wait}")


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A cluster of two workers for tests that do it no harm."""
    with cluster(tmp_path_factory.mktemp("cluster"), workers=2) as made:
        yield made


@pytest.fixture
def begin_cluster(tmp_path):
    """Begins a cluster for one test, with options of Dask's configuration; it ends with the test."""
    with ExitStack() as stack:

        def begin(workers=1, nanny=True, **options):
            folder = tmp_path / f"cluster{len(list(tmp_path.iterdir()))}"
            folder.mkdir()
            return stack.enter_context(cluster(folder, workers, nanny=nanny, **options))

        yield begin


@pytest.fixture
def go(tmp_path_factory):
    """The file for which a solver waits."""
    return tmp_path_factory.mktemp("go") / "go"


def sweeping(project, points):
    """Give the project a post with a sweep of so many points."""
    project.post(TEXT, front=SWEEP.replace("POINTS", str(points)))


def begin_sweep(project, made, solver, points):
    """Begin a build of a sweep by a solver, and wait until a worker has some of its points."""
    project.write("solvers/gamblers_ruin.py", solver)
    sweeping(project, points)
    begun = project.start("--workers", made.address)
    wait_for(made.processing, "no worker has a task")
    return begun


# The same answers


def test_same_bytes_as_a_local_build(project, shared):
    """The whole site, figures and all, and the cache answers a local build that follows."""
    sweeping(project, 12)
    project.build("--workers", shared.address)
    remote = project.files()
    again = project.build("--explain")
    assert solved(again) == 0
    project.forget()
    project.build()
    assert project.files() == remote


@pytest.mark.deep
def test_functions_of_solvers_that_an_extension_reads_are_sent_with_it(project, shared):
    """The extension's module and its helper, and a game of the builder's own extension."""
    project.write("helper.py", "WORDS = 'by its equations'\n")
    project.write("assets/proof.css", ".proof {}\n")
    code = "import helper\nfrom site_builder.extension import Confirmed, Verified\n\n\ndef verify(proof):\n"
    code += "    return Verified(tuple(Confirmed(name, helper.WORDS) for name in proof.fields))\n\n\n"
    code += "def extend(site):\n    site.solver_function('proof', verify)\n    site.assets('assets')\n"
    project.write("extensions.py", code)
    solver = "from site_builder.extensions.games.contract import Game, Turn\n\n\n"
    solver += (
        "def solve(n: int = 4):\n    return {'total': n, 'ends': (n,)}\n\n\ndef proof(total):\n    return [total]\n\n\n"
    )
    solver += "def game(ends):\n    return Game((), 0, {0: Turn(None, {}, payoff=ends[0])}, ends, of='ends')\n"
    project.write("solvers/sums.py", solver)
    project.post("{{ results.main.total }}\n\n{{ checks(results.main) }}\n", front="solver: sums\n")

    project.build("--workers", shared.address)

    remote = project.files()
    assert "by its equations" in project.page("posts/ruin/index.html")
    assert "every one of 1 state satisfies the equation" in project.page("posts/ruin/index.html")
    project.forget()
    project.build()
    assert project.files() == remote


@of_the_five
@pytest.mark.deep
def test_same_bytes_of_the_five_posts(tmp_path, builds, shared):
    """Everything that a build of this repository's own blog publishes."""
    for name in ("content", "solvers", "config.yaml"):
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, tmp_path / name)
    (tmp_path / "templates").symlink_to(ROOT / "templates")
    project = Project.at(tmp_path)
    project.build("--no-turns", "--workers", shared.address)
    remote = project.files()
    project.forget()
    project.build("--no-turns")
    assert project.files() == remote


@pytest.mark.deep
def test_twenty_thousand_points(project, begin_cluster):
    """Neither the scheduler nor a worker grows with the sweep."""
    own = begin_cluster(2)
    front = SWEEP.replace("sweep: {goal: {start: 1, stop: POINTS, steps: POINTS}}", "parameters: {goal: 2}, SWEPT")
    chances = "sweep: {win: {start: 1/20001, stop: 20000/20001, steps: 20000}}"
    project.post(TEXT, front=front.replace("SWEPT", chances))
    most, sizes = 0, []
    begun = project.start("--workers", own.address)
    with own.client() as client:
        while begun.poll() is None:
            most = max(most, client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)))
            workers = client.run(lambda: psutil.Process().memory_info().rss)
            sizes.append([client.run_on_scheduler(lambda: psutil.Process().memory_info().rss), *workers.values()])
            time.sleep(0.5)
    assert begun.returncode == 0, begun.communicate()
    assert most <= 16 + 8 + 5
    assert max(map(max, sizes)) < 400 * 2**20


def test_neither_a_project_nor_the_environment_names_the_cluster(project):
    """Whoever answers at the address runs code, so that it is taken from the command line alone."""
    address = f"tcp://127.0.0.1:{free_port()}"
    ran = project.build(status=2, PUZZLEPRESS_WORKERS=address)
    assert f"PUZZLEPRESS_WORKERS: '{address}' is not a number of processes, at most 256; an" in ran.err
    lines = (project.root / "config.yaml").read_text().count("\n")
    project.write("config.yaml", (project.root / "config.yaml").read_text() + f"workers: {address}\n")
    ran = project.build(status=1)
    assert ran.err.startswith(f"config.yaml:{lines + 1}: workers: '{address}' is an address")
    assert f"write --workers {address} on the command line\n" in ran.err


@pytest.mark.deep
def test_changed_solver_is_sent_again(project, shared):
    """Another text of the solver is another archive, and the page has what it computes."""
    project.post("It is {{ results.fair.half }} now.\n")
    project.build("--workers", shared.address)
    assert "It is 1/2 now." in project.page("posts/ruin/index.html")
    project.write("solvers/gamblers_ruin.py", RUIN.replace("chance[goal // 2],", "chance[0],"))
    project.build("--workers", shared.address)
    assert "It is 0 now." in project.page("posts/ruin/index.html")


@pytest.mark.deep
def test_what_a_solver_may_not_do(project, shared):
    """The audit hook is there on a worker, and the message is that of a local build."""
    connecting = "    import socket\n\n    socket.create_connection(('127.0.0.1', 1))\n"
    project.write("solvers/gamblers_ruin.py", solving(connecting))
    project.post("{{ results.fair.half }}\n")
    local = project.build(status=1).err
    remote = project.build("--workers", shared.address, status=1).err
    assert "it uses the network" in local
    assert remote == local


@pytest.mark.deep
@pytest.mark.parametrize(
    ("body", "limit", "expected"),
    [
        ("    import time\n\n    time.sleep(60)\n", "{time: 1}", "it ran for more than 1 seconds"),
        pytest.param(
            *("    held = bytearray(900 * 2**20)\n", "{memory: 500 MB}", "it needs more memory than it may have"),
            marks=pytest.mark.deep,
        ),
    ],
)
def test_limits_hold(project, shared, body, limit, expected):
    """A task that takes too much time or memory is ended on its worker."""
    project.write("solvers/gamblers_ruin.py", solving(body))
    project.write("config.yaml", f"{CONFIG}limits: {limit}\n")
    project.post("{{ results.fair.half }}\n")
    assert expected in project.build("--workers", shared.address, status=1).err


# A cluster that is not there, or does not fit


@pytest.mark.deep
def test_no_scheduler(project):
    """One error names the address and the cure."""
    sweeping(project, 3)
    ran = project.build("--workers", f"tcp://127.0.0.1:{free_port()}", status=2)
    assert ran.err.count("there is no Dask scheduler at tcp://127.0.0.1:") == 1
    assert "docs/cluster.md" in ran.err


@pytest.mark.deep
def test_address_without_a_port(project):
    """The error says what the address lacks."""
    sweeping(project, 3)
    ran = project.build("--workers", "tcp://127.0.0.1", status=2)
    assert re.search(r"there is no Dask scheduler at tcp://127\.0\.0\.1 \(.*port", ran.err)


@pytest.mark.deep
def test_something_else_at_the_address(project):
    """A web server is no scheduler."""
    sweeping(project, 3)
    with HTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        ran = project.build("--workers", f"tcp://127.0.0.1:{server.server_port}", status=2)
        server.shutdown()
    assert "there is no Dask scheduler" in ran.err


@pytest.mark.deep
def test_silence_at_the_address(project):
    """What takes a connection and never answers is given up after ten seconds."""
    sweeping(project, 3)
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        ran = project.build("--workers", f"tcp://127.0.0.1:{server.getsockname()[1]}", status=2)
    assert "there is no Dask scheduler" in ran.err


@pytest.mark.parametrize("text", ["10.0.0.1:8786", "http://10.0.0.1:8786", "-1", "257"])
def test_workers_that_make_no_sense(project, text):
    """The message says what to write."""
    ran = project.build("--workers", text, status=2)
    assert "tcp://192.0.2.7:8786" in ran.err


@pytest.mark.deep
def test_worker_with_another_numpy(project, begin_cluster, tmp_path):
    """It refuses its tasks, which ends the build with the difference, whatever other workers there are."""
    other = tmp_path / "other/numpy-1.2.3.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 1.2.3\n")
    own = begin_cluster(1, nanny=False)
    own.begin_worker(PYTHONPATH=f"{other.parent}:{ROOT}", nanny=False)
    sweeping(project, 60)  # tasks enough for both workers
    ran = project.build("--workers", own.address, status=2)
    difference = r"numpy 1\.2\.3 there, \d+\.\d+\.\d+ here"
    assert re.search(rf"the worker at tcp://127\.0\.0\.1:\d+ would give other answers: {difference}", ran.err)
    assert ran.err.count("would give other answers") == 1
    assert not project.files()


@pytest.mark.deep
def test_worker_with_another_builder(project, begin_cluster, tmp_path):
    """Its code counts, whatever its version; the difference is named."""
    other = tmp_path / "other"
    shutil.copytree(ROOT / "site_builder", other / "site_builder", ignore=shutil.ignore_patterns("__pycache__"))
    with (other / "site_builder/errors.py").open("a") as changed:
        changed.write("# another version\n")
    own = begin_cluster(0)
    own.begin_worker(PYTHONPATH=str(other), nanny=False)
    sweeping(project, 5)
    ran = project.build("--workers", own.address, status=2)
    assert re.search(r"Puzzlepress [\d.]+ \(\w{8}\) there, [\d.]+ \(\w{8}\) here", ran.err)


@pytest.mark.deep
def test_worker_without_the_builder(project, begin_cluster):
    """The build ends where a Dask worker of somebody else answers."""
    own = begin_cluster(0)
    own.begin_worker(PYTHONPATH="", nanny=False)
    sweeping(project, 5)
    ran = project.build("--workers", own.address, status=2)
    assert "cannot import Puzzlepress: No module named 'site_builder'" in ran.err


# Things that die


@pytest.mark.deep
def test_worker_killed_in_mid_task(project, begin_cluster, go):
    """The task runs again on the worker that its nanny begins, and the site has the same bytes."""
    own = begin_cluster()
    begun = begin_sweep(project, own, waiting(go, above=10), points=15)
    before = own.pids()
    kill_busy_worker(own)
    go.touch()
    _out, err = begun.communicate(timeout=100)
    assert begun.returncode == 0, err
    assert own.pids() != before
    remote = project.files()
    project.forget()
    project.build()
    assert project.files() == remote


@pytest.mark.deep
def test_task_that_ends_its_workers(project, begin_cluster):
    """It is an error of its solver."""
    own = begin_cluster(DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0")
    project.write("solvers/gamblers_ruin.py", sleeping(60))
    project.post("{{ results.fair.half }}\n")
    begun = project.start("--workers", own.address)
    kill_busy_worker(own)
    _out, err = begun.communicate(timeout=100)
    assert begun.returncode == 1, err
    assert "it ended 1 worker of the cluster that ran it" in err


@pytest.mark.deep
def test_scheduler_that_goes_away(project, begin_cluster):
    """The build ends; one with another scheduler goes on where it was."""
    own = begin_cluster(nanny=False)
    begun = begin_sweep(project, own, sleeping(0.1), points=100)
    wait_for(lambda: stored_rows(project) > 20, "few points are in the cache")
    own.end()
    _out, err = begun.communicate(timeout=100)
    assert begun.returncode == 2, err
    assert f"the scheduler at {own.address} went away" in err
    other = begin_cluster(nanny=False)
    assert 0 < solved(project.build("--workers", other.address)) < 95


# What is left


@pytest.mark.deep
def test_ctrl_c_leaves_nothing_on_the_cluster(project, begin_cluster):
    """Status 130; the task is ended on its worker, and the scheduler knows no task any more."""
    own = begin_cluster(nanny=False)
    project.write("solvers/gamblers_ruin.py", sleeping(60))
    project.post("{{ results.fair.half }}\n")
    begun = project.start("--workers", own.address)
    wait_for(own.processing, "no worker has a task")
    wait_for(lambda: solving_below(own.workers[0].pid), "nothing is solved")
    begun.send_signal(signal.SIGINT)
    begun.communicate(timeout=120)
    assert begun.returncode == 130
    wait_for(lambda: not own.processing(), "a worker has a task")
    wait_for(lambda: not solving_below(own.workers[0].pid), "something is solved still")
    wait_for(lambda: own.n_tasks() == 0, "the scheduler knows tasks")


@pytest.mark.deep
def test_killed_build_leaves_nothing_and_is_resumed(project, begin_cluster, go):
    """What was answered before a kill -9 is in the cache; the workers end what they had.

    Points whose checks were still to come are solved again, about a third of this sweep.
    """
    own = begin_cluster(nanny=False)
    project.write("solvers/gamblers_ruin.py", waiting(go, above=40, seconds=0.1))
    sweeping(project, 100)
    begun = project.start("--workers", own.address)
    wait_for(lambda: stored_rows(project) > 20, "few points are in the cache")
    os.kill(begun.pid, signal.SIGKILL)
    begun.communicate(timeout=120)
    wait_for(lambda: own.n_tasks() == 0, "the scheduler knows tasks")
    wait_for(lambda: not solving_below(own.workers[0].pid), "something is solved still")
    go.touch()
    ran = project.build("--workers", own.address)
    assert 0 < solved(ran) < 95


@pytest.mark.deep
def test_window_bounds_what_is_under_way(project, begin_cluster):
    """However long the sweep, the scheduler knows few of its tasks at a time."""
    own = begin_cluster(2)
    project.write("solvers/gamblers_ruin.py", sleeping(0.01))
    sweeping(project, 200)
    begun = project.start("--workers", own.address)
    most = 0
    with own.client() as client:
        while begun.poll() is None:
            most = max(most, client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)))
            time.sleep(0.05)
    assert begun.returncode == 0
    assert 2 < most <= 16 + 8 + 5  # the window, what is just done, and what tasks share


@pytest.mark.deep
def test_no_worker_yet(project, begin_cluster):
    """The build says that it waits, and goes on with the first worker."""
    own = begin_cluster(0)
    sweeping(project, 3)
    begun = project.start("--workers", own.address)
    time.sleep(2)
    own.begin_worker()
    _out, err = begun.communicate(timeout=100)
    assert begun.returncode == 0, err
    assert "has no workers yet; the build waits for the first" in err


@pytest.mark.deep
@pytest.mark.needs("openssl")
def test_certificates_of_dasks_configuration(project, begin_cluster, tmp_path):
    """With Dask's own settings for TLS the same works over tls://."""
    files = {name: str(tmp_path / name) for name in ("key.pem", "cert.pem")}
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-keyout",
            files["key.pem"],
            "-out",
            files["cert.pem"],
        ],
        check=True,
        capture_output=True,
    )
    roles = ("SCHEDULER", "WORKER", "CLIENT")
    options = {"DASK_DISTRIBUTED__COMM__TLS__CA_FILE": files["cert.pem"]}
    options |= {f"DASK_DISTRIBUTED__COMM__TLS__{role}__CERT": files["cert.pem"] for role in roles}
    options |= {f"DASK_DISTRIBUTED__COMM__TLS__{role}__KEY": files["key.pem"] for role in roles}
    own = begin_cluster(1, protocol="tls", **options)
    sweeping(project, 3)
    project.build("--workers", own.address, **options)
    project.forget()
    assert "there is no Dask scheduler" in project.build("--workers", own.address, status=2).err  # without certificates


def stored_rows(project):
    """How many points of sweeps are in the cache."""
    path = project.root / ".store" / NAME
    if not path.exists():
        return 0
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as store, suppress(sqlite3.OperationalError):
        return store.execute("SELECT count(*) FROM entries WHERE kind = 'row'").fetchone()[0]
    return 0


def solved(ran):
    """How many solutions a build had to compute."""
    found = re.search(r"(\d+) solutions?\b", ran.out)
    return int(found[1]) if found else 0


def kill_busy_worker(made):
    """Kill a worker that solves something; its nanny begins another."""
    worker = next(iter(wait_for(made.processing, "no worker has a task")))
    pid = made.pids()[worker]
    wait_for(lambda: solving_below(pid), "nothing is solved")
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: worker not in made.addresses(), "the worker is still there")


def below(pid):
    """The processes that a process has started, and those that they have started, with their command lines."""
    children = {}
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry.name))
    waiting, found = [pid], {}
    while waiting:
        for child in children.get(waiting.pop(), ()):
            with suppress(OSError):
                found[child] = Path(f"/proc/{child}/cmdline").read_bytes().decode()
            waiting.append(child)
    return found


def solving_below(pid):
    """The processes of tasks: children of workers, which are children of the process that starts workers."""
    starting = [each for each, words in below(pid).items() if "forkserver" in words]
    workers = [each for parent in starting for each in children_of(parent)]
    return [each for worker in workers for each in children_of(worker)]


def children_of(pid):
    """The processes that this one has started and that run still."""
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
