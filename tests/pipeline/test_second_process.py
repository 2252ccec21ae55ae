"""Work that a second process shares, and pages that it renders."""

import os
import select
import shutil
import signal

import pytest

from site_builder.errors import errors_of
from site_builder.pipeline import second_process
from site_builder.pipeline.build import build_and_write
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.second_process import share
from site_builder.pipeline.steps.context import Report

COUNT = 200


class Pair:
    """This process and a second one; each waits until the other has begun, so that both take part."""

    def __init__(self, in_second=lambda: None):
        self.first, self.in_second = os.getpid(), in_second
        self.pipes = {is_first: os.pipe() for is_first in (True, False)}

    def answer(self, number):
        is_first = os.getpid() == self.first
        os.write(self.pipes[is_first][1], b"1")
        assert select.select([self.pipes[not is_first][0]], [], [], 60)[0], "there is no other process"
        if not is_first:
            self.in_second()
        return number, is_first


def fail():
    raise ZeroDivisionError


def test_each_number_is_answered_once_in_its_place_by_one_of_two_processes():
    found = share(COUNT, Pair().answer, os.fork)

    assert [number for number, _ in found] == list(range(COUNT))
    assert {by_first for _, by_first in found} == {True, False}


@pytest.mark.parametrize("end", [fail, lambda: os._exit(3), lambda: os.kill(os.getpid(), signal.SIGKILL)])
def test_what_a_second_process_has_not_answered_when_it_ends_is_answered_here(end):
    found = share(COUNT, Pair(end).answer, os.fork)

    assert found == [(number, True) for number in range(COUNT)]


def test_what_fails_raises_here_and_leaves_no_process():
    made = []

    def fork():
        made.append(os.fork())
        return made[-1]

    with pytest.raises(ZeroDivisionError):
        share(COUNT, lambda number: 1 // (number - COUNT // 2), fork)

    with pytest.raises(ProcessLookupError):
        os.kill(made[0], 0)


def test_where_no_process_can_be_made_this_one_answers_all():
    def fork():
        raise BlockingIOError

    assert share(COUNT, str, fork) == list(map(str, range(COUNT)))


def test_each_answer_is_counted_once_as_progress():
    counts = []

    share(COUNT, Pair().answer, os.fork, counts.append)

    assert sum(counts) == COUNT


# Pages


@pytest.fixture
def blog(tmp_path, monkeypatch):
    """A blog with many posts, on a machine with two cores."""
    monkeypatch.setattr(second_process, "can_be_made", lambda: True)
    (tmp_path / "content/posts").mkdir(parents=True)
    (tmp_path / "config.yaml").write_text("title: A blog\nbase_url: https://blog.example.org/\n")
    for number in range(1, 120):
        front = f"title: Post {number}\ndate: 2026-01-01\ntags: [tag {number % 7}]\n"
        (tmp_path / f"content/posts/p{number}.md").write_text(f"---\n{front}---\nText {number}, $x^{{{number}}}$.\n")
    return tmp_path


@pytest.fixture
def shared(monkeypatch):
    """The numbers of pages that builds share with a second process."""
    counts = []

    def counted(count, *others):
        counts.append(count)
        return share(count, *others)

    monkeypatch.setattr(second_process, "share", counted)
    return counts


def build(blog, output, workers):
    build_and_write(BuildOptions(blog, output, workers=workers, search=False), Report(), pytest.fail)


def test_a_site_has_the_same_bytes_with_one_process_and_with_two(blog, shared):
    build(blog, "one", workers=1)
    assert shared == []
    shutil.rmtree(blog / ".store")
    build(blog, "two", workers=2)

    assert len(shared) == 1
    assert tree(blog / "two") == tree(blog / "one")
    assert not list((blog / "two").glob(".puzzlepress-new*"))


def test_an_edit_of_one_post_needs_no_second_process(blog, shared):
    build(blog, "", workers=2)
    shared.clear()

    (blog / "content/posts/p5.md").write_text("---\ntitle: Post 5\ndate: 2026-01-01\n---\nAnother text.\n")
    build(blog, "", workers=2)

    assert shared == []
    assert "Another text." in (blog / "_site/posts/p5/index.html").read_text()


def test_errors_in_templates_are_the_same_with_one_process_and_with_two(blog, shared):
    (blog / "templates").mkdir()
    own = "{{ post.title }}\n{% if post.path in ('posts/p5/', 'posts/p9/') %}{{ 1 / 0 }}{% endif %}\n"
    (blog / "templates/post.html").write_text(own + "{% if post.title == 'Post 60' %}\n{{ post.none }}{% endif %}\n")
    messages = []
    for workers in (1, 2):
        with pytest.raises(ExceptionGroup) as raised:
            build(blog, "", workers)
        messages.append(list(map(str, errors_of(raised.value))))
        assert not (blog / "_site/index.html").exists()

    assert len(shared) == 1
    assert messages[0] == messages[1]
    assert messages[0][0].startswith("templates/post.html:2: ZeroDivisionError: division by zero")
    assert messages[0][1].startswith("templates/post.html:4: UndefinedError: ")


def tree(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
