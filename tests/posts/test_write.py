"""The text of a post is written within a limit of time, and what goes beyond it is named by its line."""

import pytest

from site_builder.posts.jinja import PostEnvironment
from site_builder.posts.texts import write
from site_builder.project.config import Limits
from tests.support.content import errors_in_text
from tests.support.time_limits import ENDLESS, range_that_takes_all_time

# Each goes beyond the limit in line 4 of the text, which is line 8 of the file.
TOO_LONG = [
    f"{{% for a in [1] %}}\n{{% for b in range({ENDLESS}) %}}{{% for c in range(9999) %}}{{% endfor %}}{{% endfor %}}"
    "{% endfor %}",
    "\n{% macro twice(n) %}{% if n %}{{ twice(n - 1) }}{{ twice(n - 1) }}{% endif %}{% endmacro %}"
    f"{{% for a in range({ENDLESS}) %}}{{{{ twice(60) }}}}{{% endfor %}}",
]


@pytest.fixture(scope="module", autouse=True)
def _modules_are_loaded():
    """The first text loads what texts need, for which the limits of these tests are too narrow."""
    assert errors_in_text("{{ 1 }} *word*.\n") == []


@pytest.mark.parametrize("loop", TOO_LONG)
def test_a_text_that_does_not_end_is_an_error_at_the_line_of_its_loop(loop, monkeypatch):
    monkeypatch.setitem(write._environment(write.NO_EXTENSIONS).globals, "range", range_that_takes_all_time)

    (error,) = errors_in_text(f"Words.\n\n{loop}\n", Limits(text=3600))

    assert str(error.place) == "content/posts/a.md:8"
    assert error.message == "this takes longer than a text or page may"
    assert "raise text: under limits: in config.yaml" in error.cure


def test_a_product_of_ever_larger_numbers_is_ended_in_time():
    loop = "{% set all = namespace(n=3) %}{% for i in range(99) %}\n{% set all.n = all.n * all.n %}{% endfor %}"

    (error,) = errors_in_text(f"Words.\n\n{loop}\n", Limits(text=0.1))

    assert str(error.place) == "content/posts/a.md:8"
    assert error.message == "this takes longer than a text or page may"


def test_after_an_error_of_time_the_next_text_is_written():
    loop = "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}\n"
    (error,) = errors_in_text(loop, Limits(text=0.1))
    assert error.message == "this takes longer than a text or page may"

    assert errors_in_text("Words.\n") == []


def test_a_text_written_again_at_its_line_is_compiled_once(monkeypatch):
    compiled = []
    compile_tree = PostEnvironment.compile
    monkeypatch.setattr(
        PostEnvironment,
        "compile",
        lambda self, tree, *place: compiled.append(place) or compile_tree(self, tree, *place),
    )

    for _ in range(3):
        assert errors_in_text("Half of nine is {{ 9 / 2 }}.\n") == []
    assert len(errors_in_text("Half of nine is {{ 9 / 2 }}.\n\n{{ 1 / 0 }}\n")) == 1
    assert len(errors_in_text("Half of nine is {{ 9 / 2 }}.\n\n{{ 1 / 0 }}\n")) == 1

    assert len(compiled) == 2
