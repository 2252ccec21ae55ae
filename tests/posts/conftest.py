"""Posts as readers meet them: built for real, each in a project of its own beside stand-ins for the other posts."""

import re
import shutil
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from site_builder.building import build_variant
from site_builder.errors import SiteError, faults_of
from site_builder.pipeline import Wanted
from site_builder.standing import Variant
from site_builder.tasks import Setting
from site_builder.yaml_text import read_scalar
from tests.site_builder.feed_rules import atom_faults, json_feed_faults

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


class Silent:
    """A report to nobody."""

    def stage(self, name, steps):
        pass

    def step(self, count):
        pass


@pytest.fixture(scope="session")
def read_post(tmp_path_factory):
    """Builds a post with the given settings ("solver.name=value"), once for each set of them."""
    built = {}

    def read(slug: str, *settings: str) -> PostPage:
        if (slug, settings) not in built:
            root = tmp_path_factory.mktemp(slug)
            _copy_project(root, slug)
            built[slug, settings] = _build(root, slug, settings)
        return built[slug, settings]

    return read


@pytest.fixture
def faults_of_a_changed_post(tmp_path):
    """Builds a copy of a post in which one text is another: the line of the change, and what the build says."""

    def build(slug: str, old: str, new: str) -> tuple[int, str]:
        _copy_project(tmp_path, slug)
        post = tmp_path / f"content/posts/{slug}.md"
        text = post.read_text("utf-8")
        assert text.count(old) == 1, f"{old} occurs {text.count(old)} times"
        post.write_text(text.replace(old, new), "utf-8")
        with pytest.raises((SiteError, ExceptionGroup)) as raised:
            _build(tmp_path, slug, ())
        faults = faults_of(raised.value)
        return text[: text.index(old)].count("\n") + 1, "\n".join(map(str, faults))

    return build


def claims_on(page: PostPage) -> list[str]:
    """The published figures that stand in a post as claims, in their order."""
    return [visible_text(claim) for claim in re.findall(r'<span class="claim">(.*?)</span>', page.html, re.DOTALL)]


def claims_in_the_fold(page: PostPage) -> list[str]:
    """What the fold at the foot says of the claims: figure, agreement, source."""
    fold = re.search(r'<div class="evidence">(.*?)</details>', page.html, re.DOTALL)
    figures = fold[1].split("Published figures that the computed ones were held against:")[1]
    return [visible_text(row) for row in re.findall(r"<li>(.*?)</li>", figures, re.DOTALL)]


def methods_in_panels(page: PostPage) -> set[str]:
    """How the answers that a post shows as confirmed were confirmed."""
    return set(re.findall(r'<span class="method">(.*?)</span>', page.html))


def _copy_project(root: Path, slug: str) -> None:
    shutil.copytree(ROOT / "content", root / "content", ignore=shutil.ignore_patterns("*.md"))
    for post in sorted((ROOT / "content").rglob("*.md")):
        text = post.read_text("utf-8")
        stands_for = re.search(r"^date:.*$", text, re.MULTILINE)
        stub = f"---\ntitle: {post.stem}\n{stands_for[0] if stands_for else ''}\n---\n"
        copy = root / post.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text if post.stem == slug else stub, "utf-8")
    for name in ("templates", "solvers", "config.yaml"):
        (root / name).symlink_to(ROOT / name)


def _build(root: Path, slug: str, settings: tuple[str, ...]) -> PostPage:
    wanted = Wanted(root, settings=tuple(_setting(text) for text in settings))
    done = build_variant(wanted, Variant("", False, settings), Silent(), pytest.fail)
    html = (done.folder / f"posts/{slug}/index.html").read_text("utf-8")
    article = re.search(r"<article.*?</article>", html, re.DOTALL)
    title = re.search(r"<h1[^>]*>(.*?)</h1>", html, re.DOTALL)
    feed, json_feed = ((done.folder / name).read_bytes() for name in ("feed.xml", "feed.json"))
    assert f"/posts/{slug}/" in feed.decode()
    faults = atom_faults(feed) + json_feed_faults(json_feed)
    return PostPage(visible_text(title[1]), visible_text(article[0]), html, done.folder / f"posts/{slug}", faults)


def visible_text(html: str) -> str:
    """The text of some HTML, its formulas as plain text, white space folded."""
    html = re.sub(r"<math\b.*?</math>", lambda match: _formula(match[0]), html, flags=re.DOTALL)
    html = re.sub(r'<a class="headerlink".*?</a>', "", html)
    html = re.sub(r"</?(p|div|li|h\d|td|th|tr|figure|figcaption|summary|dt|dd|pre|ul|ol|table)\b[^>]*>", " ", html)
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())


def _formula(mathml: str) -> str:
    plain = re.sub(r'\sxmlns="[^"]*"', "", mathml).replace("&nbsp;", " ")
    return _reading(ElementTree.fromstring(plain))


def _reading(node: ElementTree.Element) -> str:
    if node.tag in ("annotation", "mphantom"):
        return ""
    parts = [_reading(child) for child in node]
    if node.tag == "mfrac":
        return "/".join(part if re.fullmatch(r"\w+", part) else f"({part})" for part in parts)
    joint = {"msup": "^", "msub": "_"}.get(node.tag, "")
    return (node.text or "").strip() + joint.join(parts)


def _setting(text: str) -> Setting:
    target, _, value = text.partition("=")
    solver, _, name = target.partition(".")
    return Setting(solver, name, read_scalar(value))
