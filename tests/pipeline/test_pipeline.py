"""One build: whatever was in the store, and whatever happens to files meanwhile."""

from types import SimpleNamespace

import pytest

from site_builder.errors import SiteError
from site_builder.pipeline.build import build_site
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.pipeline import Build
from site_builder.pipeline.sources import Sources
from site_builder.pipeline.steps.context import Report
from site_builder.project.config import load_config
from site_builder.site.provenance import CodeFacts
from site_builder.solving.code.libraries import environment_stamp
from site_builder.storage.file_fingerprints import digests, scan
from site_builder.storage.store import Store


def build(root, meanwhile=lambda: None):
    """The files of a site. meanwhile: what happens between the look at all files and the build."""
    scanned = scan(root)
    sources = Sources(load_config(root), scanned, digests(scanned, {}), environment_stamp())
    meanwhile()
    with Store(root / ".store", 2**30, pytest.fail) as store:
        built = build_site(BuildOptions(root), sources, store, Report(), print)
        return {page.path: page.render() for page in built.pages}


def write(project, *names):
    for name in names:
        text = f"---\ntitle: {name}\ndate: 2026-03-01\nslug: same\npermalink: /{name}/\ntags: [{name[0]}]\n---\nText.\n"
        project.write(f"content/posts/{name}.md", text)


def test_posts_of_one_date_and_one_slug_are_in_one_order_whatever_was_in_the_store(project):
    write(project, "a", "b", "c", "d")
    project.lay_store()
    build(project.root)
    project.write("content/posts/a.md", (project.root / "content/posts/a.md").read_text("utf-8") + "More.\n")

    warm = build(project.root)
    project.forget()
    project.lay_store()
    cold = build(project.root)

    assert warm == cold


def test_summaries_that_another_version_wrote_are_made_again(project):
    write(project, "a", "b")
    project.lay_store()
    before = build(project.root)
    with Store(project.root / ".store", 2**30, pytest.fail) as store:
        whole = store.documents("summaries")
        store.set_documents("summaries", {name: data.partition(b"\n")[0] + b"\n[7]" for name, data in whole.items()})

    after = build(project.root)

    assert len(whole) == 2
    assert after == before


@pytest.mark.parametrize("name", ["content/posts/a.md", "content/x.txt"])
def test_a_file_that_changes_while_the_site_is_built_is_not_kept_as_what_it_was(project, name):
    write(project, "a")
    project.lay_store()
    project.write("content/x.txt", "old")
    before = (project.root / name).read_text("utf-8")

    with pytest.raises(SiteError, match=f"{name}: it changed while the site was built"):
        build(project.root, lambda: project.write(name, before + "other words"))
    project.write(name, before)

    assert not [data for data in build(project.root).values() if b"other words" in data]


def test_the_code_behind_a_post_is_that_of_its_solvers_as_far_as_they_exist():
    solving = {name: SimpleNamespace(key=f"key of {name}", libraries={"numpy": "2"}) for name in ("ruin", "walk")}
    codes = SimpleNamespace(of=lambda name: SimpleNamespace(solving=solving[name]))
    of_build = SimpleNamespace(codes=codes, solvers={"ruin", "walk", "other"})

    assert Build._code_behind(of_build, SimpleNamespace(solvers={"ruin", "gone"})) == {
        "ruin": CodeFacts("key of ruin", {"numpy": "2"})
    }
