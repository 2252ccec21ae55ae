"""A site that shows all that a page can hold: every construct of a post, lists of several pages, old addresses."""

import os
import shutil
import subprocess
import sys
import wave
from pathlib import Path

from site_builder.cli.scaffold import NewBlog, begin_blog
from tests.conftest import ROOT, Project
from tests.everything import CONFIG, files, write

BASE = "sub/"  # of the address in its config.yaml, by which 404.html finds what it shows

CONSTRUCTS = r"""---
title: All constructs
date: 2026-06-01
tags: [probability, a tag whose name is so long that it has to be broken on a small screen, plain]
answer: "$\\frac{1}{2}$"
toc: true
---
A paragraph with *emphasis*, **strong words**, `code`, a <kbd>key</kbd>, a <mark>mark</mark>, H~2~O, an
[outer link](https://example.org/a), $\sqrt{x^{2} + 1}$, and a name without a place to break it:
`results.by_number_of_flips.chance_of_winning_with_both_coins[numerator_and_denominator]`.[^first]

## Lists

1. One, with more:
    - a line
    - another line, $\binom{n}{k}$
2. Two[^second].

Term
:   What it means.

> Words of somebody else, *with emphasis*.

---

### Deeper

#### Deepest

## Wide things

$$\Pr(X = k) = \sum_{j=0}^{n} \binom{n}{j} p^{j} (1-p)^{n-j} \left( \frac{a_{1} + a_{2} + a_{3} + a_{4} + a_{5}}{b_{1} +
b_{2} + b_{3}} \right) + \sum_{j=0}^{n} \binom{n}{j} q^{j} (1-q)^{n-j} = f(x_{1}, x_{2}, x_{3}, x_{4}, x_{5}, x_{6},
x_{7}, x_{8}, x_{9})$$

| a column | another column | a third column | a fourth column | a fifth column | a sixth column | a seventh column |
|:---|---:|:---:|---|---|---|---|
| one | 2 | three | four | five | unbreakable_words_in_a_table | unbreakable_words_in_another |

| n | n | n | n |
|---|---|---|---|
| $x^2$ | $a<b$ | $\frac{1}{2}$ | $f(x)$ |

```python
def a_line_that_is_longer_than_any_small_screen(first: int, second: int, third: int, fourth: int) -> None: ...
```

{{ table({"row": range(70) | list, "name": ["cell"] * 69 + ["lowest_cell"]}, title="A long table") }}

## Notes and folds

!!! note "A note"
    Its text.

!!! warning "A warning"
    Its text, with `code`.

??? hint "A hint"
    A formula, $$x = \frac{-b \pm \sqrt{b^{2} - 4ac}}{2a},$$ and a list:

    - with `code`

??? solution "A solution"
    The *solution* is short.
    {: #proof }

    ??? hint "Within"
        A fold within a fold.

<details><summary>Raw</summary><p>A fold as HTML has it.</p></details>

[^first]: A note with [a link](https://example.org/b) and $x_{1}$.

[^second]: Another note.

    It has two paragraphs.
"""

CUBE = '''"""A walk in steps: chances over three axes, and the same as a figure with steps."""

import numpy as np

from site_builder.contract import Action, Frames, Grid, Heatmap, PolicyMap


def solve(size: int = 12):
    """Chances that add up, by place, score and round."""
    place, score, rounds = np.indices((size, size, 5)) / size
    axes = {"place": range(size), "score": range(size), "round": range(1, 6)}
    return {"chance": Grid((place + score * rounds) / 2, axes)}


def figure_policy(chance):
    actions, caption = (Action("stay", "S"), Action("go on", "G")), "Further up it is better to go on."
    steps = [
        (f"round {n}", PolicyMap("Policy", Grid((each.values > 0.3).astype(int), each.axes), "place", actions, caption))
        for n in chance.axes["round"]
        for each in [chance.along(round=n)]
    ]
    return Frames("What to do", steps, caption="Round by round.", alt="In later rounds going on is better.")


def figure_chances(chance):
    steps = [
        (f"round = {n}", Heatmap("Chances", chance.along(round=n), "place", "chance", "Later rounds are better."))
        for n in chance.axes["round"]
    ]
    return Frames("Chances", steps, caption="Later rounds are better.", alt="Chances: 5 steps, round from 1 to 5.")


def check_corner():
    """By hand"""
    return {"chance": {(0, 0, 1): 0}}
'''

STEPS = """---
title: In steps
date: 2026-06-02
solver: cube
---
Words before.

{{ figure(results.main.figures.policy) }}

{{ figure(results.main.figures.chances) }}

Words after.

<audio controls src="../files/tone.wav" aria-label="A tone of one second"></audio>
"""

CHOICES = """---
title: Whose game it is
date: 2026-06-03
answer: "{{ results.fair.half | fraction }} from half way"
guess:
  question: Who is ahead half way, when the goal is shown?
  answer: "{% if results.fair.chance | length < 8 %}the player's side{% else %}neither{% endif %}"
  choices: [the player's side, the house, neither]
turn:
  - {label: goal 4, set: {gamblers_ruin.goal: 4}}
runs:
  fair: {solver: gamblers_ruin}
---
{{ results.fair.half | fraction }}
"""

# Of sections that fill a screen: what is said, and the anchor.
HEADINGS = {"First of all": "", "All of it": " {: #100% }", "Größe und Maß": "", "Last": ""}
LONG = "---\ntitle: Long\ndate: 2026-01-01\n---\n" + "\n\n".join(
    f"## {words}{anchor}\n\n{'Much to read. ' * 500}\n" for words, anchor in HEADINGS.items()
)


def write_sample(folder: Path) -> None:
    """Write the project and build it; its site is in _site/."""
    folder.mkdir()
    project = Project(folder)
    write(project, files())
    project.write("config.yaml", CONFIG.replace("navigation: {", "navigation: {Answers: answers/, Search: search/, "))
    project.write("content/posts/constructs.md", CONSTRUCTS)
    project.write("solvers/cube.py", CUBE)
    project.write("content/posts/steps.md", STEPS)
    project.write("content/posts/choices.md", CHOICES)
    project.write("content/posts/long.md", LONG)
    (project.root / "content/files").mkdir(exist_ok=True)
    with wave.open(str(project.root / "content/files/tone.wav"), "wb") as tone:
        tone.setparams((1, 1, 8000, 8000, "NONE", ""))  # one channel, 8 bits, 8,000 samples of a second
        tone.writeframes(bytes(127 + (n // 9 % 2) * 20 for n in range(8000)))
    project.build()


def write_begun(folder: Path) -> None:
    """Begin a blog as `init` does and build it; its site is in _site/."""
    begin_blog(folder, NewBlog("A new blog", "puzzlepress"))
    Project.at(folder).build()


def write_blog(folder: Path) -> None:
    """Write a copy of this project and build its five posts as README.md says; the site is in _site/.

    What a build of this project has left in its cache, as in .ci/run, is not computed again.
    """
    folder.mkdir()
    for name in ("content", "solvers", "templates", "site_builder", ".store"):
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, folder / name)
    for name in ("build.py", "config.yaml"):
        shutil.copy2(ROOT / name, folder)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "build.py"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
