"""Work that does not end is interrupted, and what was set before is set again."""

import re
import signal
import threading

import pytest

from site_builder.project.work_limits import TimeIsUpError, limited

GENEROUS = 3600.0  # seconds: a test that needs them has failed


def endless_loop():
    while True:
        pass


def endless_search():
    re.match(r"(a|aa)+$", "a" * 60 + "b")  # each letter doubles the time


@pytest.mark.parametrize("work", [endless_loop, endless_search])
def test_what_does_not_end_is_interrupted(work):
    with pytest.raises(TimeIsUpError), limited(0.05):
        work()


def test_afterwards_all_is_as_it_was():
    handler = signal.getsignal(signal.SIGALRM)

    with limited(GENEROUS):
        assert signal.getsignal(signal.SIGALRM) != handler

    assert signal.getsignal(signal.SIGALRM) == handler
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_a_limit_within_another_or_in_a_thread_adds_none():
    counted = []

    def work():
        with limited(0.0001):
            counted.append(sum(range(10**6)))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    with limited(GENEROUS):
        work()

    assert counted == [499_999_500_000] * 2
