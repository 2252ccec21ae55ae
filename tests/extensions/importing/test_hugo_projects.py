"""Projects of Hugo: sections, pages, bundles, static files, old addresses, links, what is left out."""

import pytest

from site_builder.errors import SiteError
from site_builder.extensions.importing.plan import plan_import
from site_builder.project.config import load_config

PNG = b"\x89PNG\r\n\x1a\npicture"
CONFIG = """
baseURL = "https://old.example/blog/"
[permalinks]
notes = "/:year/:month/:title/"
[markup.goldmark.extensions.passthrough.delimiters]
inline = [["\\\\(", "\\\\)"], ["$", "$"]]
"""


def front(title, more=""):
    return f'+++\ntitle = "{title}"\ndate = 2020-01-02\n{more}+++\n'


def page(project, path, text):
    project.write(f"old/content/{path}", text)


@pytest.fixture(scope="module")
def blog(builds, tmp_path_factory):
    """A project of Hugo imported and built: project, what import printed."""
    from tests.conftest import Project

    project = Project(tmp_path_factory.mktemp("hugo"))
    project.write("old/hugo.toml", CONFIG)
    links = (
        '[b]({{< relref "bundle" >}}#rules) [c](/blog/2020/01/see-c/) [about](/about/) [n](../plain.md) [gone](/gone/)'
    )
    page(project, "posts/first-post.md", f"{front('First')}{links}\n\nNow $2 + 2$.\n")
    page(project, "posts/plain.md", f"{front('Plain')}![x](/img/x.png) ![logo](/logo.png)\n")
    page(project, "posts/bundle/index.md", front("Bundle") + '## Rules\n\n{{< figure src="y.png" caption="A y" >}}\n')
    page(project, "notes/c.md", front("See c", 'aliases = ["/c/", "short"]\ndraft = false\n'))
    page(project, "posts/idea.md", front("Idea", "draft = true\n") + "Text.\n")
    page(
        project,
        "about.md",
        "---\ntitle: About\n---\n[posts](posts/first-post.md) at https://old.example/blog/posts/plain/\n",
    )
    for name in ("_index.md", "posts/_index.md", "search.md"):
        page(project, name, front("List"))
    page(project, "posts/bundle/part.md", "A part.\n")
    page(project, "posts/other.org", "* Org\n")
    for name in ("static/img/x.png", "assets/logo.png", "content/posts/bundle/y.png", "content/posts/bundle/z.png"):
        (project.root / "old" / name).parent.mkdir(parents=True, exist_ok=True)
        (project.root / "old" / name).write_bytes(PNG)
    for name in ("static/favicon.ico", "layouts/a/b.html", "layouts/c.html", "themes/t/x.html", "public/index.html"):
        project.write(f"old/{name}", "x")
    project.write("old/README.md", "Words.")
    ran = project.run("import", "old")
    project.build()
    return project, ran


def test_sections_become_posts_and_files_of_none_become_pages(blog):
    project, ran = blog

    assert "Imported 5 posts, 1 page, 3 files into content/; 1 draft among them; " in ran.out
    assert ran.err == ""
    assert "<article" in project.page("posts/first-post/index.html")
    assert project.page("about/index.html")
    assert "posts/idea/index.html" not in project.files()


def test_links_of_all_kinds_lead_to_the_pages(blog):
    project, _ = blog
    text = project.page("posts/first-post/index.html")

    assert '<a href="../bundle/#rules">b</a> <a href="../c/">c</a> <a href="../../about/">about</a>' in text
    assert '<a href="../plain/">n</a> gone' in text
    about = project.page("about/index.html")
    assert '<a href="../posts/first-post/">posts</a>' in about


def test_the_files_of_a_bundle_stand_beside_its_post(blog):
    project, _ = blog

    assert (project.root / "content/posts/bundle/index.md").exists()
    assert project.files()["posts/bundle/y.png"] == PNG
    assert "<figcaption>A y</figcaption>" in project.page("posts/bundle/index.html")


def test_files_in_static_and_assets_keep_their_addresses(blog):
    project, _ = blog
    files = project.files()

    assert files["img/x.png"] == PNG
    assert files["logo.png"] == PNG
    assert (project.root / "content/posts/plain.md").exists()


def test_old_addresses_of_permalinks_and_relative_aliases_lead_to_the_post(blog):
    project, _ = blog

    for address in ("2020/01/see-c", "c", "2020/01/short"):
        assert "posts/c/" in project.page(f"{address}/index.html")
    assert "aliases" not in (project.root / "content/posts/first-post.md").read_text("utf-8")


def test_single_dollars_are_mathematics_where_the_settings_say_so(blog):
    project, _ = blog

    assert "$2 + 2$" in (project.root / "content/posts/first-post.md").read_text("utf-8")


def test_every_text_and_folder_that_is_left_out_is_listed(blog):
    _, ran = blog
    folders = ("assets", "layouts", "public", "static", "themes")
    texts = ("README.md", "content/_index.md", "content/search.md", "content/posts/_index.md")
    texts += ("content/posts/bundle/part.md",)
    skipped = [f"old/{name}" for name in (*(f"{folder}/" for folder in folders), *texts)]

    assert set(ran.out.splitlines()[:-1]) == {
        *(f"{name}: neither a post nor a page; not imported" for name in skipped),
        "old/content/posts/first-post.md:5: the link /gone/ leads nowhere here; its words stay, without the link",
    }


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("hugo.toml", '[permalinks]\nposts = "/:year/:slug/"\n'),
        ("hugo.yaml", "permalinks:\n  page:\n    posts: /:year/:slug/\n"),
        ("config.yaml", "baseURL: /\npermalinks: {posts: '/:year/:slug/'}\n"),
        ("config/_default/hugo.toml", 'permalinks.posts = "/:year/:slug/"\n'),
    ],
)
def test_settings_are_read_in_each_of_their_places_and_forms(project, name, settings):
    project.write(f"old/{name}", settings)
    page(project, "posts/a.md", f"{front('The title')}Text.\n")

    plan = plan_import(load_config(project.root), project.root / "old", "old")

    assert plan.posts[0].post.aliases == ("2020/the-title/",)
    assert plan.notes == []


@pytest.mark.parametrize(
    ("style", "path", "more", "alias"),
    [
        ("/:sections/:filename/", "posts/deep/a.md", "", "posts/deep/a/"),
        ("/:year/:month/:day/:slugorfilename/", "posts/A.md", "", "2020/01/02/a/"),
        ("/p/:day-:contentbasename/", "posts/a/index.md", "", "p/02-a/"),
        ("/:slug/", "posts/a.md", 'slug = "own"\n', "own/"),
        ("/:unknown/", "posts/a.md", "", None),
        ("", "posts/2020-01-02-a.md", "", "posts/2020-01-02-a/"),
        ("", "posts/Deep/My File.md", "", "posts/deep/my-file/"),
        ("", "posts/a.md", "", None),
    ],
)
def test_the_old_address_becomes_an_alias_if_it_is_another(project, style, path, more, alias):
    project.write("old/hugo.toml", f'permalinks.posts = "{style}"\n')
    page(project, path, f"{front('The title', more)}Text.\n")

    plan = plan_import(load_config(project.root), project.root / "old", "old")

    assert plan.posts[0].post.aliases == ((alias,) if alias else ())


def test_settings_that_cannot_be_read_are_an_error(project):
    project.write("old/hugo.toml", "title = \n")
    page(project, "posts/a.md", front("A"))

    with pytest.raises(SiteError, match=r"hugo.toml:\d+: this is not TOML: Invalid value"):
        plan_import(load_config(project.root), project.root / "old", "old")


def test_a_project_of_puzzlepress_is_none_of_hugo(project):
    project.write("old/a.md", f"{front('A')}Text.\n")

    plan = plan_import(load_config(project.root), project.root / "old/a.md", "old/a.md")

    assert plan.posts[0].target == "content/posts/a.md"


def test_one_post_of_a_project_is_imported_with_the_links_of_the_project(project):
    project.write("old/hugo.toml", 'permalinks.posts = "/:year/:slug/"\n')
    project.write("old/static/x.png", "picture")
    page(project, "posts/a.md", f"{front('A')}![x](/x.png)\n")

    ran = project.run("import", "old/content/posts/a.md")

    assert ran.out == "Imported 1 post, 1 file into content/\n"
    assert "aliases: [/2020/a/]" in (project.root / "content/posts/a.md").read_text("utf-8")
    assert (project.root / "content/x.png").exists()


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("about/index.md", "content/pages/about.md"),
        ("index.md", None),
        ("search/index.md", None),
        ("archive.md", None),
    ],
)
def test_a_bundle_outside_of_sections_is_a_page_unless_the_builder_makes_it(project, path, target):
    project.write("old/hugo.toml", 'title = "A"\n')
    page(project, path, f"{front('About')}Text.\n")

    plan = plan_import(load_config(project.root), project.root / "old", "old")

    assert [each.target for each in plan.posts] == ([target] if target else [])
    assert [str(note) for note in plan.notes] == (
        [] if target else [f"old/content/{path}: neither a post nor a page; not imported"]
    )
