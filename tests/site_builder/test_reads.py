"""What is noted of what templates look at, and the names of what they saw."""

from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from site_builder.briefs import Credit
from site_builder.entries import Entry, Tag
from site_builder.reads import Digests, Facts, Seen, by_object, digest, name_of


def entry(tags=(), puzzle=None, **changes):
    """A post as templates see it. tags: the name and count of each; puzzle: its name and source."""
    facts = {"title_html": "t", "plain_title": "t", "summary_html": "s", "plain_summary": "s", "answer_html": ""}
    facts |= {"plain_answer": "", "path": "posts/t/", "date": datetime(2026, 3, 1), "updated": None, "author": ""}
    found = tuple(Tag(name, f"tags/{name}/", count) for name, count in tags)
    credit = Credit(*puzzle, "", None) if puzzle else None
    return Entry(**{**facts, "series": "", "words": 10} | changes, tags=found, puzzle=credit)


def shown(template, value, more=None):
    """What a template makes of a value, and what is noted."""
    reads: set[str] = set()
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    text = environment.from_string(template).render(thing=Seen(value, "thing", reads, more))
    return text, reads


def key(value, reads):
    """The name of what was looked at of a value."""
    return [Digests({"code": ""}).of_values(value, fields) for fields in by_object(tuple(reads)).values()]


RICH = entry([("a", 1), ("b", 2)], ("p", "q"), series="x")
NOTED = {
    "{{ thing.title }}": {"thing.title"},
    "{{ thing['title'] }}": {"thing.title"},
    "{{ thing.plain_answer or thing.summary }}": {"thing.plain_answer", "thing.summary"},
    "{{ thing.reading_minutes }}": {"thing.reading_minutes"},
    "{% if thing.puzzle %}x{% endif %}": {"thing.puzzle"},
    "{{ thing.puzzle.name if thing.puzzle }}": {"thing.puzzle", "thing.puzzle.name"},
    "{% with p = thing.puzzle %}{{ p.url if p }}{% endwith %}": {"thing.puzzle", "thing.puzzle.url"},
    "{{ thing.tags | length }}": {"thing.tags"},
    "{% for tag in thing.tags %}x{% endfor %}": {"thing.tags"},
    "{% for tag in thing.tags %}{{ tag.name }},{% endfor %}": {"thing.tags", "thing.tags.name"},
    "{{ thing.tags | map(attribute='count') | join(',') }}": {"thing.tags", "thing.tags.count"},
    "{{ (thing.tags | sort(attribute='name') | map(attribute='feed_path') | list) }}": {
        "thing.tags",
        "thing.tags.name",
        "thing.tags.feed_path",
    },
    "{{ thing.tags[0].name if thing.tags }}": {"thing.tags", "thing.tags.name"},
    "{% set other = thing %}{{ other.series }}": {"thing.series"},
    "{{ thing.date.year }}": {"thing.date"},
    "{{ thing.nothing is defined }}": set(),
}


@pytest.mark.parametrize("template", NOTED)
def test_what_a_template_reads_is_noted_and_nothing_else(template):
    _, reads = shown(template, RICH)

    assert reads == NOTED[template]


def test_what_stands_beside_the_fields_is_not_noted():
    text, reads = shown("{{ thing.body }}{{ thing.title }}", entry(), {"body": Markup("<p>"), "title": "mine"})

    assert text == "<p>mine"
    assert reads == set()


@pytest.mark.parametrize("template", ["{{ thing }}", "{{ thing.tags }}", "{{ thing.puzzle }}", "{{ [thing] | list }}"])
def test_a_whole_value_shows_its_name_and_not_where_it_lies_in_memory(template):
    text, _ = shown(template, RICH)

    assert "thing" in text
    assert "0x" not in text


def test_facts_that_are_read_are_noted():
    reads: set[str] = set()
    environment = Environment(undefined=StrictUndefined)
    facts = Facts({"title": "T", "author": "A"}, "site", reads)

    text = environment.from_string("{{ site.title }}{{ site.nothing is defined }}{{ site }}").render(site=facts)

    assert text.startswith("TFalse")
    assert "0x" not in text
    assert reads == {"site.title"}


# Values that differ only in the field of the name, for each template that reads it.
OTHERS = {
    "{{ thing.title }}": [entry(title_html="z")],
    "{% for tag in thing.tags %}x{% endfor %}": [entry(), entry([("a", 1)]), entry([("a", 1)] * 3)],
    "{% for tag in thing.tags %}{{ tag.name }},{% endfor %}": [
        entry(),
        entry([("b", 1), ("a", 2)]),
        entry([("a,b", 1)] * 2),
    ],
    "{{ thing.tags | map(attribute='count') | join(',') }}": [entry([("a", 2), ("b", 2)])],
    "{% if thing.puzzle %}x{% else %}y{% endif %}": [entry()],
    "{{ thing.puzzle.name if thing.puzzle }}": [entry(), entry(puzzle=("z", "q"))],
    "{{ thing.reading_minutes }}": [entry(words=1000)],
    "{{ thing.updated or 'never' }}": [entry(updated=datetime(2026, 4, 1))],
}


@pytest.mark.parametrize(("template", "other"), [(t, other) for t, others in OTHERS.items() for other in others])
def test_what_a_page_would_show_otherwise_has_another_name(template, other):
    text, reads = shown(template, RICH)
    assert shown(template, other)[0] != text

    assert key(other, reads) != key(RICH, reads)


def test_what_a_page_does_not_look_at_makes_no_difference():
    _, reads = shown("{{ thing.title }}{% for tag in thing.tags %}{{ tag.name }}{% endfor %}", RICH)
    other = entry([("a", 7), ("b", 8)], None, series="another", words=5000)

    assert key(other, reads) == key(RICH, reads)


ENTRIES = st.builds(
    entry,
    st.lists(st.tuples(st.sampled_from("ab"), st.integers(1, 2)), max_size=2),
    st.none() | st.tuples(st.sampled_from("ab"), st.sampled_from(["", "c"])),
    title_html=st.sampled_from(["", "t"]),
    series=st.sampled_from(["", "t"]),
    words=st.sampled_from([10, 20, 2000]),
)


@given(st.sampled_from(sorted(NOTED)), ENTRIES, ENTRIES)
def test_two_values_that_have_the_same_name_look_the_same(template, one, other):
    text, reads = shown(template, one)

    assert key(one, reads) != key(other, reads) or shown(template, other)[0] == text
    assert key([one], reads) != key([other], reads) or shown(template, other)[0] == text


@pytest.mark.parametrize("field", ["gone", "tags.gone", "puzzle.gone", "title.gone", "gone.name", "", "tags.a.b"])
def test_a_field_that_there_is_no_more_is_no_fault(field):
    digests = Digests({"code": ""})

    for value in (RICH, [RICH], [RICH, entry()], None, []):
        assert digests.of_values(value, ("series", field)) == digests.of_values(value, ("series", field))


def test_several_values_are_told_by_their_number_where_nothing_of_them_is_looked_at():
    digests = Digests({"code": ""})

    found = [digests.of_values([RICH] * number, ("",)) for number in range(3)]

    assert len({repr(each) for each in found}) == 3


def test_a_name_that_stands_for_nothing_has_a_digest_of_its_own():
    digests = Digests({"code": "", "site.title": "1"})

    found = [digests.of_names(names) for names in [("site.title",), ("site.gone",), ("asset gone.css",), ()]]

    assert len(set(found)) == 4


def test_a_value_that_is_not_there_is_told_from_one_that_is():
    digests = Digests({"code": ""})

    assert digests.of_values(None, ("title",)) != digests.of_values(entry(), ("title",))
    assert digests.of_values([], ("title",)) != digests.of_values([entry()], ("title",))


def test_values_that_were_never_kept_elsewhere_are_not_mistaken_for_one_another():
    digests = Digests({"code": ""})

    found = [digests.of_values([entry(title_html=f"{number}")], ("title",)) for number in range(1000)]

    assert len({repr(each) for each in found}) == 1000


APART = [
    (("a", "b"), ("ab",), ("a", "", "b"), ("a, b",), ("a', 'b",)),
    ((1,), (True,), (1.0,), ("1",), (Decimal(1),), (Decimal("1.0"),), (Fraction(1),)),
    ((0.0,), (-0.0,), (0,), (False,), (None,), ("",), ((),), ([],), ({},)),
    ((("a", "b"),), (("a",), "b"), ("a", ("b",))),
    ((date(2026, 3, 1),), (datetime(2026, 3, 1),), (datetime(2026, 3, 1, tzinfo=UTC),), ("2026-03-01",)),
    (({"a": 1},), ({"a": "1"},), ([("a", 1)],), ({"b": 1},)),
    (("\ud800",), ("\udc80",), ("\\ud800",), ("é",), ("e\u0301",)),
]


@pytest.mark.parametrize("different", APART, ids=lambda values: repr(values[0]))
def test_values_that_could_be_taken_for_one_another_have_different_names(different):
    assert len({digest(*values) for values in different}) == len(different)


def test_equal_values_have_the_same_name():
    assert digest("a", [1, {"b": (2.5, None)}]) == digest("a", [1, {"b": (2.5, None)}])
    assert name_of(b"a") == name_of(b"a") != name_of(b"b")


def test_names_are_parted_by_their_first_word():
    found = by_object(("post.title", "newer.title", "post.tags.name", "entries", "post.date"))

    assert found == {"entries": ("",), "newer": ("title",), "post": ("date", "tags.name", "title")}
    assert list(found) == ["entries", "newer", "post"]
