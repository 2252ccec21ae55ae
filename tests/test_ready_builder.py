"""Builds by ready processes are those that begin from nothing, as far as a solver can tell."""

import json

import pytest

from tests.conftest import RUIN

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
        RUIN.replace("\n    ratio = (1", SEEN, 1).replace('{"a_b": 1}', "{json.dumps(seen): 1}"),
    )
    project.post("{{ results.fair.half }}\n")

    def build(**settings):
        project.forget()
        said = project.run("solve", "gamblers_ruin", "--json", **settings).out
        (seen,) = json.loads(said)["result"]["names"]
        return json.loads(seen)

    return build


def test_a_worker_of_a_ready_build_has_what_one_from_nothing_has(seen, project):
    ready = seen()
    project.from_nothing = True
    fresh = seen()

    assert ready["variables"]["PYTHONHASHSEED"] == "0"
    assert ready == fresh
