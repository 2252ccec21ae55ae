"""Two built sites behind addresses, and a browser that looks at them.

Building takes longest, so that every process of the tests uses the same two; the first that asks builds them.
"""

import os
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.looking import PATIENCE, USUAL, Reader, Visit
from tests.browser.sample import BASE, write_begun, write_blog, write_sample
from tests.browser.serving import served
from tests.browser.sites import Site
from tests.conftest import ROOT, once


@pytest.fixture(autouse=True)
def slow(builds):
    """No test of this folder is among the quick ones."""


@pytest.fixture(scope="session")
def blog(shared_folder):
    """The project's own posts, at the root of an address."""
    site = once(shared_folder / "blog", write_blog) / "_site"
    with served(site) as address:
        yield Site(site, address)


@pytest.fixture(scope="session")
def sample(shared_folder):
    """The sample site, below the root of an address, as its config.yaml says."""
    site = once(shared_folder / "sample", write_sample) / "_site"
    with served(_below(shared_folder / "sample-root", BASE, site)) as address:
        yield Site(site, address + BASE)


@pytest.fixture(scope="session")
def begun(shared_folder):
    """The site of a new blog, as `init` writes it."""
    site = once(shared_folder / "begun", write_begun) / "_site"
    with served(site) as address:
        yield Site(site, address)


@pytest.fixture(scope="session")
def blog_below(shared_folder, blog):
    """The project's own posts below the root of an address, which they know nothing of."""
    with served(_below(shared_folder / "blog-root", "blog/", blog.folder)) as address:
        yield Site(blog.folder, f"{address}blog/")


@pytest.fixture(scope="package")
def chromium():
    """The browser, which ends with the tests of this folder: while it runs, no others could use asyncio."""
    found = subprocess.run(["sh", ROOT / "script/browser"], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    expect.set_options(timeout=PATIENCE)
    sandbox = os.getuid() != 0  # Chromium has none for root
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found.stdout.strip(), chromium_sandbox=sandbox)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def look(chromium):
    """Opens a page in the window that shows the pages of these settings, in place of the page before.

    Only what the browser stores for the site, and files that it has loaded, stay: a test of either asks for `read`.
    """
    readers = {}

    def open_page(address: str, **settings: object) -> Visit:
        key = tuple(sorted((name, str(value)) for name, value in (USUAL | settings).items()))
        if key in readers:
            readers[key].clear()
        else:
            readers[key] = Reader(chromium, **settings)
        return readers[key].open(address)

    yield open_page
    for reader in readers.values():
        reader.leave()


@pytest.fixture
def read(chromium):
    """Opens a page as somebody does who has never seen the site; the settings are those of Reader."""
    readers = []

    def open_page(address: str, **settings: object) -> Visit:
        readers.append(Reader(chromium, **settings))
        return readers[-1].open(address)

    yield open_page
    for reader in readers:
        reader.leave()


def _below(root: Path, base: str, site: Path) -> Path:
    """A folder that holds the site under a path; each process has one of its own."""
    root = root.with_name(f"{root.name}-{os.getpid()}")
    root.mkdir()
    (root / base.rstrip("/")).symlink_to(site)
    return root
