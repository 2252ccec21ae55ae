"""How long builds take: everything, nothing changed, one thing changed; beside Pelican with its cache and Hugo.

python benchmarks/rebuilding.py [--posts 1000] [--runs 3] [--only puzzlepress,pelican,hugo] [--json FILE]
"""

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from blogs import PINNED, TEMPLATE, TITLE, Blog, WrongError, engine, install_peers, made_blog, own_blog
from corpus import make_post
from costs import Cost, FailedError

ENGINES = ("puzzlepress", "pelican", "hugo")
OWN = "the project's 5"
COLD, NOTHING, EDITED = "cold", "nothing changed", "one post edited"
# At most, as (posts, change, what of the cost, limit): seconds, and bytes of one process.
WANTED = (
    (OWN, NOTHING, "cpu", 0.12),
    (OWN, EDITED, "cpu", 0.4),
    ("1,000", NOTHING, "cpu", 0.08),
    ("1,000", EDITED, "cpu", 0.4),
    ("1,000", COLD, "cpu", 8.0),
    ("1,000", COLD, "wall", 4.2),
    ("10,000", NOTHING, "cpu", 0.15),
    ("10,000", EDITED, "cpu", 0.8),
    *(("10,000", change, "peak", 300e6) for change in (COLD, NOTHING, EDITED)),
)


@dataclass(frozen=True)
class Measured:
    """One build. posts: which blog, in words; engine: its title."""

    posts: str
    change: str
    engine: str
    round: int
    cost: Cost


Change = Callable[[Blog, int], None]
Row = tuple[str, str, str]


def cold(blog: Blog, round: int) -> None:
    """Nothing is there that a build has made."""
    blog.forget()


def nothing(blog: Blog, round: int) -> None:
    """All is as the last build found it."""


def edit_a_post(blog: Blog, round: int) -> None:
    """Another word in one post, in another one each round."""
    slugs = sorted(blog.words)
    slug = slugs[round * 7919 % len(slugs)]
    blog.replace(blog.source(slug), blog.words[slug], f"zqedit{round}")
    blog.words[slug] = f"zqedit{round}"


def edit_the_template(blog: Blog, round: int) -> None:
    """Another word in the shell of every page."""
    _everywhere(blog, "templates/base.html", TEMPLATE, f"tpledit{round}")


def edit_the_title(blog: Blog, round: int) -> None:
    """Another title of the site in its settings."""
    _everywhere(blog, "config.yaml", TITLE, f"titleedit{round}")


def _everywhere(blog: Blog, path: str, first: str, new: str) -> None:
    blog.replace(blog.folder / path, blog.everywhere[first], new)
    blog.everywhere[first] = new


def add_a_post(blog: Blog, round: int) -> None:
    """One more post, somewhere between the others by its date."""
    blog.add(make_post(len(blog.words), len(blog.words)))


def add_a_tag(blog: Blog, round: int) -> None:
    """One more tag on one post, which no other post has."""
    slugs = sorted(blog.words)
    source = blog.source(slugs[round * 7907 % len(slugs)])
    blog.replace(source, "\ntags: [", f"\ntags: [tagged-{round}, ")


def remove_a_post(blog: Blog, round: int) -> None:
    """The post that was added is gone."""
    blog.remove(max(blog.words))


EVERYBODY: Mapping[str, Change] = {COLD: cold, NOTHING: nothing, EDITED: edit_a_post}
OURS_ALONE: Mapping[str, Change] = {
    "template edited": edit_the_template,
    "title in config.yaml edited": edit_the_title,
    "one post added": add_a_post,
    "one post removed": remove_a_post,
}

WITH_SEARCH: Mapping[str, Change] = {
    "with a search index, nothing changed": nothing,
    "with a search index, one post edited": lambda blog, round: edit_a_post(blog, round + 500),  # another one
}


def measure(name: str, blogs: Sequence[Blog], changes: Mapping[str, Change], round: int) -> list[Measured]:
    """One round: after each change every blog in turn, so that noise falls on all alike; who begins changes as well."""
    first = (round - 1) % len(blogs)
    found = []
    for words, change in changes.items():
        for blog in (*blogs[first:], *blogs[:first]):
            before = blog.bytes_of_site() if change is cold and blog.is_ours and blog.site.exists() else None
            change(blog, round)
            os.sync()  # no build pays for what was written before it
            cost = blog.build()
            if before is not None and before != blog.bytes_of_site():
                raise WrongError("Puzzlepress: the site built anew is not the one that was built change by change")
            found.append(told(Measured(name, words, blog.engine.title, round, cost)))
    return found


def measure_search(name: str, blog: Blog, round: int) -> list[Measured]:
    """What it costs when a search index is wanted as well: of a site that has none yet, and after changes."""
    found = []
    for words, change in {"search index added": nothing, **WITH_SEARCH}.items():
        change(blog, round)
        os.sync()
        found.append(told(Measured(name, words, blog.engine.title, round, blog.build(search=True))))
        indexed = len(list(blog.site.glob("pagefind/**/*.pf_fragment")))
        if indexed != len(blog.words):
            raise WrongError(f"Puzzlepress: {indexed} pages in the index of {len(blog.words)} posts")
    blog.build()
    return found


def told(measured: Measured) -> Measured:
    """The same, after a line about it for whoever waits."""
    cost = measured.cost
    print(
        f"round {measured.round}, {measured.posts} posts, {measured.change}, {measured.engine}: "
        f"{cost.cpu:.2f} s CPU, {cost.wall:.2f} s, {cost.peak / 2**20:.0f} MiB",
        file=sys.stderr,
    )
    return measured


def table(found: Sequence[Measured]) -> str:
    """Medians in Markdown. Ratios are medians too, of the ratios to Puzzlepress within each round."""
    costs: dict[Row, list[Cost]] = {}
    for one in found:
        costs.setdefault((one.posts, one.change, one.engine), []).append(one.cost)
    lines = [
        "| posts | change | engine | CPU s | wall s | peak MiB | CPU, times ours | wall, times ours | wanted at most |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for (posts, change, title), own in costs.items():
        ours = costs.get((posts, change, "Puzzlepress"), [])
        is_ours = title == "Puzzlepress"
        cells = [posts, change, title, *(_shown(_median(own, what)) for what in ("cpu", "wall"))]
        cells.append(f"{_median(own, 'peak') / 2**20:.0f}")
        for what in ("cpu", "wall"):
            pairs = zip(own, ours, strict=True) if ours and not is_ours else ()
            ratios = [getattr(theirs, what) / getattr(our, what) for theirs, our in pairs]
            cells.append(_shown(statistics.median(ratios)) if ratios else "")
        cells.append(_verdicts(posts, change, own) if is_ours else "")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _verdicts(posts: str, change: str, costs: Sequence[Cost]) -> str:
    units = {"cpu": (1, "s CPU"), "wall": (1, "s wall"), "peak": (1e6, "MB")}
    verdicts = []
    for *where, what, limit in WANTED:
        if where == [posts, change]:
            size, unit = units[what]
            verdict = "met" if _median(costs, what) <= limit else "**missed**"
            verdicts.append(f"{limit / size:g} {unit} {verdict}")
    return ", ".join(verdicts)


def _median(costs: Sequence[Cost], what: str) -> float:
    return statistics.median(float(getattr(cost, what)) for cost in costs)


def _shown(number: float) -> str:
    return f"{number:.2f}" if number < 10 else f"{number:.1f}"


def run(posts: int, runs: int, only: Sequence[str], folder: Path) -> list[Measured]:
    """All that was asked for, measured. Raises FailedError and WrongError."""
    if set(only) != {"puzzlepress"}:
        install_peers()
    engines = [engine(name) for name in ENGINES if name in only]
    blogs = [made_blog(each, folder / each.name, posts) for each in engines]
    found = []
    for round in range(1, runs + 1):
        name = f"{posts:,}"
        found += measure(name, blogs, EVERYBODY, round)
        for blog in blogs:
            if blog.is_ours:
                found += measure(name, [blog], OURS_ALONE, round)
                found += measure_search(name, blog, round)
    own = [own_blog(each, folder / "own") for each in engines if each.name == "puzzlepress"]
    for round in range(1, runs + 1 if own else 1):
        found += measure(OWN, own, EVERYBODY, round)
    return found


def main() -> None:
    """Measure and print the table."""
    names = ENGINES
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", type=int, default=1000, help="posts of the made blog  [1000]")
    parser.add_argument("--runs", type=int, default=3, help="rounds, of which the table has medians  [3]")
    parser.add_argument("--only", default=",".join(names), help=f"some of {', '.join(names)}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every single measurement there")
    asked = parser.parse_args()
    only = asked.only.split(",")
    if not set(only) <= set(names) or not set(only) & set(ENGINES) or asked.posts < 1 or asked.runs < 1:
        parser.error(f"--only takes some of {', '.join(names)}; --posts and --runs are at least 1")
    with tempfile.TemporaryDirectory(prefix="puzzlepress-benchmark-") as folder:
        try:
            found = run(asked.posts, asked.runs, only, Path(folder).resolve())
        except (FailedError, WrongError) as error:
            sys.exit(str(error))
    machine = {"processors": os.cpu_count(), "python": platform.python_version(), "versions": PINNED}
    if asked.json is not None:
        asked.json.write_text(json.dumps(machine | {"found": [asdict(one) for one in found]}, indent=1) + "\n", "utf-8")
    print(f"{machine['processors']} processors, Python {machine['python']}, medians of {asked.runs}\n")
    print(table(found))


if __name__ == "__main__":
    main()
