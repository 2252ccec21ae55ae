"""The progress of a solve, which the worker reports to the build."""

from collections.abc import Callable

_listeners: list[Callable[[float], None]] = []


def progress(done: float, total: float) -> None:
    """Say how much of its work a solve has done; a build or `solve` on a terminal shows it with the time left.

    done, total: in any unit, such as rows of a table, 0 <= done <= total and total > 0. It changes no result, and where
    nobody waits it does nothing; a call costs about a microsecond. Raises ValueError for other numbers.
    """
    if not 0 <= done <= total or not total > 0:
        raise ValueError(f"progress({done!r}, {total!r}): done must be between 0 and total, and total above 0")
    for listen in _listeners:
        listen(done / total)


def listen(listener: Callable[[float], None]) -> None:
    """Report every later share of work, from 0 to 1, to this listener alone."""
    _listeners[:] = [listener]
