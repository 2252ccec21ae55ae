"""`check` names what readers of a figure may miss, and passes all the same."""

FAR = '{{ figure(curve([3, 4], [0.0000001, 2], title="Far apart", across_label="case", up_label="cost")) }}\n'
LETTERS = '{{ figure(bars(["七", "♠"], [1, 2], title="Letters", value_label="count")) }}\n'


def test_a_curve_over_many_orders_of_magnitude_and_letters_without_a_glyph_are_named(project):
    project.post(f"{FAR}\n{LETTERS}")

    ran = project.run("check")

    assert ".md: figure far-apart: its values span 7 orders of magnitude" in ran.out
    assert ".md: figure letters: the PNG shows a box for each of 七" in ran.out
    assert ran.status == 0


def test_figures_that_show_all_they_have_are_not_named(project):
    near = FAR.replace("up_label", 'log="up", up_label')
    project.post(f"{near}\n{LETTERS.replace('七', '½')}")

    assert "figure" not in project.run("check").out
