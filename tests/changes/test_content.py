"""What runs, and which files change, when posts, templates, the configuration or the builder itself change."""

import shutil

import pytest

from site_builder.cli.main import main
from tests.changes.small_blog import (
    BESIDE,
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
    feeds,
    files_of,
    lists,
    pictures,
    ran,
    records,
)
from tests.conftest import ROOT

HTML = PAGES - FEEDS
LIST = "rendered, the list changed"
SETTING = "rendered, a setting of the site changed"
PARTS = "rendered, a template of parts/ changed"


def page_of(name):
    return f"{name} page posts/{name}/index.html"


def written(name):
    return {f"{name} text": f"written, content/posts/{name}.md changed"}


# Posts


def test_prose_writes_its_page_and_the_lists_and_feeds_that_show_it(blog):
    blog.change("content/posts/data.md", "They weigh", "All of them weigh")

    found = blog.explained()

    words = written("data") | {page_of("data"): OWN} | because(POSTS, *lists("data"), *feeds("data"))
    assert found == ran(words, {"posts/data/index.html", "page/2/index.html", "feed.xml"})


def test_prose_below_the_excerpt_leaves_lists_as_they_are(blog):
    blog.change("content/posts/plain.md", "![A dot]", "![The dot]")

    found = blog.explained()

    words = written("plain") | {page_of("plain"): OWN} | because(POSTS, "page feed.xml", "page tags/words/feed.xml")
    assert found == ran(words, {"posts/plain/index.html", "feed.xml", "tags/words/feed.xml"})


def test_a_page_that_is_no_post_stands_in_no_list(blog):
    blog.change("content/pages/about.md", "About us", "About you")

    found = blog.explained()

    words = {
        "about text": "written, content/pages/about.md changed",
        "about page about/index.html": "rendered, the page changed",
    }
    assert found == ran(words, {"about/index.html"})


def test_a_title_changes_its_page_its_neighbours_and_the_lists_that_show_it(blog):
    blog.change("content/posts/turned.md", "title: Turned", "title: Turned again")

    found = blog.explained()

    beside, shown = {page_of("fixed"), page_of("sweep")}, lists("turned") | feeds("turned")
    words = written("turned") | {page_of("turned"): OWN} | because(BESIDE, *beside) | because(POSTS, *shown)
    assert found == ran(words, files_of({page_of("turned"), *beside, *shown}))


def test_a_tag_changes_its_page_its_list_and_the_feeds_that_name_it(blog):
    blog.change("content/posts/sweep.md", "tags: [dice]", "tags: [dice, words]")

    found = blog.explained()

    words = written("sweep") | {
        page_of("sweep"): f"{OWN}, the posts beside it changed",
        **because(BESIDE, page_of("plain")),  # which is related to it now
        **because(POSTS, *lists("sweep"), *feeds("sweep")),
        "page tags/index.html": "rendered, the list of tags changed",
        "page tags/words/index.html": f"{LIST}, the posts in it changed",
        "page tags/words/feed.xml": POSTS,
    }
    shown = {page_of("sweep"), "page tags/index.html", "page tags/words/index.html"}
    assert found == ran(words, files_of(shown | FEEDS - {"page tags/stairs/feed.xml"}))


def test_the_last_post_of_a_tag_takes_its_page_with_it(blog):
    blog.change("content/posts/sweep.md", "tags: [dice]", "tags: [words]")

    found = blog.explained()

    words = written("sweep") | {
        page_of("sweep"): f"{OWN}, the posts beside it changed",
        page_of("plain"): BESIDE,
        **because(POSTS, "page index.html", "page archive/index.html", "page feed.xml", "page tags/words/feed.xml"),
        "page tags/index.html": "rendered, the list of tags changed",
        "page tags/words/index.html": f"{LIST}, the posts in it changed",
    }
    shown = {page_of("sweep"), "page tags/index.html", "page tags/words/index.html"}
    shown |= {"page feed.xml", "page tags/words/feed.xml"}
    lost = {"page tags/dice/index.html", "page tags/dice/feed.xml"}
    expected = ran(
        words,
        files_of(shown) | {"sitemap.xml"},
        gone=files_of(lost),
        tasks=TASKS | PAGES - lost,
    )
    assert found == expected


def test_a_date_moves_a_post_among_its_old_and_its_new_neighbours(blog):
    blog.change("content/posts/square.md", "2026-05-04", "2026-04-30")

    found = blog.explained()

    moved = {page_of("square"), page_of("plain")}  # which has an older neighbour now, and which has none any more
    beside = {page_of("sweep"), page_of("code")}
    shown = {"page page/2/index.html", "page page/3/index.html", "page archive/index.html", "page feed.xml"}
    words = written("square") | {page_of("square"): f"{OWN}, the posts beside it changed", page_of("plain"): BESIDE}
    words |= because(BESIDE, *beside) | because(POSTS, *shown)
    assert found == ran(words, files_of(moved | beside | shown) | {"sitemap.xml"})


NEW = "---\ntitle: New\ndate: 2026-05-03 12:00\ntags: [words]\n---\nNew words.\n"
SHOWING_NEW = {
    **because(BESIDE, page_of("square"), page_of("code")),
    **because(POSTS, "page page/2/index.html", "page page/3/index.html", "page archive/index.html"),
    **because(POSTS, "page feed.xml", "page tags/words/feed.xml"),
    "page tags/index.html": "rendered, the list of tags changed",
    "page tags/words/index.html": f"{LIST}, the posts in it changed",
}
RELATED = {page_of("plain"): BESIDE}  # has the same tag; the templates of this blog do not show it
ALL_SHOWING_NEW = files_of(SHOWING_NEW) | {"sitemap.xml"}


def test_a_new_post_changes_its_neighbours_and_the_lists_that_show_it(blog):
    blog.write("content/posts/new.md", NEW)

    found = blog.explained()

    own = {"new text": f"written, {FIRST}", page_of("new"): f"rendered, {FIRST}"}
    tasks = TASKS | PAGES | own.keys()
    assert found == ran(own | SHOWING_NEW | RELATED, ALL_SHOWING_NEW, new={"posts/new/index.html"}, tasks=tasks)


def test_a_post_that_is_removed_again_leaves_all_as_it_was(blog):
    blog.write("content/posts/new.md", NEW)
    blog.run()
    (blog.root / "content/posts/new.md").unlink()

    assert blog.explained() == ran(SHOWING_NEW | RELATED, ALL_SHOWING_NEW, gone={"posts/new/index.html"})


def test_a_renamed_post_moves_and_is_linked_anew(blog):
    source = blog.write("content/posts/new.md", NEW)
    blog.run()
    source.rename(blog.root / "content/posts/newer.md")

    found = blog.explained()

    own = {"newer text": f"written, {FIRST}", page_of("newer"): f"rendered, {FIRST}"}
    shown = {page_of("square"), page_of("code"), "page page/2/index.html", "page feed.xml", "page tags/words/feed.xml"}
    words = because(BESIDE, page_of("square"), page_of("code"), page_of("plain"))
    words |= because(POSTS, "page page/2/index.html", *feeds("plain"))
    words |= because(POSTS, "page archive/index.html", "page tags/words/index.html")  # which do not show where it lies
    expected = ran(
        own | words,
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

    shown = {page_of("turned"), page_of("square"), "page tags/index.html", "page feed.xml", "page archive/index.html"}
    shown |= {"page index.html", "page page/2/index.html"}
    words = because(BESIDE, page_of("turned"), page_of("square")) | because(POSTS, "page archive/index.html")
    words |= because(f"{LIST}, the posts in it changed", "page index.html", "page page/2/index.html")
    words |= {"page feed.xml": POSTS, "page tags/index.html": "rendered, the list of tags changed"}
    lost = {task for task in TASKS | PAGES if task.startswith("sweep ")}
    lost |= {"page tags/dice/index.html", "page tags/dice/feed.xml", "page page/3/index.html"}
    pages = {"posts/sweep/index.html", "tags/dice/index.html", "tags/dice/feed.xml", "page/3/index.html"}
    expected = ran(
        words,
        files_of(shown) | {"sitemap.xml"},
        gone=drawn("sweep", "means", "js") | records("sweep") | pages,
        tasks=(TASKS | PAGES) - lost,
    )
    assert found == expected


CORRECTION = "corrections: [{date: 2026-05-09, text: 'They weigh {{ results.all.total }}.'}]"


def test_a_correction_changes_its_page_the_feed_the_sitemap_and_the_list_that_shows_its_date(blog):
    blog.change("content/posts/data.md", "title: Data", f"title: Data\n{CORRECTION}")

    found = blog.explained()

    shown = {"page page/2/index.html", "page feed.xml"}  # neither tags nor the archive show when a post was updated
    words = written("data") | {page_of("data"): OWN} | because(POSTS, *shown, "page archive/index.html")
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


def test_files_altered_and_deleted_by_hand_come_back(blog):
    (blog.root / "_site/posts/plain/index.html").write_text("mine", "utf-8")
    (blog.root / "_site/index.html").unlink()

    words = because("rendered, its file was gone or altered", page_of("plain"), "page index.html")
    assert blog.explained() == ran(words, {"posts/plain/index.html"}, new={"index.html"})


# Templates


def template_of(task):
    """The template that makes the page of a task."""
    path = task.rpartition(" ")[2]
    name = path.partition("/")[0].removesuffix(".html")
    if path.startswith("tags/") and path.count("/") > 1:
        return "tag.html"
    return {"posts": "post.html", "about": "page.html", "page": "index.html"}.get(name, f"{name}.html")


def test_a_template_two_includes_deep_renders_every_page_that_it_is_part_of(blog):
    blog.change("templates/_mark.html", "mark", "sign")

    found = blog.explained()

    words = {task: f"rendered, the template {template_of(task)} changed" for task in HTML}
    assert found == ran(words, files_of(HTML))


def test_a_template_of_lists_renders_lists_alone(blog):
    blog.change("templates/_entry.html", "</a>", "</a>:")

    found = blog.explained()

    shown = {"page index.html", "page page/2/index.html", "page page/3/index.html"}
    assert found == ran(because("rendered, the template index.html changed", *shown), files_of(shown))


def test_a_template_of_figures_changes_the_pages_that_show_one_and_renders_all_texts(blog):
    blog.change("templates/parts/figure.html", "<img", "<img loading=lazy")

    found = blog.explained()

    pages = {page_of("fixed"), page_of("turned"), page_of("sweep")}
    assert found == ran(because(PARTS, *OWN_PAGES, *FEEDS), files_of(pages))


def test_a_template_of_checks_renders_what_shows_them(blog):
    blog.change("templates/parts/checks.html", "check.detail }}", "check.detail }}:")

    found = blog.explained()

    assert found == ran(because(PARTS, *OWN_PAGES, *FEEDS), {"posts/data/index.html", "feed.xml"})


def test_a_template_of_bundles_renders_what_offers_one_and_proves_nothing(blog):
    blog.change("templates/parts/bundle.html", "<a", "<a download")

    found = blog.explained()

    assert found == ran(because(PARTS, *OWN_PAGES, *FEEDS), {"posts/square/index.html", "feed.xml"})


def test_a_template_of_the_fold_changes_the_pages_of_posts_with_results(blog):
    blog.change("templates/_evidence.html", "run.name }}", "run.name }}:")

    found = blog.explained()

    pages = {task for task in OWN_PAGES if " page posts/" in task}
    assert found == ran(
        because("rendered, the template post.html changed", *pages),
        files_of(pages - {page_of("code"), page_of("plain")}),
    )


def test_a_template_that_no_page_uses_runs_nothing(blog):
    blog.change("templates/unused.html", "Nobody", "No one")

    assert blog.explained() == NOTHING


def test_the_stylesheet_renders_every_page_that_names_it(blog):
    blog.change("templates/assets/style.css", "margin: 0", "margin: 1px")

    found = blog.explained()

    assert found == ran(because("rendered, a file of assets/ changed", *PAGES), files_of(HTML) | {"assets/style.css"})


# config.yaml


def test_the_title_of_the_site_renders_every_page_and_feed(blog):
    blog.change("config.yaml", "title: A blog", "title: My blog")

    found = blog.explained()

    lists_of_site = HTML - OWN_PAGES - {"page 404.html", "page tags/index.html", "page search/index.html"}
    lists_of_site -= {"page archive/index.html"}
    cards = {"page feed.json", "page tags/dice/feed.json", "page tags/stairs/feed.json"}  # cards name the site, too
    expected = because(SETTING, *PAGES) | because(f"{SETTING}, the list changed", *lists_of_site)
    expected |= because(f"{SETTING}, the posts in it changed", *cards)
    expected |= because(f"{SETTING}, the post changed", *map(page_of, ("fixed", "turned", "sweep")))
    assert found == ran(expected, files_of(PAGES) | {"answers.json"})


def test_the_description_of_the_site_changes_its_first_page_and_the_feeds(blog):
    blog.change("config.yaml", "About chance.", "On chance.")

    found = blog.explained()

    words = because(SETTING, *PAGES) | {"page index.html": f"{SETTING}, the list changed"}
    assert found == ran(words, files_of({"page index.html", *FEEDS}))


def test_the_author_of_the_site_changes_what_names_the_author(blog):
    blog.change("config.yaml", "author: An author", "author: Another author")

    found = blog.explained()

    posts = {task.split()[0] for task in OWN_PAGES} - {"about"}
    expected = because(SETTING, *PAGES) | because(f"{SETTING}, the post changed", *map(page_of, posts))
    expected |= because(f"{SETTING}, the posts in it changed", *FEEDS, *lists(*posts))
    assert found == ran(expected, files_of({"about page about/index.html", *FEEDS}))


def test_longer_lists_render_the_lists_and_remove_the_last(blog):
    blog.change("config.yaml", "posts_per_page: 3", "posts_per_page: 4")

    found = blog.explained()

    longer = {"page index.html", "page page/2/index.html"}
    expected = ran(
        because(f"{LIST}, the posts in it changed", *longer),
        files_of(longer) | {"sitemap.xml"},
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
    builder.change("site/pages/feed.py", 'end = b"\\n</feed>"', 'end = b"" + b"\\n</feed>"')

    found = blog.explained(build=blog.run_with(builder.folder))

    assert found == ran(because("rendered, the builder changed", *PAGES))


@pytest.mark.deep
def test_a_comment_in_what_bundles_hold_of_the_builder_makes_them_again(blog, builder):
    builder.change("contract/checks.py", "METHODS = (", "# all that there are\nMETHODS = (")

    found = blog.explained(build=blog.run_with(builder.folder))

    assert found == ran({"square bundle one": BUNDLED}, {"posts/square/dice-one.zip"})
