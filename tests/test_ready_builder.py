"""Builds by ready processes are those that begin from nothing, as far as a solver can tell."""

import json
import signal

import pytest

from site_builder.cli.main import main
from tests.conftest import RUIN
from tests.processes import BEGUN, processes_left_in, wait_until_begun

# What a process has from whoever began it; how it came to what it has loaded is left out, which is what differs.
SEEN = """
    import json, locale, os, resource, signal, sys, time
    handlers = map(signal.getsignal, (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGUSR1))
    seen = {
        "folder": os.getcwd(),
        "variables": dict(os.environ),
        "path": [*dict.fromkeys(sys.path)],
        "hash": hash("a word"),
        "flags": str(sys.flags),
        "zone": time.tzname,
        "encoding": locale.getpreferredencoding(),
        "signals": [getattr(each, "__name__", str(each)) for each in handlers],
        "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
        "limits": [resource.getrlimit(each) for each in (resource.RLIMIT_CPU, resource.RLIMIT_NOFILE)],
        "tests": [name for name in sys.modules if name.partition(".")[0] in ("tests", "solvers", "_pytest")],
        "input": os.readlink("/proc/self/fd/0"),
        "one output": os.path.sameopenfile(1, 2),
    }
    ratio = (1"""


@pytest.fixture
def seen(project):
    """What a solver of the project sees in a build with these variables."""
    project.write(
        "solvers/gamblers_ruin.py",
        RUIN.replace("\n    ratio = (1", SEEN, 1)
        .replace(', "names": {"a_b": 1}}', "}")
        .replace('{"a_b": 1}', "{json.dumps(seen): 1}")
        .replace(', "names": names}', "}"),
    )
    project.post("{{ results.fair.half }}\n")

    def build(is_started=False):
        project.forget()
        command = ("solve", "gamblers_ruin", "--json")
        said = project.start(*command).communicate(120)[0] if is_started else project.run(*command).out
        (seen,) = json.loads(said)["result"]["names"]
        return json.loads(seen)

    return build


def test_a_worker_of_a_ready_build_has_what_one_from_nothing_has(seen, project):
    ready, started = seen(), seen(is_started=True)
    project.from_nothing = True
    fresh = seen()

    assert ready["variables"]["PYTHONHASHSEED"] == "0"
    assert ready == fresh
    assert started == fresh


def test_a_started_command_gives_its_messages_and_its_status(project):
    done = project.start("solve", "nobody")

    assert "no solver is named 'nobody'" in done.communicate(120)[1]
    assert done.poll() == done.returncode == 2


def test_a_started_command_is_ended_by_a_signal(project):
    project.write(
        "solvers/gamblers_ruin.py", RUIN.replace("    ratio = (1", f"{BEGUN}    while True: pass\n    ratio = (1", 1)
    )
    with project.start("solve", "gamblers_ruin") as running:
        wait_until_begun(project.root)

        running.send_signal(signal.SIGKILL)

        assert running.wait(120) == -signal.SIGKILL
        assert processes_left_in(project.root) == []


def test_what_a_ready_build_has_stored_is_known_to_a_build_in_the_process_of_the_tests(project, capsys):
    project.post("{{ results.fair.half }}\n")
    project.build()

    assert main(project.root, ["build"]) == 0

    assert capsys.readouterr().out.startswith("Nothing has changed")
