"""The files of a new post, or of a new puzzle with a solver and its test, from the texts beside this file."""

import json
import keyword
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from site_builder.errors import UsageError, command_line
from site_builder.project.posts import slugged
from site_builder.solving.catalog import SHARED
from site_builder.storage.atomic_files import make_files

_TEXTS = Path(__file__).parent / "scaffold_files"
_LONGEST = 60  # characters of a slug or a solver's name
_SOLVER = rf"[a-z][a-z0-9_]{{0,{_LONGEST - 1}}}"
_LONGEST_SENTENCE = 100
_DATE = re.compile(r"^(\d{4}-\d{1,2}-\d{1,2}-)+")  # at the head of a file's name it is no part of the slug


@dataclass(frozen=True)
class Beginning:
    """A new post. slug and solver: from `slug_of` and `solver_name`; solver: empty for none."""

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


def today() -> str:
    """The date of a new post: what a build makes of it does not depend on the clock."""
    return date.today().isoformat()


def _sentence(title: str) -> str:
    """The title as the first line of a docstring."""
    line = textwrap.shorten(title.replace("\\", "\\\\").replace('"', "'"), _LONGEST_SENTENCE, placeholder=" ...")
    return line if line.endswith((".", "!", "?")) else f"{line}."
