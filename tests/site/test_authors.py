"""Posts with several authors. Rules: RFC 4287, 4.2.1 (atom:author)."""

import re
from xml.etree import ElementTree

import pytest

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.mark.parametrize(
    ("written", "names", "shown"),
    [
        ("[Ada L., Charles B., M. T.]", ["Ada L.", "Charles B.", "M. T."], "by Ada L., Charles B. and M. T."),
        ("Ada L., PhD", ["Ada L., PhD"], "by Ada L., PhD"),
    ],
)
def test_a_page_and_the_feeds_have_each_author(project, written, names, shown):
    project.post("Text.", front=f"author: {written}\n")

    project.build()

    page = project.page("posts/ruin/index.html")
    assert shown in page
    assert re.findall(r'property="article:author" content="([^"]*)"', page) == names
    entry = ElementTree.fromstring(project.page("feed.xml")).find(f"{ATOM}entry")
    assert [each.findtext(f"{ATOM}name") for each in entry.findall(f"{ATOM}author")] == names
