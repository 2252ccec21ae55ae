"""A project that uses everything that a post may use, for tests of whole builds."""

import base64
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT, RUIN, Project

CONFIG = """title: "Chance & choice"
base_url: https://blog.example.org/sub/
description: About chance.
author: An author
language: en
posts_per_page: 3
posts_in_feed: 5
navigation: {Archive: archive/, Tags: tags/, About: about/}
parameters: {gamblers_ruin: {goal: 8}}
"""

# One pixel; Portable Network Graphics, second edition, section 5.
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

STEPS = '''"""Steps of a walk."""


def bound(value: int, least: int, most: int) -> int:
    """The value, moved between both ends."""
    return min(max(value, least), most)
'''

WALK = '''"""A walk between two walls; every figure that can be drawn is drawn of it."""

from pathlib import Path
from typing import Annotated

import numpy as np

from site_builder.contract import Action, Bars, BarSeries, Column, Curve, Diagram, Edge, Field, Grid, Heatmap, Mark
from site_builder.contract import Node, PolicyMap, Reference, Series, Table
from solvers.common.steps import bound

ACTIONS = (Action("to the left", "L"), Action("to the right", "R"))


def solve(places: Annotated[int, Field(ge=2, le=60)] = 6, seed: Annotated[int, Field(ge=0)] = 3):
    """Played with a seed; the names are taken from a set, whose order is the interpreter's."""
    start = int((Path(__file__).parent / "walk.csv").read_text("utf-8").split(",")[0])
    chance = np.random.default_rng(seed).random((places, 4))
    moves = (chance > 0.5).astype(int)
    axes = {"place": range(places), "round": range(4)}
    mean = float(np.mean([bound(start + step, 0, places) for step in moves.ravel().tolist()]))
    names = tuple({"left", "right", "stay", "jump"})
    return {"value": Grid(chance, axes), "moves": moves, "names": names, "start": start, "mean": mean}


def figure_value(value):
    return Heatmap("Value", value, "place", "value", "Each cell.", percent=True, cell_text="number(2)")


def figure_play(value, moves):
    return Heatmap("Play", value, "place", "value", "Moves.", drawn=moves == 1)


def figure_policy(value, moves):
    grid = Grid(moves, value.axes)
    return PolicyMap("Policy", grid, "place", ACTIONS, "Where.")


def figure_curve(value, places):
    first = value.values[:, 0].tolist()
    series = Series("one", range(places), first), Series("dots", range(places), first[::-1], "dots")
    sure = (Reference(1, "sure"),)
    return Curve("First round $v_0$", series, "place", "value", "Along the walk.", references=sure)


def figure_bars(value, places):
    series = (BarSeries("one", value.values[:, 0].tolist()),)
    return Bars("Bars", tuple(map(str, range(places))), series, "value", "As bars.")


def figure_diagram(places):
    nodes = tuple(Node(f"n{i}", (i, 0), "inner" if i else "wall", f"place {i}") for i in range(places))
    edges = tuple(Edge(f"n{i}", f"n{i + 1}", "a step", 0.2) for i in range(places - 1))
    return Diagram("Moves", nodes, edges, {"inner": "a place", "wall": "a wall"}, "All moves.")


def figure_table(value, places):
    columns = Column("place", range(places)), Column("value", value.values[:, 0].tolist(), "number(3)")
    return Table("Table", columns, "As a table.")


def check_start():
    """The file's first digit"""
    return {"start": int((Path(__file__).parent / "walk.csv").read_text("utf-8")[0])}


def check_chances(places, seed):
    """Each $v$, drawn one by one"""
    drawn = np.random.default_rng(seed)
    value = [[drawn.random() for _ in range(4)] for _ in range(places)]
    return {"value": np.array(value), "moves": [[int(each > 0.5) for each in row] for row in value]}
'''

RUIN_POST = r"""---
title: "From half way you win {{ results.fair.half | percent(1) }}, and $x^{2} < 1$"
date: 2026-03-01
updated: 2026-05-02 10:30
tags: [Probability, Dynamic programming, größe]
summary: "The chance is {{ results.yours.half | fraction }}."
answer: "{{ results.fair.rounded | percent(2) }}"
series: Ruin
puzzle: {name: The ruin, source: Feller, url: https://example.org/ruin, published: 1950-01-01}
aliases: [/2017/old-ruin/, /ruin.html]
corrections:
  - {date: 2026-04-20, text: "It is {{ results.fair.half | fraction }}, where $p = q$."}
runs:
  fair: {solver: gamblers_ruin, fixed: true}
  yours: {solver: gamblers_ruin, parameters: {win: "3/5"}}
  by_win:
    solver: gamblers_ruin
    fixed: true
    parameters: {goal: 4}
    sweep: {win: {start: 0.1, stop: 0.9, steps: 9}}
    keep: [half, rounded]
  square: {solver: gamblers_ruin, sweep: {win: [0.4, 0.5], goal: [3, 4, 5]}, keep: [rounded]}
extra: {level: 3, since: 2020-01-02, share: 0.25, list: [a, b], mood: "good"}
toc: true
---
The chance is {{ results.fair.half }}, yours is {{ results.yours.half | number(4) }};
$P = {{ results.fair.half | number(4) }}$ and $$\sum_{k=0}^{n} {n \choose k} = 2^n$$

<!--more-->

## The chance

Feller has {{ claim("0.5", results.fair.rounded, where="XIV.2") }}, which is {{ typed("0.500") }} too.

{{ figure(results.fair.figures.chance, caption="From each start.") }}

{{ figure(results.fair.figures.map) }}

{{ figure(curve(results.by_win.win, {"half": results.by_win.half, "rounded": results.by_win.rounded}, title="By chance",
  across_label="$p$", up_label="chance", caption="A sweep.", references=[(0.5, "a fair game")])) }}

{{ figure(heatmap(results.square.rounded, title="Square", across="win", value_label="chance", caption="Two names.")) }}

{{ figure(bars(["a", "b"], {"one": [1, 2], "two": [3, 4]}, title="Bars", value_label="count", caption="Both.",
  value_text="integer")) }}

## Tables

{{ table({"win": results.by_win.win, "half": results.by_win.half}, caption="All.",
  forms={"half": "percent(2)", "win": "fraction"}) }}

{{ figure(results.fair.figures.table) }}

{{ parameters(results.yours) }}

## Checks

{{ checks(results.fair) }}

## Code

```python
def step(place: int) -> int:
    return place + 1  # {{ no_jinja }}
```

!!! note "A note"
    It is [here](#the-chance), with a footnote[^1], and a [walk](walk/index.md) and ![a pixel](../images/pixel.png).

??? solution "Solution"
    {% if results.fair.half == 1 / 2 %}Half.{% endif %}

[^1]: The footnote, 1 in {{ results.fair.half | one_in }}.
"""

WALK_POST = r"""---
title: A walk
date: 2017/10/13
tags: probability, walks
categories: [random]
author: Somebody else
solver: random_walk
parameters: {places: 5}
unchecked: {names: a set has no order, mean: a mean of few steps}
---
It starts at {{ results.main.start }}; the names are {{ results.main.names | sentence }}; the mean is
{{ results.main.mean | number(4) }}. See [the ruin](../ruin.md#the-chance), ![its pixel](own.png) and
[data](/files/data.csv).

{{ figure(results.main.figures.value) }}

{{ figure(results.main.figures.play) }}

{{ figure(results.main.figures.policy) }}

{{ figure(results.main.figures.curve) }}

{{ figure(results.main.figures.bars) }}

{{ figure(results.main.figures.diagram) }}

{{ table(results.main.figures.table) }}

{{ checks(results.main) }}
"""

PLAIN_POST = """---
title: "Plain {number}"
date: 2026-01-{number:02d}
tags: [plain, "Größe"]
series: Plain
---
Text {number} with **strong** words and $a_{{{number}}}$, see [the walk](walk/index.md).
"""


@dataclass(frozen=True)
class Edit:
    """Text put in place of another in a file; without the old one a new file, without the new one none any more."""

    path: str
    old: str | None
    new: str | None

    def make(self, project: Project) -> None:
        """Make the edit, once."""
        file = project.root / self.path
        if self.new is None:
            file.unlink()
        elif self.old is None:
            assert not file.exists()
            project.write(self.path, self.new)
        else:
            before = file.read_text("utf-8")
            assert self.old in before, (self.path, self.old)
            project.write(self.path, before.replace(self.old, self.new, 1))


def files() -> dict[str, str | bytes]:
    """Every file of the project by its path."""
    found: dict[str, str | bytes] = {
        "config.yaml": CONFIG,
        "solvers/gamblers_ruin.py": RUIN,
        "solvers/random_walk.py": WALK,
        "solvers/walk.csv": "2,3\n",
        "solvers/common/steps.py": STEPS,
        "content/posts/ruin.md": RUIN_POST,
        "content/posts/walk/index.md": WALK_POST,
        "content/posts/walk/own.png": PIXEL,
        "content/posts/2026-02-01-große-zahlen.md": "---\ntitle: Große Zahlen\ntags: [Größe]\n---\nText – “quoted”.\n",
        "content/posts/draft.md": "---\ntitle: A draft\ndate: 2026-08-01\ndraft: true\n---\nNot yet.\n",
        "content/posts/hidden.md": "---\ntitle: Hidden\ndate: 2026-08-02\npublished: false\n---\nNot yet.\n",
        "content/pages/about.md": "---\ntitle: About\n---\nA page, see [the archive](/archive/) and $e^{i\\pi}$.\n",
        "content/images/pixel.png": PIXEL,
        "content/files/data.csv": "a,b\n1,2\n",
    }
    return found | {f"content/posts/plain-{n}.md": PLAIN_POST.format(number=n) for n in range(1, 9)}


def write(project: Project, names: Iterable[str]) -> None:
    """Write these files of the project, in this order."""
    every = files()
    for name in names:
        file = project.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        data = every[name]
        file.write_bytes(data.encode() if isinstance(data, str) else data)


def everything(root: Path, from_nothing: bool = False) -> Project:
    """The project, with templates of its own to change. from_nothing: each build has no store and a new process."""
    root.mkdir(parents=True, exist_ok=True)
    project = Project(root, is_bare=from_nothing, from_nothing=from_nothing)
    write(project, files())
    own_templates(project)
    main = "{% block main %}"
    for name, more in (
        ("index", '{% include "note.txt" %}'),
        ("post", "{% if post.extra %}{{ post.extra }}{% endif %}"),
    ):
        Edit(f"templates/{name}.html", main, main + more).make(project)
    project.write("templates/note.txt", "A note for every list.\n")
    return project


def own_templates(project: Project) -> None:
    """Let the project have templates of its own, to change."""
    (project.root / "templates").unlink()
    shutil.copytree(ROOT / "templates", project.root / "templates")


_FEATURE = "content/posts/ruin.md"
_SOLVER = "solvers/gamblers_ruin.py"

EDITS = {
    "prose": Edit("content/posts/plain-3.md", "strong", "bold"),
    "a title that neighbours show": Edit("content/posts/plain-4.md", "Plain 4", "Fourth"),
    "a date that changes the order": Edit("content/posts/plain-5.md", "2026-01-05", "2026-04-05"),
    "a tag more": Edit("content/posts/plain-6.md", "tags: [plain", "tags: [walks, plain"),
    "the first way in which a tag is written": Edit("content/posts/plain-1.md", "Größe", "größe"),
    "a series": Edit("content/posts/plain-2.md", "series: Plain", "series: Simple"),
    "a post more": Edit("content/posts/new.md", None, PLAIN_POST.format(number=9)),
    "a post less": Edit("content/posts/plain-7.md", "", None),
    "a draft published": Edit("content/posts/draft.md", "draft: true", "draft: false"),
    "a page": Edit("content/pages/about.md", "A page", "A very short page"),
    "a page more": Edit("content/pages/more.md", None, "---\ntitle: More\n---\nMore.\n"),
    "a slug that others link to": Edit("content/posts/walk/index.md", "date: 2017", "slug: other-walk\ndate: 2017"),
    "an alias": Edit(_FEATURE, "/ruin.html", "/other/ruin.html"),
    "an updated date": Edit(_FEATURE, "2026-05-02 10:30", "2026-05-03"),
    "a correction more": Edit(_FEATURE, "corrections:\n", "corrections:\n  - {date: 2026-06-01, text: Twice.}\n"),
    "the place of a claim": Edit(_FEATURE, 'where="XIV.2"', 'where="XIV.3"'),
    "extra": Edit(_FEATURE, "share: 0.25", "share: 0.5"),
    "no table of contents": Edit(_FEATURE, "toc: true", "toc: false"),
    "a sweep with more points": Edit(_FEATURE, "steps: 9", "steps: 17"),
    "another parameter": Edit(_FEATURE, 'win: "3/5"', 'win: "2/3"'),
    "a caption": Edit(_FEATURE, "From each start.", "From every start."),
    "an image": Edit("content/images/note.txt", None, "A download.\n"),
    "a data file of the site": Edit("content/files/data.csv", "1,2", "1,3"),
    "the site's title": Edit("config.yaml", "Chance & choice", "Choice & chance"),
    "fewer posts on a page": Edit("config.yaml", "posts_per_page: 3", "posts_per_page: 2"),
    "fewer posts in the feed": Edit("config.yaml", "posts_in_feed: 5", "posts_in_feed: 2"),
    "the site's address": Edit("config.yaml", "/sub/", "/"),
    "the site's language": Edit("config.yaml", "language: en", "language: he"),
    "the navigation": Edit("config.yaml", "Tags: tags/", "Topics: tags/"),
    "a parameter of the site": Edit("config.yaml", "goal: 8", "goal: 6"),
    "the shell of all pages": Edit("templates/base.html", "Skip to the text", "Skip"),
    "a piece of a list": Edit("templates/_entry.html", "entry-summary", "entry-abstract"),
    "the form of figures": Edit("templates/parts/figure.html", "loading=", "data-loading="),
    "the form of figures in feeds": Edit("templates/parts/feed_figure.html", "<figure", '<figure lang="en"'),
    "a stylesheet": Edit("templates/assets/style.css", "--paper", "--page"),
    "a text that a template includes": Edit("templates/note.txt", "every list", "all lists"),
    "a comment in a solver that is shown": Edit(_SOLVER, "# Feller's", "# See Feller's"),
    "a docstring in a solver that is shown": Edit(_SOLVER, "The chance of the goal from", "The chance to win from"),
    "another answer of a solver": Edit(_SOLVER, "[1 - float(c)", "[(1 - float(c)) * (1 + 1e-12)"),
    "a title of a check": Edit("solvers/random_walk.py", "The file's first digit", "The first digit of the file"),
    "a check": Edit(_SOLVER, "{0: 0, goal: 1}", "{0: 0 * 2, goal: 1}"),
    "a title in a solver's figures": Edit(_SOLVER, "Reaching the goal", "Getting there"),
    "code that a solver imports": Edit("solvers/common/steps.py", "max(value, least)", "max(value, least + 1)"),
    "data that a solver reads": Edit("solvers/walk.csv", "2,3", "3,3"),
    "the default of a parameter": Edit(_SOLVER, '"coins that end the game")] = 20', '"coins that end it")] = 16'),
}


POST_OF_EACH = """---
title: Ruin
date: 2026-03-01
tags: [chance]
answer: "{{ results.fair.rounded | percent(2) }}"
runs:
  fair: {solver: gamblers_ruin, fixed: true}
  by_win: {solver: gamblers_ruin, fixed: true, parameters: {goal: 4}, sweep: {win: [0.4, 0.5]}, keep: [half]}
---
The chance is {{ results.fair.half }}; Feller has {{ claim("0.5", results.fair.rounded, where="XIV.2") }}.

{{ figure(results.fair.figures.chance) }}

{{ figure(bars(["a", "b"], results.by_win.half, title="Bars", value_label="chance", caption="Both.")) }}

{{ checks(results.fair) }}
"""
_READING = '    open(__file__.replace("gamblers_ruin.py", "note.txt")).close()\n'
_READING_RUIN = RUIN.replace("    ratio = ", f"{_READING}    ratio = ")
SHORT_POST = "---\ntitle: Plain {number}\ndate: 2026-01-02\n---\nStrong words, see [the ruin](ruin.md).\n"


def one_of_each(root: Path) -> Project:
    """A project of few posts, of which a build keeps something of every kind."""
    root.mkdir(parents=True, exist_ok=True)
    project = Project(root)
    own_templates(project)
    project.write("solvers/note.txt", "Read by the solver.\n")
    project.write("solvers/gamblers_ruin.py", _READING_RUIN)
    project.write("content/posts/ruin.md", POST_OF_EACH)
    for number in (1, 2):
        project.write(f"content/posts/plain-{number}.md", SHORT_POST.format(number=number))
    return project
