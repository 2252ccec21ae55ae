"""The blog that is changed, built once; every test has a copy of its own."""

import pytest

from tests.changes.small_blog import Blog


@pytest.fixture(scope="session")
def built(builds, tmp_path_factory):
    blog = Blog(tmp_path_factory.mktemp("built"))
    blog.start()
    return blog


@pytest.fixture
def blog(built, tmp_path):
    return built.copy_to(tmp_path)
