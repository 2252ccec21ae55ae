"""Files that change while a site is built: nothing is kept of them under the name of what they were before."""

import os
import shutil
import subprocess
import sys

import pytest

from site_builder.errors import SiteError
from site_builder.pipeline.build import build_site
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.sources import Sources
from site_builder.pipeline.steps.context import Report
from site_builder.project.config import load_config
from site_builder.solving.code.code_keys import CodeKeys
from site_builder.storage.file_fingerprints import digests, scan
from site_builder.storage.sqlite_file import NAME
from site_builder.storage.store import Store
from tests.conftest import ROOT, RUIN
from tests.support.finders import LATE, finding

MENDED = "it changed while the site was built\n    mend: build again"


MEANWHILE = """
import sys
from pathlib import Path

from site_builder.pipeline.build import build_and_write, build_site
from site_builder.errors import SiteError, errors_of
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.steps.context import Report

root, stage, name, text = Path(sys.argv[1]), *sys.argv[2:]


class Editor(Report):
    def stage(self, now, steps):
        if now == stage:
            (root / name).write_text(text)


def warned(words):
    if stage == "Warning":
        (root / name).write_text(text)


try:
    build_and_write(BuildOptions(root), Editor(), warned)
except* SiteError as group:
    print(*errors_of(group), sep="\\n")
"""


def built_while(project, stage, name, text):
    """What a build says during which a file becomes another when a stage begins."""
    command = [sys.executable, "-c", MEANWHILE, str(project.root), stage, name, text]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=project.root, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def blog(project):
    """A project with a file of each kind, all of it its own."""
    (project.root / "templates").unlink()
    shutil.copytree(ROOT / "templates", project.root / "templates")
    project.write("solvers/finder.py", finding("found = open('solvers/words.txt').read() + late()"))
    with (project.root / "solvers/finder.py").open("a") as file:
        file.write("\n\ndef late():\n    from solvers.common.late import found\n\n    return found\n")
    project.write("solvers/common/late.py", "found = 'past'\n")
    project.write("solvers/words.txt", "well ")
    project.write("content/notes.txt", "first notes\n")
    project.write("content/macros.html", "{% macro sign() %}.{% endmacro %}\n")
    project.post(
        "Found {{ results.mine.names.found }}{{ sign() }}\n",
        front="runs:\n  mine: {solver: finder, unchecked: {names: found in a file}}\n",
    )
    return project


CHANGES = {
    "code": ("Solving", "solvers/common/late.py", "found = 'time'\n", "well time"),
    "data": ("Solving", "solvers/words.txt", "good ", "good past"),
    "macros": ("Writing", "content/macros.html", "{% macro sign() %}, at last.{% endmacro %}\n", "at last"),
    "template": ("Drawing", "templates/post.html", "<p>Plain</p>\n", "<p>Plain</p>"),
    "included template": ("Drawing", "templates/base.html", "<html><p>Base</p></html>\n", "<p>Base</p>"),
    "asset": ("Drawing", "templates/assets/style.css", "p { color: red }\n", ""),
    "file": ("Saving", "content/notes.txt", "second notes\n", ""),
    "config": ("Warning", "config.yaml", None, "Another blog"),
}


EVERY_DAY = ("data",)  # with the least of code: test_noticing.py changes that while a build runs


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=[] if what in EVERY_DAY else pytest.mark.deep) for what in CHANGES]
)
def test_a_build_ends_with_the_file_that_changed_and_the_next_build_has_it_right(blog, what):
    stage, name, text, words = CHANGES[what]
    path = blog.root / name
    before = path.read_text()
    text = text or before.replace("A blog", "Another blog")
    blog.lay_store()
    if stage == "Warning":
        blog.write(f".store/{NAME}", "junk")  # of which the build warns when it opens the store, before the scan

    assert built_while(blog, stage, name, text) == f"{name}: {MENDED}"
    assert not (blog.root / "_site/index.html").exists()

    blog.build()
    assert words in blog.page("posts/ruin/index.html")
    after = blog.files()
    path.write_text(before)
    blog.build()
    restored = blog.files()
    blog.forget()
    blog.build()
    assert blog.files() == restored
    path.write_text(text)
    blog.build("--output", "again")
    assert {name: (blog.root / "again" / name).read_bytes() for name in after} == after


def test_a_post_that_changes_before_it_is_read_is_not_taken_for_what_it_was(project):
    (project.root / "content/posts/plain.md").write_text("---\ntitle: A\ndate: 2026-03-01\n---\nOne.\n")
    scanned = scan(project.root)
    sources = Sources(load_config(project.root), scanned, digests(scanned, {}), "libraries")
    (project.root / "content/posts/plain.md").write_text("---\ntitle: A\ndate: 2026-03-01\n---\nTwo.\n")

    with Store(project.root / ".store", 2**30, pytest.fail) as store, pytest.raises(SiteError) as caught:
        build_site(BuildOptions(project.root), sources, store, Report(), print)

    assert str(caught.value) == f"content/posts/plain.md: {MENDED}"


def test_a_text_with_macros_as_they_were_for_a_moment_is_not_kept(project):
    project.write("content/macros.html", "{% macro ends() %}Both ends{% endmacro %}\n")
    for name, body in {"a": "Plain.", "b": "{{ ends() }}"}.items():
        project.write(f"content/posts/{name}.md", f"---\ntitle: A\ndate: 2026-03-01\n---\n{body}\n")
    scanned = scan(project.root)
    sources = Sources(load_config(project.root), scanned, digests(scanned, {}), "libraries")

    class Restless(Report):
        def stage(self, name, steps):
            if name == "Writing":
                project.write("content/macros.html", "{% macro ends() %}Either end{% endmacro %}\n")

        def step(self, count):  # one text is kept; all have been written
            project.write("content/macros.html", "{% macro ends() %}Both ends{% endmacro %}\n")

    with Store(project.root / ".store", 2**30, pytest.fail) as store, pytest.raises(SiteError) as caught:
        build_site(BuildOptions(project.root), sources, store, Restless(), print)

    assert str(caught.value) == f"content/macros.html: {MENDED}"


def test_code_that_changes_before_it_is_looked_through_is_not_taken_for_what_it_was(project):
    named = digests(scan(project.root), {})
    project.write("solvers/gamblers_ruin.py", f"{RUIN}\nmore = 1\n")

    with Store(project.root / ".store", 2**30, pytest.fail) as store, pytest.raises(SiteError) as caught:
        CodeKeys(project.root, store, named, "libraries").of("gamblers_ruin")

    assert str(caught.value) == f"solvers/gamblers_ruin.py: {MENDED}"


def test_code_that_is_away_for_a_moment_is_looked_for_all_the_same(project):
    project.write("solvers/finder.py", LATE)
    late = project.write("solvers/common/late.py", "found = 'it'\n")
    named = digests(scan(project.root), {})
    late.unlink()

    with Store(project.root / ".store", 2**30, pytest.fail) as store, pytest.raises(SiteError) as caught:
        CodeKeys(project.root, store, named, "libraries").of("finder")

    assert str(caught.value) == f"solvers/common/late.py: {MENDED}"
