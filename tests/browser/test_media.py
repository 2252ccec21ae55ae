"""Recordings and pictures in posts: what the policy of their pages lets in, and how wide they are."""

from tests.browser.serving import served


def test_a_recording_of_the_site_plays(read, sample):
    page = read(sample.address + "posts/steps/").page
    audio = page.locator("audio")

    audio.evaluate("each => each.play()")  # which fails where the policy does not let the file be loaded

    assert audio.evaluate("each => [each.duration, each.error]") == [1, None]


def test_a_picture_with_a_number_is_as_wide_as_its_author_says_and_no_wider_than_a_phone(project, read):
    for name, width in (("small", 120), ("large", 2000)):
        project.write(
            f"content/posts/{name}.svg", f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="50"/>'
        )
    project.post(
        "![Small](small.svg){#fig-small}\n\n![Set](large.svg){#fig-set width=200}\n\n![L](large.svg){#fig-large}\n"
    )
    project.build()

    with served(project.root / "_site") as address:
        page = read(f"{address}posts/ruin/", width=390).page
        widths = page.eval_on_selector_all("figure img", "all => all.map(each => each.getBoundingClientRect().width)")
        room = page.eval_on_selector("figure", "each => each.getBoundingClientRect().width")

    assert widths == [120, 200, room]
