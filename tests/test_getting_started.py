"""docs/getting-started.md, followed word for word in a checkout and in a blog of the installed program.

Its commands run, its files are written, its output comes.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from urllib.request import urlopen

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT
from tests.support.installing import Installed

PAGE = ROOT / "docs" / "getting-started.md"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`([\w/-]+\.(?:py|md|yaml))`")
SERVE = "python build.py serve"
PROGRESS = re.compile(r"^\w+ing(?: twice)?: [\d,]+\n", re.MULTILINE)
VARYING = re.compile(r"^time: ")  # how long something took
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
        elif found[1] != "sh":  # the set-up, which the environment that is there replaces, see `hide_others`
            yield Step(found[1], file, found[2])


def is_whole(text: str) -> bool:
    """True for the text of a file, and not for what is added to one."""
    return text.startswith(('"""', "---"))


def configured(text: str, settings: str) -> str:
    """A config.yaml with these settings in place of those that are there."""
    for line in settings.splitlines():
        key = line.partition(":")[0]
        text, count = re.subn(rf"^{key}:.*$", line, text, flags=re.MULTILINE)
        assert count == 1, line
    return text


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
    """Write a module that is not found in place of each library that neither script/site nor pip installs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = needed_by(["pip", "setuptools", *project["dependencies"]])  # the first two are in every environment
    folder.mkdir()
    for module, names in packages_distributions().items():
        if needed.isdisjoint(map(canonicalize_name, names)) and module.isidentifier():
            text = "raise ModuleNotFoundError(f'No module named {__name__!r}', name=__name__)\n"
            (folder / f"{module}.py").write_text(text, "utf-8")
    assert (folder / "hypothesis.py").exists()
    assert not (folder / "pytest.py").exists()


@dataclass
class Reader:
    """Follows the page in a folder, with a preview that runs as long as the page lets it run.

    programs: the folder of python; hidden: of modules that are not found. before: files with a change that the page
    takes back after the next commands.
    """

    root: Path
    programs: Path
    hidden: Path
    preview: subprocess.Popen[str] | None = None
    address: str = ""
    before: dict[Path, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PATH": f"{self.programs}:{os.environ['PATH']}",
            "PYTHONPATH": str(self.hidden),
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
            else:
                self.call(command, shown)
            return
        path = self.root / step.file
        text = path.read_text("utf-8")
        match step.kind:
            case "diff":
                self.before[path] = text
                path.write_text(edited(text, step.text), "utf-8")
            case "yaml":
                path.write_text(configured(text, step.text), "utf-8")
            case _:
                path.write_text(step.text if is_whole(step.text) else f"{text}\n\n{step.text}", "utf-8")

    def call(self, command: str, shown: str) -> None:
        """Run a command, which prints what the page shows, and take back a change that the page made before."""
        done = self.run(command)
        said = PROGRESS.sub("", done.stdout)
        said = re.sub(r"\bpuzzlepress (?=[a-z])", "python build.py ", said)  # as an installed program names itself
        assert missing(shown, said) == [], f"$ {command}\n{said}"
        assert done.returncode == ("    mend: " in said), f"$ {command}\n{said}"
        for path, text in self.before.items():
            path.write_text(text, "utf-8")
        self.before.clear()

    def serve(self, shown: str) -> None:
        self.preview = subprocess.Popen(
            [self.programs / "python", "build.py", "serve"],
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
        """True when the page comes to hold the words; two minutes end what hangs."""
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


@dataclass(frozen=True)
class Followed:
    """What came of the page: the folder to which it was published, and its number in the preview on the way.

    before_the_number: how many commands came before it.
    """

    reader: Reader
    site: Path
    before_the_number: int | None
    was_unconfirmed: bool
    was_confirmed: bool


def cloned(root: Path) -> Path:
    """A copy of the project without its posts and solvers, which take minutes; the folder of its python."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False).stdout.decode()
    apart = ("benchmarks/", "content/posts/", "content/accepted/", "solvers/")
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file() and (name == "solvers/__init__.py" or not name.startswith(apart)):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, root / name)
    (root / "content/posts").mkdir()
    return Path(sys.executable).parent


def begun(root: Path, installed: Installed) -> Path:
    """A blog of the installed program, as `init` writes it; the folder of its python."""
    installed.built(root.parent, "init", root.name)
    return installed.folder / "bin"


NUMBER_PAGE = "posts/roll-again-or-keep/"


@pytest.fixture(
    scope="module",
    params=[pytest.param("clone", id="in a clone", marks=pytest.mark.deep), pytest.param("blog", id="in a blog")],
)
def followed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Followed]:
    """The page, followed to its end."""
    folder, root = (made := tmp_path_factory.mktemp("followed")), made / "my-blog"
    programs = cloned(root) if request.param == "clone" else begun(root, request.getfixturevalue("installed"))
    hide_others(folder / "hidden")
    reader = Reader(root, programs, folder / "hidden")
    try:
        yield follow_all(reader, folder / "my-site")
    finally:
        reader.end()


def follow_all(reader: Reader, site: Path) -> Followed:
    """Follow every step; once the post, and then its check, is written, see what the preview says of its number."""
    commands, before_the_number = 0, None
    was_unconfirmed = was_confirmed = False
    for step in steps():
        reader.follow(step)
        commands += step.kind == "console"
        if step.kind == "md" and before_the_number is None:
            before_the_number = commands
            was_unconfirmed = reader.shown_in_the_preview(NUMBER_PAGE, "is not confirmed by a second method")
        elif "def check_" in step.text and not was_confirmed:
            was_confirmed = reader.shown_in_the_preview(NUMBER_PAGE, "confirmed by 1")
    return Followed(reader, site, before_the_number, was_unconfirmed, was_confirmed)


def test_the_page_can_be_followed_to_a_published_post(followed: Followed) -> None:
    assert "about 4.67" in (followed.site / NUMBER_PAGE / "index.html").read_text("utf-8")
    assert "My puzzles" in (followed.site / "index.html").read_text("utf-8")
    assert followed.reader.shown_in_the_preview(NUMBER_PAGE, "about 4.67")


def test_the_first_number_is_unconfirmed_until_the_check_is_written(followed: Followed) -> None:
    assert followed.before_the_number == 3  # serve, new and solve
    assert followed.was_unconfirmed
    assert followed.was_confirmed


def test_every_kind_of_step_is_found_in_the_page() -> None:
    kinds = [step.kind for step in steps()]

    assert {kind: kinds.count(kind) for kind in kinds} == {
        **{"console": 10, "python": 3, "md": 2, "py": 1, "diff": 1, "yaml": 1},
    }
    assert yaml.safe_load(next(step.text for step in steps() if step.kind == "yaml"))["title"] == "My puzzles"
