"""Small sites and what must come of them: the exact message, or words of pages.

Each folder in tests/sites/ is a case. It is laid over a project with the solver gamblers_ruin; `message` is all that
the build must say, `pages/` holds lines that a reader must find on the page of that path.
"""

import shutil
from pathlib import Path

import pytest

from tests.support.visible_text import visible_text

SITES = Path(__file__).parent / "sites"
CASES = sorted(path for path in SITES.iterdir() if path.is_dir())


def lay(case, project):
    for path in case.rglob("*"):
        if path.is_file() and path.relative_to(case).parts[0] not in ("message", "pages"):
            target = project.root / path.relative_to(case)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def test_there_are_cases():
    assert len(CASES) >= 15
    assert all((case / "message").exists() or (case / "pages").exists() for case in CASES)


@pytest.mark.parametrize("case", [case for case in CASES if (case / "message").exists()], ids=lambda case: case.name)
def test_a_faulty_site_gets_its_message_and_stays_as_it_was(case, project):
    project.build()
    before = project.files()
    lay(case, project)

    ran = project.build(status=1)

    assert ran.err == (case / "message").read_text("utf-8")
    assert project.files() == before


@pytest.mark.parametrize("case", [case for case in CASES if (case / "pages").exists()], ids=lambda case: case.name)
def test_a_good_site_says_what_it_must(case, project):
    lay(case, project)

    project.build()

    for page in (case / "pages").rglob("*.html"):
        text = visible_text(project.page(page.relative_to(case / "pages").as_posix()))
        assert [line for line in page.read_text("utf-8").splitlines() if line not in text] == []
