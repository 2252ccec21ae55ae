"""Work that does not end, or takes all memory, is interrupted in any thread, and what was set before is set again."""

import re
import resource
import signal
import subprocess
import sys
import threading
from contextlib import suppress

import pytest

from site_builder.project.work_limits import TimeIsUpError, limited
from tests.conftest import ROOT

MIB = 2**20
GENEROUS = 3600.0  # seconds: a test that needs them has failed


def endless_loop():
    while True:
        pass


def endless_search():
    re.match(r"(a|aa)+$", "a" * 60 + "b")  # each letter doubles the time


def doubled_text():
    text = "x"
    while True:
        text += text


def in_thread(function):
    """What a function raises in a thread of its own."""
    caught = []

    def run():
        try:
            function()
        except BaseException as error:
            caught.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return caught[0] if caught else None


@pytest.mark.parametrize("work", [endless_loop, endless_search])
def test_what_does_not_end_is_interrupted(work):
    with pytest.raises(TimeIsUpError), limited(0.05):
        work()


def test_what_does_not_end_is_interrupted_in_another_thread():
    def run():
        with limited(0.05):
            endless_loop()

    assert isinstance(in_thread(run), TimeIsUpError)


@pytest.mark.parametrize("call", [lambda function: function(), in_thread])
def test_what_takes_all_memory_is_refused_it(call):
    refused = []

    def run():
        with limited(GENEROUS, 64 * MIB):
            try:
                doubled_text()
            except MemoryError:
                refused.append(True)

    call(run)

    assert refused == [True]


def test_afterwards_all_is_as_it_was():
    handler, limits = signal.getsignal(signal.SIGALRM), resource.getrlimit(resource.RLIMIT_DATA)

    with limited(GENEROUS, 64 * MIB):
        assert resource.getrlimit(resource.RLIMIT_DATA) != limits

    assert signal.getsignal(signal.SIGALRM) == handler
    assert resource.getrlimit(resource.RLIMIT_DATA) == limits


def test_blocks_of_two_threads_leave_the_limit_of_memory_as_it_was():
    limits = resource.getrlimit(resource.RLIMIT_DATA)
    is_within, may_leave = threading.Event(), threading.Event()

    def second():
        with limited(GENEROUS, 64 * MIB):
            is_within.set()
            may_leave.wait()

    thread = threading.Thread(target=second)
    with limited(GENEROUS, 64 * MIB):
        thread.start()
        is_within.wait()
    while_one_runs = resource.getrlimit(resource.RLIMIT_DATA)
    may_leave.set()
    thread.join()

    assert while_one_runs != limits
    assert resource.getrlimit(resource.RLIMIT_DATA) == limits


PROFILED = """
import sys, threading
from site_builder.project.work_limits import limited

def work():
    with limited(60):
        pass

thread = threading.Thread(target=work)
thread.start()
thread.join()
sys.setprofile(lambda *_: None)
work()
"""


def test_a_profiler_can_run_after_the_limits_of_a_thread():
    # An exception for a thread that never comes makes CPython 3.11 try the next step of a profiled function for ever.
    done = subprocess.run([sys.executable, "-c", PROFILED], cwd=ROOT, capture_output=True, timeout=120, check=False)

    assert (done.returncode, done.stderr) == (0, b"")


def test_a_thread_whose_time_is_up_as_it_ends_has_ended():
    ends = []

    def work():
        for _ in range(300):
            with suppress(TimeIsUpError), limited(0.0002):
                for _ in range(1000):
                    pass
        ends.append(sum(range(1000)))

    assert in_thread(work) is None
    assert ends == [499_500]


def test_no_watch_outlives_its_block_though_time_is_up_at_once():
    def work():
        for _ in range(100):
            with suppress(TimeIsUpError), limited(0.000_001):
                pass

    in_thread(work)

    for thread in [each for each in threading.enumerate() if each.name == "time limit"]:
        thread.join(60)
        assert not thread.is_alive()


def test_a_limit_within_another_adds_none():
    steps = 0
    with limited(GENEROUS), limited(0.0001):
        for _ in range(10**6):
            steps += 1

    assert steps == 10**6
