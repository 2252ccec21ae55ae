"""The published figures on a built post: as a reader meets them, and as a build refuses them when they are wrong."""

import re
import shutil
from pathlib import Path

import pytest

from site_builder.building import build_variant
from site_builder.errors import SiteError, faults_of
from site_builder.pipeline import Wanted
from site_builder.standing import Variant
from tests.posts.conftest import ROOT, PostPage, Silent, visible_text


def figures_on(page: PostPage) -> list[str]:
    """The published figures in the text of a post, as they are printed, in its order."""
    return [visible_text(found) for found in re.findall(r'<span class="claim">(.*?)</span>', page.html, re.DOTALL)]


def told_at_the_foot(page: PostPage) -> list[str]:
    """What the fold at the foot of a post says of each published figure."""
    fold = re.search(r'<div class="evidence">.*?</details>', page.html, re.DOTALL)
    told = fold[0].partition("Published figures that the computed ones were held against")[2]
    return [visible_text(found) for found in re.findall(r"<li>(.*?)</li>", told, re.DOTALL)]


def methods_in_panels(page: PostPage) -> set[str]:
    """How the answers that a post shows as confirmed were confirmed."""
    return set(re.findall(r'<span class="method">(.*?)</span>', page.html))


def fault_of(root: Path, slug: str, old: str, new: str) -> tuple[int, str]:
    """The line of a post on which a text stands once, and what a build says when another stands there instead."""
    for post in sorted((ROOT / "content").rglob("*.md")):
        text = post.read_text("utf-8")
        if post.stem == slug:
            assert text.count(old) == 1
            line = text[: text.index(old)].count("\n") + 1
            text = text.replace(old, new)
        else:
            dated = re.search(r"^date:.*$", text, re.MULTILINE)
            text = f"---\ntitle: {post.stem}\n{dated[0] if dated else ''}\n---\n"
        copy = root / post.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, "utf-8")
    shutil.copy(ROOT / "config.yaml", root)
    for name in ("templates", "solvers"):
        (root / name).symlink_to(ROOT / name)
    with pytest.raises((SiteError, ExceptionGroup)) as raised:
        build_variant(Wanted(root), Variant("", False, ()), Silent(), pytest.fail)
    (fault,) = faults_of(raised.value)
    return line, str(fault)
