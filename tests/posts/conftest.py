"""Posts as readers meet them: built for real, each in a project of its own beside stand-ins for the other posts."""

import re
import shutil
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from site_builder.building import build_variant
from site_builder.pipeline import Wanted
from site_builder.standing import Variant
from site_builder.tasks import Setting
from site_builder.yaml_text import read_scalar

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class PostPage:
    """A built post. text: what a reader sees of the article, mathematics as plain text; html: the whole page."""

    title: str
    text: str
    html: str


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
            built[slug, settings] = _build(tmp_path_factory.mktemp(slug), slug, settings)
        return built[slug, settings]

    return read


def _build(root: Path, slug: str, settings: tuple[str, ...]) -> PostPage:
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
    wanted = Wanted(root, settings=tuple(_setting(text) for text in settings))
    done = build_variant(wanted, Variant("", False, settings), Silent(), pytest.fail)
    html = (done.folder / f"posts/{slug}/index.html").read_text("utf-8")
    article = re.search(r"<article.*?</article>", html, re.DOTALL)
    title = re.search(r"<h1[^>]*>(.*?)</h1>", html, re.DOTALL)
    return PostPage(visible_text(title[1]), visible_text(article[0]), html)


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
