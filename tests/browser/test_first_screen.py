"""The first screen of the five posts: a picture of the game and a question."""

import pytest

POSTS = (
    "two-coins-a-hundred-flips",
    "coinball",
    "two-piles-of-pennies",
    "a-row-of-coins",
    "penneys-game-with-one-deck",
)


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (360, 740)])
@pytest.mark.parametrize("post", POSTS)
def test_the_picture_and_the_question_lie_in_the_first_screen(read, blog, post, width, height):
    page = read(f"{blog.address}posts/{post}/", width=width).page

    for part in (".picture-of-post img", ".guess summary", ".guess-with button"):
        box = page.locator(part).bounding_box()
        assert box["height"] > 20
        assert box["y"] + box["height"] <= height
