"""Posts that readers turn, in the preview: a setting is made when it is asked for."""

import re

import pytest

from site_builder.preview.controller import PageError
from tests.conftest import Project
from tests.pipeline.test_turns import BODY, PAGE, TURN, resolved, settings_in, turned_page
from tests.preview.test_controller import showing

RUN = "runs:\n  main: {solver: gamblers_ruin, parameters: {goal: 7}}\n"
OTHER = "{{ figure(results.main.figures.chance) }}\n"  # its thumbnail stands in lists


@pytest.fixture(scope="module")
def built(builds, tmp_path_factory):
    """The blog as it was built, which each test copies."""
    project = Project(tmp_path_factory.mktemp("turning"))
    project.post(BODY, front=TURN)
    project.post(OTHER, name="other", front=RUN)
    project.build()
    return project


@pytest.fixture
def turning(built, tmp_path):
    return built.copy_to(tmp_path / "blog")


def test_the_control_has_every_setting_and_none_is_made_before_it_is_asked_for(turning):
    with showing(turning) as shown:
        shown.settled()

        assert settings_in(shown.text(PAGE)) == [("4", "4/"), ("6", "6/"), ("20*", "./")]  # as published
        assert not [path for path in shown.preview._site.pages if path.startswith("posts/ruin/4")]


@pytest.mark.parametrize("key", ["4", "6"])
def test_a_setting_that_is_asked_for_is_the_one_that_a_build_makes(turning, key):
    expected = resolved(turning.page(turned_page(key)), f"posts/ruin/{key}")

    with showing(turning) as shown:
        shown.settled()
        page = shown.file(turned_page(key)).decode()
        named = re.findall(r'(?:src|srcset)="([^"#:]+)[" ]', resolved(page, f"posts/ruin/{key}"))

        assert resolved(page, f"posts/ruin/{key}") == expected
        assert named
        assert [name for name in named if shown.file(name) is None] == []


def test_after_an_edit_a_setting_has_the_new_text(turning):
    with showing(turning) as shown:
        shown.settled()
        assert b"A short game." in shown.file(turned_page("4"))
        turning.post(BODY.replace("A short game.", "Soon over."), front=TURN)
        shown.until(lambda state: state.version > 1)
        shown.settled()

        assert b"Soon over." in shown.file(turned_page("4"))


def test_a_fault_at_a_setting_names_its_line_and_the_setting(turning):
    file = turning.post(BODY + "\n{% if results.main.goal < 5 %}{{ results.main.missing }}{% endif %}\n", front=TURN)
    line = 1 + next(n for n, text in enumerate(file.read_text().split("\n")) if "main.missing" in text)
    with showing(turning) as shown:
        shown.settled()
        with pytest.raises(PageError, match="turned to 4") as raised:
            shown.file(turned_page("4"))

        assert str(raised.value.errors[0].place) == f"content/posts/ruin.md:{line}"
        assert shown.file(turned_page("6")) is not None


def test_a_setting_that_a_post_does_not_have_is_no_file(turning):
    with showing(turning) as shown:
        shown.settled()

        assert shown.file(turned_page("5")) is None
