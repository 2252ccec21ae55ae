"""The files of a new post, puzzle or blog, from the texts beside this file and, on request, the example puzzles."""

import json
import keyword
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

from site_builder import __version__
from site_builder.errors import UsageError, command_line
from site_builder.project.posts import slugged
from site_builder.solving.catalog import SHARED, solver_names
from site_builder.storage.atomic_files import make_files
from site_builder.storage.file_fingerprints import BUILDER

_TEXTS = Path(__file__).parent / "scaffold_files"
_LONGEST = 60  # characters of a slug or a solver's name
_SOLVER = rf"[a-z][a-z0-9_]{{0,{_LONGEST - 1}}}"
_LONGEST_SENTENCE = 100
_DATE = re.compile(r"^(\d{4}-\d{1,2}-\d{1,2}-)+")  # at the head of a file's name it is no part of the slug
_IN_WHEEL = BUILDER / "examples"
EXAMPLES = _IN_WHEEL if _IN_WHEEL.is_dir() else BUILDER.parent
_TEST_HELPERS = ("tests/solvers/by_name.py", "tests/support/short_solvers.py", "tests/support/solvers_checked.py")
_FILES = {
    "config.yaml": "config.yaml",
    "content/pages/about.md": "about.md",
    "solvers/__init__.py": "solvers.py",
    "build.py": "build.py",
    "requirements.txt": "requirements.txt",
    "pytest.ini": "pytest.ini",
    ".gitignore": "gitignore",
    ".github/workflows/publish.yml": "publish.yml",
    "README.md": "README.md",
}
_WHEELS = "wheels"  # the folder of a blog for a wheel that no index has
_HARMLESS = (".git", ".venv")  # what a folder may hold before


@dataclass(frozen=True)
class Beginning:
    """A new post. slug and solver: from `slug_of` and `solver_name`; solver: empty for none.

    date: in the file, so that what a build makes of the post does not depend on the clock.
    """

    title: str
    slug: str
    solver: str
    date: str
    is_draft: bool

    @property
    def post(self) -> str:
        """The file of the post."""
        return f"content/posts/{self.slug}.md"

    @property
    def files(self) -> dict[str, str]:
        """The files to write with their texts, by path in the project."""
        if not self.solver:
            return {self.post: self._filled("post.md")}
        solver, test = f"solvers/{self.solver}.py", f"tests/solvers/test_{self.solver}.py"
        return {self.post: self._filled("puzzle.md"), solver: self._filled("solver.py"), test: self._filled("test.py")}

    def _filled(self, name: str) -> str:
        words = {
            "title": json.dumps(self.title, ensure_ascii=False),  # which is how YAML writes a text in quotes, too
            "sentence": _sentence(self.title),
            "date": self.date,
            "draft": "draft: true\n" if self.is_draft else "",
            "solver": self.solver,
        }
        return filled(name, words)


def filled(name: str, words: Mapping[str, str]) -> str:
    """One of the texts beside this file with words in place of <<names>>."""
    text = (_TEXTS / f"{name}.txt").read_text("utf-8")
    return re.sub("<<([a-z]+)>>", lambda found: words[found[1]], text)


def begin(root: Path, beginning: Beginning) -> list[str]:
    """Write the files of a new puzzle, all or none; their paths. Raises SiteError where one of them is there already.

    An address that another text has is an error of the build.
    """
    about = f"; for a post about this solver leave --solver out and write solver: {beginning.solver}"
    cure = f"choose another title{about if beginning.solver else ''}"
    make_files(root, {path: text.encode() for path, text in beginning.files.items()}, cure)
    return list(beginning.files)


def title_of(words: str) -> str:
    """The title as it will stand in the front matter. Raises UsageError for an empty one."""
    title = " ".join(words.split())
    if not title:
        raise UsageError("the title is empty", f'write e.g. {command_line("new")} "The gambler\'s ruin"')
    return title


def slug_of(title: str) -> str:
    """The name of a post in addresses, made of its title and cut after 60 characters.

    Raises UsageError when nothing can be made of it.
    """
    slug = _DATE.sub("", slugged(re.sub("['’]", "", title)))
    if len(slug) > _LONGEST:
        slug = slug[: _LONGEST + 1].rpartition("-")[0] or slug[:_LONGEST]
    if slug in ("", "index"):
        cure = "begin with a title of words; the line title: of the post can be any other one"
        raise UsageError(f"no address can be made of the title {title!r}", cure)
    return slug


def solver_name(wanted: str) -> str:
    """Check the name of a solver. Raises UsageError for one that is impossible."""
    if not re.fullmatch(_SOLVER, wanted) or keyword.iskeyword(wanted) or wanted == SHARED:
        message = f"--solver {wanted}: it must be at most {_LONGEST} small letters, digits and _, first a letter"
        taken = f", but no word of Python's own and not {SHARED}"
        raise UsageError(f"{message}{taken}", "write a name such as gamblers_ruin")
    return wanted


def _sentence(title: str) -> str:
    """The title as the first line of a docstring."""
    line = textwrap.shorten(title.replace("\\", "\\\\").replace('"', "'"), _LONGEST_SENTENCE, placeholder=" ...")
    return line if line.endswith((".", "!", "?")) else f"{line}."


@dataclass(frozen=True)
class NewBlog:
    """A blog to begin. builder: what pip installs for it; wheel: a file of it that the blog holds a copy of.

    has_examples: whether it begins with the example puzzles.
    """

    title: str
    builder: str
    wheel: Path | None = None
    has_examples: bool = False

    def files(self) -> dict[str, bytes]:
        """The files to write with their bytes, by path in the blog."""
        words = {
            "title": json.dumps(self.title, ensure_ascii=False),  # which is how YAML writes a text in quotes, too
            "heading": self.title,
            "builder": self.builder,
            "tests": "pytest\nhypothesis\n" if self.has_examples else "pytest\n",
        }
        found = {path: filled(f"blog/{name}", words).encode() for path, name in _FILES.items()}
        first = Beginning("The gambler's ruin", "the-gamblers-ruin", "gamblers_ruin", f"{date.today()}", is_draft=False)
        found |= {path: text.encode() for path, text in first.files.items()}
        if self.wheel:
            found[f"{_WHEELS}/{self.wheel.name}"] = self.wheel.read_bytes()
        return found | (dict(examples()) if self.has_examples else {})


def begin_blog(folder: Path, blog: NewBlog) -> Mapping[str, bytes]:
    """Write a new blog into a folder, all of it or nothing; its files.

    Raises UsageError where the folder holds anything already, SiteError where it cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file", "name a new folder, such as my-blog")
    there = sorted(path.name for path in folder.iterdir() if path.name not in _HARMLESS) if folder.exists() else []
    if there:
        message = f"{folder} is not empty: it holds {there[0]}" + (f" and {len(there) - 1} more" if there[1:] else "")
        raise UsageError(message, "name a new folder, such as my-blog; nothing was written")
    files = blog.files()
    make_files(folder, files)
    return files


def title_for(folder: Path) -> str:
    """A title made of the name of a folder. Raises UsageError where none can be made."""
    words = folder.resolve().name.replace("-", " ").replace("_", " ").split()
    return title_of(" ".join([words[0][:1].upper() + words[0][1:], *words[1:]]) if words else "My blog")


def installed_builder() -> tuple[str, Path | None]:
    """The line of requirements.txt by which pip finds this builder again, and the wheel that the blog has to hold."""
    if (BUILDER.parent / "pyproject.toml").is_file():  # a checkout
        return f"puzzlepress @ {BUILDER.parent.as_uri()}", None
    return builder_from(metadata.distribution("puzzlepress").read_text("direct_url.json") or "{}")


def builder_from(direct_url: str) -> tuple[str, Path | None]:
    """The same for the file direct_url.json, which installers write for what came from no index (PEP 610)."""
    found = json.loads(direct_url)
    url = str(found.get("url", ""))
    file = Path(unquote(urlsplit(url).path))
    if url.startswith("file:") and file.is_file():
        return f"./{_WHEELS}/{file.name}", file
    if "vcs_info" in found:
        return f"puzzlepress @ {found['vcs_info']['vcs']}+{url}@{found['vcs_info']['commit_id']}", None
    if not url or (url.startswith("file:") and not file.is_dir()):
        return f"puzzlepress=={__version__}", None
    return f"puzzlepress @ {url}", None


def examples() -> Iterator[tuple[str, bytes]]:
    """The example puzzles: posts, their accepted answers, solvers and tests of solvers, by path."""
    tests = [f"tests/solvers/test_{name}.py" for name in solver_names(EXAMPLES)]
    for pattern in ("content/posts/*.md", "content/accepted/*.json", "solvers/**/*.py", *tests, *_TEST_HELPERS):
        for path in sorted(EXAMPLES.glob(pattern)):
            yield path.relative_to(EXAMPLES).as_posix(), path.read_bytes()
