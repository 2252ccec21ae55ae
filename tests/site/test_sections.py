"""The sections of a text, between which a page has the picture, the guess and the settings."""

import pytest

from site_builder.site.sections import sections_of

PUZZLE, FOLD = "<p>How often?</p>", '<details class="hint"><summary>A hint</summary><p>Begin at the end.</p></details>'
ANSWER, WHY = '<h2 id="a">The answer</h2><p>Half.</p><h3>In short</h3>', "<h2>Why</h2><p>So.</p>"


@pytest.mark.parametrize(
    ("puzzle", "solution", "rest"),
    [
        (PUZZLE, "<h2>The answer</h2><p>Half.</p>", "<h3>In short</h3>" + WHY),
        (PUZZLE, FOLD + "<h2>The answer</h2><p>Half.</p>", WHY),
        ("<h2>The puzzle</h2>" + PUZZLE, "<h2>The answer</h2><p>Half.</p>", WHY),
        (PUZZLE, "<p>Half.</p><p>So.</p>", ""),
        (PUZZLE + '<details class="sidenote"><p>A note.</p></details>', ANSWER.partition("<h3>")[0], ""),
        (f"<blockquote><h2>From a letter</h2></blockquote>{PUZZLE}<div><h2>A box</h2></div>", "<h2>Half</h2>", ""),
        ('<div class="admonition draft"><p>Draft.</p></div>' + PUZZLE, "<h2>Half</h2>", ""),
        ("", "<h2>Games</h2>", "<h2>Links</h2>"),
        ("", "<ul><li>One</li></ul>", ""),
    ],
)
def test_the_puzzle_ends_at_the_first_heading_or_fold_and_its_solution_begins_there(puzzle, solution, rest):
    assert sections_of(puzzle + solution + rest) == (puzzle, solution, rest)
