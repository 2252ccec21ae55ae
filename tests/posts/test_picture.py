"""`picture:` in front matter: a figure of a run after the puzzle of the post, and in lists."""

import re

FRONT = "picture: fair.chance\nruns:\n  fair: {solver: gamblers_ruin}\n"
BODY = "The chance is {{ results.fair.half | fraction }}.\n\n<!--more-->\n\nMore.\n"


def test_the_picture_follows_the_puzzle_and_stands_in_lists(project):
    project.post(BODY, front=FRONT)
    project.build()

    puzzle, _, solution = project.page("posts/ruin/index.html").partition('<figure class="picture-of-post"')
    home = project.page("index.html")
    assert "The chance is" in puzzle
    assert "<figure" not in solution.partition("<p>More.")[0]
    (thumbnail,) = re.findall(r'<img class="thumbnail" src="([^"]+)" width="\d+" height="\d+" alt=""', home)
    assert (project.root / "_site" / thumbnail).read_bytes().startswith(b"<svg")
    assert "<img" not in re.search(r'<div class="entry-summary">.*?</div>', home, re.DOTALL)[0]


def test_lists_follow_a_picture_that_changes(project):
    project.post(BODY, front=FRONT)
    project.build()
    before = project.page("index.html")
    project.build("--set", "gamblers_ruin.goal=4")

    after = project.page("index.html")
    assert re.search("thumbnail[^>]+", before)[0] != re.search("thumbnail[^>]+", after)[0]


THUMBNAIL = '<img class="thumbnail" src="posts/ruin/figures/'


def test_lists_show_the_first_figure_of_a_post_without_a_picture(project):
    figures = "{{ figure(results.fair.figures.chance) }}\n\n{{ figure(results.fair.figures.map) }}\n"
    project.post(f"Words.\n\n<!--more-->\n\n{figures}")
    project.build()

    assert f"{THUMBNAIL}fair-chance-narrow." in project.page("index.html")
    assert project.page("posts/ruin/index.html").partition('class="prose"')[2].count("<figure") == 2


def test_a_post_without_figures_has_no_thumbnail(project):
    project.post("The chance is {{ results.fair.half | fraction }}.\n")
    project.build()

    assert "thumbnail" not in project.page("index.html")


def test_a_picture_that_no_run_has_is_an_error_at_its_line(project):
    project.post(BODY, front=FRONT.replace("fair.chance", "fair.chances"))

    err = project.build(status=1).err

    assert "content/posts/ruin.md:4: no figure is named 'fair.chances'" in err
    assert "fair.chance" in err.partition("mend:")[2]


def test_an_error_in_the_text_keeps_its_line(project):
    project.post("{{ results.fair.missing }}\n", front=FRONT)

    line = (project.root / "content/posts/ruin.md").read_text("utf-8").split("\n").index(
        "{{ results.fair.missing }}"
    ) + 1
    assert f"content/posts/ruin.md:{line}: " in project.build(status=1).err
