"""A preview in a real project: what it shows after each change, what it waits for, and what it leaves behind."""

import faulthandler
import re
import shutil
import threading
import time
from contextlib import contextmanager

import pytest

from site_builder.errors import SiteError
from site_builder.pipeline.options import BuildOptions
from site_builder.preview import controller, partial_site
from site_builder.preview.app import lines_around
from site_builder.preview.controller import PageError, Preview
from site_builder.storage.file_fingerprints import digests, scan
from site_builder.storage.staging import MANIFEST
from tests.conftest import CONFIG, RUIN, Project, once
from tests.previewing import SavedProject
from tests.processes import BEGUN, WAITING, let_go, processes_left_in, wait_until_begun

pytestmark = pytest.mark.usefixtures("builds")

PATIENCE = 120  # seconds; ends only what hangs
PAGE = "posts/ruin/index.html"
DRAWN_PAGE = "posts/drawn/index.html"
PLACEHOLDER = partial_site.FIGURE.digests["svg"][:10]  # in the name of a figure that is still to be drawn
SOLVING = "    ratio = (1"
UNLIMITED = f"{CONFIG}limits: {{time: 86400}}\n"  # no solver is stopped because a machine is slow


def solver_with(lines):
    """The solver with lines of its own where it begins to solve."""
    assert SOLVING in RUIN
    return RUIN.replace(SOLVING, f"    {lines.strip()}\n{SOLVING}")


FAILING = solver_with("raise ValueError('no')")
ENDLESS = solver_with(f"{BEGUN}    while True: pass")
HELD = solver_with(WAITING)  # gives no answer before `let_go`


class Shown:
    """A preview that is running, and all the states that it told."""

    def __init__(self, project, **wanted):
        self.project = project
        self.warnings = []
        self.preview = Preview(BuildOptions(project.root, search=False, **wanted), self.warnings.append)
        self.states = [self.preview.state]
        self._place = 0  # of the last state that was waited for
        self._news = threading.Condition()
        self.preview.listeners.append(self._told)

    def _told(self, state):
        with self._news:
            self.states.append(state)
            self._news.notify_all()

    def until(self, holds):
        """The first state, from the last one that was waited for, of which something holds, be it gone again by now."""
        with self._news:
            self._wait_for(lambda: any(map(holds, self.states[self._place :])))
            self._place += [bool(holds(state)) for state in self.states[self._place :]].index(True)
            return self.states[self._place]

    def settled(self):
        """The present state, as soon as all is made or a fault is told."""
        with self._news:
            self._wait_for(lambda: _is_settled(self.states[-1]))
            self._place = len(self.states) - 1
            return self.states[-1]

    def _wait_for(self, came):
        if not self._news.wait_for(came, PATIENCE):
            faulthandler.dump_traceback()  # what each thread does meanwhile tells why
            raise AssertionError(self.states[-1])

    def file(self, path):
        return self.preview.request(path).result(PATIENCE)

    def text(self, path=PAGE):
        data = self.file(path)
        return None if data is None else data.decode()

    def shows(self, words, path=PAGE):
        """Wait until a page has these words."""
        end = time.monotonic() + PATIENCE
        while words not in (self.text(path) or ""):
            assert time.monotonic() < end, (words, self.preview.state)
            time.sleep(0.01)

    def workers(self):
        """The workers of the preview, as soon as there are any."""
        end = time.monotonic() + PATIENCE
        while self.preview._workers is None:
            assert time.monotonic() < end, self.preview.state
            time.sleep(0.01)
        return self.preview._workers

    def shows_figures(self, path):
        """Wait until no figure of a page is still to be drawn."""
        end = time.monotonic() + PATIENCE
        while PLACEHOLDER in self.text(path):
            assert time.monotonic() < end, self.preview.state
            time.sleep(0.01)


def _is_settled(state):
    return state.errors or (state.version and not state.pending and not state.progress)


@contextmanager
def showing(project, **wanted):
    shown = Shown(project, **wanted)
    shown.preview.start()
    try:
        yield shown
    finally:
        shown.preview.stop()


def build_project(root):
    project = Project(root)
    project.write("config.yaml", UNLIMITED)
    project.post("The chance is {{ results.fair.half | fraction }}.\n\n<!--more-->\n\nMore.\n")
    project.build("--no-search")
    shutil.rmtree(root / "_site")


@pytest.fixture
def project(shared_folder, tmp_path):
    """A project that was built before, so that its preview begins at once."""
    Project.at(once(shared_folder / "previewed", build_project)).copy_to(tmp_path / "project")
    return SavedProject.at(tmp_path / "project")


@pytest.fixture
def shown(project):
    with showing(project) as shown:
        shown.settled()
        yield shown


# What is shown


def test_pages_are_those_that_a_build_writes(project):
    project.post("Another.\n", name="other")
    project.build("--no-search")
    files = {path: data for path, data in project.files().items() if "card." not in path and path != MANIFEST}

    with showing(project) as shown:
        shown.settled()
        found = {path: shown.file(path) for path in files}

    assert found == files


def test_the_output_folder_is_not_touched(shown):
    assert not (shown.project.root / "_site").exists()


def test_a_path_that_the_site_does_not_have_has_no_file(shown):
    assert shown.file("posts/nothing/index.html") is None
    assert shown.file("../config.yaml") is None
    assert shown.file("config.yaml") is None


def test_edited_prose_is_shown_without_asking_any_solver(shown):
    before, told = shown.preview.state.version, len(shown.states)
    shown.project.post("Now it reads otherwise: {{ results.fair.half | fraction }}.\n")

    shown.shows("Now it reads otherwise")
    state = shown.until(lambda s: s.version > before)
    assert state.changed == ("content/posts/ruin.md",)
    assert not any(state.pending or state.progress for state in shown.states[told:])


def test_a_post_in_a_new_folder_and_a_save_of_it_by_renaming(shown):
    file = shown.project.write("content/posts/year/month/new.md", "---\ntitle: New\ndate: 2026-03-01\n---\nFresh.\n")
    shown.shows("Fresh", "posts/new/index.html")
    beside = file.with_name(".new.md.part")
    beside.write_text(file.read_text().replace("Fresh", "Stale"))

    beside.replace(file)

    shown.shows("Stale", "posts/new/index.html")
    assert "Fresh" not in shown.text("posts/new/index.html")


def test_code_beside_the_usual_folders_is_watched(project):
    project.write("lattice/__init__.py", "")
    code = project.write("lattice/deep.py", "ONE = 1\n")
    solver = solver_with("goal *= ONE").replace("\nimport numpy", "\nfrom lattice.deep import ONE\nimport numpy")
    project.write("solvers/gamblers_ruin.py", solver)
    with showing(project) as shown:
        before = shown.settled().version

        code.write_text("ONE = 2 - 1\n")

        assert shown.until(lambda s: s.version > before and s.changed).changed == ("lattice/deep.py",)


READS_HALF = RUIN.replace(
    "    return Result(chance, chance[goal // 2],",
    "    half = Fraction(open('data/half.txt').read())\n    return Result(chance, half,",
).replace('"half": chance[goal // 2], ', "")


def test_a_file_that_comes_after_a_build_has_looked_for_it_is_seen_by_the_next(project, monkeypatch):
    project.write("solvers/gamblers_ruin.py", READS_HALF)
    (project.root / "data").mkdir()
    comes = []

    def scanned(root, further=()):
        found = scan(root, further)
        if comes and "data/half.txt" in further:
            project.write("data/half.txt", comes.pop())
        return found

    monkeypatch.setattr(partial_site, "scan", scanned)
    with showing(project) as shown:
        shown.until(lambda state: state.errors)

        comes.append("1/7")
        shown.preview.files.forget()  # so that it builds in any case
        shown.preview.look_again()

        shown.shows("The chance is 1/7.")

    assert comes == []


def test_a_file_that_a_solver_reads_is_watched_also_one_that_is_not_there_yet(project):
    project.write("solvers/gamblers_ruin.py", READS_HALF)
    (project.root / "data").mkdir()

    with showing(project) as shown:
        message = shown.until(lambda state: state.errors).errors[0].message
        project.write("data/half.txt", "1/7")
        shown.shows("The chance is 1/7.")
        project.write("data/half.txt", "1/9")
        shown.shows("The chance is 1/9.")

    assert "FileNotFoundError" in message


def test_a_new_post_a_removed_post_and_a_draft(shown):
    file = shown.project.post("Fresh words.\n", name="new", front="runs: {}\n")
    shown.shows("Fresh words", "posts/new/index.html")
    file.unlink()
    end = time.monotonic() + PATIENCE
    while shown.text("posts/new/index.html") is not None:
        assert time.monotonic() < end
        time.sleep(0.01)
    shown.project.post("Not yet.\n", name="draft", front="draft: true\nruns: {}\n")
    shown.project.post("Yet.\n", name="done", front="runs: {}\n")
    shown.shows("Yet", "posts/done/index.html")

    assert shown.text("posts/draft/index.html") is None


def test_drafts_are_shown_when_they_are_asked_for(project):
    project.post("Not yet.\n", name="draft", front="draft: true\nruns: {}\n")

    with showing(project, drafts=True) as shown:
        shown.shows("Not yet", "posts/draft/index.html")

        assert "Not yet." in shown.text("posts/draft/index.html")


def linking_posts(project):
    """Two posts with a tag in common, the second of which leads to the first."""
    project.post("## Here\n\nWords.\n", name="one", front="tags: [Games]\nruns: {}\n", title="One")
    project.write("content/numbers.csv", "1\n")
    link = "To [the first](one.md#here) and [numbers](../numbers.csv).\n"
    project.post(link, name="two", front="tags: [Games]\nruns: {}\n", title="Two")


EDITS = {
    "another address": ("posts/one.md", "tags:", "permalink: elsewhere/\ntags:"),
    "a tag written otherwise": (
        "posts/one.md",
        "date: 2026-03-01\ntags: [Games]",
        "date: 2026-02-01\ntags: [games]",
    ),
    "a tag less": ("posts/one.md", "tags: [Games]\n", ""),
    "another author of the site": ("../config.yaml", "author: An author", "author: Ann"),
    "a link written from the root": ("posts/two.md", "one.md#here", "/posts/one/#here"),
}


EVERY_DAY = ("another address", "a tag less")


@pytest.mark.parametrize(
    "edit",
    [pytest.param(edit, id=name, marks=[] if name in EVERY_DAY else pytest.mark.deep) for name, edit in EDITS.items()],
)
def test_after_each_edit_and_its_undoing_pages_are_those_of_a_build_that_remembers_nothing(project, edit):
    path, old, new = edit
    linking_posts(project)
    file = project.root / "content" / path
    before = file.read_text()
    assert old in before
    with showing(project) as shown:
        shown.settled()
        for text in (before.replace(old, new, 1), before):
            seen = shown.preview.state.version
            project.write(f"content/{path}", text)
            shown.until(lambda s: s.version > seen)  # noqa: B023
            shown.settled()
            project.build("--no-search", "--output", "built")

            built = project.files("built")
            pages = [path for path in built if path.endswith((".html", ".xml"))]
            assert {path: shown.file(path) for path in pages} == {path: built[path] for path in pages}


@pytest.mark.parametrize(
    "change",
    [
        lambda project: project.post("## There\n\nWords.\n", name="one", front="runs: {}\n", title="One"),
        lambda project: (project.root / "content/posts/one.md").unlink(),
        lambda project: (project.root / "content/numbers.csv").unlink(),
        lambda project: project.post("## Here\n", name="one", front="draft: true\nruns: {}\n", title="One"),
    ],
    ids=["an anchor", "a post", "a file", "a draft"],
)
def test_a_link_of_a_post_that_was_sound_is_told_when_what_it_leads_to_goes(project, change):
    linking_posts(project)
    with showing(project) as shown:
        shown.settled()

        change(project)

        (error,) = shown.until(lambda s: s.errors).errors
        assert str(error.place) == "content/posts/two.md:7"
        linking_posts(project)
        shown.until(lambda s: not s.errors)


def test_a_share_card_is_drawn_when_it_is_asked_for(shown):
    shown.project.post("Text.\n", name="answered", front="answer: One half.\nruns: {}\n")
    shown.shows("Text.", "posts/answered/index.html")
    page = shown.text("posts/answered/index.html")
    address = page.split('property="og:image" content="')[1].split('"')[0]
    path = address.removeprefix("https://blog.example.org/sub/")

    assert shown.file(path).startswith(b"\x89PNG")


def test_the_base_follows_the_address_of_the_site(shown):
    assert shown.preview.files.base == "/sub/"


def test_the_base_is_known_before_the_first_site_is(project):
    project.post("Half is {{ results.nosuch }}.\n", name="other")
    with showing(project) as shown:
        shown.until(lambda s: s.errors)

        assert (shown.preview.state.version, shown.preview.files.base) == (0, "/sub/")


def test_the_base_is_known_before_all_files_have_been_read(project, monkeypatch):
    may_read = threading.Event()

    def held(*files):
        may_read.wait()
        return digests(*files)

    monkeypatch.setattr(partial_site, "digests", held)
    with showing(project) as shown:
        end = time.monotonic() + PATIENCE
        while shown.preview.files.base != "/sub/" and time.monotonic() < end:
            time.sleep(0.01)
        found, version = shown.preview.files.base, shown.preview.state.version
        may_read.set()

    assert (found, version) == ("/sub/", 0)


# Solvers that take their time


def test_while_a_solver_runs_its_page_stays_and_says_so(shown):
    shown.project.write("solvers/gamblers_ruin.py", HELD)

    state = shown.until(lambda s: s.pending)
    assert state.pending == {"posts/ruin/": "solving gamblers_ruin"}
    assert "The chance is" in shown.text()
    shown.project.post("Prose of another post.\n", name="other", front="runs: {}\n")
    shown.shows("Prose of another post", "posts/other/index.html")
    assert shown.preview.state.pending, "the other post had to wait for the solver"
    let_go(shown.project.root)
    shown.settled()
    assert shown.preview.state.pending == {}


def test_a_post_is_shown_as_soon_as_its_own_solvers_have_answered(project):
    project.write("solvers/later.py", HELD)
    project.post("Late {{ results.main.goal }}.\n", "late", front="solver: later\n")
    quick = "solver: gamblers_ruin\nparameters: {goal: 37}\n"
    project.post("Quick {{ results.main.goal }}.\n", "quick", front=quick)

    with showing(project) as shown:
        shown.shows("Quick 37.", "posts/quick/index.html")

        assert shown.preview.state.pending == {"posts/late/": "solving later"}
        assert shown.text("posts/late/index.html") is None


def test_a_parameter_changes_the_number_that_is_shown(shown):
    shown.project.post("It is {{ results.own.goal | integer }}.\n", front="runs:\n  own: {solver: gamblers_ruin}\n")
    shown.shows("It is 20.")
    shown.project.write("config.yaml", f"{UNLIMITED}parameters: {{gamblers_ruin: {{goal: 30}}}}\n")

    shown.shows("It is 30.")
    assert "It is 20." not in shown.text()


def test_what_a_solver_answers_at_once_is_shown_with_the_change(project, monkeypatch):
    monkeypatch.setattr(controller, "_SOON", PATIENCE)
    front = "solver: gamblers_ruin\nanswer: '{{ results.main.goal }}'\n"  # which a share card shows
    project.post("The goal is {{ results.main.goal }}.\n", front=front)
    project.forget()  # so that there are workers from the first site on
    with showing(project) as shown:
        shown.settled()
        workers = shown.workers()
        told = len(shown.states)

        for goal in (33, 34):
            project.write("config.yaml", f"{UNLIMITED}parameters: {{gamblers_ruin: {{goal: {goal}}}}}\n")
            shown.shows(f"The goal is {goal}.")
            shown.settled()
        project.post("Words.\n", "other", front="runs: {}\n")
        shown.until(lambda s: s.changed == ("content/posts/other.md",))

        assert [state for state in shown.states[told:] if state.pending or state.errors] == []
        sites = {state.version: state.changed for state in shown.states[told:]}
        assert [changed for changed in sites.values() if changed] == [
            ("config.yaml",),
            ("config.yaml",),
            ("content/posts/other.md",),
        ]
        assert len(sites) <= 4  # the first is that before the change
        assert shown.preview._workers is workers


def test_posts_of_one_solver_are_shown_when_only_some_of_them_wait_for_figures(project):
    project.post("A {{ results.main.goal }}.\n", "plain", front="solver: gamblers_ruin\n")
    text = "B {{ results.main.goal }}.\n\n{{ figure(results.main.figures.chance) }}\n"
    project.post(text, "drawn", front="solver: gamblers_ruin\n")
    with showing(project) as shown:
        assert not shown.settled().errors
        told = len(shown.states)

        project.write("config.yaml", f"{UNLIMITED}parameters: {{gamblers_ruin: {{goal: 33}}}}\n")

        shown.shows("A 33.", "posts/plain/index.html")
        shown.shows("B 33.", DRAWN_PAGE)
        shown.shows_figures(DRAWN_PAGE)
        assert [state.errors for state in shown.states[told:] if state.errors] == []


def test_a_solver_that_is_edited_again_and_again_is_run_as_it_now_is(shown):
    """The workers stay from one change to the next, and must not keep the code of before."""
    shown.project.post("It is {{ results.fair.half | number(3) }}.\n")
    for place, found in (("3", "0.15"), ("7", "0.35"), ("11", "0.55")):
        shown.project.write("solvers/gamblers_ruin.py", RUIN.replace("chance[goal // 2]", f"chance[{place}]"))
        shown.shows(f"It is {found}0.")
        assert set(re.findall(r"It is [.0-9]+", shown.text())) == {f"It is {found}0."}


@pytest.fixture
def may_draw(shown, monkeypatch):
    """While it is cleared, nothing is drawn."""
    may_draw = threading.Event()
    may_draw.set()

    class Held(controller.Computation):
        def stage(self, name, steps):
            super().stage(name, steps)
            if name == "Drawing":
                may_draw.wait()

    monkeypatch.setattr(controller, "Computation", Held)
    yield may_draw
    may_draw.set()


def test_new_numbers_are_shown_while_their_figure_is_still_being_drawn(shown, may_draw):
    runs = "runs:\n  own: {solver: gamblers_ruin}\n"
    shown.project.post("It is {{ results.own.goal | integer }}.\n\n{{ figure(results.own.figures.map) }}\n", front=runs)
    shown.shows("It is 20.")
    shown.shows_figures(PAGE)

    may_draw.clear()
    shown.project.write("config.yaml", f"{UNLIMITED}parameters: {{gamblers_ruin: {{goal: 30}}}}\n")

    shown.shows("It is 30.")
    assert PLACEHOLDER in shown.text()
    may_draw.set()
    shown.shows_figures(PAGE)


def test_what_stays_as_it_was_is_never_remembered_as_new(shown):
    """A build after a preview that was ended while a solver ran must not take the old text for the new one."""
    shown.project.write("solvers/gamblers_ruin.py", HELD.replace("chance[goal // 2],", "chance[1],"))
    shown.until(lambda s: s.pending)
    shown.preview.stop()
    let_go(shown.project.root)

    shown.project.build("--no-search")

    assert "1/20" in (shown.project.root / "_site" / PAGE).read_text().replace("</mn><mn>", "/")


def test_a_solver_that_is_mended_while_it_runs_is_not_waited_for(shown):
    shown.project.write("solvers/gamblers_ruin.py", ENDLESS)
    shown.until(lambda s: s.pending)
    shown.project.write("solvers/gamblers_ruin.py", RUIN.replace("= 20,\n", "= 30,\n"))

    shown.settled()
    assert not shown.preview.state.errors


def test_a_post_that_never_was_anything_is_late_without_a_page(shown):
    shown.project.write("solvers/gamblers_ruin.py", HELD)
    shown.project.post("New: {{ results.fair.half | fraction }}.\n", name="new")

    state = shown.until(lambda s: "posts/new/" in s.pending)
    assert state.pending["posts/new/"] == "solving gamblers_ruin"
    assert shown.text("posts/new/index.html") is None
    let_go(shown.project.root)
    shown.shows("New:", "posts/new/index.html")


# Faults


@pytest.mark.parametrize(
    ("path", "text", "place", "line"),
    [
        ("content/posts/ruin.md", "---\ntitle: [A\ndate: 2026-03-01\n---\nText.\n", "content/posts/ruin.md", 3),
        (
            "content/posts/ruin.md",
            "---\ntitle: A\ndate: 2026-03-01\n---\n\nText {{ nothing }}.\n",
            "content/posts/ruin.md",
            6,
        ),
        ("config.yaml", "title: A blog\nbase_url: nowhere\n", "config.yaml", 2),
        ("config.yaml", "title: A blog\n  base_url: https://x.example.org/\n", "config.yaml", 2),
        ("solvers/gamblers_ruin.py", RUIN.replace("return Result(", "return Result(("), "solvers/gamblers_ruin.py", 0),
        (
            "solvers/gamblers_ruin.py",
            FAILING,
            "solvers/gamblers_ruin.py",
            0,
        ),
    ],
    ids=["front matter", "text", "config", "yaml", "syntax of a solver", "a solver that raises"],
)
def test_a_fault_is_told_with_its_lines_and_the_last_page_stays_until_it_is_mended(shown, path, text, place, line):
    before = (shown.project.root / path).read_text()
    page = shown.text()
    shown.project.write(path, text)

    state = shown.until(lambda s: s.errors)
    file, found, around = lines_around(state.errors[0], shown.project.root)
    assert place in str(state.errors[0].place) or place in file
    if line:
        assert found == line
    assert dict(around)[found] == text.split("\n")[found - 1]
    assert shown.text() == page
    shown.project.write(path, before)
    state = shown.until(lambda s: not s.errors and not s.pending)
    assert shown.text() == page


def test_a_template_that_fails_leaves_the_last_pages(project):
    templates = project.root / "templates"
    source = templates.resolve()
    templates.unlink()
    shutil.copytree(source, templates)
    with showing(project) as shown:
        shown.settled()
        page = shown.text()
        good = (templates / "post.html").read_text()
        project.write("templates/post.html", good + "{% if %}")

        state = shown.until(lambda s: s.errors)
        assert state.errors[0].place.path == "templates/post.html"
        assert shown.text() == page
        project.write("templates/post.html", good)
        shown.until(lambda s: not s.errors)


@pytest.fixture
def themed(project):
    """A running preview of a project with templates of its own."""
    source = (project.root / "templates").resolve()
    (project.root / "templates").unlink()
    shutil.copytree(source, project.root / "templates")
    project.post("Of another post.\n", name="other", front="runs: {}\n")
    with showing(project) as shown:
        shown.settled()
        shown.good = (project.root / "templates/post.html").read_text()
        yield shown


def test_a_file_that_changed_while_a_fault_stands_is_told_at_once(themed):
    themed.project.write("content/posts/pic.txt", "one")
    themed.project.post("Words.\n", name="third", front="runs: {}\n")
    themed.shows("Words.", "posts/third/index.html")
    themed.project.write("templates/post.html", themed.good + "{% if %}")
    themed.until(lambda s: s.errors)
    themed.project.write("content/posts/pic.txt", "two")

    with pytest.raises(PageError, match="it changed while the site was built"):
        themed.file("posts/pic.txt")


def test_prose_that_is_saved_while_the_solver_of_its_post_runs_does_not_start_that_again(shown, monkeypatch):
    begun = []

    class Counted(controller.Computation):
        def run(self, *given):
            begun.append(self)
            super().run(*given)

    monkeypatch.setattr(controller, "Computation", Counted)
    shown.project.write("solvers/gamblers_ruin.py", HELD)
    seen = shown.until(lambda s: s.pending).version
    for number in range(3):
        (shown.project.root / "solvers/.gamblers_ruin.py.swp").write_text(str(number))  # as an editor leaves one
        shown.project.post(f"Draft {number}: {{{{ results.fair.half | fraction }}}}.\n")
        seen = shown.until(lambda s: s.version > seen and s.changed).version  # noqa: B023
    let_go(shown.project.root)
    shown.shows("Draft 2")

    assert len(begun) == 1


def test_a_setting_that_nothing_can_take_is_a_fault(project):
    with showing(project, settings=("nosuch.x=1",)) as shown:
        state = shown.until(lambda s: s.errors)

    assert "no solver is named 'nosuch'" in state.errors[0].message
    assert str(state.errors[0].place) == "the command line"


def test_a_setting_that_its_solver_does_not_have_is_a_fault_and_not_one_of_the_builder(project):
    project.post("It is {{ results.own.goal | integer }}.\n", front="runs:\n  own: {solver: gamblers_ruin}\n")
    with showing(project, settings=("gamblers_ruin.gaol=1",)) as shown:
        state = shown.until(lambda s: s.errors)

    assert state.errors[0].cure == "did you mean 'goal'?"
    assert shown.warnings == []


def test_a_fault_that_stays_is_told_once(shown):
    shown.project.write("solvers/gamblers_ruin.py", FAILING)
    shown.until(lambda s: s.errors)
    shown.project.post("Other words.\n", name="other", front="runs: {}\n")
    shown.shows("Other words", "posts/other/index.html")

    assert shown.preview.state.errors
    assert not shown.preview.state.progress


@pytest.mark.parametrize("folder", ["content", "content/posts", "solvers"])
def test_a_deleted_folder_is_a_fault_until_it_is_back(shown, folder, tmp_path_factory):
    kept = tmp_path_factory.mktemp("kept") / "it"
    page, before = shown.text(), shown.preview.state.version
    shutil.move(shown.project.root / folder, kept)
    shown.until(lambda s: s.errors or s.version > before)
    shutil.move(kept, shown.project.root / folder)

    shown.shows("The chance is")
    shown.until(lambda s: not s.errors)
    assert shown.text() == page


def test_new_code_of_the_builder_makes_the_preview_outdated(shown, monkeypatch):
    monkeypatch.setattr(partial_site, "environment_stamp", lambda: "another")
    shown.project.post("Any change.\n")

    assert shown.until(lambda s: s.is_outdated).is_outdated
    monkeypatch.undo()
    shown.project.post("Another change.\n")
    assert not shown.until(lambda s: not s.is_outdated).is_outdated


@pytest.mark.deep
def test_a_store_that_keeps_nothing_is_told_and_not_tried_for_ever(project):
    project.forget()
    (project.root / ".store").write_text("no folder")

    with showing(project) as shown:
        state = shown.until(lambda s: s.errors)

    assert "the cache cannot be written" in state.errors[0].message


# Ending


def test_no_process_is_left_when_it_is_stopped_while_a_solver_runs(project):
    with showing(project) as shown:
        shown.settled()
        shown.project.write("solvers/gamblers_ruin.py", ENDLESS)
        wait_until_begun(shown.project.root)
        shown.preview.stop()  # to wait for the solver would take a day

    assert processes_left_in(shown.project.root) == []


# The parts


def test_a_fault_without_a_line_shows_none(tmp_path):
    from site_builder.errors import Place

    assert lines_around(SiteError(Place("content"), "gone", "make it"), tmp_path) == ("content", 0, [])
