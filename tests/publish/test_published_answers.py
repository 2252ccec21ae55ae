"""Answers that stand published and have changed: refused on every target until they are accepted and corrected."""

import json
import re
import shutil
from datetime import UTC, datetime
from textwrap import dedent

import pytest

from site_builder.errors import SiteError
from site_builder.markup.placeholders import Inline
from site_builder.pipeline.accepted import ComparedPost
from site_builder.pipeline.check import refuse_changed_answers
from site_builder.posts.evidence import Evidence
from site_builder.posts.summary import Correction
from tests.support.published import copy_of, files_of_branch, make_repository, to
from tests.support.sites import brief

POST = """---
title: Ruin
date: 2026-03-01
{}runs:
  fair: {{solver: gamblers_ruin, fixed: true}}
---
It is {{{{ results.fair.half | number(3) }}}}.
"""
REFUSED = (
    "content/posts/ruin.md: an answer differs from the one published on {}; nothing was published\n"
    "    mend: results.fair.half: 1/2 -> 9/20\n"
    "          look into it; if the new one is right, "
)


@pytest.fixture(scope="module")
def published(published_blog, tmp_path_factory):
    """A blog whose post has the answer 1/2, of which nothing is accepted, published once."""
    project = copy_of(published_blog, tmp_path_factory.mktemp("published") / "blog")
    to(project, "{folder: site}")
    write(project)
    project.run("publish")
    return project


@pytest.fixture
def project(published, tmp_path):
    """A copy of it; nothing is published there yet."""
    project = copy_of(published, tmp_path / "blog")
    shutil.rmtree(project.root / "site")
    return project


def write(project, front="", more=""):
    project.write("content/posts/ruin.md", POST.format(front) + more)


def make_mistake(project):
    """Make the published answer a tenth smaller."""
    solver = project.root / "solvers" / "gamblers_ruin.py"
    text = solver.read_text("utf-8")
    assert text.count("chance[goal // 2],") == 2  # the check makes the same mistake
    wrong = text.replace("chance[goal // 2],", "chance[goal // 2] * Fraction(9, 10),")
    solver.write_text(wrong, "utf-8")


def correction_in(said):
    """The lines of front matter that a message gives."""
    found = dedent("          corrections:" + said.split("          corrections:")[1].split("1 error")[0])
    return re.sub("date: .*", "date: 2026-04-02", found)


def test_a_wrong_answer_takes_the_place_of_a_published_one_only_with_accept_and_a_correction(project, tmp_path):
    project.run("publish")
    before = project.files(tmp_path / "blog" / "site")
    make_mistake(project)

    first = project.run("publish", status=1)
    listed = project.run("publish", "--dry-run", status=1)
    project.run("accept", "ruin")
    accepted = project.run("publish", status=1)

    name = "folder site"
    assert REFUSED.format(name) + "tell readers in the front matter, then python build.py accept ruin:\n" in first.err
    assert REFUSED.format(name) in listed.err
    assert "  change  posts/ruin/index.html\n" in listed.out
    assert REFUSED.format(name) + "tell readers in the front matter:\n" in accepted.err
    assert project.files(tmp_path / "blog" / "site") == before

    write(project, correction_in(accepted.err))
    project.run("publish")

    assert b"9/20" in (tmp_path / "blog" / "site" / "answers.json").read_bytes()


def test_a_correction_alone_is_not_enough(project, tmp_path):
    project.run("publish")
    make_mistake(project)
    write(project, correction_in(project.run("publish", status=1).err))

    ran = project.run("publish", status=1)
    project.run("accept", "ruin")
    project.run("publish")

    assert REFUSED.format("folder site") + "python build.py accept ruin\n" in ran.err
    assert b"9/20" in (tmp_path / "blog" / "site" / "answers.json").read_bytes()


def test_the_answers_of_a_branch_are_compared(project, tmp_path):
    remote = tmp_path / "remote.git"
    make_repository(project, remote)
    to(project, "{branch: gh-pages}")
    project.run("publish")
    make_mistake(project)

    ran = project.run("publish", status=1)

    assert REFUSED.format("branch gh-pages of origin") in ran.err
    assert b"1/2" in files_of_branch(remote)["answers.json"]


def test_what_a_post_shows_besides_is_no_change(project, tmp_path):
    project.run("publish")
    write(project, more="\nThere is {{ results.fair.names.a_b }}.\n")

    project.run("publish")

    found = json.loads((tmp_path / "blog" / "site" / "answers.json").read_bytes())
    assert found["results"] == {"posts/ruin/": {"fair": {"half": "1/2", "names": {"a_b": 1}}}}


def test_the_answers_of_drafts_are_left_out(project, tmp_path):
    write(project, "draft: true\n")
    project.build("--drafts")
    assert (project.root / "_site" / "posts" / "ruin" / "index.html").exists()

    assert json.loads((project.root / "_site" / "answers.json").read_bytes())["results"] == {}


# What is compared


def post(now, *addresses, accepted=None, corrected=()):
    path, *aliases = addresses or ("posts/dice/",)
    notes = (Correction(datetime(2026, 4, 2, tzinfo=UTC), Inline("", ""), tuple(corrected)),)
    summary = brief("dice", path=path, aliases=tuple(aliases), corrections=notes)
    return ComparedPost(summary, Evidence((), (), {"main": now}), None if accepted is None else {"main": accepted})


def refused(published, *posts, is_ours=False):
    """What is said of these posts where answers are published; empty where they are not refused."""
    data = published if isinstance(published, bytes | None) else json.dumps({"results": published}).encode()
    try:
        refuse_changed_answers(posts, data, "there", is_ours)
    except SiteError as error:
        return str(error)
    return ""


RIGHT, WRONG = {"chance": "5/12"}, {"chance": "5/18"}  # 15 of 36 pairs of dice show 8 or more, 10 show 9 or more
THERE = {"posts/dice/": {"main": RIGHT}}


@pytest.mark.parametrize("published", [None, b"{}", b'{"title": "of version 0.1.0"}', {}, {"posts/other/": {}}])
def test_a_post_that_was_not_published_has_nothing_to_be_compared_with(published):
    assert not refused(published, post(WRONG))


def test_an_answer_that_is_the_published_one_passes():
    assert not refused(THERE, post(RIGHT))


@pytest.mark.parametrize("now", [WRONG, {"odds": "5/18"}])
def test_an_answer_that_has_changed_or_is_gone_is_refused_though_nothing_was_accepted(now):
    assert "an answer differs from the one published on there" in refused(THERE, post(now))


def test_an_answer_that_was_accepted_and_corrected_passes():
    correction = ("main.chance", "5/12", "5/18")

    assert not refused(THERE, post(WRONG, accepted=WRONG, corrected=[correction]))
    assert refused(THERE, post(WRONG, accepted=RIGHT, corrected=[correction]))
    assert refused(THERE, post(WRONG, accepted=WRONG, corrected=[("main.chance", "1/2", "5/18")]))


def test_a_post_that_has_moved_is_compared_at_its_old_address():
    assert not refused(THERE, post(RIGHT, "posts/two-dice/", "posts/dice/"))
    assert refused(THERE, post(WRONG, "posts/two-dice/", "posts/dice/"))


def test_all_posts_that_are_refused_are_named_and_a_long_list_is_cut_short():
    many = {f"c{place}": place for place in range(25)}
    said = refused({"posts/dice/": {"main": many}}, post(dict.fromkeys(many, -1)))

    assert said.startswith("content/posts/dice.md: 25 answers differ from those published on there;")
    assert "          and 5 more\n" in said


@pytest.mark.parametrize("data", [b"", b"no JSON", b'{"results": [1]}', b"[]"])
def test_published_answers_that_cannot_be_read_are_an_error_unless_others_wrote_them(data):
    assert refused(data, post(RIGHT), is_ours=True) == (
        ""
        if not data
        else (
            "there: answers.json: the published answers cannot be read, so that nothing can be compared with them; "
            "nothing was published\n"
            "    mend: put the file back as it was published; without it, all answers are published as new ones"
        )
    )
    assert not refused(data, post(RIGHT))
