"""How the cost of a build grows with the number of posts.

python benchmarks/growth.py [--posts 100,1000,10000,30000] [--runs 3]
"""

import argparse
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from blogs import WrongError, engine, made_blog
from costs import Cost, FailedError
from rebuilding import COLD, EDITED, NOTHING, Change, Measured, add_a_tag, cold, edit_a_post, measure, nothing

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


def medians(found: Sequence[Measured]) -> Medians:
    """For each change and number of posts the median of each cost."""
    costs: dict[str, dict[int, list[Cost]]] = {}
    for one in found:
        costs.setdefault(one.change, {}).setdefault(int(one.posts), []).append(one.cost)
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


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", default="100,1000,10000,30000", help="sizes of the made blog")
    parser.add_argument("--runs", type=int, default=3, help="rounds of all but the cold build  [3]")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="puzzlepress-benchmark-") as folder:
        try:
            found = run([int(size) for size in asked.posts.split(",")], asked.runs, Path(folder).resolve())
        except (FailedError, WrongError) as error:
            sys.exit(str(error))
    print(table(medians(found)))


if __name__ == "__main__":
    main()
