"""The limit of time of texts and templates, where a test says when the time is up, however slow the machine is."""

import signal

from jinja2.sandbox import safe_range

ENDLESS = 99_999  # the largest of decimal nines that Jinja's sandbox takes


def range_that_takes_all_time(*numbers: int) -> range:
    """Jinja's `range`; soon after one of ENDLESS numbers begins, all time is up."""
    if numbers == (ENDLESS,):
        signal.setitimer(signal.ITIMER_REAL, 0.02, 0.5)  # again, where a destructor has suppressed the first
    return safe_range(*numbers)
