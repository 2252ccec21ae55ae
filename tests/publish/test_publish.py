"""What publishing refuses, each with its own words, and that nothing is published then."""

import os
import shutil
import threading
from contextlib import contextmanager

import pytest

from site_builder.errors import SiteError
from site_builder.pipeline.build import build_and_write
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.steps.context import Report
from site_builder.publish.publish import refuse_unfinished
from site_builder.publish.target import take_snapshot
from site_builder.storage.staging import MANIFEST, Manifest
from tests.support.published import PAGES_OF_THE_THEME, POST, copy_of, listed, site_of, to

ANSWER = (
    "---\ntitle: A title\ndate: 2026-03-01\nruns:\n  fair: {{solver: gamblers_ruin, fixed: true}}\n---\n"
    "It is {{{{ results.fair.half | number(3) }}}}, {}.\n"
)
FINISHED = Manifest({"index.html": "12"}).written()
UNFINISHED = Manifest({"index.html": "12"}, is_unfinished=True).written()


@pytest.fixture
def project(published_blog, tmp_path):
    project = copy_of(published_blog, tmp_path / "blog")
    to(project, "{folder: public}")
    return project


@pytest.fixture
def site(tmp_path):
    return tmp_path / "blog" / "public"


def test_addresses_that_will_be_gone_are_named_with_how_to_keep_them(project, site):
    project.run("publish")
    (project.root / "content/posts/b.md").rename(project.root / "content/posts/other.md")
    words = (
        "1 page there will be gone: /posts/b/; aliases: in the front matter of what takes its place keeps an address"
    )

    assert words in project.run("publish", "--dry-run").out
    assert (site / "posts/b/index.html").exists()
    assert words in project.run("publish").out
    assert "will be gone" not in project.run("publish").out


def test_an_address_that_an_alias_keeps_is_not_gone(project):
    project.run("publish")
    (project.root / "content/posts/b.md").unlink()
    project.write("content/posts/other.md", POST.format("b").replace("date:", "aliases: [/posts/b/]\ndate:"))

    assert "will be gone" not in project.run("publish").out


@pytest.mark.parametrize("host", ["example.org", "blog.example.com"])
def test_an_address_for_examples_is_published_only_with_yes(project, site, host):
    text = (project.root / "config.yaml").read_text("utf-8")
    project.write("config.yaml", text.replace("blog.test", host))

    refused = project.run("publish", status=1)

    assert refused.err.startswith(f"config.yaml:2: base_url is under {host}, an address for examples")
    assert "mend: write the public address of the site" in refused.err
    assert not site.exists()
    project.run("publish", "--yes")
    assert site.is_dir()


@contextmanager
def open_folder(folder):
    opened = os.open(folder, os.O_RDONLY)
    try:
        yield opened
    finally:
        os.close(opened)


def test_without_a_target_it_says_what_to_write(project, site):
    project.write("config.yaml", "title: A blog\nbase_url: https://example.org/\n")

    ran = project.run("publish", status=1)

    assert ran.err.startswith(
        "config.yaml: it does not say where the site is published to\n    mend: write one of these"
    )
    for target in ("{branch: gh-pages}", "{rsync: me@example.org:/srv/www}", "{folder: public}"):
        assert f"publish: {target}" in ran.err


def test_a_site_that_does_not_build_is_not_published(project, site):
    project.run("publish")
    before = project.files(site)
    project.write("content/posts/a.md", POST.format("A") + "\n[nowhere](/nowhere/)\n")

    ran = project.run("publish", status=1)

    assert "content/posts/a.md:7: the link /nowhere/ leads nowhere" in ran.err
    assert ran.err.endswith("\n1 error; nothing was published.\n")
    assert project.files(site) == before


def test_a_failed_check_of_a_solver_publishes_nothing(project, site):
    project.write("content/posts/ruin.md", ANSWER.format("half of it"))
    solver = project.root / "solvers" / "gamblers_ruin.py"
    text = solver.read_text("utf-8")
    solver.write_text(text.replace("{0: 0, goal: 1}", "{0: 1, goal: 1}"), "utf-8")

    ran = project.run("publish", status=1)

    assert (
        "solver 'gamblers_ruin' failed check_both_ends (Both ends, by the rules of the game) in run 'fair'" in ran.err
    )
    assert not site.exists()


def test_an_answer_that_differs_from_the_accepted_one_is_not_published(project, site):
    project.write("content/posts/ruin.md", ANSWER.format("as it was accepted"))
    project.run("accept")
    accepted = project.root / "content" / "accepted" / "ruin.json"
    accepted.write_text(accepted.read_text("utf-8").replace("1/2", "1/3"), "utf-8")

    refused = project.run("publish", status=1)
    project.run("accept")
    project.run("publish")

    assert "content/posts/ruin.md: an answer differs from the one accepted; nothing was published" in refused.err
    assert "python build.py accept ruin" in refused.err
    assert (site / "posts" / "ruin" / "index.html").exists()


def test_a_draft_that_was_built_before_is_never_published(project, site):
    project.write("content/posts/secret.md", POST.format("A secret").replace("title:", "draft: true\ntitle:"))
    project.build("--drafts")
    assert (project.root / "_site" / "posts" / "secret" / "index.html").exists()

    project.run("publish")

    there = project.files(site)
    assert not any("secret" in path for path in there)
    assert not any(b"A secret" in data for data in there.values())


def test_a_post_that_becomes_a_draft_is_taken_back(project, site):
    project.run("publish")
    project.write("content/posts/a.md", POST.format("a").replace("title:", "draft: true\ntitle:"))

    project.run("publish")

    assert not (site / "posts" / "a").exists()
    assert (site / "posts" / "b" / "index.html").exists()


def test_files_that_others_put_among_the_built_ones_are_not_published(project, site):
    project.write("_site/posts/leaked/index.html", "a draft of yesterday")
    project.write("_site/notes.txt", "mine")

    project.run("publish")

    assert not (site / "notes.txt").exists()
    assert not (site / "posts" / "leaked").exists()


def test_a_built_file_that_was_altered_by_hand_is_published_as_it_is_built(project, site):
    page = project.root / "_site" / "index.html"
    was = page.read_bytes()
    page.write_bytes(was[::-1])

    project.run("publish")

    assert (site / "index.html").read_bytes() == was


@pytest.mark.parametrize("text", [UNFINISHED, b"", b"{"])
def test_a_site_that_is_unfinished_or_of_which_nothing_is_known_is_refused(tmp_path, text):
    (tmp_path / "_site").mkdir()
    (tmp_path / "_site" / MANIFEST).write_bytes(text)

    with pytest.raises(SiteError) as raised:
        refuse_unfinished(tmp_path, "_site")

    assert str(raised.value) == (
        "_site/.puzzlepress.json: a build into this folder was cut short, or still runs: "
        "a part of the site may be new, the rest old\n"
        "    mend: build the site, which compares every file and completes it; then publish again"
    )


def test_a_site_that_is_finished_or_was_never_built_is_not_refused(tmp_path):
    (tmp_path / "file").write_text("mine")
    refuse_unfinished(tmp_path, "none")
    refuse_unfinished(tmp_path, "file")  # the build says that it is in the way
    refuse_unfinished(tmp_path, ".")
    (tmp_path / MANIFEST).write_bytes(FINISHED)
    refuse_unfinished(tmp_path, ".")

    assert (tmp_path / MANIFEST).read_bytes() == FINISHED


def test_sources_that_never_come_to_rest_are_not_published(project, site):
    is_over = threading.Event()

    def write():
        count = 0
        while not is_over.wait(0.01):
            count += 1
            project.write("beside.md", POST.format(f"title {count}")).replace(project.root / "content/posts/a.md")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        ran = project.run("publish", status=1)
    finally:
        is_over.set()
        writer.join()

    assert "changed while" in ran.err
    assert not site.exists()


def test_a_file_that_changes_between_the_build_and_its_copy_is_noticed(project, tmp_path):

    built = build_and_write(BuildOptions(project.root, workers=1), Report(), lambda words: None)
    digests = {path: standing.digest for path, standing in built.written.after.items()}
    project.write("_site/posts/a/index.html", "another")

    with pytest.raises(SiteError) as caught:
        take_snapshot(built.folder, digests, tmp_path / "copy")

    assert str(caught.value).startswith(f"{project.root}/_site/posts/a/index.html: it is not what was built any more")


@pytest.mark.parametrize(("more", "is_refused"), [(0, False), (1, True)])
def test_to_remove_more_than_half_of_the_pages_needs_yes(project, site, more, is_refused):
    stay = 3 + PAGES_OF_THE_THEME
    old = [f"old/{number}.html" for number in range(stay + more)]
    for name in old:
        project.write(f"content/{name}", "an old page")
    project.run("publish")
    shutil.rmtree(project.root / "content" / "old")

    ran = project.run("publish", status=1 if is_refused else 0)

    if is_refused:
        words = f"would remove {len(old)} of the {stay + len(old)} pages that are there, more than half of them"
        assert f"folder public: publishing {words}; nothing was published" in ran.err
        assert "--dry-run lists all of it; if it is meant, add --yes" in ran.err
        assert len([*(site / "old").iterdir()]) == len(old)
        assert listed(project.run("publish", "--dry-run", status=1).out, "remove") == sorted(old)
        project.run("publish", "--yes")
    assert not (site / "old").exists()


def test_a_dry_run_lists_every_file_with_the_totals(project, site):
    for number in range(60):
        project.write(f"content/files/{number:02}.txt", "words")

    ran = project.run("publish", "--dry-run")

    count = len(site_of(project)) + 1
    assert len(listed(ran.out, "add")) == count
    assert f"{count} files added, 0 changed, 0 removed" in ran.out


def test_help_says_what_publishing_does(project):
    ran = project.run("publish", "--help")

    assert "--dry-run" in ran.out
    assert "--yes" in ran.out
    assert "Nothing is published when the build or a check fails" in ran.out
