"""Claims of a post that is rendered with results of its own: what is refused, and what the evidence says of the rest.

The values are those of two coins and 100 flips: 0.4602 for one coin alone is the chance of at least 51 heads in 100.
"""

from fractions import Fraction
from pathlib import Path, PurePosixPath
from types import SimpleNamespace

import pytest

from site_builder.errors import SiteError, collecting, errors_of, raise_all
from site_builder.posts.jinja import PostEnvironment
from site_builder.posts.job import Job, JobData, OwnText
from site_builder.posts.texts.render import body_and_facts
from site_builder.project.posts import read_post
from site_builder.values.records import Record
from tests.support.calls import calls_of

NAME = "content/posts/a.md"
FIELDS = {"won": Fraction("0.6403174472759772"), "alone": 0.4602053813064106, "gain": Fraction("0.1801120659695665")}
SOURCES = "sources:\n  writeup: {title: A writeup, date: 2020-02-21}\n"


def rendered(body, fields=None, front=SOURCES, own=None):
    """The text of a post whose first line is 7.

    own: the fields at the post's own parameters, where those that it shows are at others.
    """
    text = f"---\ntitle: A title\ndate: 2026-03-01\n{front}---\n{body}"
    post = read_post(text.encode(), PurePosixPath("posts/a.md"), NAME)
    apart = {"parameters": Record({}), "figures": Record({})}
    results = {"fair": Record({**(FIELDS if fields is None else fields), **apart}, "result 'fair'")}
    run = SimpleNamespace(name="fair", solver="flips", own=None, axes={}, keep=())
    own_text = OwnText(rendered(body, own, front).claims) if own else None
    data = JobData(Path(), Job(post, [run], own_text=own_text))
    data.results = results
    with collecting(data.errors):
        body, _ = body_and_facts(PostEnvironment(), post, data)
    raise_all(data.errors)
    return SimpleNamespace(body=body, claims=tuple(data.claims))


def row(call, fields=None):
    """What the evidence has of the only claim of a text."""
    (claim,) = rendered(f"{{{{ {call} }}}}", fields).claims
    return claim


def refused(body, fields=None):
    """The errors of a text, each as its fault and its cure."""
    try:
        rendered(body, fields)
    except (SiteError, ExceptionGroup) as error:
        return [(each.message, each.cure) for each in errors_of(error)]
    return []


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('claim("1", x)', "the claim 1 has too few digits: it stands for 0.790…"),
        ('claim("1 in 1", x)', "the claim 1 in 1 has too few digits: it stands for 1 in 1.265…"),
    ],
)
def test_a_claim_of_too_few_digits_is_refused(call, message):
    ((found, _),) = refused(f"{{% set x = results.fair.x %}}{{{{ {call} }}}}", {"x": Fraction("0.7901")})

    assert found == message


@pytest.mark.parametrize(
    "body",
    [
        "$p = {{ claim('0.6403', results.fair.won) }}$",
        "{{ table({'published': [claim('0.6403', results.fair.won)]}) }}",
        "{% macro once() %}{{ claim('0.6403', results.fair.won) }}{% endmacro %}{{ once() }}",
        "{% set x = claim('0.6403', results.fair.won) %}{{ x }}",
        "## {{ claim('0.6403', results.fair.won) }}",
    ],
)
def test_a_claim_is_seen_in_text_formulas_and_tables(body):
    assert refused(body) == []


def test_a_claim_is_compared_at_the_own_parameters_where_others_are_set():
    found = rendered("{{ claim('0.6403', results.fair.won) }}", {"won": 2}, own=FIELDS)

    assert [claim.text for claim in found.claims] == ["0.6403"]


def test_a_claim_shows_its_source_where_it_stands():
    front = "sources:\n  writeup: {title: A writeup, author: An Author, url: 'https://example.org/a'}\n"

    found = rendered("{{ claim('0.6403', results.fair.won, source='writeup', where='table 1') }}", front=front)

    assert (
        '<a class="claim" href="https://example.org/a" title="An Author, A writeup, table 1">0.6403</a>'
        in found.body.html
    )


@pytest.mark.parametrize(
    ("text", "value", "held"),
    [
        ("nearly 20 %", Fraction("0.1801"), "1 significant digit"),
        ("about 0.46", Fraction("0.4602"), "2 significant digits"),
        ("1,200,000", 1_204_999, "2 significant digits"),
        ("1 in 60", Fraction(1, 59), "1 significant digit"),
    ],
)
def test_a_loose_claim_is_held_to_the_digits_that_were_printed(text, value, held):
    found = row(f"claim('{text}', results.fair.x, loose='printed so')", {"x": value, "next": float(value) * 1.001})

    assert found.agreement == f"loosely, to {held}"
    assert found.loose == "printed so"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("claim('30 %', results.fair.gain, loose='so')", "the claim 30 % disagrees with results.fair.gain, which is"),
        (
            "claim('tie', results.fair.word, loose='so')",
            "the claim tie cannot be held against results.fair.word: 'tie' is no number that can be compared",
        ),
        (
            "claim('1/2', results.fair.half, loose='so')",
            "the claim 1/2 cannot be held against results.fair.half: loose= is for a rounded number, such as 0.46 or",
        ),
        (
            "claim('0.5', results.fair.half, loose='so')",
            "the claim 0.5 cannot be held against results.fair.half: it is right in all its digits; leave loose= out",
        ),
        (
            "claim('0.5', results.fair.half, loose='so', simulated=10)",
            "the claim 0.5 cannot be held against results.fair.half: a claim takes one of simulated= and loose=",
        ),
    ],
)
def test_a_loose_claim_that_says_nothing_or_is_wrong_is_refused(call, message):
    ((found, _),) = refused(f"{{{{ {call} }}}}", FIELDS | {"word": "tie", "half": Fraction(1, 2)})

    assert found.startswith(message)


def test_the_evidence_has_where_the_value_comes_from_and_the_place_in_the_source():
    body = '{% set x = results.fair %}{{ claim("0.36", 1 - x.won, source="writeup", where="section 2") }}'

    (claim,) = rendered(body).claims

    assert (claim.expression, claim.source, claim.where) == ("a value of results.fair.won", "writeup", "section 2")


@pytest.mark.parametrize(
    ("source", "cure"),
    [
        ("writup", "did you mean 'writeup'?"),
        ("Feller, XIV.2", "write it under sources: in the front matter, such as sources: {book: {title: ...}}"),
    ],
)
def test_a_source_that_the_post_does_not_list_is_refused(source, cure):
    ((message, found),) = refused(f'{{{{ claim("0.6403", results.fair.won, source="{source}") }}}}')

    assert message == f"the post has no source named {source!r}"
    assert found == cure


def test_the_work_grows_as_the_number_of_claims():
    def claim(count):
        body = "{% for number in results.fair.numbers %}{{ claim('1', number) }}{% endfor %}"
        assert len(rendered(body, {"numbers": (1,) * count}).claims) == 1

    claim(1)  # what is made once for all texts

    assert calls_of(lambda: claim(400)) < 2.1 * calls_of(lambda: claim(200))
