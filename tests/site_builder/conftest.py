"""The blog that several files of tests read, built once."""

import pytest

from tests.conftest import Project
from tests.site_builder import published
from tests.site_builder.blog import build_blog


@pytest.fixture(scope="session")
def blog(tmp_path_factory):
    return build_blog(Project(tmp_path_factory.mktemp("blog")))


@pytest.fixture(scope="session")
def published_blog(tmp_path_factory):
    """A small blog that tests copy before they publish it."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in published.OWN_SETTINGS.items():
            patch.setenv(name, value)
        yield published.make_blog(tmp_path_factory.mktemp("published") / "blog")
