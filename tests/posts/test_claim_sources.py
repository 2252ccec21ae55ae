"""What each claim of a post is told about itself, and what becomes of claims in posts."""

import pytest

from tests.support.visible_text import visible_text

FAIR = "runs:\n  fair: {solver: gamblers_ruin, fixed: true, parameters: {win: 0.6}}\n"


def failed(project, body, front=FAIR):
    """What the build says of a post whose text begins at line 7."""
    project.post(body, front=front)
    said = project.build(status=1).err
    return [line for line in said.splitlines() if line.startswith(("content/", "    "))]


def test_a_claim_is_printed_as_it_was_typed_on_the_page_in_tex_and_in_the_feed(project):
    body = 'You win {{ claim("about 98 %", results.fair.half) }}: $p = {{ claim("0.983", results.fair.half) }}$.'
    project.post(body, front=FAIR)

    project.build()

    page, feed = project.page("posts/ruin/index.html"), project.page("feed.xml")
    assert 'You win <span class="claim">about 98 %</span>:' in page
    assert "<mn>0.983</mn>" in page
    assert "You win" in feed
    assert "about 98 %" in feed


def test_claims_stand_in_cells_loops_and_macros(project):
    body = """
{% macro held(coins) %}{{ claim("1", results.fair.chance | last) }}{{ coins }}{% endmacro %}
{% for chance in results.fair.chance[:1] %}
* with {{ held(20) }} coins, with {{ claim("0", chance) }}
{% endfor %}

{{ table({"published": [claim("20", results.fair.goal)], "ours": [results.fair.goal]}) }}
"""
    project.post(body, front=FAIR)

    project.build()

    text = visible_text(project.page("posts/ruin/index.html"))
    assert "with 120 coins, with 0" in text
    assert "20 20" in text


def test_all_claims_of_a_post_are_looked_at_and_each_has_its_line(project):
    lines = ["{{ claim('0', results.fair.half) }}", "Text {{ claim('0.5', results.fair.half) }}", "{{ claim('x', 3) }}"]

    said = failed(project, "\n".join([*lines, "{{ nobody }}"]))

    assert [line.split(": ")[0] for line in said if line.startswith("content")] == [
        f"content/posts/ruin.md:{line}" for line in (7, 8, 9, 10)
    ]


@pytest.mark.parametrize(
    ("call", "message", "cure"),
    [
        (
            'claim("0.5", 0.5)',
            "the claim 0.5 is held against 0.5, which comes from no run",
            "compare it with a result, such as results.<run>.<field>",
        ),
        (
            'claim("tie", results.fair.half)',
            "the claim tie cannot be held against results.fair.half: 'tie' is no number that can be compared",
            "",
        ),
        (
            'claim("98 %", results.fair.half | percent)',
            "a value of results.fair.half is text, and a claim needs the value itself",
            "leave the filter out: the claim is held to as many digits as it has, 98 %",
        ),
        (
            "claim(0.98, results.fair.half)",
            "the claim 0.98 is no text",
            'put it in quotes: claim("0.98", ...)',
        ),
        (
            'claim("0.98", results.fair.halves)',
            "result 'fair' has no 'halves'",
            "did you mean 'half'?",
        ),
        ("typed(0.98)", "0.98 is no text", 'put it in quotes: typed("0.98")'),
    ],
)
def test_a_claim_that_says_nothing_is_told_so(project, call, message, cure):
    said = failed(project, f"{{{{ {call} }}}}")

    assert said[0] == f"content/posts/ruin.md:7: {message}"
    assert said[1:2] == ([f"    mend: {cure}"] if cure else [])


@pytest.mark.parametrize("given", ["config.yaml", "--set"])
def test_a_claim_is_compared_at_the_parameters_of_the_post_whatever_else_is_set(project, given):
    # In a fair game the chance from half of the goal is 1/2; with 1/3 a round and 20 coins it is 1/(1 + 2^10).
    project.post("{{ claim('1/2', results.main.half) }} {{ results.main.half }}", front="solver: gamblers_ruin\n")
    if given == "config.yaml":
        project.write(
            "config.yaml",
            f"{project.root.joinpath('config.yaml').read_text()}parameters: {{gamblers_ruin: {{win: 1/3}}}}\n",
        )

    project.build(*([] if given == "config.yaml" else ["--set", "gamblers_ruin.win=1/3"]))

    shown = visible_text(project.page("posts/ruin/index.html"))
    assert "1/2" in shown
    assert "1/1025" in shown


def test_a_wrong_claim_is_refused_where_a_setting_would_make_it_right(project):
    project.post("{{ claim('1/1025', results.main.half) }}", front="solver: gamblers_ruin\n")

    said = project.build("--set", "gamblers_ruin.win=1/3", status=1).err

    assert "the claim 1/1025 disagrees with results.main.half, which is 1/2" in said


def test_a_claim_has_no_place_in_front_matter(project):
    said = failed(
        project, "Text.", FAIR + 'answer: "{{ claim("0.98", results.fair.half) }}"\n'.replace('"0.98"', "'0.98'")
    )

    assert said == [
        "content/posts/ruin.md:6: there is no 'claim' here",
        "    mend: there is: results, typed",
    ]


def test_a_turned_parameter_breaks_no_claim(project):
    project.post(
        "{{ claim('59049/60073', results.fair.half) }} {{ results.yours.half }}",
        front=FAIR + "  yours: {solver: gamblers_ruin}\n",
    )

    project.build("--set", "gamblers_ruin.win=1/3")

    assert "59049/60073" in visible_text(project.page("posts/ruin/index.html"))
