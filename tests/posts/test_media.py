"""What a text loads: media and frames of the site and of allowed hosts; all else is an error at its line."""

import re

import pytest

from site_builder.posts.texts.tags import TagReader
from tests.conftest import CONFIG

FILM = "https://films.example.org/ruin.mp4"
FRAME = '<iframe src="https://player.example.org/embed/7" title="A film"></iframe>'
ELSEWHERE = "is on another host, from which pages load nothing"


def media(html: str, hosts: tuple[str, ...] | list[str] = ()) -> TagReader:
    """All that a text loads."""
    tags = TagReader("content/posts/a.md", hosts)
    tags.read(html)
    return tags


@pytest.mark.parametrize(
    ("html", "written", "message"),
    [
        (f'<img src="{FILM}">', FILM, f"the picture {FILM} {ELSEWHERE}"),
        (f"<img alt=x src={FILM}>", FILM, f"the picture {FILM} {ELSEWHERE}"),
        (f'<video controls><source src="{FILM}"></video>', FILM, f"the file {FILM} {ELSEWHERE}"),
        (f'<audio SRC="{FILM}"></audio>', FILM, f"the file {FILM} {ELSEWHERE}"),
        (f'<video src="a.mp4" poster="{FILM}"></video>', FILM, f"the file {FILM} {ELSEWHERE}"),
        (f'<img src="a.png" srcset="a.png 1x, {FILM} 2x">', FILM, f"the picture {FILM} {ELSEWHERE}"),
        ('<img src="//films.example.org/a">', "//films.example.org/a", ELSEWHERE),
        ('<img src="&#104;ttps://films.example.org/a">', "https://films.example.org/a", ELSEWHERE),
        ("<svg><image href='http://films.example.org/a'/></svg>", "http://films.example.org/a", ELSEWHERE),
        (f'<img src="{FILM}" src="a.png">', FILM, ELSEWHERE),  # browsers take the first
        (FRAME, "https://player.example.org/embed/7", "the frame https://player.example.org/embed/7 is on another"),
        ('<iframe src="page.html"></iframe>', "<iframe", "<iframe> without an address of an allowed host"),
        ("<iframe srcdoc='<p>x'></iframe>", "<iframe", "<iframe> without an address of an allowed host"),
        ('<object data="a.svg"></object>', "<object", "<object> is not shown by the pages of this site"),
        ('<embed src="a.svg">', "<embed", "<embed> is not shown by the pages of this site"),
        ("<script>alert(1)</script>", "<script", "a script in the text does not run"),
        ("<SCRIPT type='module'>alert(1)</SCRIPT>", "<SCRIPT", "a script in the text does not run"),
        (f'<script src="{FILM}"></script>', FILM, f"the script {FILM} is on another host"),
        (f'<link rel="stylesheet" href="{FILM}">', FILM, f"the stylesheet {FILM} is on another host"),
    ],
)
def test_what_a_page_may_not_load_is_refused(html, written, message):
    (problem,) = media(html).problems

    assert problem[0] == written
    assert message in problem[1]


@pytest.mark.parametrize(
    ("tag", "written", "message"),
    [
        (r'<img src="\\films.example.org\a">', r"\\films.example.org\a", ELSEWHERE),
        ('<img src="https://[films">', "https://[films", "has no host that can be read"),
    ],
)
def test_an_address_that_links_take_for_one_of_the_site_is_refused_too(tag, written, message):
    (problem,) = media(tag).problems

    assert problem[0] == written
    assert message in problem[1]


@pytest.mark.parametrize(
    "html",
    [
        '<video controls src="a.mp4"><track src="a.vtt"></video>',
        '<img src="data:image/png;base64,AAAA">',
        '<script src="a.js"></script>',
        '<script type="application/ld+json">{}</script>',
        f"<!-- {FRAME} -->",
        f'<a href="{FILM}">a film</a>',
        f'<p title="<iframe src={FILM}">text</p>',
        f"<p>&lt;img src={FILM}&gt;</p>",
        f'<link rel="canonical" href="{FILM}">',
    ],
)
def test_files_of_the_site_and_links_are_not(html):
    assert (media(html).hosts, [*media(html).problems]) == (set(), [])


def test_media_and_frames_of_allowed_hosts_are_loaded_over_https():
    hosts = ["films.example.org", "player.example.org"]
    film, script = f"<video src='{FILM}'></video>{FRAME}<img src='a.png'>", f"<script src='{FILM}'></script>"
    assert (media(film, hosts).hosts, [*media(film, hosts).problems]) == (set(hosts), [])
    assert media(script, hosts).hosts == {"script films.example.org"}
    assert media(f"<form action='{FILM}'>", hosts).hosts == {"form films.example.org"}
    (problem,) = media(f"<img src='http{FILM[5:]}'>", hosts).problems
    assert problem[2] == f"write {FILM}"


def test_the_error_names_each_line_and_the_host_to_allow(project):
    project.post(
        f"A film.\n\n{FRAME}\n\n```html\n{FRAME}\n```\n\n![A picture]({FILM})\n\n<script>\nalert(1)\n</script>\n"
    )

    errors = project.build(status=1).err

    assert errors.count("content/posts/ruin.md:") == 3
    assert (
        "content/posts/ruin.md:9: the frame https://player.example.org/embed/7 is on another host, from which pages "
        "load nothing\n    mend: write a link to it, or allow_hosts: [player.example.org] in config.yaml"
    ) in errors
    assert f"content/posts/ruin.md:15: the picture {FILM} {ELSEWHERE}" in errors
    assert "content/posts/ruin.md:17: a script in the text does not run" in errors


def test_forms_and_scripts_that_the_policy_stops_name_the_key_that_allows_their_host():
    (script,) = media(f"<script src='{FILM}'></script>").problems
    (form,) = media(f"<form action='{FILM}'>").problems
    (own,) = media("<form><input></form>").problems

    assert script[1] == f"the script {FILM} {ELSEWHERE}"
    assert script[2].endswith("or allow_hosts: [films.example.org] in config.yaml")
    assert form[1] == f"the form that is sent to {FILM} {ELSEWHERE}"
    assert form[2] == "write a link to it, or allow_hosts: [films.example.org] in config.yaml"
    assert own[2] == 'write action="https://..." with the address of what answers it'


def test_the_policy_of_a_page_allows_scripts_and_forms_of_allowed_hosts_alone(project):
    project.write("config.yaml", f"{CONFIG}allow_hosts: [films.example.org]\n")
    form = f'<form action="{FILM}" method="post"><input name="a"></form>'
    project.post(f'A form.\n\n{form}\n\n<script src="{FILM}"></script>\n')

    project.build()

    page, home = (project.files()[name].decode() for name in ("posts/ruin/index.html", "index.html"))
    assert re.search(r"script-src 'self' 'sha256-[^']+' https://films\.example\.org[ ;]", page)
    assert 'form-action https://films.example.org"' in page
    assert "frame-src" not in page
    assert "form-action 'none'" in home


def test_the_policy_of_a_page_names_the_hosts_that_it_loads_from(project):
    project.write("config.yaml", f"{CONFIG}allow_hosts: [player.example.org, films.example.org]\n")
    project.post(f"A film.\n\n{FRAME}\n")

    project.build()

    page, home = (project.files()[name].decode() for name in ("posts/ruin/index.html", "index.html"))
    assert "media-src 'self' https://player.example.org; frame-src https://player.example.org;" in page
    assert "https://player.example.org" not in home
    assert "films.example.org" not in page

    project.write("config.yaml", CONFIG)
    assert "the frame https://player.example.org/embed/7 is on another host" in project.build(status=1).err
