"""Projects of Quarto: pages and posts, files that are left out, old addresses."""

import json

import pytest

from site_builder.extensions.importing.plan import plan_import
from site_builder.project.config import load_config

SETTINGS = "project:\n  type: website\nwebsite:\n  title: A\n  site-url: https://old.example/blog\n"
FRONT = "---\ntitle: {}\ndate: 2020-01-02\n---\n"


@pytest.fixture
def blog(project):
    project.write("old/_quarto.yml", SETTINGS)
    project.write("old/index.qmd", "---\ntitle: Posts\nlisting: posts\n---\n")
    project.write("old/about.qmd", "---\ntitle: About\n---\nSee [one](posts/one/index.qmd).\n")
    project.write(
        "old/posts/one/index.qmd",
        FRONT.format("One") + "![a](a.png) and ![b](/images/b.png), [two](../two.html), [about](/about.html)\n",
    )
    project.write(
        "old/posts/two.qmd",
        FRONT.format("Two\naliases: [second.html]") + "[one](https://old.example/blog/posts/one/)\n",
    )
    project.write("old/posts/three.md", FRONT.format("Three") + "::: {.callout-note}\nText.\n:::\n")
    project.write("old/posts/_metadata.yml", "freeze: true\n")
    project.write("old/posts/_part.qmd", "Text.\n")
    for image in ("images/b.png", "posts/one/a.png", "images/unused.png"):
        project.write(f"old/{image}", image)
    for output in ("_site/index.html", "_freeze/a.json", "_extensions/b.lua"):
        project.write(f"old/{output}", "x")
    return project


def test_files_in_the_own_folder_of_the_project_are_pages_and_all_others_posts(blog):
    blog.run("import", "old")
    blog.build()

    assert '<a href="../posts/one/">one</a>' in blog.page("about/index.html")
    assert "Text." in blog.page("posts/three/index.html")


def test_links_and_images_lead_where_they_led(blog):
    blog.run("import", "old")
    blog.build()

    one = blog.page("posts/one/index.html")
    assert '<a href="../two/">two</a>' in one
    assert '<a href="../../about/">about</a>' in one
    assert {"posts/one/a.png", "posts/one/b.png"} <= blog.files().keys()
    assert '<a href="../one/">one</a>' in blog.page("posts/two/index.html")


def test_old_addresses_lead_to_the_posts(blog):
    blog.run("import", "old")
    blog.build()

    assert "posts/two/" in blog.page("posts/two.html")
    assert "posts/two/" in blog.page("posts/second.html")
    assert "aliases" not in (blog.root / "content/posts/one/index.md").read_text("utf-8")


def test_texts_and_folders_that_are_left_out_are_listed(blog):
    ran = blog.run("import", "old")

    skipped = ("_extensions/", "_freeze/", "_site/", "index.qmd", "posts/_part.qmd")
    assert ran.out.splitlines()[:-1] == [f"old/{name}: neither a post nor a page; not imported" for name in skipped]


def test_one_post_of_a_project_has_the_images_of_the_project(blog):
    blog.run("import", "old/posts/one/index.qmd")

    assert (blog.root / "content/posts/one/b.png").read_text("utf-8") == "images/b.png"


def test_settings_that_are_not_yaml_are_an_error_at_their_line(blog):
    blog.write("old/_quarto.yml", "project:\n  - a\n b\n")

    ran = blog.run("import", "old", status=1)

    assert "_quarto.yml:3:" in ran.err


def test_a_notebook_has_front_matter_of_quarto_and_the_formulas_of_notebooks(blog):
    front = "---\ntitle: A\ndate: March 7, 2021\ncategories: two words\n---"
    sources = {"raw": front, "markdown": r"Both \\(x\\) and \(y\)."}
    cells = [{"cell_type": kind, "metadata": {}, "source": text} for kind, text in sources.items()]
    blog.write("old/walk.ipynb", json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}))

    plan = plan_import(load_config(blog.root), blog.root / "old/walk.ipynb", "walk.ipynb")

    assert plan.posts[0].data.decode() == (
        "---\ntitle: A\ndate: 2021-03-07\ntags: [two words]\n---\nBoth $x$ and $y$.\n"
    )
