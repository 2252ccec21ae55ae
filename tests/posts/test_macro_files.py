"""Macros that posts share: content/macros.html, and files that they import or include."""

import pytest

MACROS = '{% macro coins(n) %}<span class="coins">{{ n | number(0) }} coins</span>{% endmacro %}\n'
GREETING = "{% macro hello(name) %}\nHello {{ name.first }}\n{% endmacro %}\n"
NO_RUNS = "runs: {}\n"


@pytest.fixture
def sharing(project):
    """A project with macros for all posts, a file to import, two posts that use them and one that does not."""
    project.write("content/macros.html", MACROS)
    (project.root / "templates").unlink()
    project.write("templates/greeting.html", "{% macro hi(name) %}Hi {{ name }}{% endmacro %}\n")
    project.post("There are {{ coins(5) }}.\n", name="one", front=NO_RUNS)
    project.post('{% import "greeting.html" as m %}\n{{ m.hi("you") }}.\n', name="two", front=NO_RUNS)
    project.post("No macros.\n", name="three", front=NO_RUNS)
    project.build()
    return project


def test_macros_of_the_project_and_imported_ones_are_written(sharing):
    assert '<p>There are <span class="coins">5 coins</span>.</p>' in sharing.page("posts/one/index.html")
    assert "<p>Hi you.</p>" in sharing.page("posts/two/index.html")
    assert "macros.html" not in sharing.files()


def test_an_edit_of_macros_writes_the_texts_that_may_use_them_and_no_other(sharing):
    sharing.write("content/macros.html", MACROS.replace(" coins<", " pennies<"))

    said = sharing.build("--explain").out

    assert "5 pennies" in sharing.page("posts/one/index.html")
    assert said.count("text: written, content/macros.html changed") == 2  # a text with Jinja may use any of them


def test_an_edit_of_an_imported_file_writes_the_texts_that_import_it(sharing):
    sharing.write("templates/greeting.html", "{% macro hi(name) %}Hello {{ name }}{% endmacro %}\n")

    said = sharing.build("--explain").out

    assert "<p>Hello you.</p>" in sharing.page("posts/two/index.html")
    assert said.count("text: written") == 1


def test_macros_that_appear_later_are_noticed(sharing):
    sharing.write("content/macros.html", MACROS + "{% macro dice(n) %}{{ n }} dice{% endmacro %}\n")
    sharing.post("There are {{ dice(2) }}.\n", name="three", front=NO_RUNS)

    sharing.build()

    assert "<p>There are 2 dice.</p>" in sharing.page("posts/three/index.html")


@pytest.mark.parametrize(
    ("body", "error", "cure"),
    [
        (
            '{% import "greeting.html" as m %}\n{{ m.hello(3) }}\n',
            "templates/greeting.html:2: 3 has no 'first'",
            "write the value without it",
        ),
        (
            '\n{% include "greetings.html" %}\n',
            "content/posts/ruin.md:7: there is no file greetings.html",
            "greeting.html",
        ),
        ('{% import "broken.html" as m %}\n', "templates/broken.html:2: there is no statement {% macr %}", ""),
        ('{% import "loose.html" as m %}\n', "templates/loose.html:1: the filter percent stands after arithmetic", ""),
        (
            '{% set name = "greeting" %}{% include name ~ ".html" %}\n',
            "content/posts/ruin.md:6: the name of the file greeting.html is computed",
            'write it in quotes where it is imported: {% include "greeting.html" %}',
        ),
        ('{% include "../config.yaml" %}\n', "content/posts/ruin.md:6: there is no file ../config.yaml", ""),
        ('{% include "latin.html" %}\n', "templates/latin.html:2: this is no UTF-8 text", "save it as UTF-8"),
        ('\n{% include "posts/ruin.md" %}\n', "content/posts/ruin.md:7: this includes or calls itself", "take it out"),
        ('{% include "circle.html" %}\n', "templates/circle.html:3: this includes or calls itself", "take it out"),
    ],
)
def test_an_error_in_an_imported_file_is_at_its_own_line(project, body, error, cure):
    (project.root / "templates").unlink()
    project.write("templates/greeting.html", GREETING)
    (project.root / "templates/latin.html").write_bytes("\nCafé.\n".encode("latin-1"))
    project.write("templates/broken.html", "\n{% macr x() %}{% endmacro %}\n")
    project.write("templates/circle.html", '\n{# Once more: #}\n{% include "circle.html" %}\n')
    project.write("templates/loose.html", "{% macro x(p) %}{{ 36 * p | percent }}{% endmacro %}\n")
    project.post(body, front=NO_RUNS)

    err = project.build(status=1).err

    assert error in err
    assert cure in err


def test_front_matter_may_include_a_file_and_is_written_again_when_that_changes(project):
    project.write("content/note.html", "A note.\n")
    project.post("Text.\n", front=NO_RUNS + "summary: '{% include \"note.html\" %}'\n")
    project.build()
    assert "A note." in project.page("index.html")
    project.write("content/note.html", "Another one.\n")

    project.build()

    assert "Another one." in project.page("index.html")


def test_a_title_with_a_macro_is_written_again_when_that_changes(project):
    project.write("content/macros.html", "{% macro coins(n) %}{{ n }} coins{% endmacro %}\n")
    project.post("Text.\n", front=NO_RUNS, title='"{{ coins(5) }}"')
    project.build()
    project.write("content/macros.html", "{% macro coins(n) %}{{ n }} pennies{% endmacro %}\n")

    project.build()

    assert "5 pennies</h1>" in project.page("posts/ruin/index.html")


def test_each_file_that_an_import_may_choose_is_an_input_of_the_text(project):
    project.write("content/one.html", "First.\n")
    project.write("content/other.html", "Second.\n")
    project.post('{% include "one.html" if 1 > 2 else "other.html" %}\n', front=NO_RUNS)
    project.build()
    project.write("content/other.html", "Last.\n")

    project.build()

    assert "Last." in project.page("posts/ruin/index.html")


@pytest.mark.parametrize("before", ["content/late.html", "templates/late.html"])
def test_a_file_that_is_named_and_comes_later_is_noticed(project, before):
    (project.root / "templates").unlink()
    project.write("templates/README.md", "Here are templates.\n")
    project.post('{% include "late.html" ignore missing %}\n', front=NO_RUNS)
    project.build()
    project.write(before, "Late.\n")

    project.build()

    assert "Late." in project.page("posts/ruin/index.html")


def test_a_file_in_content_goes_before_one_of_the_same_name_that_was_there_before(project):
    (project.root / "templates").unlink()
    project.write("templates/note.html", "First.\n")
    project.post('{% include "note.html" %}\n', front=NO_RUNS)
    project.build()
    project.write("content/note.html", "Second.\n")

    project.build()

    assert "Second." in project.page("posts/ruin/index.html")
