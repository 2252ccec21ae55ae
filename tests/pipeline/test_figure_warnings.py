"""`check` names what readers of a figure may miss, and passes all the same."""

LETTERS = '{{ figure(bars(["七", "♠"], [1, 2], title="Letters", value_label="count")) }}\n'


def test_letters_without_a_glyph_are_named(project):
    project.post(LETTERS)

    ran = project.run("check")

    assert ".md: figure letters: the PNG shows a box for each of 七" in ran.out
    assert ran.status == 0


def test_figures_that_show_all_they_have_are_not_named(project):
    project.post(LETTERS.replace("七", "½"))

    assert "figure" not in project.run("check").out
