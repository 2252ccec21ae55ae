"""The pages of posts: which have a table of contents, where the evidence stands, and the sections of a text."""

import re

import pytest

from site_builder.site.pages.post_pages import sections_of

SECTIONS = "".join(f"\n## Part {name}\n\nA sentence.\n" for name in ("one", "two", "three"))
RUNS = "runs:\n  mine: {solver: gamblers_ruin}\n"
FOLD = '<div class="how-checked"'


def built(project, text, front=""):
    project.post(text, front=front)
    project.build()
    return project.page("posts/ruin/index.html")


def test_a_short_post_has_no_contents_and_one_with_many_pictures_has_them(project):
    assert "In this post" not in built(project, SECTIONS)

    curves = '{{ figure(curve([0, 1], [0.5, 1], title="A", across_label="a", up_label="b")) }}\n\n' * 6
    assert "In this post" in built(project, f"{SECTIONS}\n{curves}", RUNS)


def test_a_post_of_words_that_fill_four_screens_has_contents_if_it_has_sections(project):
    words = "All of these words fill a screen. " * 190

    assert "In this post" in built(project, SECTIONS + words)
    assert "In this post" not in built(project, words)


def test_the_evidence_is_at_the_end_unless_the_text_shows_it(project):
    shown = "It is {{ results.mine.half | number(2) }}.\n"
    at_the_end = built(project, shown, RUNS)
    in_the_text = built(project, f'{shown}\n??? note "Checked"\n\n    {{{{ evidence() }}}}\n\nThe end.\n', RUNS)

    assert at_the_end.count('<div class="evidence"') == in_the_text.count('<div class="evidence"') == 1
    assert FOLD in at_the_end
    assert FOLD not in in_the_text
    assert re.search(r'<div class="evidence".*provenance\.json.*The end\.', in_the_text, re.DOTALL)


def test_a_fold_with_the_evidence_counts_no_words_and_is_in_no_feed(project):
    long = "    Words that only those read who look closely. " * 200
    inner = '    ??? note "Within"\n\n        In a fold of the fold.\n'
    fold = f'??? note "Checked"\n\n{long}\n\n{inner}\n    {{{{ evidence() }}}}\n'
    kept = '??? hint "A hint"\n\n    Begin at the end.\n'

    html = built(project, f"It is {{{{ results.mine.half }}}}.\n\n{kept}\n{fold}\nThe end.\n", RUNS)

    assert "1 min read" in html
    feed = project.page("feed.xml")
    assert ("look closely" in html, "look closely" in feed, "fold of the fold" in feed) == (True, False, False)
    assert ("Begin at the end" in feed, "The end" in feed) == (True, True)


PUZZLE, HINT = "<p>How often?</p>", '<details class="hint"><summary>A hint</summary><p>Begin at the end.</p></details>'
ANSWER, WHY = '<h2 id="a">The answer</h2><p>Half.</p><h3>In short</h3>', "<h2>Why</h2><p>So.</p>"
REFERENCES = '<h2>Sources<a href="#sources">#</a></h2>\n<section class="references"><ol><li>Feller.</li></ol></section>'


@pytest.mark.parametrize(
    ("puzzle", "solution", "rest"),
    [
        (PUZZLE, "<h2>The answer</h2><p>Half.</p>", "<h3>In short</h3>" + WHY),
        (PUZZLE, HINT + "<h2>The answer</h2><p>Half.</p>", WHY),
        ("<h2>The puzzle</h2>" + PUZZLE, "<h2>The answer</h2><p>Half.</p>", WHY),
        (PUZZLE, "<p>Half.</p><p>So.</p>", ""),
        (PUZZLE + '<details class="sidenote"><p>A note.</p></details>', ANSWER.partition("<h3>")[0], ""),
        (f"<blockquote><h2>From a letter</h2></blockquote>{PUZZLE}<div><h2>A box</h2></div>", "<h2>Half</h2>", ""),
        ('<div class="admonition draft"><p>Draft.</p></div>' + PUZZLE, "<h2>Half</h2>", ""),
        (PUZZLE, "<p>Half.</p>" + REFERENCES, ""),
        (PUZZLE, "<h2>The answer</h2><p>Half.</p>", REFERENCES),
        ("", "<h2>Games</h2>", "<h2>Links</h2>"),
        ("", "<ul><li>One</li></ul>", ""),
    ],
)
def test_the_puzzle_ends_at_the_first_heading_or_fold_and_its_solution_begins_there(puzzle, solution, rest):
    assert sections_of(puzzle + solution + rest) == (puzzle, solution, rest)
