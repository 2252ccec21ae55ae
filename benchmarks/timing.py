"""Medians of two functions timed in turn in one process, so that a drifting machine slows both alike.

A function alone is timed in a process of its own, so that its peak of memory is its own as well.
"""

import multiprocessing
import resource
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Comparison:
    """Median seconds of both, and the median of the ratios taken pair by pair."""

    name: str
    ours: float
    plain: float
    ratio: float

    def __str__(self) -> str:
        return f"{self.name:<44} {self.ours:9.4f} s {self.plain:9.4f} s {self.ratio:8.1f}x"


def seconds(function: Callable[[], object]) -> float:
    """How long one call takes, by the clock on the wall."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def median_seconds(function: Callable[[], object], rounds: int = 5) -> float:
    """Median over `rounds` calls after one that is not counted."""
    function()
    return statistics.median(seconds(function) for _ in range(rounds))


def compare(name: str, ours: Callable[[], object], plain: Callable[[], object], rounds: int = 5) -> Comparison:
    """`plain` against `ours`, in turn, after one uncounted call of each."""
    ours()
    plain()
    pairs = [(seconds(ours), seconds(plain)) for _ in range(rounds)]
    return Comparison(
        name,
        statistics.median(a for a, _ in pairs),
        statistics.median(b for _, b in pairs),
        statistics.median(b / a for a, b in pairs),
    )


def print_alone(name: str, function: Callable[[], object], rounds: int = 3) -> None:
    """Print the medians of the seconds and CPU seconds of a function, and the peak of its process in MB.

    One call is not counted. function: one at the top level of a module. Call this before anything else: the new process
    counts the memory that this one has taken by then as its own.
    """
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        wall, cpu, memory = pool.apply(_alone, (function, rounds))
    print(f"{name:<44} {wall:9.4f} s {cpu:9.4f} s CPU {memory:6} MB")


def _alone(function: Callable[[], object], rounds: int) -> tuple[float, float, int]:
    function()
    walls, cpus = [], []
    for _ in range(rounds):
        start = time.process_time()
        walls.append(seconds(function))
        cpus.append(time.process_time() - start)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return statistics.median(walls), statistics.median(cpus), memory
