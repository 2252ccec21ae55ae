"""Posts as readers meet them: in the blog as it is published, and built for real with other settings.

With settings each is built in a project of its own, beside stand-ins for the other posts.
"""

import json
import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import pytest

from tests.browser.sample import write_blog
from tests.conftest import Project, SolverRuns, deep, once
from tests.support.feed_rules import atom_faults
from tests.support.visible_text import visible_text

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class PostPage:
    """A built post. text: what a reader sees of the article, mathematics as plain text; html: the whole page.

    folder: where it was built. feed_faults: what is wrong with the feeds that the post is in.
    """

    title: str
    text: str
    html: str
    folder: Path
    feed_faults: list[str]


@pytest.fixture(scope="session")
def built_blog(builds, shared_folder):
    """The folder of the blog that is looked at in a browser as well, built once for all processes of the tests."""
    return once(shared_folder / "blog", write_blog)


@pytest.fixture(scope="session")
def project_of(built_blog, shared_folder):
    """The project of a post, for all processes of the tests; its store is that of the blog."""

    def make(root: Path, slug: str) -> None:
        _copy_project(root, slug, built_blog)
        shutil.copytree(built_blog / ".store", root / ".store")

    return lambda slug: once(shared_folder / "posts" / slug, lambda root: make(root, slug))


@pytest.fixture(scope="session")
def read_post(built_blog, project_of):
    """A post as it is published, or built with the given settings ("solver.name=value"), once for each set of them."""
    read: dict[tuple[str, ...], PostPage] = {}

    def read_once(slug: str, *settings: str) -> PostPage:
        if (slug, *settings) not in read:
            site = built_blog / "_site"
            if settings:
                options = ["--no-search", *chain(*(("--set", text) for text in settings))]
                site = project_of(slug).parent / f"{slug}-{os.getpid()}-{len(read)}"
                _build(project_of(slug), "--no-turns", "--output", str(site), *options)
            read[slug, *settings] = _read(site, slug)
        return read[slug, *settings]

    return read_once


@pytest.fixture
def faults_of_a_changed_post(built_blog, tmp_path):
    """Builds a copy of a post in which one text is another: the line of the change, and what the build says."""

    def build(slug: str, old: str, new: str) -> tuple[int, str]:
        _copy_project(tmp_path, slug, built_blog)
        shutil.copytree(built_blog / ".store", tmp_path / ".store")
        post = tmp_path / f"content/posts/{slug}.md"
        text = post.read_text("utf-8")
        assert text.count(old) == 1, f"{old} occurs {text.count(old)} times"
        post.write_text(text.replace(old, new), "utf-8")
        told, _, count = _said(Project.at(tmp_path).build(status=1)).rpartition("\n")
        assert count == "1 error; the site is as it was."
        return text[: text.index(old)].count("\n") + 1, told

    return build


def first_two(settings: Sequence[tuple[str, ...]]) -> list[object]:
    """Parameters of a test: the post as it is and one other setting every day, all the others with --deep."""
    return [*settings[:2], *map(deep, settings[2:])]


def claims_on(page: PostPage) -> list[str]:
    """The published figures that stand in a post as claims, in their order."""
    claims = re.findall(r'<(a|span) class="claim"[^>]*>(.*?)</\1>', page.html, re.DOTALL)
    return [visible_text(claim) for _, claim in claims]


def claims_in_the_fold(page: PostPage) -> list[str]:
    """What the fold at the foot says of the claims: figure, agreement, source and place in it."""
    fold = re.search(r'<div class="evidence"[^>]*>(.*?)</details>', page.html, re.DOTALL)
    found = []
    for source, rows in re.findall(r"<p>Published in (.*?), and compared.*?<ul>(.*?)</ul>", fold[1], re.DOTALL):
        for row in re.findall(r"<li>(.*?)</li>", rows, re.DOTALL):
            text = visible_text(re.sub(r" with <code>.*?</code>", "", row, flags=re.DOTALL))
            found.append(f"{visible_text(source)}: {text}")
    return found


def methods_in_panels(page: PostPage) -> list[str]:
    """The methods that a post shows beside its answers as confirming them."""
    names = re.findall(r'<p class="check-name"><span>(.*?)</span>', page.html, re.DOTALL)
    return [visible_text(name) for name in names]


def _copy_project(root: Path, slug: str, built: Path) -> None:
    shutil.copytree(ROOT / "content", root / "content", ignore=shutil.ignore_patterns("*.md"))
    for post in sorted((ROOT / "content").rglob("*.md")):
        text = post.read_text("utf-8")
        date = re.search(r"^date:.*$", text, re.MULTILINE)
        tags = re.search(r"^tags:.*$", text, re.MULTILINE)
        title = _title((built / f"_site/posts/{post.stem}/index.html").read_text("utf-8")) if date else post.stem
        stub = f"---\ntitle: {json.dumps(title)}\n{date[0] if date else ''}\n{tags[0] if tags else ''}\n---\n"
        copy = root / post.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text if post.stem == slug else stub, "utf-8")
    for name in ("templates", "solvers", "config.yaml"):
        (root / name).symlink_to(ROOT / name)


# Some checks apply to games of ordinary sizes alone: at other settings a build warns of what they leave open.
_UNCONFIRMED = re.compile(
    r"^content/\S+: results\.\S+ is not confirmed by a second method.*\n?(?:    .*\n?)*", re.MULTILINE
)


def _build(root: Path, *options: str) -> None:
    assert _UNCONFIRMED.sub("", _said(Project.at(root).build("--jobs", "2", *options))) == ""


def _said(ran: SolverRuns) -> str:
    """What a build said of faults and warnings."""
    return re.sub(r"^[A-Z][a-z ]+: \d+\n", "", ran.err, flags=re.MULTILINE).strip()


def _read(site: Path, slug: str) -> PostPage:
    html = (site / f"posts/{slug}/index.html").read_text("utf-8")
    article = re.search(r"<article.*?</article>", html, re.DOTALL)
    feed = (site / "feed.xml").read_bytes()
    assert f"/posts/{slug}/" in feed.decode()
    return PostPage(_title(html), visible_text(article[0]), html, site / f"posts/{slug}", atom_faults(feed))


def _title(html: str) -> str:
    return visible_text(re.search(r"<h1[^>]*>(.*?)</h1>", html, re.DOTALL)[1])
