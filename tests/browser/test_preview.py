"""The preview in a browser: the real command in a real project whose files an author changes while a page is open."""

import json
import re
import shutil
from contextlib import suppress

import pytest
from playwright.sync_api import Error

from tests.browser.test_pages import complaints_of_axe
from tests.conftest import CONFIG, ROOT, RUIN
from tests.previewing import SavedProject, serving
from tests.processes import WAITING, hold, let_go

PARAGRAPHS = "".join(
    f"## Part {n}\n\nParagraph {n} of the post, long enough to be told from others.\n\n" for n in range(60)
)
LONG = "---\ntitle: Long\ndate: 2026-01-01\n---\n{}" + PARAGRAPHS + '??? hint "A hint"\n    Inside.\n'
BODY = "Half is {{ results.fair.half | percent(1) }}.\n"
SPOT = "document.querySelector('#part-30').getBoundingClientRect().top"
HOST = "puzzlepress-preview"


class Author:
    """Who writes the project while its preview runs, and looks at it."""

    def __init__(self, folder, read, is_built=True):
        self.project = SavedProject(folder)
        (folder / "templates").unlink()
        shutil.copytree(ROOT / "templates", folder / "templates")
        self.write = self.project.write
        self.write("content/posts/long.md", LONG.format(""))
        self.project.post(BODY)
        self.read = read
        self.served = None
        self.digests = {}  # of the pages as they were at first, by path
        if is_built:
            self.project.build("--no-search")
        else:
            self.project.lay_store()
        self.before = self.files()

    def files(self):
        folders = [self.project.root / name for name in ("content", "solvers", "templates")]
        files = [self.project.root / "config.yaml", *(path for folder in folders for path in folder.rglob("*.*"))]
        return {path: path.read_bytes() for path in files if path.is_file() and path.suffix != ".pyc"}

    def put_back(self):
        """All files as they were at first, and the preview as well."""
        now = self.files()
        for path in now.keys() - self.before.keys():
            path.unlink()
        for path, data in self.before.items():
            if now.get(path) != data:
                path.write_bytes(data)
        for path, digest in self.digests.items():
            with self.served.news(path) as news:
                news.until(count="", late="", working="", digest=digest)

    def hold_solver(self):
        """Edit the solver, which from now on does not answer before `let_go`."""
        hold(self.project.root)
        self.write("solvers/gamblers_ruin.py", RUIN.replace("    ratio = (1", f"{WAITING}    ratio = (1", 1))

    def text(self, path):
        return (self.project.root / path).read_text("utf-8")

    def open(self, path="posts/long/", **settings):
        """A page, once it hears of changes; mark: stays in the window for as long as the page is not loaded again."""
        visit = self.read(self.served.address + path, **settings)
        until(visit.page, "performance.getEntriesByType('resource').some(e => e.name.includes('client.css'))")
        visit.page.evaluate("window.mark = 'stays'")
        return visit


@pytest.fixture(scope="module")
def author(tmp_path_factory, chromium):
    """One project and one preview for all tests, each of which leaves it as it was."""
    author = Author(tmp_path_factory.mktemp("author"), None)
    with serving(author.project) as served:
        author.served = served
        for path in ("posts/ruin/", "posts/long/"):
            with served.news(path) as news:
                author.digests[path] = news.until(count="", late="", working="")["digest"]
        yield author


@pytest.fixture
def tidied(author):
    yield
    author.put_back()


@pytest.fixture
def desk(tidied, author, read):
    """The author; pages that are read are closed before all is put back, of which they would hear."""
    author.read = read
    return author


def until(page, claim):
    """Wait until it holds; the page's own policy forbids it to evaluate words, as Playwright would have it do."""
    for _ in range(1200):  # a minute, which ends only what hangs
        with suppress(Error):  # the page is being loaded again
            if page.evaluate(claim):
                return
        page.wait_for_timeout(50)
    raise AssertionError(f"it never came true that {claim}")


def part(page, selector):
    """A part of what the preview shows over the page."""
    return page.locator(HOST).locator(selector)


def marked(page):
    return page.evaluate("window.mark ?? ''") == "stays"


# Changes


def test_an_edit_shows_by_itself_and_the_page_keeps_its_place_and_its_open_folds(desk):
    visit = desk.open(width=768)
    page = visit.page
    page.locator("details.hint summary").evaluate("fold => fold.click()")
    page.locator("#part-30").scroll_into_view_if_needed()
    page.evaluate("scrollBy({top: 300, behavior: 'instant'})")
    before = page.evaluate(SPOT)

    desk.write("content/posts/long.md", LONG.format("Many new words.\n\n" * 40))
    page.get_by_text("Many new words.").first.wait_for(state="attached")
    page.wait_for_load_state("load")

    until(page, f"Math.abs({SPOT} - {before}) <= 2")
    until(page, "document.querySelector('details.hint').open")
    assert visit.complaints == []


@pytest.mark.deep
def test_one_edit_loads_the_page_once(desk):
    visit = desk.open()
    page = visit.page

    desk.write("content/posts/long.md", LONG.format("Once.\n\n"))
    page.get_by_text("Once.").wait_for()
    page.wait_for_timeout(1000)

    assert len([url for url, _ in visit.requests if url == page.url]) == 2


@pytest.mark.deep
def test_a_page_that_an_edit_does_not_concern_stays(desk):
    page = desk.open("posts/ruin/").page
    other = desk.open("posts/long/").page

    desk.write("content/posts/long.md", LONG.format("Elsewhere.\n\n"))
    other.get_by_text("Elsewhere.").wait_for()

    assert marked(page)


# Faults


FAULTS = {  # the file, what of it becomes what, and the place that is told
    "post": ("content/posts/ruin.md", "percent(1) }}", "percent(1) }", r"content/posts/ruin\.md:\d+"),
    "front matter": ("content/posts/ruin.md", "title: A title", "title: [A title", r"content/posts/ruin\.md:\d+"),
    "template": ("templates/post.html", "{% block main %}", "{% block main %}{% if %}", r"templates/post\.html:\d+"),
    "solver": ("solvers/gamblers_ruin.py", "def solve(", "def solve((", r"solvers/gamblers_ruin\.py:\d+"),
    "config.yaml": ("config.yaml", "title: A blog", "titel: A blog", r"config\.yaml:1"),
    "stylesheet": (
        "templates/assets/style.css",
        ":root {",
        "a { b: url(gone.png) }\n:root {",
        r"assets/style\.css:\d+",
    ),
}


FAULTS_OF_EVERY_DAY = ("post", "solver")


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[] if kind in FAULTS_OF_EVERY_DAY else pytest.mark.deep) for kind in FAULTS],
)
def test_a_fault_is_shown_over_the_last_good_page_with_its_lines_and_goes_when_it_is_mended(desk, kind):
    file, good, bad, place = FAULTS[kind]
    before = desk.text(file)
    visit = desk.open("posts/ruin/")
    page, dialog = visit.page, part(visit.page, "dialog")

    assert good in before
    desk.write(file, before.replace(good, bad, 1))
    dialog.wait_for()
    shown, lines = part(page, ".place").first.text_content(), part(page, "mark.line")
    below = page.locator("article.post").text_content()

    assert re.search(place, shown + (part(page, ".file").first.text_content() if part(page, ".file").count() else ""))
    assert lines.count() >= 1
    assert "Half is" in below
    desk.write(file, before)
    dialog.wait_for(state="hidden")
    assert visit.complaints == []


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), pytest.param(1440, "light", marks=pytest.mark.deep)])
def test_faults_can_be_read_by_everybody_and_are_folded_with_the_keyboard(desk, width, scheme):
    page = desk.open("posts/ruin/", width=width, scheme=scheme).page
    dialog, pill = part(page, "dialog"), part(page, "button.pill")

    desk.project.post("{{ figur(1) }}\n\n" + "{{ tabel(2) }} and a line that is much wider than any phone is wide" * 3)
    dialog.wait_for()
    until(page, f"document.querySelector('{HOST}').shadowRoot.getAnimations().length === 0")
    complaints = complaints_of_axe(page)
    small = page.evaluate(f"""[...document.querySelector('{HOST}').shadowRoot.querySelectorAll('dialog *')]
        .filter(each => parseFloat(getComputedStyle(each).fontSize) < 14).map(each => each.outerHTML)""")
    wide = dialog.evaluate("each => each.scrollWidth - each.clientWidth")
    page.keyboard.press("Escape")
    pill.wait_for()
    folded, focused = dialog.is_hidden(), pill.evaluate("each => each.matches(':focus')")
    page.keyboard.press("Enter")
    dialog.wait_for()
    part(page, ".fold").click()
    dialog.wait_for(state="hidden")
    desk.project.post(BODY)
    pill.wait_for(state="hidden")

    assert complaints == []
    assert small == []
    assert wide == 0
    assert folded
    assert focused


@pytest.mark.deep
def test_faults_that_were_folded_away_stay_so_on_the_next_page(desk):
    page = desk.open("posts/ruin/").page
    desk.project.post("{{ figur(1) }}\n")
    part(page, "dialog").wait_for()
    page.keyboard.press("Escape")

    page.goto(desk.served.address + "posts/long/")
    part(page, "button.pill").wait_for()
    hidden = part(page, "dialog").is_hidden()
    desk.project.post(BODY)
    part(page, "button.pill").wait_for(state="hidden")

    assert hidden


@pytest.mark.deep
def test_posts_that_vanish_and_come_back_do_not_end_the_preview(desk):
    page, path = desk.open("posts/ruin/").page, desk.project.root / "content/posts"
    away = desk.project.root.with_name("away")
    said = len(desk.served.said)

    path.rename(away)
    try:
        part(page, "dialog").wait_for()
    finally:
        away.rename(path)
    page.get_by_text("Half is").wait_for()
    part(page, "dialog").wait_for(state="hidden")

    assert not [line for line in desk.served.said[said:] if "Traceback" in line]


@pytest.mark.deep
def test_templates_that_vanish_leave_the_default_theme_until_they_come_back(desk):
    sheet, path = "templates/assets/style.css", desk.project.root / "templates"
    page, away = desk.open("posts/ruin/").page, desk.project.root.with_name("away")
    colour = "getComputedStyle(document.querySelector('h1')).color"
    desk.write(sheet, desk.text(sheet) + "\nh1 { color: rgb(1, 2, 3) !important; }\n")
    until(page, f"{colour} === 'rgb(1, 2, 3)'")

    path.rename(away)
    try:
        until(page, f"{colour} !== 'rgb(1, 2, 3)'")
    finally:
        away.rename(path)
    until(page, f"{colour} === 'rgb(1, 2, 3)'")

    assert part(page, "dialog").is_hidden()


# While a solver runs


def test_while_a_solver_runs_the_old_page_stays_and_says_so_until_the_new_number_is_there(desk):
    visit = desk.open("posts/ruin/")
    page, pill = visit.page, part(visit.page, "p.pill")
    pill.wait_for(state="hidden")
    desk.hold_solver()

    front = "runs:\n  fair: {solver: gamblers_ruin, fixed: true, parameters: {goal: 21}}\n"
    desk.project.post(BODY, front=front)
    pill.get_by_text("Recomputing: ").wait_for()
    said, old = pill.text_content(), page.locator(".prose").first.text_content()
    page.locator(".theme-switch").click()
    let_go(desk.project.root)
    page.get_by_text("Half is 47.6").wait_for()  # 10 of 21
    page.wait_for_load_state("load")

    assert "gamblers_ruin" in said
    assert "the old ones" in said
    assert "Half is 50.0" in old
    pill.wait_for(state="hidden")
    assert visit.complaints == []


@pytest.mark.deep
def test_a_new_post_whose_solver_still_runs_has_a_page_that_says_so_and_becomes_the_post(desk):
    desk.hold_solver()
    front = "runs:\n  fair: {solver: gamblers_ruin, fixed: true, parameters: {goal: 22}}\n"
    desk.project.post(BODY, name="new", front=front)
    desk.served.wait_for("/posts/new/: solving")
    page = desk.read(desk.served.address + "posts/new/").page
    title = page.title()
    let_go(desk.project.root)

    page.get_by_text("Half is 50.0").wait_for()

    assert title == "This page is being made · Preview"
    (desk.project.root / "content/posts/new.md").unlink()
    page.get_by_role("heading", name="No state has this address").wait_for()


# Beginning and end


def test_a_page_comes_in_place_of_the_faults_of_a_site_that_could_not_be_built(tmp_path, read):
    author = Author(tmp_path, read, is_built=False)
    author.write("config.yaml", CONFIG.replace("title:", "titel:"))
    with serving(author.project) as served:
        visit = read(served.address, width=360)
        page = visit.page
        page.get_by_text("config.yaml:1").first.wait_for()
        complaints, overflow = complaints_of_axe(page), visit.overflow()
        author.write("config.yaml", CONFIG)

        page.get_by_role("heading", name="A blog").or_(page.get_by_text("A title")).first.wait_for()
        assert complaints == []
        assert overflow == 0


@pytest.mark.deep
def test_a_page_says_that_the_preview_has_stopped_and_goes_on_when_it_runs_again(tmp_path, read):
    author = Author(tmp_path, read)
    with serving(author.project) as served:
        author.served = served
        page = author.open("posts/long/").page
        address = served.address
        served.end()
        pill = part(page, "p.pill")
        pill.get_by_text("The preview has stopped.").wait_for()

    author.write("content/posts/long.md", LONG.format("Written meanwhile.\n\n"))
    with serving(author.project, "--port", re.search(r":(\d+)/", address)[1]):
        page.get_by_text("Written meanwhile.").wait_for()
        pill.wait_for(state="hidden")

        assert "The preview has stopped." not in page.inner_text("body")


@pytest.mark.deep
def test_nothing_of_the_preview_is_printed(desk):
    page = desk.open("posts/ruin/").page

    page.emulate_media(media="print")

    assert page.locator(HOST).evaluate("each => getComputedStyle(each).display") == "none"


def test_a_page_says_only_what_is_its_own(desk):
    visit = desk.open("posts/ruin/")

    assert visit.complaints == []
    assert visit.failed_requests() == []
    assert visit.foreign_requests() == []
    assert json.loads(visit.page.evaluate("JSON.stringify(Object.keys(sessionStorage))")) == []
