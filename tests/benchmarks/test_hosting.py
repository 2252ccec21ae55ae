"""A host that compresses text, as those on the web do."""

import gzip
from urllib.request import Request, urlopen

import pytest
from hosting import hosted

TEXT = "A line of the page.\n" * 100


@pytest.fixture
def address(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a/index.html").write_text(TEXT, "utf-8")
    (tmp_path / "a/x.woff2").write_bytes(b"already compressed")
    with hosted(tmp_path) as address:
        yield address


def get(address, **headers):
    with urlopen(Request(address, headers=headers)) as answer:
        return answer.headers, answer.read()


def test_text_travels_compressed_to_who_can_read_that(address):
    headers, data = get(f"{address}a/", **{"Accept-Encoding": "gzip"})

    assert headers["Content-Encoding"] == "gzip"
    assert headers["Content-Type"] == "text/html"
    assert len(data) < len(TEXT)
    assert gzip.decompress(data).decode() == TEXT


def test_text_travels_as_it_is_to_all_others(address):
    headers, data = get(f"{address}a/")

    assert "Content-Encoding" not in headers
    assert data.decode() == TEXT


def test_what_is_compressed_already_stays_as_it_is(address):
    assert get(f"{address}a/x.woff2", **{"Accept-Encoding": "gzip"})[1] == b"already compressed"
