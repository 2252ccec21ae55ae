"""docs/getting-started.md, followed word for word: its commands run, its files are written, its output comes."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from urllib.request import urlopen

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT, of_the_five

PAGE = ROOT / "docs" / "getting-started.md"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`([\w/-]+\.(?:py|md|yaml))`")
SET_UP = ("sh script/site", ". .venv/bin/activate")  # the environment that is there serves, see `hide_others`
SERVE = "python build.py serve"
PROGRESS = re.compile(r"^\w+ing: [\d,]+\n", re.MULTILINE)
# How long something took, and how much there was to do: here without the posts that come with the project.
VARYING = re.compile(
    r"^(time: |Built |Published |Publishing |Nothing to publish|\d+ posts? with results)|  add  |passed in "
)
COUNT = re.compile(r"\d[\d.,]*(?: (\w+?)s?\b)?")  # with what is counted


@dataclass(frozen=True)
class Step:
    """One thing that the page has its reader do. kind: the fence's; file: the one that was named last before it."""

    kind: str
    file: str
    text: str


def steps() -> Iterator[Step]:
    text, end, file = PAGE.read_text("utf-8"), 0, ""
    for found in FENCE.finditer(text):
        file = [file, *FILE.findall(text[end : found.start()])][-1]
        end = found.end()
        if found[1] == "console":
            for command in re.split(r"^\$ ", found[2], flags=re.MULTILINE)[1:]:
                yield Step("console", "", command)
        elif found[1] != "sh":
            yield Step(found[1], file, found[2])


def edited(text: str, diff: str) -> str:
    """The text with each line that the diff removes replaced by the one that it adds."""
    pairs = re.findall(r"^-(.*\n)\+(.*\n)", diff, re.MULTILINE)
    assert len(pairs) * 2 == diff.count("\n")
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def comparable(text: str) -> list[str]:
    return [COUNT.sub(r"0 \1", line) if VARYING.search(line) else line for line in text.splitlines()]


def missing(shown: str, said: str) -> list[str]:
    """The lines of the page that do not come, one after the other; where it has "..." others may stand between."""
    lines, found, place, may_skip = comparable(said), [], 0, False
    for line in comparable(shown):
        if line == "...":
            may_skip = True
            continue
        rest = lines[place:] if may_skip else lines[place : place + 1]
        if line in rest:
            place += rest.index(line) + 1
        else:
            found.append(line)
        may_skip = False
    return found if may_skip else found + [f"and not: {line}" for line in lines[place:]]


def needed_by(requirements: Iterable[str]) -> set[str]:
    """The distributions that pip installs for these requirements."""
    found: set[str] = set()
    ahead = list(map(Requirement, requirements))
    while ahead:
        need = ahead.pop()
        name = canonicalize_name(need.name)
        if name not in found and (need.marker is None or need.marker.evaluate({"extra": ""})):
            found.add(name)
            ahead += map(Requirement, requires(name) or ())
    return found


def hide_others(folder: Path) -> None:
    """Write a module that is not found in place of each library that script/site does not install."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = needed_by(["pip", "setuptools", *project["dependencies"]])  # the first two are in every environment
    folder.mkdir()
    for module, names in packages_distributions().items():
        if needed.isdisjoint(map(canonicalize_name, names)) and module.isidentifier():
            text = "raise ModuleNotFoundError(f'No module named {__name__!r}', name=__name__)\n"
            (folder / f"{module}.py").write_text(text, "utf-8")
    assert (folder / "hypothesis.py").exists()
    assert not (folder / "pytest.py").exists()


class Reader:
    """Follows the page in a copy of the project, with a preview that runs as long as the page lets it run."""

    def __init__(self, root: Path, hidden: Path) -> None:
        self.root = root
        self.preview: subprocess.Popen[str] | None = None
        self.address = ""
        folder = str(Path(sys.executable).parent)
        who = {
            f"GIT_{role}_{what}": "reader@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
        }
        self.environment = {
            **os.environ,
            **who,
            "PATH": f"{folder}:{os.environ['PATH']}",
            "PYTHONPATH": str(hidden),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # whose entry points are there all the same
        }

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", "-c", command],
            cwd=self.root,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def follow(self, step: Step) -> None:
        if step.kind == "console":
            command, _, shown = step.text.partition("\n")
            if command == SERVE:
                self.serve(shown)
            elif command not in SET_UP:
                done = self.run(command)
                said = PROGRESS.sub("", done.stdout)
                assert missing(shown, said) == [], f"$ {command}\n{said}"
                assert done.returncode == ("the site is as it was" in said), f"$ {command}\n{said}"
            return
        path = self.root / step.file
        before = path.read_text("utf-8")
        if step.kind == "diff":
            path.write_text(edited(before, step.text), "utf-8")
        else:
            path.write_text(step.text, "utf-8")

    def serve(self, shown: str) -> None:
        self.preview = subprocess.Popen(
            [sys.executable, "build.py", "serve"],
            cwd=self.root,
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.preview.stdout is not None
        for line in self.preview.stdout:
            if found := re.search(r"^Preview: (http\S+)", line):
                self.address = found[1]
                port = re.compile(r":\d+/")
                assert port.sub(":0/", line) == port.sub(":0/", shown)
                return
        raise AssertionError("the preview has ended")

    def shown_in_the_preview(self, path: str, words: str) -> bool:
        """Whether the page comes to hold the words; two minutes end what hangs."""
        for _ in range(600):
            try:
                with urlopen(self.address + path) as answer:
                    if words in answer.read().decode():
                        return True
            except OSError:
                pass
            time.sleep(0.2)
        return False

    def end(self) -> None:
        if self.preview is not None:
            self.preview.send_signal(signal.SIGINT)
            self.preview.communicate(timeout=120)


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    root = tmp_path / "clone"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False).stdout.decode()
    for name in filter(None, listed.split("\0")):
        # Without the posts that come with it a build takes seconds.
        if (ROOT / name).is_file() and not name.startswith(("benchmarks/", "content/posts/", "content/accepted/")):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, root / name)
    hide_others(tmp_path / "hidden")
    follower = Reader(root, tmp_path / "hidden")
    started = follower.run("git init -q -b main && git add -A && git commit -q -m Begin")
    assert started.returncode == 0, started.stdout
    yield follower
    follower.end()


@of_the_five
def test_the_page_can_be_followed_to_a_published_post(reader: Reader, tmp_path: Path) -> None:
    for step in steps():
        reader.follow(step)

    page = (tmp_path / "my-site" / "posts" / "roll-again-or-keep" / "index.html").read_text("utf-8")
    assert "about 4.67" in page
    assert "My puzzles" in (tmp_path / "my-site" / "index.html").read_text("utf-8")
    assert reader.shown_in_the_preview("posts/roll-again-or-keep/", "about 4.67")
    assert reader.run("git status --short").stdout == " M config.yaml\n"


def test_every_kind_of_step_is_found_in_the_page() -> None:
    kinds = [step.kind for step in steps()]

    assert {kind: kinds.count(kind) for kind in kinds if kind != "console"} == {
        "python": 1,
        "md": 1,
        "py": 1,
        "diff": 3,
    }
    assert kinds.count("console") > 15
