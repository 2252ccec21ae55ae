"""A whole built site, read as browsers read it."""

import os
import re
import shutil
import subprocess
import sys
from base64 import b64encode
from hashlib import sha256
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit

import pytest

from site_builder.site.theme import minified
from tests.conftest import _RUN, ROOT
from tests.support.blog import BASE, DOT, address_of, addresses_in, file_at, pages
from tests.support.explored import read_script
from tests.support.html import Html

SEARCH_PAGE = "search/index.html"
SCHEME_SCRIPT = minified("theme.js", (ROOT / "templates/assets/theme.js").read_bytes()).decode()
SCHEME_HASH = f"'sha256-{b64encode(sha256(SCHEME_SCRIPT.encode()).digest()).decode()}'"

# Links and what is loaded


def test_every_address_on_every_page_leads_to_a_file_and_every_fragment_to_an_id(blog):
    ids = {name: {each.attributes.get("id") for each in page.elements} for name, page in blog.html.items()}

    def is_broken(name, address):
        target, fragment = urldefrag(urljoin(address_of(name), address))
        file = file_at(target, blog.built)
        if file is None:
            return urlsplit(target).hostname == "blog.example.org"
        return file not in blog.built or bool(fragment and unquote(fragment) not in ids[file])

    found = [(name, address) for name, page in blog.html.items() for _, _, address in addresses_in(page)]
    wrong = [(name, address) for name, address in found if is_broken(name, address)]

    assert wrong == []
    assert len(found) > 500


def test_links_within_the_site_are_relative_but_for_the_page_of_unknown_addresses(blog):
    whole = {
        (name, address)
        for name, page in blog.html.items()
        for element, _, address in addresses_in(page)
        if element.name != "link" and (address.startswith("/") or address.startswith(BASE))
    }

    assert {name for name, _ in whole} == {"404.html"}


def test_nothing_of_another_host_is_loaded(blog):
    loading = {"src", "srcset", "poster", "data"}
    loaded = [
        (name, address)
        for name, page in blog.html.items()
        for element, attribute, address in addresses_in(page)
        if (attribute in loading or (element.name == "link" and element.attributes["rel"] != "canonical"))
        and not urljoin(address_of(name), address).startswith(BASE)
    ]
    styles = [data for name, data in blog.built.items() if name.endswith((".css", ".svg"))]

    assert loaded == []
    assert styles
    assert not [style for style in styles if re.search(rb"@import|url\(\s*[\"']?(https?:|//)", style)]


def test_every_page_forbids_what_it_does_not_need(blog):
    for page in blog.html.values():
        (policy,) = page.all("meta", **{"http-equiv": "Content-Security-Policy"})
        assert "default-src 'none'" in policy.attributes["content"]
        assert "unsafe-inline" not in policy.attributes["content"]
        code = page.all("script")
        inline = [script.text for script in code if "src" not in script.attributes]
        assert not [script.text for script in code if "src" in script.attributes and script.text]
        wanted = ([], []) if page.all("meta", **{"http-equiv": "refresh"}) else ([SCHEME_SCRIPT], [SCHEME_HASH])
        assert (inline, re.findall("'sha[^']*'", policy.attributes["content"])) == wanted
        assert not [element for element in page.elements if "style" in element.attributes or element.name == "style"]


def test_the_page_of_unknown_addresses_works_at_any_depth(blog):
    page = blog.html["404.html"]

    for deep in ("nowhere", "posts/nowhere/at/all/", "tags/x.html"):
        for _, _, address in addresses_in(page):
            target = urldefrag(urljoin(BASE + deep, address)).url
            assert address.startswith("#") or file_at(target, blog.built) in blog.built


# Every page


def test_every_page_has_one_heading_of_the_first_rank(blog):
    assert {name: len(page.all("h1")) for name, page in blog.html.items() if len(page.all("h1")) != 1} == {}


def test_every_page_has_a_title_of_its_own(blog):
    titles = [page.all("title")[0].text.strip() for page in pages(blog).values()]

    assert all(titles)
    assert len(set(titles)) == len(titles) > 35


def test_every_page_names_its_own_address_and_language(blog):
    for name, page in pages(blog).items():
        assert [link.attributes["href"] for link in page.all("link", rel="canonical")] == [address_of(name)]
        assert page.all("html")[0].attributes["lang"] == "en"
    assert not blog.html["404.html"].all("link", rel="canonical")


def test_no_id_stands_twice_on_a_page(blog):
    for page in blog.html.values():
        ids = [element.attributes["id"] for element in page.elements if "id" in element.attributes]
        assert len(set(ids)) == len(ids)


def test_every_page_leads_to_the_feed(blog):
    for name, page in pages(blog).items():
        feeds = [link.attributes["href"] for link in page.all("link", type="application/atom+xml")]
        assert feeds
        assert {urljoin(address_of(name), feed) for feed in feeds} <= {
            BASE + quote(file) for file in blog.built if file.endswith("feed.xml")
        }


def test_descriptions_say_something_of_the_page(blog):
    described = {
        name: page.all("meta", name="description")[0].attributes["content"]
        for name, page in pages(blog).items()
        if page.all("meta", name="description")
    }

    assert described["about/index.html"] == "Who we are."
    assert described["posts/rich/index.html"] == "Half is 1/2, or 1/2."
    assert described["posts/post-07/index.html"] == "Words of post 7."
    assert described["index.html"] == "About chance."
    assert len(set(described.values())) == len(described)


def test_a_page_without_a_summary_is_described_by_its_first_words(project):
    project.write("content/pages/a.md", '---\ntitle: A\n---\nWho "we" are & <em>why</em> 1 < 2.\n')
    project.build()

    (described,) = Html(project.page("a/index.html")).all("meta", name="description")
    assert described.attributes["content"] == "Who \u201cwe\u201d are & why 1 < 2."


def test_a_title_is_plain_text_in_the_head_and_mathematics_on_the_page(blog):
    page = blog.html["posts/rich/index.html"]

    assert page.all("title")[0].text.strip().startswith("Coins & <dice>: 50% for p")
    assert page.all("math")
    assert page.all("h1")[0].text.startswith("Coins & <dice>: 50% for ")


def test_every_picture_has_a_text_in_its_place(blog):
    pictures = [image for page in blog.html.values() for image in page.all("img")]

    thumbnails = [image for image in pictures if image.attributes.get("class") == "thumbnail"]
    others = [image for image in pictures if image not in thumbnails]
    assert len(others) >= 25
    assert all(image.attributes.get("alt") for image in others)
    assert {image.attributes["alt"] for image in thumbnails} == {""}  # decoration: the figure in the post has the words


def test_pages_with_maps_or_curves_have_their_data_beside_them_and_other_pages_no_script_for_it(blog):
    explored = {
        name: [urljoin(address_of(name), figure.attributes["data-explore"]) for figure in found]
        for name, page in blog.html.items()
        if (found := [figure for figure in page.all("figure") if "data-explore" in figure.attributes])
    }
    loading = {
        name
        for name, page in blog.html.items()
        if any(re.search(r"/explore\.\w+\.js$", script.attributes.get("src", "")) for script in page.all("script"))
    }
    scripts = {
        name: [read_script(blog.built[file_at(each, blog.built)]) for each in explored[name]] for name in explored
    }

    assert loading == explored.keys()
    assert list(explored) == ["posts/rich/index.html"]
    assert all(step["axes"] and step["layers"] for found in scripts.values() for steps in found for step in steps)


# Lists


def entries_of(page):
    """The places of the posts in a list, in their order."""
    return [element.attributes["href"] for element in page.all("a") if "h2" in element.parents]


def test_the_index_shows_each_post_once_newest_first_ten_to_a_page(blog):
    lists = {name: entries_of(blog.html[name]) for name in ("index.html", "page/2/index.html", "page/3/index.html")}

    shown = [file_at(urljoin(address_of(name), link), blog.built) for name, links in lists.items() for link in links]

    assert [len(links) for links in lists.values()] == [10, 10, 6]
    assert shown[0] == "posts/rich/index.html"
    assert shown[-1] == "z.html"
    assert shown[1:-1] == [f"posts/post-{number:02d}/index.html" for number in range(24, 0, -1)]
    assert "page/4/index.html" not in blog.built


def test_the_pages_of_the_index_form_a_chain(blog):
    steps = {
        name: {
            link.attributes["rel"]: file_at(urljoin(address_of(name), link.attributes["href"]), blog.built)
            for link in blog.html[name].all("a")
            if link.attributes.get("rel") in ("prev", "next")
        }
        for name in ("index.html", "page/2/index.html", "page/3/index.html")
    }

    assert steps == {
        "index.html": {"next": "page/2/index.html"},
        "page/2/index.html": {"prev": "index.html", "next": "page/3/index.html"},
        "page/3/index.html": {"prev": "page/2/index.html"},
    }


def test_the_archive_has_every_post_under_its_year(blog):
    archive = blog.page("archive/index.html")

    years = re.split(r"<h2[^>]*>(\d{4})</h2>", archive)[1:]
    counts = {year: text.count("<li><time") for year, text in zip(years[::2], years[1::2], strict=True)}

    # posts 1-9 of 2023, 10-19 of 2024, 20-24 of 2025, one of 2022 and one of 2026
    assert counts == {"2026": 1, "2025": 5, "2024": 10, "2023": 9, "2022": 1}
    assert list(counts) == sorted(counts, reverse=True)


def test_every_tag_has_a_page_with_its_posts(blog):
    tags = blog.html["tags/index.html"]
    listed = {file_at(urljoin(address_of("tags/index.html"), a.attributes["href"]), blog.built) for a in tags.all("a")}

    assert {name for name in blog.html if name.startswith("tags/")} - {"tags/index.html"} <= listed
    # numbers 3, 6, ..., 24 and the rich post; 1, 4, ..., 22 and the rich post; 2, 5, ..., 23
    counts = {tag: len(entries_of(blog.html[f"tags/{tag}/index.html"])) for tag in ("coins", "games", "größe")}
    assert counts == {"coins": 9, "games": 9, "größe": 8}
    assert len(entries_of(blog.html["tags/dynamic-programming/index.html"])) == 1


def test_posts_lead_to_their_neighbours_in_time(blog):
    page = blog.html["posts/post-07/index.html"]

    found = {link.attributes["rel"]: link.attributes["href"] for link in page.all("a") if "rel" in link.attributes}

    assert (found["prev"], found["next"]) == ("../post-06/", "../post-08/")


def test_an_old_address_leads_to_the_new_one(blog):
    for old in ("2020/old-name/index.html", "very-old.html"):
        page = blog.html[old]
        (refresh,) = page.all("meta", **{"http-equiv": "refresh"})
        target = refresh.attributes["content"].partition("url=")[2]
        assert file_at(urljoin(address_of(old), target), blog.built) == "posts/rich/index.html"
        assert page.all("link", rel="canonical")[0].attributes["href"] == f"{BASE}posts/rich/"
        assert page.all("a")[0].attributes["href"] == target


def test_drafts_appear_nowhere(blog):
    assert not [name for name, data in blog.built.items() if b"Sesame" in data or "secret" in name or "hush" in name]
    assert "tags/hidden/index.html" not in blog.built


def test_other_files_are_published_as_they_are(blog):
    assert blog.built["images/x.png"] == b"no real picture"
    assert blog.built["posts/rich/dot.svg"] == DOT.encode()


# Other sites


def test_an_empty_blog_builds(project):
    ran = project.build()

    assert ran.out.startswith("Built 0 posts")
    assert len(Html(project.page("index.html")).all("h1")) == 1


def test_lists_that_were_empty_show_their_first_post_and_tag(project):
    project.build()
    project.post("Text.\n", "first", front="tags: [coins]\n", title="Sesame")

    project.build()

    assert [entries_of(Html(project.page(name))) for name in ("index.html", "tags/coins/index.html")] == [
        ["posts/first/"],
        ["../../posts/first/"],
    ]
    assert "coins/" in [link.attributes["href"] for link in Html(project.page("tags/index.html")).all("a")]
    assert "Sesame" in project.page("archive/index.html")


def test_drafts_are_built_when_asked_for(project):
    project.post("Text.\n", "secret", front="draft: true\n", title="Sesame")

    assert project.build().out.startswith("Built 0 posts")
    assert project.build("--drafts").out.startswith("Built 1 post, ")
    assert "Sesame" in project.page("index.html")


def test_a_draft_that_was_built_leaves_the_site_when_it_is_not_asked_for(project):
    project.post("{{ figure(results.fair.figures.chance) }}\n", "secret", front="draft: true\ntags: [hidden]\n")
    project.build()
    without = project.files()
    project.build("--drafts")
    assert "posts/secret/index.html" in project.files()

    project.build()

    assert project.files() == without


def test_a_site_at_the_root_of_its_host_has_no_path_before_its_addresses(project):
    config = (project.root / "config.yaml").read_text().replace("/sub/", "")
    project.write("config.yaml", config)
    project.post("Text.\n")
    project.build()

    assert [link.attributes["href"] for link in Html(project.page("404.html")).all("a", **{"class": "brand"})] == ["/"]
    canonical = Html(project.page("posts/ruin/index.html")).all("link", rel="canonical")
    assert canonical[0].attributes["href"] == "https://blog.example.org/posts/ruin/"


@pytest.mark.parametrize(
    ("files", "place", "address"),
    [
        ({"pages/tags.md": "title: A"}, "content/pages/tags.md:2", "/tags/"),
        ({"pages/a.md": "title: A\naliases: [/archive/]"}, "content/pages/a.md:3", "/archive/"),
        ({"pages/a.md": "title: A\npermalink: /404.html"}, "content/pages/a.md:3", "/404.html"),
        ({"feed.xml": None}, "content/feed.xml", "/feed.xml"),
        ({"pages/a.md": "title: A", "a": None}, "content/pages/a.md:2", "/a"),
        ({"pages/a.md": "title: A\npermalink: /x.html/y/", "x.html": None}, "content/pages/a.md:3", "/x.html"),
    ],
)
def test_an_address_that_the_site_itself_or_a_file_needs_is_refused(project, files, place, address):
    for name, front in files.items():
        project.write(f"content/{name}", f"---\n{front}\n---\n" if front else "data")

    ran = project.build(status=1)

    assert f"{place}: " in ran.err
    assert f" {address}\n" in ran.err
    assert not (project.root / "_site").exists()


def test_another_folder_order_number_of_jobs_day_and_hash_seed_give_the_same_bytes(blog, tmp_path):
    other = tmp_path / "elsewhere"
    for file in sorted(blog.root.rglob("*"), reverse=True):
        name = file.relative_to(blog.root)
        if file.is_file() and name.parts[0] not in ("_site", "templates"):
            (other / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, other / name)
            os.utime(other / name, (10**9, 10**9))
    (other / "templates").symlink_to(ROOT / "templates")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "7"}
    environment |= {"LC_ALL": "C", "HOME": str(tmp_path), "COLUMNS": "40"}

    subprocess.run(
        [sys.executable, "-c", _RUN, str(other), "--jobs", "1"],
        capture_output=True,
        env=environment,
        cwd=tmp_path,
        check=True,
    )

    site = other / "_site"
    again = {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}
    assert again == blog.files()


# The search page


def search_page(files):
    return Html(files[SEARCH_PAGE].decode())


def test_the_page_finds_its_index_from_where_it_stands(blog):
    (form,) = search_page(blog.built).all("form")

    assert form.attributes["data-root"] == "../"
    assert {"pagefind/pagefind.js", "pagefind/pagefind-entry.json"} <= blog.built.keys()


def test_the_field_has_a_label_and_waits_for_its_script(blog):
    page = search_page(blog.built)
    (field,) = page.all("input", type="search")

    assert page.all("form", role="search")
    assert [label.text for label in page.all("label")] == ["Words or numbers to look for", "Tag"]
    assert {label.attributes["for"] for label in page.all("label")} == {
        each.attributes["id"] for each in (field, *page.all("select"))
    }
    assert "disabled" in field.attributes


def test_tags_are_offered_with_their_counts(blog):
    offered = {(each.attributes["value"], each.text) for each in search_page(blog.built).all("option")}

    assert {("", "any"), ("coins", "Coins (9)")} <= offered


def test_only_the_search_page_may_run_webassembly_and_ask_its_host(blog):
    policies = {
        name: policy.attributes["content"]
        for name, page in blog.html.items()
        for policy in page.all("meta", **{"http-equiv": "Content-Security-Policy"})
    }
    allowed = {name for name, policy in policies.items() if "wasm" in policy or "connect-src" in policy}

    assert allowed == {SEARCH_PAGE}
    scripts = f"script-src 'self' 'wasm-unsafe-eval' {SCHEME_HASH}; connect-src 'self';"
    assert scripts in policies[SEARCH_PAGE]


def test_the_page_leads_to_the_archive_and_the_tags(blog):
    links = {link.attributes["href"] for link in search_page(blog.built).all("a") if "main" in link.parents}

    assert {"../archive/", "../tags/"} <= links


def test_a_tag_of_signs_alone_is_refused_with_what_to_add(project):
    project.post("Text.\n", front='tags: [dice, "🎲", "**"]\n')

    message = project.build(status=1).err

    assert "the tag '🎲' has no letter or digit for an address" in message
    assert "mend: add a word, such as '🎲 games'" in message
    assert "'** games'" in message
