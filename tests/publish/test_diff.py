"""What publishing refuses to remove, by the record of what it wrote there."""

import pytest

from site_builder.errors import SiteError
from site_builder.publish.diff import TargetFiles, difference, lost_addresses, refuse, written_record

PAGES = {f"tags/{number}.html" for number in range(100)}
POSTS = {f"{number}/index.html" for number in range(6)}  # with permalinks


def changes(record, left):
    there = PAGES | POSTS
    return difference(PAGES | left, left, TargetFiles(frozenset(there), frozenset(), record))


@pytest.mark.parametrize(("removed", "is_refused"), [(3, False), (4, True), (6, True)])
def test_to_remove_more_than_half_of_the_posts_needs_yes_however_many_pages_stay(removed, is_refused):
    gone = set(sorted(POSTS)[:removed])
    found = changes(written_record(PAGES | POSTS, POSTS), POSTS - gone)

    assert set(found.removed) == gone
    if is_refused:
        with pytest.raises(SiteError, match=f"would remove {removed} of the 6 posts that are there, more than half"):
            refuse(found, "folder ../site", is_meant=False)
        refuse(found, "folder ../site", is_meant=True)
    else:
        refuse(found, "folder ../site", is_meant=False)


def test_of_fewer_than_five_posts_all_may_be_removed():
    posts = sorted(POSTS)[:4]
    record = written_record([*PAGES, *posts], posts)

    found = changes(record, set())
    refuse(found, "folder ../site", is_meant=False)

    assert set(posts) <= set(found.removed)


def test_a_setting_of_a_post_that_stays_is_no_lost_address():
    there = frozenset(
        ("posts/a/index.html", "posts/a/4/index.html", "posts/b/index.html", "posts/b/4/index.html", "old.html")
    )
    found = difference(["posts/a/index.html"], (), TargetFiles(there, frozenset(), written_record(there)))

    assert lost_addresses(found, ["posts/a/index.html"]) == ["/old.html", "/posts/b/4/", "/posts/b/"]
