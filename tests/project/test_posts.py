"""The files of content/: which are posts, pages or published as they are, and at which address."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from site_builder.errors import SiteError
from site_builder.project.config import load_config
from site_builder.project.posts import load_content, newest_first
from site_builder.storage.file_fingerprints import scan
from tests.conftest import CONFIG
from tests.support.content import HEAD, PLAIN, UNDATED, load, message, messages, post


@pytest.mark.parametrize("name", ["posts/2017-10-03-a-coin.md", "posts/2017-10-3-a-coin/index.md"])
def test_a_dated_file_name_gives_the_date_and_stays_out_of_the_address(tmp_path, name):
    found = post(tmp_path, "title: A", name)

    assert (found.date, found.path) == (datetime(2017, 10, 3, tzinfo=UTC), "posts/a-coin/")


def test_the_date_of_the_front_matter_goes_before_that_of_the_name(tmp_path):
    assert post(tmp_path, "title: A\ndate: 2020-01-01", "posts/2017-10-13-a.md").date.year == 2020


def test_a_file_name_with_an_impossible_date_is_a_fault_of_that_file(tmp_path):
    found = message(tmp_path, "title: A", "posts/2017-13-13-a.md")

    assert found.startswith("content/posts/2017-13-13-a.md:1: ")
    assert "'2017-13-13' is not a date" in found


def test_posts_come_newest_first_whatever_their_names(tmp_path):
    dates = {"b": "2020-01-01", "a": "2022-01-01 00:30 +0200", "c": "2021-12-31 23:00", "d": "2021-12-31 10:00"}

    found = load(tmp_path, {f"posts/{name}.md": f"---\ntitle: A\ndate: {day}\n---\n" for name, day in dates.items()})

    # half past midnight two hours east of Greenwich is 22:30 there, half an hour before post c
    assert [post.slug for post in newest_first(found.read)] == ["c", "a", "d", "b"]


# Drafts


@pytest.mark.parametrize("line", ["draft: true", "draft: yes", "published: false", "published: no"])
def test_a_draft_is_left_out_unless_asked_for(tmp_path, line):
    files = {"posts/a.md": f"---\n{HEAD}{line}\n---\nText.\n"}

    assert load(tmp_path, files).read == ()
    assert [post.slug for post in load(tmp_path, files, drafts=True).read] == ["a"]


def test_files_beside_a_draft_in_a_folder_of_its_own_come_with_it(tmp_path):
    files = {
        "posts/a/index.md": f"---\n{HEAD}draft: true\n---\n",
        "posts/a/secret.png": "",
        "posts/a/more/secret.png": "",
        "posts/b/index.md": PLAIN,
        "posts/b/photo.png": "",
        "posts/c.md": f"---\n{HEAD}draft: true\n---\n",
        "posts/photo.png": "",
    }

    assert sorted(load(tmp_path, files).files) == ["posts/b/photo.png", "posts/photo.png"]
    assert "posts/a/more/secret.png" in load(tmp_path, files, drafts=True).files


def test_files_in_a_folder_with_the_name_of_a_draft_come_with_it(tmp_path):
    draft = f"---\n{HEAD}draft: true\n---\n"
    files = {
        "posts/secret.md": draft,
        "posts/secret/data.txt": "",
        "posts/secret/more/photo.png": "",
        "posts/secret.txt": "",
        "posts/known.md": PLAIN,
        "posts/known/data.txt": "",
        "posts/twice.md": draft,
        "posts/twice/index.md": PLAIN,
        "posts/twice/photo.png": "",
        "pages/later.md": draft,
        "pages/later/map.png": "",
    }

    assert sorted(load(tmp_path, files).files) == ["posts/known/data.txt", "posts/secret.txt", "posts/twice/photo.png"]


def test_files_in_a_folder_with_the_name_of_a_draft_are_there_when_drafts_are(tmp_path):
    files = {"posts/secret.md": f"---\n{HEAD}draft: true\n---\n", "posts/secret/data.txt": ""}

    assert set(load(tmp_path, files, drafts=True).files) == {"posts/secret/data.txt"}


@pytest.mark.parametrize("line", ["draft: false", "published: true", "draft:"])
def test_what_is_no_draft_is_published(tmp_path, line):
    assert len(load(tmp_path, {"posts/a.md": f"---\n{HEAD}{line}\n---\nText.\n"}).read) == 1


def test_draft_takes_true_or_false_alone(tmp_path):
    assert "draft is 'maybe'; it must be true or false" in message(tmp_path, HEAD + "draft: maybe")


def test_a_fault_in_a_draft_is_a_fault(tmp_path):
    assert "'titel' is not known here" in message(tmp_path, HEAD + "draft: true\ntitel: B")


def test_a_draft_takes_no_address_from_others(tmp_path):
    draft = f"---\n{HEAD}draft: true\nslug: same\n---\n"

    found = load(tmp_path, {"posts/a.md": draft, "posts/same.md": PLAIN})

    assert [post.source for post in found.read] == ["content/posts/same.md"]


# Addresses


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("posts/two-coins.md", "posts/two-coins/"),
        ("posts/Two Coins.md", "posts/two-coins/"),
        ("posts/two_coins.md", "posts/two_coins/"),
        ("posts/two-coins/index.md", "posts/two-coins/"),
        ("posts/2026/two-coins.md", "posts/two-coins/"),
        ("posts/Zwei Münzen.md", "posts/zwei-münzen/"),
        ("posts/two-coins.markdown", "posts/two-coins/"),
        ("posts/two-coins.MD", "posts/two-coins/"),
    ],
)
def test_the_address_of_a_post_comes_from_its_file_name(tmp_path, name, path):
    (found,) = load(tmp_path, {name: PLAIN}).read

    assert (found.path, found.is_page) == (path, False)


@pytest.mark.parametrize(("name", "path"), [("pages/about.md", "about/"), ("pages/about/index.md", "about/")])
def test_a_page_stands_at_the_top_and_needs_no_date(tmp_path, name, path):
    (found,) = load(tmp_path, {name: UNDATED}).read

    assert (found.path, found.date, found.is_page) == (path, None, True)


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("slug: other", "posts/other/"),
        ("slug: 2048", "posts/2048/"),
        ("permalink: /2017/10/old-name/", "2017/10/old-name/"),
        ("permalink: /old-name", "old-name/"),
        ("permalink: /old-name.html", "old-name.html"),
        ("permalink: /writing/:title/", "writing/a-name/"),
        ("slug: other\npermalink: /writing/:slug/", "writing/other/"),
        ("slug:\npermalink:", "posts/a-name/"),
    ],
)
def test_slug_and_permalink_change_the_address(tmp_path, line, path):
    assert post(tmp_path, HEAD + line).path == path


@pytest.mark.parametrize("slug", ["My Slug", "a/b", "../up", "UPPER", "/a/"])
def test_a_slug_that_is_no_name_is_refused_with_one_that_is(tmp_path, slug):
    found = message(tmp_path, HEAD + f"slug: {slug}")

    assert found.startswith("content/posts/a-name.md:4: slug is ")
    assert "mend: write slug: " in found


@pytest.mark.parametrize("key", ["permalink", "aliases"])
@pytest.mark.parametrize("path", ["../../etc/", "/", "/a//b/", "/../", "https://example.org/a/", "/a?b/", "/.git/"])
def test_an_address_outside_the_site_is_refused(tmp_path, key, path):
    found = message(tmp_path, HEAD + f"{key}: '{path}'")

    assert found.startswith("content/posts/a-name.md:4: ")
    assert f"{path!r}" in found
    assert "mend: write one such as /" in found


@pytest.mark.parametrize("name", ["a" * 256, "\u78ba" * 86], ids=["256 letters", "86 characters of 3 bytes"])
@pytest.mark.parametrize(
    "line", ["slug: {}", "permalink: /{}/", "aliases: [/x/{}.html]", "tags: [{}]", "categories: a, {}"]
)
def test_a_name_of_more_bytes_than_file_systems_take_is_refused_at_its_line(tmp_path, line, name):
    found = message(tmp_path, HEAD + line.format(name))

    assert found.startswith(f"content/posts/a-name.md:4: the name {name[:20]}... in an address has 2")
    assert "bytes; file systems take 255\n    mend: write a shorter one" in found


@pytest.mark.parametrize("line", ["permalink: /{}/", "aliases: [/{}.html]"])
def test_an_address_of_hundreds_of_levels_is_refused_at_its_line(tmp_path, line):
    found = message(tmp_path, HEAD + line.format("/".join("a" * 300)))

    assert found.startswith("content/posts/a-name.md:4: the address a/a/a/a/a/a/a/a/a/a/... has ")
    assert " levels; at most 50 are allowed\n    mend: write a shorter one" in found
    assert post(tmp_path, HEAD + "permalink: /" + "a/" * 50).path == "a/" * 50


def test_a_name_of_as_many_bytes_as_file_systems_take_is_an_address(tmp_path):
    assert post(tmp_path, HEAD + f"slug: {'a' * 255}").path == f"posts/{'a' * 255}/"


@pytest.mark.parametrize(
    ("written", "paths"),
    [
        ("/old/", ("old/",)),
        ("old", ("old/",)),
        ("/2017/10/old.html", ("2017/10/old.html",)),
        ("[/old/, /older/]", ("old/", "older/")),
        ("[/old/, old]", ("old/",)),
        ("", ()),
    ],
)
def test_aliases_are_old_addresses_in_any_spelling(tmp_path, written, paths):
    assert post(tmp_path, HEAD + f"aliases: {written}").aliases == paths


def test_a_name_without_letters_needs_a_slug(tmp_path):
    found = message(tmp_path, HEAD, "posts/!!!.md")

    assert "no address can be made of the file's name" in found
    assert "mend: add a line slug: name" in found


@pytest.mark.parametrize(
    ("files", "place", "other"),
    [
        ({"posts/a.md": PLAIN, "posts/b.md": f"---\n{HEAD}slug: a\n---\n"}, "posts/b.md:4", "posts/a.md:2"),
        ({"posts/a.md": PLAIN, "posts/a/index.md": PLAIN}, "posts/a.md:2", "posts/a/index.md:2"),
        ({"posts/a.md": PLAIN, "posts/a/index.html": "x"}, "posts/a.md:2", "posts/a/index.html"),
        ({"posts/A.md": PLAIN, "posts/a.md": PLAIN}, "posts/a.md:2", "posts/A.md:2"),
        ({"pages/x.md": UNDATED, "posts/a.md": f"---\n{HEAD}permalink: /x/\n---\n"}, "posts/a.md:4", "pages/x.md:2"),
        ({"posts/a.md": f"---\n{HEAD}aliases:\n  - /o/\n  - /posts/a/\n---\n"}, "posts/a.md:6", "posts/a.md:2"),
        (
            {"posts/a.md": PLAIN, "posts/b.md": f"---\n{HEAD}aliases: [/posts/a/]\n---\n"},
            "posts/b.md:4",
            "posts/a.md:2",
        ),
        ({"posts/b.md": f"---\n{HEAD}aliases: [/x.html]\n---\n", "x.html": "x"}, "posts/b.md:4", "x.html"),
    ],
)
def test_two_that_want_the_same_address_are_both_named(tmp_path, files, place, other):
    (found,) = messages(tmp_path, files)

    assert found.startswith(f"content/{place}: its address ")
    assert f"is taken by content/{other}\n" in found


# The file as a whole


@pytest.mark.parametrize(
    "data",
    [
        PLAIN.encode(),
        PLAIN.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + PLAIN.encode(),
        PLAIN.replace("---\n", "---  \n").encode(),
        PLAIN.replace("---\nText", "...\nText").encode(),
    ],
)
def test_line_ends_byte_order_marks_and_fences_may_differ(tmp_path, data):
    (found,) = load(tmp_path, {"posts/a.md": data}).read

    assert (found.front.title, found.body, found.body_line) == ("A title", "Text.\n", 5)


def test_a_file_may_end_with_its_front_matter(tmp_path):
    (found,) = load(tmp_path, {"posts/a.md": f"---\n{HEAD}---"}).read

    assert found.body == ""


def test_an_indented_line_of_hyphens_does_not_end_the_front_matter(tmp_path):
    found = post(tmp_path, HEAD + "summary: |\n  above\n  ---\n  below")

    assert found.front.summary == "above\n---\nbelow"


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"", 1, "does not begin with front matter"),
        (b"Text.\n", 1, "does not begin with front matter"),
        (b"\n" + PLAIN.encode(), 1, "does not begin with front matter"),
        (b"+++\ntitle = 'A'\n+++\n", 1, "does not begin with front matter"),
        (b"---\ntitle: A\n", 1, "does not end"),
        (b"---\n- a\n---\n", 2, "write `key: value` lines"),
        (PLAIN.encode() + b"caf\xe9\n", 6, "save it as UTF-8"),
        (PLAIN.encode("utf-16"), 1, "save it as UTF-8"),
        (f"---\n{HEAD}author: A\x00B\n---\n".encode(), 4, "U+0000"),
    ],
)
def test_a_file_that_is_no_post_is_told_what_to_do(tmp_path, data, line, words):
    (found,) = messages(tmp_path, {"posts/a.md": data})

    assert found.startswith(f"content/posts/a.md:{line}: ")
    assert words in found
    assert "mend: " in found


def test_the_faults_of_all_files_are_reported_in_one_run(tmp_path):
    files = {
        "posts/a.md": "---\ntitel: A\ndate: someday\n---\n",
        "posts/b.md": "no front matter",
        "posts/c.md": f"---\n{HEAD}slug: d\n---\n",
        "posts/d.md": PLAIN,
        "pages/e.md": b"\xff\xfe",
    }

    found = {text.partition(": ")[0] for text in messages(tmp_path, files)}

    assert found == {
        "content/pages/e.md:1",
        "content/posts/a.md:2",
        "content/posts/a.md:3",
        "content/posts/b.md:1",
        "content/posts/d.md:2",
    }


@pytest.mark.parametrize("folder", ["elsewhere", "content/pages", "content/post"])
def test_a_project_without_its_folder_of_posts_is_refused_with_the_cure(tmp_path, folder):
    (tmp_path / "config.yaml").write_text("title: A\nbase_url: https://example.org/\n")
    (tmp_path / folder).mkdir(parents=True)

    with pytest.raises(SiteError, match="there is no folder content/posts/\n    mend: put the posts back, or make"):
        load_content(load_config(tmp_path), scan(tmp_path).signatures)


# Other files


def test_other_files_are_published_at_the_same_path(tmp_path):
    files = {
        "images/a.png": b"1",
        "CNAME": b"example.org",
        "posts/coins/index.md": PLAIN,
        "posts/coins/tree.svg": b"<svg/>",
        "data/notes.md": b"# no front matter",
        "posts/accepted/b.png": b"2",
    }

    found = load(tmp_path, files).files

    assert {path: (tmp_path / file).read_bytes() for path, file in found.items()} == {
        path: data for path, data in files.items() if path != "posts/coins/index.md"
    }


@pytest.mark.parametrize(
    "name",
    [
        *(".DS_Store", ".git/config", "posts/.a.md.swp", "posts/a.md~", "posts/#a.md#", "posts/.#a.md", "a.bak"),
        *("images/a.png.orig", "images/a.tmp", "Thumbs.db", "accepted/coins.json", "accepted/deep/x.json"),
    ],
)
def test_leftovers_dotfiles_and_remembered_answers_are_not_published(tmp_path, name):
    found = load(tmp_path, {name: b"x", "posts/a.md": PLAIN})

    assert (found.files, len(found.read)) == ({}, 1)


@pytest.mark.parametrize("setting", ["logo: gone.svg", "icon: ../config.yaml", "icon: /etc/passwd", "logo: archive/"])
def test_a_picture_of_the_theme_is_a_file_of_the_site_or_nothing_is_solved(project, setting):
    project.write("config.yaml", f"{CONFIG}theme:\n  {setting}\n")
    project.post("{{ results.main.half }}\n", front="runs:\n  main: {solver: gamblers_ruin}\n")

    said = project.build(status=1).err

    name, _, path = setting.partition(": ")
    cure = f"name a picture below content/, such as {name}.svg"
    assert f"config.yaml:6: there is no file content/{path}\n    mend: {cure}" in said
    assert "Solving" not in said


@pytest.mark.parametrize("name", ["about.md", "drafts/idea.md", "about.markdown"])
def test_a_writeup_in_the_wrong_folder_is_a_fault_and_no_download(tmp_path, name):
    (found,) = messages(tmp_path, {name: UNDATED})

    assert found.startswith(f"content/{name}:1: ")
    assert "content/posts/ nor in content/pages/" in found


@pytest.mark.parametrize("target", [".", "..", "../.."])
def test_a_link_to_a_folder_around_it_is_refused(tmp_path, target):
    (tmp_path / "content/posts").mkdir(parents=True)
    (tmp_path / "content/posts/round").symlink_to(target)

    (found,) = messages(tmp_path, {"posts/a-name.md": PLAIN})

    assert "content/posts/round: this link leads to " in found
    assert "which is no file of the project" in found


def test_a_folder_whose_path_is_too_long_is_reported(tmp_path, monkeypatch):
    (tmp_path / "content").mkdir()
    monkeypatch.chdir(tmp_path / "content")
    for _ in range(25):  # 25 * 201 characters are more than the 4,096 of a path
        Path("d" * 200).mkdir()
        monkeypatch.chdir("d" * 200)

    (found,) = messages(tmp_path, {})

    assert "it cannot be read: File name too long" in found
