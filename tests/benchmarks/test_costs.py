"""What a command costs: with all that it starts, whoever waits for it."""

import sys
import time
from pathlib import Path

import pytest
from costs import FailedError, cost_of

BURN = "import time\nwhile time.process_time() < {}: pass\n"
ROUNDED = 0.02  # seconds: times of processes are counted in ticks
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process adopt orphans")


def cost(tmp_path, script, name="script.py"):
    (tmp_path / name).write_text(script, "utf-8")
    return cost_of([sys.executable, name], tmp_path, tmp_path / "log")


def test_the_time_of_a_command_is_counted(tmp_path):
    found = cost(tmp_path, BURN.format(0.3))

    assert 0.3 <= found.cpu <= found.wall + ROUNDED


def test_the_time_of_a_process_that_its_parent_does_not_wait_for_is_counted(tmp_path):
    (tmp_path / "burn.py").write_text(BURN.format(0.3), "utf-8")

    began = time.perf_counter()
    found = cost(tmp_path, "import subprocess, sys\nsubprocess.Popen([sys.executable, 'burn.py'])\n")

    assert 0.3 <= found.cpu <= time.perf_counter() - began + ROUNDED


def test_the_time_of_a_worker_behind_a_server_of_processes_is_counted(tmp_path):
    # The way that the builder starts its workers: they are children of another process than the build's.
    script = (
        f"import multiprocessing\ndef burn():\n    exec({BURN.format(0.3)!r})\n"
        "if __name__ == '__main__':\n"
        "    worker = multiprocessing.get_context('forkserver').Process(target=burn)\n"
        "    worker.start()\n    worker.join()\n"
    )

    assert cost(tmp_path, script).cpu >= 0.3


def test_waiting_costs_no_processor_time(tmp_path):
    found = cost(tmp_path, "import time\ntime.sleep(0.3)\n")

    assert found.wall >= 0.3
    assert found.cpu <= found.wall - 0.3 + ROUNDED


def test_the_memory_is_that_of_the_largest_process(tmp_path):
    (tmp_path / "large.py").write_text("held = bytearray(100_000_000)\n", "utf-8")

    found = cost(tmp_path, "import subprocess, sys\n" + 2 * "subprocess.run([sys.executable, 'large.py'])\n")

    assert 100_000_000 <= found.peak <= 140_000_000


def test_a_command_that_fails_is_told_with_its_last_words(tmp_path):
    with pytest.raises(FailedError, match=r"ended with status 3\nno such puzzle"):
        cost(tmp_path, "import sys\nprint('no such puzzle')\nsys.exit(3)\n")


def test_what_a_command_says_goes_into_the_log(tmp_path):
    cost(tmp_path, "import sys\nprint('built', flush=True)\nprint('slowly', file=sys.stderr)\n")

    assert Path(tmp_path / "log").read_text("utf-8") == "built\nslowly\n"
