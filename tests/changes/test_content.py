"""What runs, and which files change, when posts, templates, the configuration or the builder itself change."""

import shutil

import pytest

from site_builder.cli.main import main
from tests.changes.small_blog import (
    BUNDLED,
    FEEDS,
    FIRST,
    NOTHING,
    OWN,
    OWN_PAGES,
    PAGES,
    POSTS,
    TASKS,
    because,
    drawn,
    files_of,
    pictures,
    ran,
    records,
)
from tests.conftest import ROOT

SITE = "rendered, what it shows of the site changed"
OWN_AND_POSTS = f"{OWN}, what it shows of posts changed"
SITE_AND_POSTS = f"{SITE}, what it shows of posts changed"
HTML = PAGES - FEEDS


def page_of(name):
    return f"{name} page posts/{name}/index.html"


def written(name):
    return {f"{name} text": f"written, content/posts/{name}.md changed"}


# Posts


def test_prose_writes_its_page_and_the_lists_and_feeds_that_show_it(blog):
    blog.change("content/posts/data.md", "They weigh", "All of them weigh")

    found = blog.explained()

    words = written("data") | {page_of("data"): OWN} | because(POSTS, "page page/2/index.html", "page feed.xml")
    assert found == ran(words, {"posts/data/index.html", "page/2/index.html", "feed.xml"})


def test_prose_below_the_excerpt_leaves_lists_as_they_are(blog):
    blog.change("content/posts/plain.md", "![A dot]", "![The dot]")

    found = blog.explained()

    words = written("plain") | {page_of("plain"): OWN} | because(POSTS, "page feed.xml", "page tags/words/feed.xml")
    assert found == ran(words, {"posts/plain/index.html", "feed.xml", "tags/words/feed.xml"})


def test_a_page_that_is_no_post_stands_in_no_list(blog):
    blog.change("content/pages/about.md", "About us", "About you")

    found = blog.explained()

    words = {"about text": "written, content/pages/about.md changed", "about page about/index.html": OWN}
    assert found == ran(words, {"about/index.html"})


def test_a_title_changes_its_page_its_neighbours_and_the_lists_that_show_it(blog):
    blog.change("content/posts/turned.md", "title: Turned", "title: Turned again")

    found = blog.explained()

    shown = {page_of("fixed"), page_of("sweep"), "page index.html", "page archive/index.html"}
    shown |= {"page tags/stairs/index.html", "page feed.xml", "page tags/stairs/feed.xml"}
    words = written("turned") | {page_of("turned"): OWN_AND_POSTS} | because(POSTS, *shown)
    assert found == ran(words, files_of({page_of("turned"), *shown}))


def test_a_tag_changes_its_page_its_list_and_the_feeds_that_name_it(blog):
    blog.change("content/posts/sweep.md", "tags: [dice]", "tags: [dice, words]")

    found = blog.explained()

    shown = {page_of("sweep"), "page tags/index.html", "page tags/words/index.html"}
    shown |= FEEDS - {"page tags/stairs/feed.xml"}
    assert found == ran(written("sweep") | because(POSTS, *shown), files_of(shown))


def test_the_last_post_of_a_tag_takes_its_page_with_it(blog):
    blog.change("content/posts/sweep.md", "tags: [dice]", "tags: [words]")

    found = blog.explained()

    shown = {page_of("sweep"), "page tags/index.html", "page tags/words/index.html"}
    shown |= {"page feed.xml", "page tags/words/feed.xml"}
    lost = {"page tags/dice/index.html", "page tags/dice/feed.xml"}
    expected = ran(
        written("sweep") | because(POSTS, *shown),
        files_of(shown) | {"sitemap.xml"},
        gone=files_of(lost),
        tasks=TASKS | PAGES - lost,
    )
    assert found == expected


def test_a_date_moves_a_post_among_its_old_and_its_new_neighbours(blog):
    blog.change("content/posts/square.md", "2026-05-04", "2026-04-30")

    found = blog.explained()

    moved = {page_of("square"), page_of("plain")}  # which has an older neighbour now, and which has none any more
    shown = {page_of("sweep"), page_of("code"), "page page/2/index.html", "page page/3/index.html"}
    shown |= {"page archive/index.html", "page feed.xml"}
    words = written("square") | because(OWN_AND_POSTS, *moved) | because(POSTS, *shown)
    assert found == ran(words, files_of(moved | shown) | {"sitemap.xml"})


NEW = "---\ntitle: New\ndate: 2026-05-03 12:00\ntags: [words]\n---\nNew words.\n"
SHOWING_NEW = {
    *(page_of("square"), page_of("code"), "page page/2/index.html", "page page/3/index.html"),
    *("page tags/index.html", "page tags/words/index.html", "page feed.xml", "page tags/words/feed.xml"),
}
ALL_SHOWING_NEW = files_of(SHOWING_NEW) | {"archive/index.html", "sitemap.xml"}


def test_a_new_post_changes_its_neighbours_and_the_lists_that_show_it(blog):
    blog.write("content/posts/new.md", NEW)

    found = blog.explained()

    own = {"new text": f"written, {FIRST}", page_of("new"): f"rendered, {FIRST}"}
    words = own | {"page archive/index.html": SITE_AND_POSTS} | because(POSTS, *SHOWING_NEW)
    tasks = TASKS | PAGES | own.keys()
    assert found == ran(words, ALL_SHOWING_NEW, new={"posts/new/index.html"}, tasks=tasks)


def test_a_post_that_is_removed_again_leaves_all_as_it_was(blog):
    blog.write("content/posts/new.md", NEW)
    blog.run()
    (blog.root / "content/posts/new.md").unlink()

    assert blog.explained() == ran({}, ALL_SHOWING_NEW, gone={"posts/new/index.html"})


def test_a_renamed_post_moves_and_is_linked_anew(blog):
    source = blog.write("content/posts/new.md", NEW)
    blog.run()
    source.rename(blog.root / "content/posts/newer.md")

    found = blog.explained()

    own = {"newer text": f"written, {FIRST}", page_of("newer"): f"rendered, {FIRST}"}
    shown = {page_of("square"), page_of("code"), "page page/2/index.html", "page feed.xml", "page tags/words/feed.xml"}
    expected = ran(
        own | because(POSTS, *shown),  # neither the archive nor the page of its tag shows where it lies
        files_of(shown) | {"sitemap.xml"},
        new={"posts/newer/index.html"},
        gone={"posts/new/index.html"},
        tasks=TASKS | PAGES | own.keys(),
    )
    assert found == expected


@pytest.mark.parametrize("leave", ["removed", "draft"])
def test_the_files_of_a_post_that_is_removed_or_made_a_draft_leave_the_output(blog, leave):
    if leave == "removed":
        (blog.root / "content/posts/sweep.md").unlink()
    else:
        blog.change("content/posts/sweep.md", "title: Sweep", "title: Sweep\ndraft: true")

    found = blog.explained()

    neighbours = {page_of("turned"), page_of("square"), "page tags/index.html", "page feed.xml"}
    lists = {"page index.html", "page page/2/index.html", "page archive/index.html"}
    lost = {task for task in TASKS | PAGES if task.startswith("sweep ")}
    lost |= {"page tags/dice/index.html", "page tags/dice/feed.xml", "page page/3/index.html"}
    pages = {"posts/sweep/index.html", "tags/dice/index.html", "tags/dice/feed.xml", "page/3/index.html"}
    expected = ran(
        because(POSTS, *neighbours) | because(SITE_AND_POSTS, *lists),
        files_of(neighbours | lists) | {"sitemap.xml", "answers.json"},
        gone=drawn("sweep", "means", "js") | records("sweep") | pages,
        tasks=(TASKS | PAGES) - lost,
    )
    assert found == expected


CORRECTION = "corrections: [{date: 2026-05-09, text: 'They weigh {{ results.all.total }}.'}]"


def test_a_correction_changes_its_page_the_feed_the_sitemap_and_the_list_that_shows_its_date(blog):
    blog.change("content/posts/data.md", "title: Data", f"title: Data\n{CORRECTION}")

    found = blog.explained()

    shown = {"page page/2/index.html", "page feed.xml"}  # neither tags nor the archive show when a post was updated
    words = written("data") | {page_of("data"): OWN} | because(POSTS, *shown)
    assert found == ran(words, files_of({page_of("data"), *shown}) | {"sitemap.xml"})


def test_another_word_in_a_correction_changes_its_page_and_the_feed(blog):
    blog.change("content/posts/data.md", "title: Data", f"title: Data\n{CORRECTION}")
    blog.run()
    blog.change("content/posts/data.md", "'They weigh", "'They all weigh")

    found = blog.explained()

    words = written("data") | {page_of("data"): OWN, "page feed.xml": POSTS}
    assert found == ran(words, {"posts/data/index.html", "feed.xml"})


def test_a_correction_follows_the_result_that_it_tells(blog):
    blog.change("content/posts/data.md", "title: Data", f"title: Data\n{CORRECTION}")
    blog.run()
    blog.change("solvers/weights.txt", "2\n", "4\n")
    blog.run()

    assert "2026-05-09 They weigh 5." in blog.page("posts/data/index.html")
    assert "They weigh 5." in blog.page("feed.xml").partition("<entry>")[2]


def test_answers_that_are_accepted_run_nothing_and_change_no_page(blog):
    assert main(blog.root, ["accept"]) == 0
    assert (blog.root / "content/accepted/data.json").exists()

    assert blog.explained() == NOTHING


@pytest.mark.parametrize("change", ["another answer", "removed"])
def test_accepted_answers_that_change_run_nothing_and_change_no_page(blog, change):
    assert main(blog.root, ["accept"]) == 0
    blog.run()
    file = blog.root / "content/accepted/data.json"
    if change == "another answer":
        blog.change("content/accepted/data.json", '"total": 3', '"total": 4')
    else:
        file.unlink()

    assert blog.explained() == NOTHING


def test_an_image_is_published_anew_and_runs_nothing(blog):
    blog.write("content/images/dot.png", "another picture")

    assert blog.explained() == ran({}, {"images/dot.png"})


def test_files_altered_and_deleted_by_hand_come_back_and_nothing_runs(blog):
    (blog.root / "_site/posts/plain/index.html").write_text("mine", "utf-8")
    (blog.root / "_site/index.html").unlink()

    assert blog.explained() == ran({}, {"posts/plain/index.html"}, new={"index.html"})


# Templates


def test_a_template_two_includes_deep_renders_every_page_that_it_is_part_of(blog):
    blog.change("templates/_mark.html", "mark", "sign")

    found = blog.explained()

    assert found == ran(because("rendered, template _mark.html changed", *HTML), files_of(HTML))


def test_a_template_of_lists_renders_lists_alone(blog):
    blog.change("templates/_entry.html", "</a>", "</a>:")

    found = blog.explained()

    lists = {"page index.html", "page page/2/index.html", "page page/3/index.html"}
    assert found == ran(because("rendered, template _entry.html changed", *lists), files_of(lists))


def test_a_template_of_figures_renders_the_pages_that_show_one(blog):
    blog.change("templates/parts/figure.html", "<img", "<img loading=lazy")

    found = blog.explained()

    pages = {page_of("fixed"), page_of("turned"), page_of("sweep")}
    assert found == ran(because("rendered, template parts/figure.html changed", *pages), files_of(pages))


def test_a_template_of_checks_renders_what_shows_them(blog):
    blog.change("templates/parts/checks.html", "check.detail }}", "check.detail }}:")

    found = blog.explained()

    words = because("rendered, template parts/checks.html changed", page_of("data"), "page feed.xml")
    assert found == ran(words, {"posts/data/index.html", "feed.xml"})


def test_a_template_of_bundles_renders_what_offers_one_and_proves_nothing(blog):
    blog.change("templates/parts/bundle.html", "<a", "<a download")

    found = blog.explained()

    words = because("rendered, template parts/bundle.html changed", page_of("square"), "page feed.xml")
    assert found == ran(words, {"posts/square/index.html", "feed.xml"})


def test_a_template_of_the_fold_changes_the_pages_of_posts_with_results(blog):
    blog.change("templates/_evidence.html", "run.name }}", "run.name }}:")

    found = blog.explained()

    pages = {task for task in OWN_PAGES if " page posts/" in task}
    assert found == ran(
        because("rendered, template _evidence.html changed", *pages),
        files_of(pages - {page_of("code"), page_of("plain")}),
    )


def test_a_template_that_no_page_uses_runs_nothing(blog):
    blog.change("templates/unused.html", "Nobody", "No one")

    assert blog.explained() == NOTHING


def test_the_stylesheet_renders_every_page_that_names_it(blog):
    blog.change("templates/assets/style.css", "margin: 0", "margin: 1px")

    found = blog.explained()

    assert found == ran(because("rendered, asset style.css changed", *HTML), files_of(HTML) | {"assets/style.css"})


# config.yaml


def test_the_title_of_the_site_renders_every_page_and_feed(blog):
    blog.change("config.yaml", "title: A blog", "title: My blog")

    found = blog.explained()

    words = "rendered, title in config.yaml changed"
    lists = HTML - OWN_PAGES - {"page 404.html"}  # whose descriptions say the title
    expected = because(words, *PAGES) | because(f"{words}, what it shows of the site changed", *lists)
    cards = {"page feed.json", "page tags/dice/feed.json", "page tags/stairs/feed.json"}  # cards name the site, too
    expected |= because(f"{words}, what it shows of posts changed", *cards)
    assert found == ran(expected, files_of(PAGES) | {"answers.json"})


def test_the_description_of_the_site_renders_its_first_page_and_the_feeds(blog):
    blog.change("config.yaml", "About chance.", "On chance.")

    found = blog.explained()

    words = because("rendered, description in config.yaml changed", *FEEDS) | {"page index.html": SITE}
    assert found == ran(words, files_of(words))


def test_the_author_of_the_site_renders_what_names_the_author(blog):
    blog.change("config.yaml", "author: An author", "author: Another author")

    found = blog.explained()

    words = "rendered, author in config.yaml changed"
    expected = {"about page about/index.html": words} | because(f"{words}, what it shows of posts changed", *FEEDS)
    assert found == ran(expected, files_of(expected))


def test_longer_lists_render_the_lists_and_remove_the_last(blog):
    blog.change("config.yaml", "posts_per_page: 3", "posts_per_page: 4")

    found = blog.explained()

    lists = {"page index.html", "page page/2/index.html"}
    expected = ran(
        because(SITE_AND_POSTS, *lists),
        files_of(lists) | {"sitemap.xml"},
        gone={"page/3/index.html"},
        tasks=TASKS | PAGES - {"page page/3/index.html"},
    )
    assert found == expected


@pytest.mark.parametrize("line", ["limits: {time: 60, memory: 1 GiB}", "store: {max_size: 512 MiB}"])
def test_what_shows_on_no_page_runs_nothing(blog, line):
    blog.change("config.yaml", "navigation: {}", f"navigation: {{}}\n{line}")

    assert blog.explained() == NOTHING


# The builder


class Builder:
    """A copy of the builder and of its default theme, to be changed."""

    def __init__(self, folder):
        self.folder = folder
        shutil.copytree(ROOT / "templates", folder / "templates")
        shutil.copytree(ROOT / "site_builder", folder / "site_builder", ignore=shutil.ignore_patterns("__pycache__"))

    def change(self, path, old, new):
        file = self.folder / "site_builder" / path
        text = file.read_text("utf-8")
        assert text.count(old) == 1, f"{old!r} in {path}"
        file.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def builder(tmp_path_factory):
    return Builder(tmp_path_factory.mktemp("builder"))


def test_a_comment_in_the_builder_runs_nothing(blog, builder):
    builder.change("figures/canvas/palette.py", "GRIDLINE = Colour(", "# where numbers lie\nGRIDLINE = Colour(")
    builder.change("markup/markdown.py", "    converter.reset()\n", "    converter.reset()  # of the text before\n")

    assert blog.explained(build=blog.run_with(builder.folder)) == NOTHING


@pytest.mark.deep
def test_a_colour_draws_every_figure_and_renders_the_pages_that_show_one(blog, builder):
    builder.change("figures/canvas/palette.py", 'GRIDLINE = Colour("#e6e2d8"', 'GRIDLINE = Colour("#e6e2d7"')

    found = blog.explained(build=blog.run_with(builder.folder))

    drawings = {"fixed drawing fair-ways", "turned drawing yours-ways", "sweep drawing means"}
    pages = {page_of("fixed"), page_of("turned"), page_of("sweep")}
    feeds = {"page feed.xml", "page tags/stairs/feed.xml", "page tags/dice/feed.xml"}
    words = "drawn, site_builder/figures/canvas/palette.py changed (module level)"
    expected = because(words, *drawings) | because(OWN, *pages) | because(POSTS, *feeds)
    figures = pictures("fixed", "fair-ways") | pictures("turned", "yours-ways") | pictures("sweep", "means")
    assert found == ran(expected, figures | files_of(pages | feeds))


@pytest.mark.deep
def test_a_function_behind_texts_writes_every_text(blog, builder):
    builder.change("markup/markdown.py", 'or "section"', 'or "a-section"')

    found = blog.explained(build=blog.run_with(builder.folder))

    texts = {task for task in TASKS if task.endswith(" text")}
    drawings = {task for task in TASKS if " drawing " in task}  # whose labels are split by functions beside it
    why = "site_builder/markup/markdown.py changed (function anchor_of)"
    words = because(f"written, {why}", *texts) | because(f"drawn, {why}", *drawings)
    assert found == ran(words)  # no post has a heading, so no page changes


def test_a_function_behind_pages_renders_every_page(blog, builder):
    builder.change(
        "site/pages/feed.py", "xml_declaration=True)\n    return text", "xml_declaration=True)\n    return b'' + text"
    )

    found = blog.explained(build=blog.run_with(builder.folder))

    assert found == ran(because("rendered, site_builder/site/pages/feed.py changed (function atom)", *PAGES))


@pytest.mark.deep
def test_a_comment_in_what_bundles_hold_of_the_builder_makes_them_again(blog, builder):
    builder.change("contract/checks.py", "METHODS = (", "# all that there are\nMETHODS = (")

    found = blog.explained(build=blog.run_with(builder.folder))

    assert found == ran({"square bundle one": BUNDLED}, {"posts/square/dice-one.zip"})
