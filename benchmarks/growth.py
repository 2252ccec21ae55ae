"""How the cost of a build grows with the number of posts; writes growth.json, and the picture of docs/performance.md.

python benchmarks/growth.py [--posts 100,1000,10000,30000] [--runs 3]
python benchmarks/growth.py --draw    # the picture and the table alone, from growth.json
"""

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

sys.path.insert(0, str(Path(__file__).resolve().parent))

from blogs import PROJECT, WrongError, engine, made_blog
from costs import Cost, FailedError
from rebuilding import COLD, EDITED, NOTHING, Change, Measured, add_a_tag, cold, edit_a_post, measure, nothing

RESULTS = PROJECT / "benchmarks" / "growth.json"
PICTURE = PROJECT / "docs" / "performance.svg"
TAGGED = "tag added"
CHANGES: Mapping[str, Change] = {COLD: cold, NOTHING: nothing, EDITED: edit_a_post, TAGGED: add_a_tag}
OFTEN = {name: change for name, change in CHANGES.items() if name != COLD}

Medians = Mapping[str, Mapping[int, Cost]]


def run(sizes: Sequence[int], runs: int, folder: Path) -> list[Measured]:
    """Every change at every size: a cold build once, the others `runs` times. Raises FailedError and WrongError."""
    found = []
    for size in sizes:
        blog = made_blog(engine("puzzlepress"), folder / f"{size}", size)
        name = f"{size}"
        found += measure(name, [blog], CHANGES, 1)
        for round in range(2, runs + 1):
            found += measure(name, [blog], OFTEN, round)
    return found


def medians(found: Sequence[Mapping[str, object]]) -> Medians:
    """For each change and number of posts the median of each cost."""
    costs: dict[str, dict[int, list[Cost]]] = {}
    for one in found:
        cost = Cost(**one["cost"])  # type: ignore[arg-type]
        costs.setdefault(str(one["change"]), {}).setdefault(int(str(one["posts"])), []).append(cost)
    return {
        change: {
            size: Cost(*(statistics.median(getattr(each, what) for each in own) for what in ("cpu", "wall", "peak")))
            for size, own in sorted(sizes.items())
        }
        for change, sizes in costs.items()
    }


def table(costs: Medians) -> str:
    """The medians in Markdown: CPU seconds, and the peak of the largest process."""
    sizes = sorted({size for own in costs.values() for size in own})
    lines = [f"| | {' | '.join(f'{size:,} posts' for size in sizes)} |", f"|---|{'---|' * len(sizes)}"]
    for change, own in costs.items():
        cells = [f"{own[size].cpu:.2f} s, {own[size].peak / 2**20:.0f} MiB" if size in own else "" for size in sizes]
        lines.append(f"| {change} | {' | '.join(cells)} |")
    return "\n".join(lines)


def draw(costs: Medians, file: Path) -> None:
    """Both curves of every change, on logarithmic scales: CPU seconds, and the peak of the largest process."""
    import matplotlib

    settings = {"svg.hashsalt": "puzzlepress", "svg.fonttype": "none", "font.size": 10}
    with matplotlib.rc_context(settings):
        _drawn(costs).savefig(file, format="svg", metadata={"Date": None})


def _drawn(costs: Medians) -> "Figure":
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator, StrMethodFormatter

    figure = Figure(figsize=(9, 3.8), layout="constrained")
    for axes, label, of in zip(
        figure.subplots(1, 2),
        ("CPU seconds, all processes", "peak of the largest process, MiB"),
        (lambda cost: cost.cpu, lambda cost: cost.peak / 2**20),
        strict=True,
    ):
        for (change, own), marker in zip(costs.items(), "osD^", strict=False):
            axes.loglog(list(own), [of(cost) for cost in own.values()], marker=marker, markersize=4, label=change)
        axes.set_xticks(sorted({size for own in costs.values() for size in own}))
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 3)))
        axes.minorticks_off()
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(StrMethodFormatter("{x:,g}"))
        axes.set(xlabel="posts", ylabel=label)
        axes.grid(alpha=0.3)
    figure.axes[0].legend(frameon=False)
    return figure


def main() -> None:
    """Measure, or read what was measured; print the table and draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", default="100,1000,10000,30000", help="sizes of the made blog")
    parser.add_argument("--runs", type=int, default=3, help="rounds of all but the cold build  [3]")
    parser.add_argument("--draw", action="store_true", help="measure nothing")
    asked = parser.parse_args()
    if not asked.draw:
        with tempfile.TemporaryDirectory(prefix="puzzlepress-benchmark-") as folder:
            try:
                found = run([int(size) for size in asked.posts.split(",")], asked.runs, Path(folder).resolve())
            except (FailedError, WrongError) as error:
                sys.exit(str(error))
        machine = {"processors": os.cpu_count(), "python": platform.python_version()}
        RESULTS.write_text(json.dumps(machine | {"found": [asdict(one) for one in found]}, indent=1) + "\n", "utf-8")
    costs = medians(json.loads(RESULTS.read_text("utf-8"))["found"])
    print(table(costs))
    draw(costs, PICTURE)


if __name__ == "__main__":
    main()
