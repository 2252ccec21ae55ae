"""A small blog of which tests change one thing at a time, and what `--explain` and its files say to that."""

import contextlib
import io
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass

from site_builder.cli.main import main
from tests.conftest import ROOT, Project

FILES = {
    "config.yaml": """\
title: A blog
base_url: https://blog.example.org/
description: About chance.
author: An author
posts_per_page: 3
navigation: {}
""",
    # A solver in a folder; what it computes with lies two imports deep.
    "solvers/steps/__init__.py": '''\
"""Stairs."""

from solvers.steps.picturing import figure_ways
from solvers.steps.puzzle import check_growth, check_steps, solve

__all__ = ["check_growth", "check_steps", "figure_ways", "solve"]
''',
    "solvers/steps/puzzle.py": '''\
"""In how many ways a stair is climbed."""

from fractions import Fraction
from typing import Annotated

from site_builder.contract import Field, one_of
from solvers.common import lattice

MOST = 1000


def solve(
    goal: Annotated[int, Field(ge=1, le=50, description="steps of the stair")] = 4,
    pace: Annotated[Fraction, Field(gt=0)] = Fraction(1, 2),
):
    """The ways up."""
    rows = tuple(min(lattice.ways(n), MOST) for n in range(goal + 1))
    return {"ways": rows[-1], "last": rows[-2], "rows": rows}


def check_steps():
    """Counted on stairs"""
    ways = one_of(*range(1, 1001))  # any number, so that tests can change the answer
    return {"ways": ways, "last": ways, "rows": {0: ways}}


def check_growth(ways, goal):
    """A step doubles them at most"""
    assert ways <= 2 ** (goal + 1)


def unused():
    return 1
''',
    "solvers/steps/picturing.py": '''\
"""What to see of stairs."""

from site_builder.contract import Bars, BarSeries
from solvers.common.wording import counted


def figure_ways(rows):
    labels = tuple(counted(n) for n in range(len(rows)))
    return Bars("Ways up", labels, (BarSeries("", rows),), "ways", "All the ways.")
''',
    "solvers/common/__init__.py": '"""Shared."""\n',
    "solvers/common/lattice.py": '''\
"""Counting ways."""

from solvers.common.moves import step

FIRST = 1


def ways(n):
    return FIRST if n < 2 else step(ways(n - 1), ways(n - 2))


def unused(n):
    return n
''',
    "solvers/common/moves.py": '''\
"""Single moves."""


def step(one, two):
    """Both ways together."""
    return one + two  # one step or two


def unused(n):
    return n
''',
    "solvers/common/wording.py": '''\
"""Words under bars."""


def counted(n):
    return f"{n} steps"
''',
    "solvers/dice.py": '''\
"""Dice."""

from fractions import Fraction
from typing import Annotated

from site_builder.contract import Field


def solve(faces: Annotated[int, Field(ge=2, le=100)] = 6, rolls: Annotated[int, Field(ge=1, le=100)] = 1):
    return {"mean": Fraction(faces + 1, 2) * rolls, "most": faces * rolls}


def check_mean(faces, rolls):
    """Every face seen once"""
    seen = range(1, faces + 1)
    return {"mean": Fraction(sum(seen), len(seen)) * rolls, "most": sum([faces] * rolls)}
''',
    "solvers/weights.py": '''\
"""Weights on a list."""

from pathlib import Path


def solve():
    return {"total": sum(int(line) for line in (Path(__file__).parent / "weights.txt").read_text().split())}


def check_total():
    """A tally"""
    strokes = ""
    for line in (Path(__file__).parent / "weights.txt").read_text().splitlines():
        strokes += "|" * int(line)
    return {"total": len(strokes)}
''',
    "solvers/weights.txt": "1\n2\n",
    # Posts, newest first: three on each page of the list.
    "content/posts/fixed.md": """\
---
title: Fixed
date: 2026-05-07
tags: [stairs]
runs:
  fair: {solver: steps, fixed: true}
---
There are {{ results.fair.ways }} ways.

{{ figure(results.fair.figures.ways) }}
""",
    "content/posts/turned.md": """\
---
title: Turned
date: 2026-05-06
tags: [stairs]
runs:
  yours: {solver: steps, parameters: {goal: 5}}
---
You have {{ results.yours.ways }} ways.

{{ figure(results.yours.figures.ways) }}
""",
    "content/posts/sweep.md": """\
---
title: Sweep
date: 2026-05-05
tags: [dice]
runs:
  by_faces: {solver: dice, sweep: {faces: {start: 2, stop: 10, steps: 3}}, keep: [mean]}
---
{{ figure(curve(results.by_faces.faces, results.by_faces.mean, title="Means", across_label="faces", up_label="mean")) }}
""",
    "content/posts/square.md": """\
---
title: Square
date: 2026-05-04
runs:
  both: {solver: dice, sweep: {faces: [2, 4], rolls: [1, 2]}, keep: [most]}
  one: {solver: dice, fixed: true}
---
At most {{ results.both.most.at(faces=4, rolls=2) }}.
""",
    "content/posts/prose.md": """\
---
title: Prose
date: 2026-05-03
---
No number stands here.
""",
    "content/posts/data.md": """\
---
title: Data
date: 2026-05-02
runs:
  all: {solver: weights}
---
They weigh {{ results.all.total }}.

{{ checks(results.all) }}
""",
    "content/posts/plain.md": """\
---
title: Plain
date: 2026-05-01
tags: [words]
---
Only words.

![A dot](../images/dot.png)
""",
    "content/pages/about.md": "---\ntitle: About\n---\nAbout us.\n",
    "content/images/dot.png": "no real picture",
    # Templates of few words; base.html includes _head.html, which includes _mark.html.
    "templates/base.html": (
        '<html><head>{% include "_head.html" %}</head><body>{% block main %}{% endblock %}</body></html>\n'
    ),
    "templates/_head.html": (
        '{% include "_mark.html" %}<title>{{ page.plain_title }} | {{ site.title }}</title>\n'
        '<meta name="description" content="{{ page.description }}">\n'
        '<link rel="stylesheet" href="{{ asset("style.css") }}">\n'
    ),
    "templates/_mark.html": "<i>mark</i>\n",
    "templates/_entry.html": '<a href="{{ url(entry.path) }}">{{ entry.title }}</a> {{ entry.summary }}\n'
    "{% if entry.updated %}{{ entry.updated | date_iso }}{% endif %}\n",
    "templates/post.html": (
        '{% extends "base.html" %}{% block main %}{{ post.title }} {{ post.date | date_iso }} {{ post.body }}\n'
        "{% for date, note in post.corrections %}{{ date | date_iso }} {{ note }}\n{% endfor %}"
        '{% if post.evidence %}{% include "_evidence.html" %}{% endif %}'
        "{% for tag in post.tags %}{{ tag.name }} {% endfor %}\n"
        "{% if post.newer %}{{ post.newer.title }} {{ url(post.newer.path) }}{% endif %}\n"
        "{% if post.older %}{{ post.older.title }} {{ url(post.older.path) }}{% endif %}\n{% endblock %}\n"
    ),
    "templates/_evidence.html": (
        "{% for run in post.evidence.runs %}{{ run.name }} {{ run.points }} {{ run.command }}\n"
        "{{ run.checks }} {{ run.confirmed }}\n{% endfor %}"
    ),
    "templates/page.html": '{% extends "base.html" %}{% block main %}{{ body }} {{ site.author }}{% endblock %}\n',
    "templates/index.html": (
        '{% extends "base.html" %}{% block main %}{{ pagination.number }} of {{ pagination.count }}\n'
        '{% for entry in entries %}{% include "_entry.html" %}{% endfor %}{% endblock %}\n'
    ),
    "templates/archive.html": (
        '{% extends "base.html" %}{% block main %}{% for year, entries in years %}{{ year }}\n'
        "{% for entry in entries %}{{ entry.date | date_iso }} {{ entry.title }}\n"
        "{% endfor %}{% endfor %}{% endblock %}\n"
    ),
    "templates/tags.html": (
        '{% extends "base.html" %}{% block main %}{% for tag in tags %}{{ tag.name }} {{ tag.count }}\n'
        "{% endfor %}{% endblock %}\n"
    ),
    "templates/tag.html": (
        '{% extends "base.html" %}{% block main %}{{ tag.name }}\n'
        "{% for entry in entries %}{{ entry.title }}\n{% endfor %}{% endblock %}\n"
    ),
    "templates/answers.html": (
        '{% extends "base.html" %}{% block main %}{% for entry in entries %}{{ entry.title }} {{ entry.answer }}\n'
        "{% endfor %}{% endblock %}\n"
    ),
    "templates/search.html": '{% extends "base.html" %}\n',
    "templates/404.html": '{% extends "base.html" %}\n',
    "templates/redirect.html": "{{ target }}\n",
    "templates/unused.html": "Nobody sees this.\n",
    "templates/parts/figure.html": '<img src="{{ figure.svg }}" alt="{{ figure.alt }}">{{ figure.caption }}\n',
    "templates/parts/feed_figure.html": '<img src="{{ figure.png }}" alt="{{ figure.alt }}">{{ figure.caption }}\n',
    "templates/parts/checks.html": ("{% for check in checks %}{{ check.title }} {{ check.found }}\n{% endfor %}"),
    "templates/parts/feed_corrections.html": "{% for date, note in corrections %}{{ note }}\n{% endfor %}",
    "templates/assets/style.css": "p { margin: 0 }\n",
}

PROGRAM = "import sys, pathlib; from site_builder.cli.main import main; sys.exit(main(pathlib.Path(), sys.argv[1:]))"


@dataclass(frozen=True)
class Ran:
    """What a build did. ran: each task that had to run, with the words of the reason.

    has_changed: whether any file of the site did.
    """

    ran: dict[str, str]
    has_changed: bool


class Blog(Project):
    """The blog in a folder, and how it stood before the last build."""

    def __init__(self, root):
        self.root = root

    def start(self):
        """Write all of its files and build it."""
        for path, text in FILES.items():
            self.write(path, text)
        self._has_built = False
        self.lay_store()
        self.run()

    def copy_to(self, root):
        """The blog as it now is, in another folder; a first build makes it known that its files are the same."""
        shutil.copytree(self.root, root, dirs_exist_ok=True)
        other = Blog(root)
        other.run()
        return other

    def change(self, path, old, new):
        """Replace one piece of text in a file."""
        text = (self.root / path).read_text("utf-8")
        assert text.count(old) == 1, f"{old!r} in {path}"
        self.write(path, text.replace(old, new))

    def add(self, path, text):
        """Write text at the end of a file."""
        self.write(path, (self.root / path).read_text("utf-8") + text)

    def run(self, *options):
        """What the build says to itself with --explain, run in this very process; without an index, which is slow."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(self.root, ["build", "--explain", "--no-search", "--jobs", "2", *options])
        assert status == 0, err.getvalue()
        return out.getvalue()

    def run_with(self, folder):
        """The build in a process of its own, which finds what lies in the folder before the builder and libraries."""

        def run(*options):
            done = subprocess.run(
                [sys.executable, "-c", PROGRAM, "--explain", "--no-search", *options],
                cwd=self.root,
                env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])},
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
            return done.stdout

        return run

    def explained(self, *options, build=None):
        """What a build did. build: another way to run it, which gives what it says."""
        before = self.files()
        said = (build or self.run)(*options)
        told = list(tasks(said))
        names = [name for name, _ in told]
        assert len(names) == len(set(names)), said
        return Ran(dict(told), has_changed=before != self.files())


def tasks(said):
    """The tasks that --explain tells of, such as "fixed solve fair", "about text" or "page tags/index.html"."""
    subject = ""
    for line in said.splitlines()[:-1]:
        if line.startswith("  "):
            task, _, words = line.strip().partition(": ")
            yield f"{subject} {task}".strip(), words
        else:
            subject = "" if line == "the site" else os.path.splitext(os.path.basename(line))[0]


TASKS = {
    *("fixed solve fair", "fixed figures fair", "fixed checks fair", "fixed text", "fixed drawing fair-ways"),
    *("turned solve yours", "turned figures yours", "turned checks yours", "turned text", "turned drawing yours-ways"),
    *("sweep solve by_faces", "sweep text", "sweep drawing means"),
    *("square solve both", "square solve one", "square checks one", "square text"),
    *("data solve all", "data checks all", "data text"),
    *("prose text", "plain text", "about text"),
}
OWN_PAGES = {
    f"{name} page posts/{name}/index.html" for name in ("fixed", "turned", "sweep", "square", "prose", "data", "plain")
} | {"about page about/index.html"}
LISTS = {
    *("page index.html", "page page/2/index.html", "page page/3/index.html", "page archive/index.html"),
    *("page tags/index.html", "page tags/dice/index.html", "page tags/stairs/index.html", "page tags/words/index.html"),
}
FEEDS = {"page feed.xml", "page tags/dice/feed.xml", "page tags/stairs/feed.xml", "page tags/words/feed.xml"}
_OTHER_PAGES = {"page answers/index.html", "page search/index.html", "page 404.html"}
_INDEX = {"plain": "page/3/", **dict.fromkeys(("square", "prose", "data"), "page/2/")}  # others are on the first page
_TAGS = {"fixed": "stairs", "turned": "stairs", "sweep": "dice", "plain": "words"}


PAGES = OWN_PAGES | LISTS | FEEDS | _OTHER_PAGES


def page_of(post):
    """The task that renders the page of a post."""
    return f"{post} page posts/{post}/index.html"


def lists(*posts):
    """The lists that these posts are in."""
    found = {"page archive/index.html", *(f"page {_INDEX.get(post, '')}index.html" for post in posts)}
    return found | {f"page tags/{_TAGS[post]}/index.html" for post in posts if post in _TAGS}


def feeds(*posts):
    """The feeds that these posts are in."""
    return {"page feed.xml", *(f"page tags/{_TAGS[each]}/feed.xml" for each in posts if each in _TAGS)}
