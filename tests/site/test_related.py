"""Which posts go with a post. Expected values are counted by hand from the tags in each test."""

from datetime import datetime, timedelta

from site_builder.site.entries import make_entries
from site_builder.site.related import RelatedPosts
from tests.support.sites import brief


def posts(*facts):
    """Entries newest first, a day apart, the first one the newest: each a slug and what is said of it."""
    day = datetime(2026, 6, 1)
    made = [brief(slug, date=day - timedelta(days=at), **more) for at, (slug, more) in enumerate(facts)]
    return make_entries(made, "")


def number_of(entries, slug):
    return [entry.post.path for entry in entries].index(f"posts/{slug}/")


def related(entries, slug):
    return [each.path.split("/")[1] for each in RelatedPosts(entries).related(number_of(entries, slug))]


def place(entries, slug):
    return RelatedPosts(entries).series(number_of(entries, slug))


def tagged(**tags):
    return posts(*((slug, {"tags": tuple(words.split())}) for slug, words in tags.items()))


def test_posts_without_a_common_tag_or_solver_are_not_related():
    assert related(tagged(a="x", b="y", c=""), "a") == []


def test_a_tag_that_few_posts_share_says_more_than_one_that_many_do():
    # x stands at four posts, so sharing it counts 1/4; y stands at two and counts 1/2.
    assert related(tagged(a="x y", b="x", c="x", d="x", e="y"), "a") == ["e", "b", "c"]


def test_two_common_tags_say_more_than_one_of_the_same_kind():
    assert related(tagged(a="x y", b="x", c="x y", d="y"), "a")[0] == "c"


def test_a_common_solver_relates_posts_without_a_common_tag():
    entries = posts(("a", {"solvers": {"ruin": True}}), ("b", {}), ("c", {"solvers": {"ruin": False}}))

    assert related(entries, "a") == ["c"]


def test_among_equals_the_nearer_in_time_comes_first_and_three_are_enough():
    assert related(tagged(a="x", b="x", c="x", d="x", e="x"), "e") == ["d", "c", "b"]


def test_a_post_of_the_same_series_is_not_named_again_as_related():
    entries = posts(
        ("a", {"tags": ("x",), "series": "Coins"}), ("b", {"tags": ("x",), "series": "Coins"}), ("c", {"tags": ("x",)})
    )

    assert related(entries, "a") == ["c"]


def test_a_tag_of_very_many_posts_is_searched_near_the_post():
    entries = tagged(**{f"p{n}": "x" for n in range(40)})

    assert related(entries, "p20") == ["p19", "p21", "p18"]


def test_a_series_is_counted_from_its_oldest_post():
    entries = posts(("c", {"series": "S"}), ("other", {}), ("b", {"series": "S"}), ("a", {"series": "S"}))

    found = place(entries, "b")

    assert (found.name, found.number, found.total) == ("S", 2, 3)
    assert (found.previous.path, found.next.path) == ("posts/a/", "posts/c/")
    assert (place(entries, "a").previous, place(entries, "c").next) == (None, None)


def test_a_post_without_a_series_or_alone_in_one_has_no_place():
    entries = posts(("a", {"series": "S"}), ("b", {}))

    assert place(entries, "a") is place(entries, "b") is None
