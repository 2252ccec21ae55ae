"""Links, images and anchors of posts: where they lead on built pages, and what is said of those that lead nowhere."""

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.posts.texts.tags import TAG, TAG_TO_READ
from tests.conftest import CONFIG, Project
from tests.support.content import errors_in_text

B = """---
title: Post B
date: 2026-01-01
tags: [Größe]
aliases: [/old-b/]
---
## A part

Text.<a id='by-hand'></a>[^1]

[^1]: A note.
"""

# A link as it stands in content/posts/a.md, and what a browser finds in /posts/a/: worked out by hand from the rules
# of relative addresses (RFC 3986, section 5) for a site whose files are named in the fixture.
GOOD = {
    "[x](b/index.md)": "../b/",
    "[x](./b/index.md)": "../b/",
    "[x](b/index.md#a-part)": "../b/#a-part",
    "[x](b/index.md#by-hand)": "../b/#by-hand",
    "[x](b/index.md#fn:1)": "../b/#fn:1",
    "[x](../pages/about.md#who)": "../../about/#who",
    "[x](/posts/b/)": "../b/",
    "[x](/posts/b)": "../b/",
    "[x](/posts/b/index.html)": "../b/",
    "[x](/about/)": "../../about/",
    "[x](/v1.2/)": "../../v1.2/",
    "[x](/old-b/)": "../../old-b/",
    "[x](/)": "../../",
    "[x](/index.html)": "../../",
    "[x](/tags/)": "../../tags/",
    "[x](/tags/größe/)": "../../tags/gr%C3%B6%C3%9Fe/",
    "[x](/tags/gr%C3%B6%C3%9Fe/)": "../../tags/gr%C3%B6%C3%9Fe/",
    "[x](/archive/)": "../../archive/",
    "[x](/feed.xml)": "../../feed.xml",
    "[x](/tags/größe/feed.xml)": "../../tags/gr%C3%B6%C3%9Fe/feed.xml",
    "[x](#here)": "#here",
    "[x](a.md#here)": "#here",
    "[x](zwei%20m%C3%BCnzen.md)": "../zwei-m%C3%BCnzen/",
    "[x](<zwei münzen.md>)": "../zwei-m%C3%BCnzen/",
    "[x](../files/two%20columns.csv)": "../../files/two%20columns.csv",
    "[x](<../files/two columns.csv>)": "../../files/two%20columns.csv",
    "[x](../files/a%23b.txt)": "../../files/a%23b.txt",
    "[x](/files/plain)": "../../files/plain",
    "[x](b/index.md?x=1&y=2#a-part)": "../b/?x=1&y=2#a-part",
    "[x](../files/plain?download)": "../../files/plain?download",
    "![x](../images/x.png)": "../../images/x.png",
    "![x](../images/x.png?v=2)": "../../images/x.png?v=2",
    "![x](/images/x.png)": "../../images/x.png",
    "![x](b/own.png)": "../b/own.png",
    "<a href='b/index.md'>x</a>": "../b/",
    '<a class="c" href = "/posts/b/">x</a>': "../b/",
    "<a href=b/index.md>x</a>": "../b/",
    "<A HREF='b/index.md#a-part'>x</A>": "../b/#a-part",
    "<img src='../images/x.png' alt='a > b'>": "../../images/x.png",
    '<img alt="x" srcset="/images/x.png 1x, b/own.png 2x">': "../../images/x.png 1x, ../b/own.png 2x",
    '<video controls poster="/images/x.png"></video>': "../../images/x.png",
    "[x]({{ 'b/index.md' }})": "../b/",
    "{% set folder = 'b' %}[x]({{ folder }}/index.md)": "../b/",
    "[x][ref]": "../b/",
    "[x](mailto:me@example.org)": "mailto:me@example.org",
    "[x](tel:+123)": "tel:+123",
    "[x](https://example.com/a?b=1&c=2#d)": "https://example.com/a?b=1&c=2#d",
    "[x](//example.com/a)": "//example.com/a",
    "<https://example.com/>": "https://example.com/",
}
# Links that lead nowhere, each on a line of its own in content/posts/bad.md, and what is said of them.
BAD = {
    "[x](nowhere.md)": "the link nowhere.md leads nowhere",
    "[x](index.md)": "the link index.md leads nowhere",
    "[x](B/index.md)": "the link B/index.md leads nowhere",
    "[x](../nowhere.md)": "the link ../nowhere.md leads nowhere",
    "[x](../../config.yaml)": "the link ../../config.yaml leads nowhere",
    "[x](/nowhere/)": "the link /nowhere/ leads nowhere",
    "[x](/content/posts/b/index.md)": "the link /content/posts/b/index.md leads nowhere",
    "[x](/page/2/)": "the link /page/2/ leads nowhere",
    "[x](/tags/nothing/)": "the link /tags/nothing/ leads nowhere",
    "[x](/files/)": "the link /files/ leads nowhere",
    "[x](draft.md)": "the link draft.md leads nowhere",
    "![x](../images/y.png)": "the image ../images/y.png leads nowhere",
    "![x](/images/z.png?v=1)": "the image /images/z.png?v=1 leads nowhere",
    "[x](#there)": "the link #there leads to a page that has no anchor 'there'",
    "[x](b/index.md#no-part)": "the link b/index.md#no-part leads to a page that has no anchor 'no-part'",
    "[x](/about/#whom)": "the link /about/#whom leads to a page that has no anchor 'whom'",
    "<a href='raw.md'>x</a>": "the link raw.md leads nowhere",
    "<a href=bare.md>x</a>": "the link bare.md leads nowhere",
    "<pre><a href='in-pre.md'>x</a></pre>": "the link in-pre.md leads nowhere",
    "<img src='raw.png' alt=''>": "the image raw.png leads nowhere",
    "<img srcset='/images/x.png 1x, raw2.png 2x' alt=''>": "the image raw2.png leads nowhere",
    "[x]({{ 'jinja' }}.md)": "the link jinja.md leads nowhere",
    "[missing]: by-reference.md": "the link by-reference.md leads nowhere",
    "> [x](quoted.md)": "the link quoted.md leads nowhere",
}
CODE = """`[no](in-a-span.md)`

```
[no](in-a-fence.md) <a href="in-a-fence.md">
```

    [no](in-an-indented-block.md)

<!-- [no](in-a-comment.md) -->

\\[no](escaped.md)

{{ "[no](by-jinja.md)" }}
"""


def addresses(html):
    """The addresses in some HTML, in their order."""
    found: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attributes: found.extend(
        value for name, value in attributes if name in ("href", "src", "srcset", "poster")
    )
    parser.feed(html)
    return found


def write_site(project):
    project.write("content/posts/b/index.md", B)
    project.write("content/posts/b/own.png", "picture")
    project.write("content/posts/zwei münzen.md", "---\ntitle: Zwei\ndate: 2026-01-02\n---\nText.\n")
    project.write("content/posts/draft.md", "---\ntitle: Draft\ndate: 2026-01-02\ndraft: true\n---\nText.\n")
    project.write("content/pages/about.md", "---\ntitle: About\n---\n## Who\n")
    project.write("content/pages/version.md", "---\ntitle: Version\npermalink: /v1.2/\n---\nText.\n")
    for name in ("images/x.png", "files/two columns.csv", "files/a#b.txt", "files/plain"):
        project.write(f"content/{name}", "data")
    return project


@pytest.fixture(scope="module")
def good(builds, tmp_path_factory):
    """A site with a post whose paragraphs are the links, each between marks."""
    project = write_site(Project(tmp_path_factory.mktemp("good")))
    body = "\n\n".join(f"<i>{number}</i>{text}<b>end</b>" for number, text in enumerate(GOOD))
    project.post(f"## Here\n\n{body}\n\n{CODE}\n[ref]: b/index.md 'A title'\n", "a")
    project.build()
    return project


@pytest.fixture(scope="module")
def bad(builds, tmp_path_factory):
    """The lines of a post and what is said of it, by line."""
    project = write_site(Project(tmp_path_factory.mktemp("bad")))
    lines = [*BAD, "[x][missing]", "[x](nowhere.md), the same again", CODE]
    path = project.post("\n\n".join(lines) + "\n", "bad")
    project.lines = path.read_text("utf-8").split("\n")
    project.ran = project.build(status=1)
    project.errors = re.findall(r"^content/posts/bad\.md:(\d+): (.*)$", project.ran.err, re.MULTILINE)
    return project


@pytest.mark.parametrize("text", GOOD)
def test_a_link_leads_to_its_place_from_the_page_it_stands_on(good, text):
    page = good.page("posts/a/index.html")
    number = list(GOOD).index(text)

    (inside,) = re.findall(rf"<i>{number}</i>(.*?)<b>end</b>", page, re.DOTALL)

    assert addresses(inside) == [GOOD[text]]


def test_a_feed_has_whole_addresses(good):
    feed = unescape(good.page("feed.xml"))
    number = list(GOOD).index("[x](b/index.md?x=1&y=2#a-part)")

    inside = {n: addresses(text) for n, text in re.findall(r"<i>(\d+)</i>(.*?)<b>end</b>", feed, re.DOTALL)}

    assert inside[str(number)] == ["https://blog.example.org/sub/posts/b/?x=1&y=2#a-part"]
    assert inside[str(list(GOOD).index("[x](#here)"))] == ["https://blog.example.org/sub/posts/a/#here"]
    assert {address for found in inside.values() for address in found if not re.match(r"\w+:|//", address)} == set()


def test_links_in_code_and_comments_are_text(good):
    page = good.page("posts/a/index.html")

    assert "[no](in-a-span.md)" in page
    assert '<a href="in-a-fence.md">' in unescape(page)
    assert not [address for address in addresses(page) if "in-a" in address or "jinja" in address]


@pytest.mark.parametrize("text", BAD)
def test_a_link_that_leads_nowhere_is_reported_at_its_line(bad, text):
    line = bad.lines.index(text) + 1

    assert (str(line), BAD[text]) in bad.errors


def test_the_same_wrong_link_is_reported_at_each_of_its_lines(bad):
    again = bad.lines.index("[x](nowhere.md), the same again") + 1

    assert (str(again), "the link nowhere.md leads nowhere") in bad.errors


def test_nothing_else_is_reported(bad):
    assert len(bad.errors) == len(BAD) + 1
    assert bad.ran.err.splitlines()[-1] == f"{len(bad.errors)} errors; the site is as it was."


def test_a_wrong_anchor_comes_with_the_nearest_one(bad):
    assert "no anchor 'no-part'\n    mend: did you mean 'a-part'?" in bad.ran.err
    assert "no anchor 'whom'\n    mend: did you mean 'who'?" in bad.ran.err


def test_a_wrong_link_comes_with_a_cure(bad):
    assert "the link /nowhere/ leads nowhere\n    mend: " in bad.ran.err
    assert "the image ../images/y.png leads nowhere\n    mend: did you mean 'images/x.png'?" in bad.ran.err


def test_anchors_of_headings_do_not_depend_on_results(project):
    headings = (
        "## The chance is {{ results.mine.half | percent(1) }} for $p = {{ results.mine.parameters.win }}$\n\n"
        "[to it](#the-chance-is-for)\n\n## {{ results.mine.half | number(2) }}\n"
    )
    project.post(headings, front="runs:\n  mine: {solver: gamblers_ruin}\n")

    found = []
    for win in ("0.5", "0.6"):
        project.build("--set", f"gamblers_ruin.win={win}")
        page = project.page("posts/ruin/index.html")
        found.append(re.findall(r'<h2 id="([^"]*)">(.*?)</h2>', page, re.DOTALL))

    assert [anchor for anchor, _ in found[0]] == [anchor for anchor, _ in found[1]]
    assert [title for _, title in found[0]] != [title for _, title in found[1]]
    assert found[0][0][0] == "the-chance-is-for"


def test_a_link_at_the_head_of_every_page_that_leads_nowhere_is_reported_at_its_line(project):
    project.write("config.yaml", f"{CONFIG}navigation:\n  Archive: /archive/\n  About: abuot/\n")
    project.write("content/pages/about.md", "---\ntitle: About\n---\nText.\n")

    ran = project.build(status=1)

    assert "config.yaml:7: navigation has 'abuot/', which leads nowhere in the site\n" in ran.err
    assert "mend: did you mean 'about/'?\n1 error" in ran.err


# What makes a browser run a script or leave the web, in every spelling of HTML: the living standard, section 4.1 of
# URL (leading controls, tabs and line ends are dropped) and section 13.2.5 of HTML (character references, no quotes).
FOREIGN = {
    "[x](javascript:alert(1))": "javascript:alert(1)",
    "[x](JavaScript:alert(1))": "JavaScript:alert(1)",
    "[x](java&#115;cript&colon;alert(1))": "javascript:alert(1)",
    "[x](javascript&#58;alert(1))": "javascript:alert(1)",
    "![x](vbscript:a)": "vbscript:a",
    "[x](data:text/html,a)": "data:text/html,a",
    "[x](file:///etc/passwd)": "file:///etc/passwd",
    "[missing]: javascript:b": "javascript:b",
    "<a href=' &#9;javascript:c'>x</a>": "javascript:c",
    '<a href="java&Tab;script:d">x</a>': "java script:d",
    "<a href=javascript:e>x</a>": "javascript:e",
    "<A HREF='JAVASCRIPT:f'>x</A>": "JAVASCRIPT:f",
    "<form action='javascript:i'></form>": "javascript:i",
    "<button formaction='javascript:j'>x</button>": "javascript:j",
    "<svg><a xlink:href='javascript:k'><text>x</text></a></svg>": "javascript:k",
    "<svg><a><animate attributeName='href' to='javascript:l' /></a></svg>": "javascript:l",
    "<iframe src='data:text/html,b'></iframe>": "data:text/html,b",
    "[x]({{ 'javascript' }}:m)": "javascript:m",
}


def test_a_link_with_a_scheme_that_is_not_allowed_is_refused_at_its_line():
    lines = [*FOREIGN, "[x][missing]", CODE, "`<a href='javascript:code'>`", "[x](mailto:me@example.org)"]

    found = {str(each.place): each for each in errors_in_text("\n\n".join(lines) + "\n")}

    places = [f"content/posts/a.md:{5 + 2 * number}" for number in range(len(FOREIGN))]
    words = [f"the link {address} has a scheme that links may not have" for address in FOREIGN.values()]
    assert {place: each.message for place, each in found.items()} == dict(zip(places, words, strict=True))
    assert found[places[0]].cure.startswith("begin with https:, http:, mailto:")


@pytest.mark.parametrize("tag", ["<p title='x'href=javascript:g>x</p>", "<div title=a' href='javascript:h'>x</div>"])
def test_an_address_in_a_tag_that_is_written_wrongly_is_refused_with_the_tag(tag):
    (found,) = errors_in_text(f"{tag}\n")

    assert str(found.place) == "content/posts/a.md:5"
    assert found.message.endswith("closes nothing")


def test_an_address_over_two_lines_is_refused_where_it_begins():
    (found,) = errors_in_text('Text.\n\n<a href="java\nscript:alert(1)">x</a>\n')

    assert str(found.place) == "content/posts/a.md:7"


def test_an_image_may_hold_its_data():
    assert errors_in_text("![x](data:image/png;base64,aGk=)\n") == []


TAGS = [
    "<p>",
    "<IFRAME>",
    "<scripts>",
    "</p>",
    '<span class="n">',
    '<span class="o p">',
    "<span id=a>",
    '<a href="x>y">',
    "<a b='>'>",
    "<",
    ">",
    "a",
    '"',
]
UNREAD = r'<\w+>|<span class="[\w-]+">'


@given(st.lists(st.sampled_from(TAGS)).map("".join))
def test_only_bare_tags_that_load_nothing_and_spans_with_one_class_are_not_read(html):
    read = [tag for tag in TAG.findall(html) if tag == "<IFRAME>" or not re.fullmatch(UNREAD, tag)]

    assert TAG_TO_READ.findall(html) == read
