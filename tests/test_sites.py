"""Small sites and what must come of them: the exact message, or words of pages.

Each folder in tests/sites/, and in those of the extensions, is a case. It is laid over a project with the solver
gamblers_ruin; `message` is all that the build must say, `findings` is what the build warns of and `check` refuses,
`pages/` holds lines that a reader must find on the page of that path.
"""

import re
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT, Project
from tests.support.visible_text import visible_text

SITES = Path(__file__).parent / "sites"
EXPECTED = ("message", "findings", "pages")
OF_EXTENSIONS = [
    case
    for case in SITES.parent.glob("extensions/*/sites/*")
    if (ROOT / "site_builder/extensions" / case.parts[-3]).is_dir()
]
CASES = sorted((*SITES.iterdir(), *OF_EXTENSIONS), key=lambda case: case.name)


def lay(case, project):
    for path in case.rglob("*"):
        if path.is_file() and path.relative_to(case).parts[0] not in EXPECTED:
            target = project.root / path.relative_to(case)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def cases(name):
    """A mark for tests of the cases that expect something of this kind."""
    chosen = [case for case in CASES if (case / name).exists()]
    return pytest.mark.parametrize("case", chosen, ids=lambda case: case.name)


def test_there_are_cases():
    assert len(CASES) >= 15
    assert all(any((case / name).exists() for name in EXPECTED) for case in CASES)


@pytest.fixture(scope="module")
def empty(builds, tmp_path_factory):
    """A project without posts, built once: only to be copied."""
    project = Project(tmp_path_factory.mktemp("empty") / "project")
    project.build()
    return project


@cases("message")
def test_a_faulty_site_gets_its_message_and_stays_as_it_was(case, empty, tmp_path):
    project = empty.copy_to(tmp_path / "project")
    before = project.files()
    lay(case, project)

    ran = project.build(status=1)

    assert ran.err == (case / "message").read_text("utf-8")
    assert project.files() == before


@cases("findings")
def test_a_draft_is_built_with_its_findings_and_refused_by_check(case, project):
    lay(case, project)
    findings = (case / "findings").read_text("utf-8")

    built, checked = project.build(), project.run("check", status=1)

    stage = re.compile(r"^\w[\w ]*: \d+\n", re.MULTILINE)
    said = [stage.sub("", ran.err) for ran in (built, checked)]
    assert said == [findings, findings]
    (page,) = (project.root / "_site" / "posts").glob("*/index.html")
    assert "Draft: " in visible_text(page.read_text("utf-8"))


@cases("pages")
def test_a_good_site_says_what_it_must(case, project):
    lay(case, project)

    project.build()

    for page in (case / "pages").rglob("*.html"):
        text = visible_text(project.page(page.relative_to(case / "pages").as_posix()))
        assert [line for line in page.read_text("utf-8").splitlines() if line not in text] == []
