"""How long an author waits in the preview: from a saved edit to the page that shows it, and for the first page.

    .venv/bin/python benchmarks/serving.py [--posts 1000] [--edits 15] [--only puzzlepress,hugo]

One blog for each program, the same posts. A page is asked for again and again over HTTP, a hundredth of a second apart,
until it has what was saved; and, of Puzzlepress, also as an open page asks: whenever the preview tells of another one.
Edits of prose take turns between the programs, so that all of them meet the same machine.
A parameter is changed in config.yaml, of a run in a post without and in one with a figure; the solver's own time, which
its check cannot be without, is what `solve --json` says of it.
"""

import argparse
import json
import os
import platform
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from socket import create_server
from urllib.parse import urlencode, urljoin
from urllib.request import urlopen

sys.path.insert(0, str(Path(__file__).resolve().parent))
from blogs import PROJECT, Blog, engine, install_peers, made_blog

ENGINES = ("puzzlepress", "hugo")
PATIENCE = 60.0  # seconds for one page
PAUSE = 0.4  # seconds between two edits: an author is no faster
SPELL = 0.01
UNTIL_IDLE, IDLE = 10.0, 30.0  # seconds until workers have started, and of which the cost is measured

_SOLVER = '''"""A chance that is quickly found: of a goal before ruin, when both sides win as often."""

from fractions import Fraction

from site_builder.contract import Curve, Series


def solve(goal: int = 20):
    return {"chance": [Fraction(s, goal) for s in range(21)]}


def figure_chance(chance):
    """A line."""
    return Curve("Reaching the goal", (Series("", range(21), chance),), "coins", "chance", "A line.")


def check_steps(goal):
    """By steps of 1 / goal"""
    chance = [Fraction(0)]
    while len(chance) < 21:
        chance.append(chance[-1] + Fraction(1, goal))
    return {"chance": chance}
'''
_HEAD = "---\ntitle: {name}\ndate: 2026-03-01\nruns:\n  own: {{solver: quick}}\n---\n"
_POST = _HEAD + "Goal {{{{ results.own.goal | integer }}}}.\n"
_FIGURE = "\n{{ figure(results.own.figures.chance) }}\n"


class NotServedError(Exception):
    """A preview did not begin, or never showed an edit."""


@dataclass
class Preview:
    """A running preview. first: seconds from its start to the first page; process: its number, and of its session."""

    blog: Blog
    address: str
    process: int
    first: float = 0.0

    def page(self, path: str) -> str:
        with urlopen(self.address + path, timeout=PATIENCE) as answer:
            return answer.read().decode("utf-8", "replace")

    def until(self, path: str, words: str, what: Callable[[], object], is_told: bool = False) -> float:
        """Seconds from doing `what` to a page with these words, a pattern. Raises NotServedError.

        is_told: whether the page is asked for as an open page asks: when the preview tells of another one, not again
        and again.
        """
        with self.news(path) if is_told else nullcontext(_every_spell()) as when:
            what()
            began = time.perf_counter()
            for is_another in when:
                if is_another and re.search(words, self.page(path)):
                    return time.perf_counter() - began
                if time.perf_counter() - began > PATIENCE:
                    break
        raise NotServedError(f"{self.blog.engine.title} never showed {words!r}")

    @contextmanager
    def news(self, path: str) -> Iterator[Iterator[bool]]:
        """Whether there is another page, with each word of the preview about it, be it only that it is still there."""
        own = dict(re.findall(r'data-(path|digest)="([^"]*)"', self.page(path)))
        stream = f"{urljoin(self.address, '/.preview/events')}?{urlencode(own)}"
        with urlopen(stream, timeout=PATIENCE) as events:
            said = (json.loads(line[5:].strip() or b"{}") for line in events if line.startswith(b"data:"))
            first = next(said, {}).get("digest")

            def another() -> Iterator[bool]:
                now = first
                for word in said:
                    before, now = now, word.get("digest", now)
                    yield now != before

            yield another()

    def cpu(self) -> float:
        """Seconds of processor time that all its processes have taken so far."""
        taken = 0
        for tasks in Path("/proc").glob("[0-9]*/task"):
            try:
                if os.getsid(int(tasks.parent.name)) == self.process:
                    taken += sum(int(each.read_text().split()[0]) for each in tasks.glob("*/schedstat"))
            except OSError:  # it has ended
                continue
        return taken / 1e9


def _every_spell() -> Iterator[bool]:
    while True:
        yield True
        time.sleep(SPELL)


@contextmanager
def previewed(blog: Blog) -> Iterator[Preview]:
    """The blog's preview, until the `with` is left."""
    with create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    words = [*blog.engine.command]
    if blog.is_ours:
        words += ["serve", "--port", port]
    else:
        words += ["server", "--port", port, "--bind", "127.0.0.1", "--baseURL", f"http://127.0.0.1:{port}/"]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "HUGO"))}
    began = time.perf_counter()
    with blog.folder.with_suffix(".serve.log").open("wb") as log:
        process = subprocess.Popen(words, cwd=blog.folder, stdout=log, stderr=log, env=kept, start_new_session=True)
    try:
        base = re.search(r"https?://[^/]+(/\S*)", (blog.folder / "config.yaml").read_text())[1] if blog.is_ours else "/"
        preview = Preview(blog, f"http://127.0.0.1:{port}{base}", process.pid)
        while True:
            try:
                if 'href="posts/' in (home := preview.page("")) or "/posts/" in home:
                    break
            except OSError:
                pass
            if process.poll() is not None or time.perf_counter() - began > PATIENCE:
                raise NotServedError(f"{blog.engine.title} did not begin: see {log.name}")
            time.sleep(SPELL)
        preview.first = time.perf_counter() - began
        yield preview
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            process.wait(30)


def prose(previews: Sequence[Preview], edits: int, is_told: bool = False) -> dict[str, list[float]]:
    """Seconds for each edit, by program; another post each time, whose page was open before."""
    found: dict[str, list[float]] = {preview.blog.engine.title: [] for preview in previews}
    for number in range(edits):
        for preview in previews:
            blog = preview.blog
            slugs = sorted(blog.words)
            slug = slugs[(number + 1) * 7919 % len(slugs)]
            path, word = f"posts/{slug}/", f"zqedit{number}{'told' if is_told else ''}"
            preview.page(path)
            time.sleep(PAUSE)
            change = partial(blog.replace, blog.source(slug), blog.words[slug], word)
            found[blog.engine.title].append(preview.until(path, word, change, is_told))
            blog.words[slug] = word
    return found


def idle(previews: Sequence[Preview]) -> list[str]:
    """Rows of the table: milliseconds of processor time for each second without a change, at the same time for all."""
    time.sleep(UNTIL_IDLE)
    before, began = [preview.cpu() for preview in previews], time.perf_counter()
    time.sleep(IDLE)
    taken, seconds = [preview.cpu() for preview in previews], time.perf_counter() - began
    each = [1000 * (then - now) / seconds for now, then in zip(before, taken, strict=True)]
    named = zip(previews, each, strict=True)
    return [f"| {p.blog.engine.title}: CPU for a second without a change | {spent:.1f} | |" for p, spent in named]


def parameter(preview: Preview, slug: str, edits: int, is_told: bool = False) -> list[float]:
    """Seconds for each change of a parameter, until the page of the post shows the number that comes of it."""
    config = preview.blog.folder / "config.yaml"
    plain = re.sub(r"\nparameters:.*", "", config.read_text())
    found = []
    for number in range(edits):
        goal = (1000 if slug == "number" else 2000) + number + (500 if is_told else 0)
        time.sleep(PAUSE)
        shown = "Goal " + r"\D{0,9}".join(str(goal)) + r"\."  # whatever parts its thousands
        preview.page(f"posts/{slug}/")
        change = partial(config.write_text, f"{plain}\nparameters: {{quick: {{goal: {goal}}}}}\n")
        found.append(preview.until(f"posts/{slug}/", shown, change, is_told))
    return found


def told(name: str, seconds: Sequence[float]) -> str:
    """A row of the table: median, least and most, in milliseconds."""
    middle, least, most = (round(1000 * value) for value in (statistics.median(seconds), min(seconds), max(seconds)))
    return f"| {name} | {middle} | {least} to {most} |"


def run(posts: int, edits: int, only: Sequence[str], folder: Path) -> list[str]:
    """The rows of the table. Raises NotServedError."""
    if set(only) != {"puzzlepress"}:
        install_peers()
    blogs = [made_blog(engine(name), folder / name, posts) for name in ENGINES if name in only]
    for blog in blogs:
        if blog.is_ours:
            (blog.folder / "solvers" / "quick.py").write_text(_SOLVER)
            for slug, more in (("number", ""), ("figure", _FIGURE)):
                (blog.folder / "content" / "posts" / f"{slug}.md").write_text(_POST.format(name=slug) + more)
            subprocess.run(
                [sys.executable, "build.py", "--no-search"], cwd=blog.folder, check=True, capture_output=True
            )
            shutil.rmtree(blog.site)
    rows = []
    with ExitStack() as stack:
        previews = [stack.enter_context(previewed(blog)) for blog in blogs]
        rows += [told(f"{p.blog.engine.title}: first page", [p.first]) for p in previews]
        rows += idle(previews)
        rows += [told(f"{name}: prose", found) for name, found in prose(previews, edits).items()]
        for preview in previews:
            if preview.blog.is_ours:
                found = prose([preview], edits, is_told=True)
                rows += [told(f"{name}: prose, as an open page asks", each) for name, each in found.items()]
                for how, is_told in (("", False), (", as an open page asks", True)):
                    rows.append(told(f"a parameter, numbers{how}", parameter(preview, "number", edits, is_told)))
                    rows.append(told(f"a parameter, a figure{how}", parameter(preview, "figure", edits, is_told)))
                own = subprocess.run(
                    [sys.executable, "build.py", "solve", "quick", "--set", "goal=77", "--json", "--here"],
                    cwd=preview.blog.folder,
                    check=True,
                    capture_output=True,
                    text=True,
                )
                rows.append(told("the solver's own time", [json.loads(own.stdout)["seconds"]]))
    return rows


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", type=int, default=1000, help="posts of the made blog  [1000]")
    parser.add_argument("--edits", type=int, default=15, help="of each kind, of which the table has medians  [15]")
    parser.add_argument("--only", default=",".join(ENGINES), help=f"some of {', '.join(ENGINES)}")
    asked = parser.parse_args()
    only = asked.only.split(",")
    if not set(only) <= set(ENGINES) or asked.posts < 1 or asked.edits < 1:
        parser.error(f"--only takes some of {', '.join(ENGINES)}; --posts and --edits are at least 1")
    with tempfile.TemporaryDirectory(prefix="puzzlepress-benchmark-") as folder:
        try:
            rows = run(asked.posts, asked.edits, only, Path(folder).resolve())
        except NotServedError as error:
            sys.exit(str(error))
    print(f"{os.cpu_count()} processors, Python {platform.python_version()}, {asked.posts:,} posts\n")
    print("| what | median, ms | least to most |\n|---|---|---|")
    print("\n".join(rows))


if __name__ == "__main__":
    assert PROJECT.is_dir()
    main()
