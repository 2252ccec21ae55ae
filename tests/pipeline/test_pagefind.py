"""The files of a search index: what pagefind makes, the same each time."""

import gzip
import json
import os
import subprocess
import sys
from itertools import permutations

import pytest

from site_builder.errors import SiteError
from site_builder.pipeline.steps.pagefind import ENTRY, in_order, make_index
from site_builder.values.digest import bytes_digest
from tests.conftest import ROOT

TAGS = [f"topic-{number}" for number in range(12)]


def page(number, text=""):
    tags = "".join(f'<p data-pagefind-ignore data-pagefind-filter="tag">{tag}</p>' for tag in TAGS[number : number + 6])
    return f"<html><body><h1>Page {number}</h1>{tags}<p>{text or 'common words'} word{number}</p></body></html>"


PAGES = {f"page-{number}": page(number) for number in range(6)}


def unpacked(data):
    """A file of pagefind's without what it begins with."""
    plain = data if data.startswith(b"pagefind_dcd") else gzip.decompress(data)
    return plain.removeprefix(b"pagefind_dcd")


def fragments(files):
    return [json.loads(unpacked(data)) for path, data in files.items() if path.startswith("fragment/")]


def chunks(files):
    return b"".join(unpacked(data) for path, data in files.items() if path.startswith("index/"))


@pytest.fixture(scope="module")
def files():
    return make_index(PAGES, "en")


def test_a_word_that_one_page_has_stands_in_the_index_and_in_the_text_of_that_page_alone(files):
    assert b"word3" in chunks(files)
    assert [each["meta"]["title"] for each in fragments(files) if "word3" in each["content"]] == ["Page 3"]


def test_numbers_stand_in_the_index():
    files = make_index(
        {"a": "<html><body><p>Played well, you win 64.03\u00a0% of 1,234 games, or 0.6403.</p></body></html>"}, "en"
    )

    assert all(number in chunks(files) for number in (b"6403", b"1234", b"06403"))  # it leaves out what is no digit


def test_the_files_name_each_other(files):
    (language,) = json.loads(files[ENTRY])["languages"].values()
    meta = unpacked(files[f"pagefind.{language['hash']}.pf_meta"])
    named = [path.rpartition("/")[2].rpartition(".")[0] for path in files if "/" in path]

    assert len(named) == len(PAGES) + 2  # a fragment for each, one chunk, one filter
    assert all(name.encode() in meta for name in named)


def test_nothing_is_published_that_the_search_page_does_not_ask_for(files):
    assert {path for path in files if "/" not in path and not path.endswith(".pf_meta")} == {
        ENTRY,
        "pagefind.js",
        "wasm.en.pagefind",
    }


def test_an_index_beside_another_comes_without_what_reads_both(files):
    beside = make_index(PAGES, "en", with_script=False)

    assert files.keys() - beside.keys() == {"pagefind.js", "wasm.en.pagefind"}


def test_a_language_without_word_stems_has_the_webassembly_for_it():
    found = make_index(PAGES, "la")

    assert "wasm.unknown.pagefind" in found
    assert json.loads(found[ENTRY])["languages"]["la"]["wasm"] is None


def test_the_same_pages_give_the_same_bytes_in_another_process_and_folder(files, tmp_path):
    code = (
        "import json, sys; from site_builder.pipeline.steps.pagefind import make_index\n"
        "from site_builder.values.digest import bytes_digest\n"
        "pages = json.load(sys.stdin)\n"
        "print(json.dumps({path: bytes_digest(data) for path, data in make_index(pages, 'en').items()}))"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT), "RAYON_NUM_THREADS": "1", "PAGEFIND_FORCE_LANGUAGE": "de"}

    named = [
        json.loads(
            subprocess.run(
                [sys.executable, "-c", code],
                input=json.dumps(PAGES),
                capture_output=True,
                text=True,
                check=True,
                cwd=tmp_path,
                env=environment,
            ).stdout
        )
        for _ in range(3)  # twelve values fall into the same order by chance once in 12! times
    ]

    assert named == [{path: bytes_digest(data) for path, data in files.items()}] * 3


def cbor(value):
    """Short lists, texts and numbers as CBOR. Source: RFC 8949, section 3."""
    if isinstance(value, int):
        return bytes([value]) if value < 24 else b"\x19" + value.to_bytes(2, "big")
    kind, content = (0x60, value.encode()) if isinstance(value, str) else (0x80, b"".join(map(cbor, value)))
    assert len(value) < 24
    return bytes([kind + len(value)]) + content


def test_the_values_of_a_filter_are_put_in_order_with_their_pages():
    values = [["b", [1, 300]], ["a", [2]], ["cc", []]]

    found = {in_order(cbor(["tag", list(each)])) for each in permutations(values)}

    assert found == {cbor(["tag", [["a", [2]], ["b", [1, 300]], ["cc", []]]])}


@pytest.mark.parametrize("data", [cbor(["tag"]), cbor("tag"), cbor(["tag", []]) + b"\x00", b"\x82\x63tag\x9f\xff"])
def test_a_filter_of_another_form_is_refused(data):
    with pytest.raises(ValueError, match="no filter of pagefind's"):
        in_order(data)


def test_a_text_with_half_a_character_is_indexed_without_it():
    (found,) = fragments(make_index({"a": "<html><body><p>Before \ud83d after.</p></body></html>"}, "en"))

    assert found["content"] == "Before ? after."


def test_where_pagefind_cannot_do_its_work_its_words_are_told_with_a_way_around_it():
    with pytest.raises(SiteError) as caught:
        make_index({None: "<html></html>"}, "en")  # type: ignore[dict-item]

    assert str(caught.value).startswith("pagefind: it cannot make the search index: ")
    assert "mend: leave the search index out: python build.py build --no-search" in str(caught.value)
