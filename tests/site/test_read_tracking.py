"""What is noted of what templates look at, and the names of what they saw."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from site_builder.site.read_tracking import ReadDigests, Tracked, by_object
from site_builder.values.digest import bytes_digest, digest


@dataclass(frozen=True)
class Maker:
    name: str
    town: str = "X"


@dataclass(frozen=True)
class Label:
    name: str
    makers: tuple[Maker, ...] = ()

    @property
    def loud(self):
        return self.name.upper()


@dataclass(frozen=True)
class Thing:
    title: str = "a title"
    labels: tuple[Label, ...] = ()
    maker: Maker | None = None
    words: tuple[str, ...] = ()

    @property
    def first(self):
        return self.labels[0] if self.labels else None


def shown(template, value, more=None):
    """What a template makes of a value, and what is noted."""
    reads: set[str] = set()
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    text = environment.from_string(template).render(thing=Tracked(value, "thing", reads, more))
    return text, reads


def key(value, reads):
    """The name of what was looked at of a value."""
    return [ReadDigests(lambda: {"code": ""}).of_values(value, fields) for fields in by_object(reads).values()]


RICH = Thing("t", (Label("a", (Maker("p"), Maker("q"))), Label("b")), Maker("m"), ("x", "y"))
NOTED = {
    "{{ thing.title }}": {"thing.title"},
    "{{ thing['title'] }}": {"thing.title"},
    "{% if thing.maker %}x{% endif %}": {"thing.maker"},
    "{{ thing.maker.name }}": {"thing.maker", "thing.maker.name"},
    "{% for label in thing.labels %}x{% endfor %}": {"thing.labels"},
    "{% for label in thing.labels %}{{ label.name }}{% endfor %}": {"thing.labels", "thing.labels.name"},
    "{{ thing.labels | map(attribute='name') | join }}": {"thing.labels", "thing.labels.name"},
    "{{ (thing.labels | sort(attribute='name') | last).loud }}": {
        "thing.labels",
        "thing.labels.name",
        "thing.labels.loud",
    },
    "{% for label in thing.labels %}{% for maker in label.makers %}{{ maker.town }}{% endfor %}{% endfor %}": {
        "thing.labels",
        "thing.labels.makers",
        "thing.labels.makers.town",
    },
    "{{ thing.first.name }}": {"thing.first", "thing.first.name"},
    "{{ thing.words | join }}": {"thing.words"},
    "{% set other = thing %}{{ other.title }}": {"thing.title"},
    "{{ thing.nothing is defined }}": {"thing.nothing"},
}


@pytest.mark.parametrize("template", NOTED)
def test_what_a_template_reads_is_noted_and_nothing_else(template):
    _, reads = shown(template, RICH)

    assert reads == NOTED[template]


def test_what_stands_beside_the_fields_is_not_noted():
    text, reads = shown("{{ thing.body }}{{ thing.title }}", Thing(), {"body": Markup("<p>"), "title": "mine"})

    assert text == "<p>mine"
    assert reads == set()


@pytest.mark.parametrize("template", ["{{ thing }}", "{{ thing.labels }}", "{{ thing.maker }}", "{{ [thing] | list }}"])
def test_a_whole_value_shows_its_name_and_not_where_it_lies_in_memory(template):
    text, _ = shown(template, RICH)

    assert "thing" in text
    assert "0x" not in text


def test_facts_that_are_read_are_noted():
    reads: set[str] = set()
    environment = Environment(undefined=StrictUndefined)
    facts = Tracked(SimpleNamespace(title="T", author="A"), "site", reads)

    text = environment.from_string("{{ site.title }}{{ site.nothing is defined }}{{ site }}").render(site=facts)

    assert text.startswith("TFalse")
    assert "0x" not in text
    assert reads == {"site.title", "site.nothing"}


# Values that differ only in the field of the name, for each template that reads it.
OTHERS = {
    "{{ thing.title }}": [Thing("s", RICH.labels, RICH.maker, RICH.words)],
    "{% for label in thing.labels %}x{% endfor %}": [
        Thing(),
        Thing(labels=RICH.labels[:1]),
        Thing(labels=(Label("a"),) * 3),
    ],
    "{% for label in thing.labels %}{{ label.name }}{% endfor %}": [
        Thing(),
        Thing(labels=(Label("b"), Label("a"))),
        Thing(labels=(Label("a"), Label("b"), Label("c"))),
    ],
    "{% if thing.maker %}x{% else %}y{% endif %}": [Thing()],
    "{{ thing.maker.name if thing.maker }}": [Thing(), Thing(maker=Maker("n"))],
    "{% for label in thing.labels %}{% for maker in label.makers %}{{ maker.name }},{% endfor %};{% endfor %}": [
        Thing(labels=(Label("a", (Maker("p"),)), Label("b", (Maker("q"),)))),
        Thing(labels=(Label("a"), Label("b", (Maker("p"), Maker("q"))))),
    ],
    "{{ thing.first.name if thing.first }}": [Thing(), Thing(labels=(Label("z"),))],
    "{{ thing.words | join }}": [Thing(words=("x", "z")), Thing()],
}


@pytest.mark.parametrize(("template", "other"), [(t, other) for t, others in OTHERS.items() for other in others])
def test_what_a_page_would_show_otherwise_has_another_name(template, other):
    text, reads = shown(template, RICH)
    assert shown(template, other)[0] != text

    assert key(other, reads) != key(RICH, reads)


def test_what_a_page_does_not_look_at_makes_no_difference():
    _, reads = shown("{{ thing.title }}{% for label in thing.labels %}{{ label.name }}{% endfor %}", RICH)
    other = Thing("t", (Label("a"), Label("b", (Maker("z"),))), None, ("z",))

    assert key(other, reads) == key(RICH, reads)


MAKERS = st.builds(Maker, st.sampled_from("ab"), st.sampled_from("xy"))
LABELS = st.builds(Label, st.sampled_from("ab"), st.lists(MAKERS, max_size=2).map(tuple))
THINGS = st.builds(
    Thing,
    st.sampled_from(["", "t"]),
    st.lists(LABELS, max_size=2).map(tuple),
    st.none() | MAKERS,
    st.lists(st.sampled_from("ab"), max_size=2).map(tuple),
)


@given(st.sampled_from(sorted(NOTED)), THINGS, THINGS)
def test_two_values_that_have_the_same_name_look_the_same(template, one, other):
    careful = template.replace("thing.maker.name", "(thing.maker.name if thing.maker)").replace(
        "thing.first.name", "(thing.first.name if thing.first)"
    )
    careful = careful.replace("(thing.labels | sort(attribute='name') | last).loud", "thing.labels | length")
    text, reads = shown(careful, one)

    assert key(one, reads) != key(other, reads) or shown(careful, other)[0] == text


def test_a_field_that_there_is_no_more_is_a_difference_and_no_fault():
    digests = ReadDigests(lambda: {"code": ""})

    found = {
        repr(digests.of_values(RICH, fields))
        for fields in [("gone",), ("labels.gone",), ("maker.gone",), ("title",), ("title.gone",), ("gone.name",)]
    }

    assert len(found) > 1


def test_a_name_that_stands_for_nothing_has_a_digest_of_its_own():
    digests = ReadDigests(lambda: {"code": "", "site.title": "1"})

    found = [digests.of_names(names) for names in [("site.title",), ("site.gone",), ("asset gone.css",), ()]]

    assert len(set(found)) == 4


def test_a_value_that_is_not_there_is_told_from_one_that_is():
    digests = ReadDigests(lambda: {"code": ""})

    assert digests.of_values(None, ("title",)) != digests.of_values(Thing(""), ("title",))
    assert digests.of_values([], ("title",)) != digests.of_values([Thing("")], ("title",))


def test_values_that_were_never_kept_elsewhere_are_not_mistaken_for_one_another():
    digests = ReadDigests(lambda: {"code": ""})

    found = [digests.of_values([Thing(f"title {number}")], ("title",))[0] for number in range(1000)]

    assert len(set(found)) == 1000


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
    assert bytes_digest(b"a") == bytes_digest(b"a") != bytes_digest(b"b")


def test_names_are_parted_by_their_first_word():
    found = by_object(["post.title", "newer.title", "post.tags.name", "post.date"])

    assert found == {"newer": ("title",), "post": ("date", "tags.name", "title")}
    assert list(found) == ["newer", "post"]
