"""Scripts that turn the article of one page into that of another."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.site.turn_script import apply, blocks, turn_script


def page(header, before, prose, after="", title="A"):
    return (
        f"<html><head><title>{title}</title></head><body><nav><p>no</p></nav><main>\n<article class='post'>\n"
        f"<header>\n{header}\n</header>\n{before}\n<div class='prose'>\n{prose}\n</div>\n{after}\n</article></main>"
        "<footer><p>no</p></footer></body></html>"
    )


def facts(script):
    return json.loads(script.decode().split(" = ", 1)[1].removesuffix(";\n"))


def test_the_blocks_are_the_elements_of_the_article_its_header_and_its_prose():
    text = page(
        "<h1>A <em>b</em></h1>",
        "<nav class='contents'><ol><li>x</li></ol></nav>",
        "<p>One<br>two &amp; <img src='a'></p>\n<hr>\n<!-- <p>not</p> -->\n<div class='prose'><p>inner</p></div>"
        "<ul>\n<li>z\n</ul>",
        "<div class='evidence'></div>",
    )

    assert blocks(text) == {
        "article": [
            "<header>",
            "<nav class='contents'><ol><li>x</li></ol></nav>",
            "<prose>",
            "<div class='evidence'></div>",
        ],
        "header": ["<h1>A <em>b</em></h1>"],
        "prose": [
            "<p>One<br>two &amp; <img src='a'></p>",
            "<hr>",
            "<div class='prose'><p>inner</p></div>",
            "<ul>\n<li>z\n</ul>",
        ],
    }


def test_operations_replace_insert_and_delete_blocks_of_the_published_page():
    published = page("<h1>Ten</h1>", "", "<p>a</p><p>b</p><p>c</p><p>d</p>")
    turned = page("<h1>Six</h1>", "<nav>x</nav>", "<p>a</p><p>B</p><p>c</p><p>e</p><p>f</p>", title="A &amp; B")

    script = turn_script("six", published, turned)

    assert script.startswith(b'(window.turned ??= {})["six"] = ')
    assert facts(script) == {
        "title": "A & B",
        "operations": [
            ["article", 1, 0, ["<nav>x</nav>"]],
            ["header", 0, 1, ["<h1>Six</h1>"]],
            ["prose", 1, 1, ["<p>B</p>"]],
            ["prose", 3, 1, ["<p>e</p>", "<p>f</p>"]],
        ],
    }


TEXTS = st.lists(st.sampled_from([f"<p>{word}</p>" for word in "abcde"] + ["<hr>", "<pre>\n&lt;p&gt;\n</pre>"]))


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_the_published_page_after_the_operations_is_the_other_one(header, prose, other_header, other_prose):
    published = page("".join(header), "", "\n".join(prose))
    turned = page("".join(other_header), "<nav></nav>", "\n".join(other_prose))

    assert apply(turn_script("x", published, turned), published) == blocks(turned)


@pytest.mark.parametrize("text", ["<p>x</p>", page("", "", "")])
def test_pages_without_blocks_have_none(text):
    assert [each for found in blocks(text).values() for each in found if each not in ("<header>", "<prose>")] == []
