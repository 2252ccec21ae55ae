"""A blog that shows all that a blog can show, and how its built pages read."""

from urllib.parse import quote, unquote, urlsplit

from tests.support.html import Html

BASE = "https://blog.example.org/sub/"
RICH = """---
title: "Coins & <dice>: {{ results.fair.half | percent(0) }} for $p_1$"
date: 2026-03-02 10:00 +0200
updated: 2026-04-05
tags: [Coins, dynamic programming, C++]
categories: [games]
author: Somebody Else
summary: "Half is {{ results.fair.half | fraction }}, or $\\\\frac12$."
answer: "{{ results.fair.half | fraction }}"
aliases: [/2020/old-name/, /very-old.html]
puzzle: {name: Ruin, source: A book, url: "https://example.com/ruin", published: 1950-01-01}
runs:
  fair: {solver: gamblers_ruin, fixed: true}
toc: true
---
The first words, with a note[^1] and $x^2$.

<!--more-->

## Of figures

{{ figure(results.fair.figures.chance) }}

{{ figure(results.fair.figures.map) }}

### Deeper

{{ table(results.fair.figures.table) }}

## Of code

{{ parameters(results.fair) }}

??? hint "A hint"
    [Elsewhere](../post-03.md), [a page](/about/), [outside](https://example.com/), ![a dot](dot.svg).

[^1]: The note.
"""
DOT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><circle r="1"/></svg>'


def write_blog(project):
    """26 posts of five years, of which one shows all that a post can show; a page, an image, old addresses, drafts."""
    project.write("content/posts/rich/index.md", RICH)
    project.write("content/posts/rich/dot.svg", DOT)
    for number in range(1, 25):
        tag = ("Coins", "games", "größe")[number % 3]
        project.write(
            f"content/posts/post-{number:02d}.md",
            f"---\ntitle: Post {number}\ndate: {2023 + number // 10}-01-{number:02d}\ntags: [{tag}]\n---\n"
            f"Words of post {number}.\n\n![x](../images/x.png)\n",
        )
    for name, front, text in [
        ("posts/zwei-münzen", "title: Zwei\ndate: 2022-01-01\npermalink: /z.html", "Text."),
        ("posts/secret", "title: Sesame\ndate: 2026-09-09\ndraft: true\ntags: [hidden]", "Text."),
        ("posts/hush", "title: Sesame\ndate: 2026-09-09\npublished: false", "Text."),
        ("pages/about", "title: About us\nsummary: Who we are.", "## Who\n\n[Rich](../posts/rich/index.md)"),
    ]:
        project.write(f"content/{name}.md", f"---\n{front}\n---\n{text}\n")
    project.write("content/images/x.png", "no real picture")
    return project


def build_blog(project):
    """Write the blog and build it."""
    write_blog(project).build()


def read_blog(project):
    """The project with the blog as it was built. built: its files; html: its pages as elements; both by their paths."""
    project.built = {name: data for name, data in project.files().items() if not name.startswith(".")}
    project.html = {name: Html(data.decode()) for name, data in project.built.items() if name.endswith(".html")}
    return project


def address_of(name):
    """The address at which a static server shows a file."""
    return BASE + quote(name.removesuffix("index.html") if name.rpartition("/")[2] == "index.html" else name)


def file_at(address, files):
    """The file that a static server shows at an address of the site; None for another host."""
    if not address.startswith(BASE):
        return None
    path = unquote(urlsplit(address).path).removeprefix(urlsplit(BASE).path)
    return path + "index.html" if path.endswith("/") or not path else path


def is_redirect(page):
    return bool(page.all("meta", **{"http-equiv": "refresh"}))


def pages(blog):
    """The pages that readers come to: everything but redirects and the page for addresses that do not exist."""
    return {name: page for name, page in blog.html.items() if name != "404.html" and not is_redirect(page)}


def addresses_in(page):
    """Every address in a page: element, attribute and address."""
    for element in page.elements:
        for attribute in ("href", "src", "srcset", "poster", "data"):
            if attribute in element.attributes:
                value = element.attributes[attribute]
                for part in value.split(",") if attribute == "srcset" else [value]:
                    yield element, attribute, part.split()[0] if attribute == "srcset" else part
