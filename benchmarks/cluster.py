"""What a Dask cluster costs, and how it scales: one sweep on 1, 2, 4 and 8 workers of this machine.

    .venv/bin/python benchmarks/cluster.py [--points 2000] [--milliseconds 50] [--busy] [--workers 1,2,4,8]

The solver sleeps at each point, or with --busy computes, which on two cores shows costs and no scaling. In the same
run, on the same workers, Dask's own `Client.map` calls a function that does the same as often, without Puzzlepress.
Work is the time that all points need one after the other, divided by the number of workers; what a run takes beyond it
is overhead. The build has made a site of other points before, and each worker has run some, since both load libraries
and read code once. What a build does beside the sweep is measured by one of a single point for each worker, and taken
off.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from tests.support.cluster import Cluster, cluster  # noqa: E402

SOLVER = '''"""A solver that takes its time."""

import time


def solve(n: int = 0):
    """Twice the number."""
    WORK
    return {"double": 2 * n}


def check_sum(n):
    """The sum"""
    return {"double": n + n}
'''
SLEEP = "time.sleep(SECONDS)"
COMPUTE = "end = time.process_time() + SECONDS\n    while time.process_time() < end:\n        pass"
POST = """---
title: Many points
date: 2026-11-23
runs:
  many: {solver: slow, sweep: {n: {start: FIRST, stop: LAST, steps: POINTS}}, keep: [double]}
---
{{ results.many.double | last }}
"""


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=2000)
    parser.add_argument("--milliseconds", type=float, default=50)
    parser.add_argument("--busy", action="store_true", help="points compute in place of sleeping")
    parser.add_argument("--workers", default="1,2,4,8")
    asked = parser.parse_args()
    seconds = asked.milliseconds / 1000
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{asked.points:,} points of {asked.milliseconds:g} ms; {machine}")
    print("workers     work    build   beside  Client.map  efficiency           overhead a point")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for count in map(int, asked.workers.split(",")):
            home = folder / f"cluster{count}"
            home.mkdir()
            with cluster(home, count) as made:
                built(made, folder / f"site{count}", 8 * count, seconds, asked.busy, first=10**6)
                site = partial(built, made, folder / f"site{count}", seconds=seconds, is_busy=asked.busy)
                beside = site(count, first=10**5) - seconds
                plain = mapped(made, asked.points, seconds, asked.busy)
                whole = site(asked.points)
            work = asked.points * seconds / (min(count, os.cpu_count() or 1) if asked.busy else count)
            ours = whole - beside
            each = [1000 * (took - work) / asked.points for took in (ours, plain)]
            words = f"{each[0]:.1f} ms, of Client.map {each[1]:.1f} ms"
            row = f"{count:>7} {work:>6.1f} s {whole:>6.1f} s {beside:>6.1f} s {plain:>9.1f} s"
            print(f"{row} {100 * work / ours:>9.0f} % {words:>26}", flush=True)


def mapped(made: Cluster, points: int, seconds: float, is_busy: bool) -> float:
    """How long `Client.map` takes for as many calls that take as long."""

    def sleep(_: int) -> None:
        time.sleep(seconds)

    def compute(_: int) -> None:
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass

    with made.client() as client:
        began = time.perf_counter()
        client.gather(client.map(compute if is_busy else sleep, range(points), pure=False))
        return time.perf_counter() - began


def built(made: Cluster, folder: Path, points: int, seconds: float, is_busy: bool, first: int = 1) -> float:
    """How long a build of one post takes that has a sweep of these points, none of which is in the cache."""
    work = (COMPUTE if is_busy else SLEEP).replace("SECONDS", f"{seconds}")
    files = {
        "config.yaml": "title: A blog\nbase_url: https://blog.example.org/\nlimits: {time: none}\n",
        "solvers/slow.py": SOLVER.replace("WORK", work),
        "content/posts/many.md": POST.replace("POINTS", str(points))
        .replace("FIRST", str(first))
        .replace("LAST", str(first + points - 1)),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    code = (
        "import sys; from pathlib import Path; from site_builder.cli.main import main; main(Path.cwd(), sys.argv[1:])"
    )
    words = ["build", "--no-search", "--workers", made.address]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code, *words], cwd=folder, env=environment, check=True, capture_output=True)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
