"""The limit of what the settings of a post weigh."""

import random

import pytest

from site_builder.errors import SiteError
from site_builder.pipeline.output import write_site
from site_builder.pipeline.steps.turn_size import turn_size_errors
from tests.pipeline.test_output import Page
from tests.support.sites import brief


class Files:
    """A site of these files."""

    def __init__(self, **sizes):
        drawn = random.Random(1)
        self.files = {path: drawn.randbytes(size) for path, size in sizes.items()}

    def paths(self):
        return self.files

    def size(self, path):
        return len(self.files[path])

    def read(self, path):
        return self.files[path]


TURNING = brief("a", lines={"turn": 7})
OWN = {
    "posts/a/turn/ten.0123456789.js": 300_000,
    "posts/a/figures/map.0123456789.svg": 500_000,
    "posts/a/figures/map-narrow.0123456789.svg": 600_000,
    "posts/a/figures/path-step-2-narrow.0123456789.svg": 200_000,
}


def test_the_scripts_and_drawings_of_a_post_count_and_nothing_else():
    other = {"posts/a/figures/map.0123456789.png": 10**6, "posts/b/turn/x.js": 10**6, "posts/a/index.html": 10**6}

    (error,) = turn_size_errors([TURNING], Files(**OWN, **other), 10**6)

    assert str(error.place) == "content/posts/a.md:7"
    assert error.message == "its settings have 1.6 MB of scripts and figures, compressed; they may have 1.0 MB"
    assert "smaller: figure map (1.1 MB), the texts (0.3 MB), figure path (0.2 MB); or raise" in error.cure


def test_what_weighs_next_to_nothing_is_not_named_as_large():
    (error,) = turn_size_errors([TURNING], Files(**OWN, **{"posts/a/figures/dot.0123456789.svg": 1000}), 10**6)
    (alone,) = turn_size_errors(
        [TURNING], Files(**{"posts/a/turn/ten.js": 10**6, "posts/a/figures/dot.svg": 99}), 10**5
    )

    assert "dot" not in error.cure
    assert "smaller: the texts (1.0 MB); or raise limits.turns in config.yaml" in alone.cure


def test_a_post_below_the_limit_and_one_that_does_not_turn_have_no_error():
    assert turn_size_errors([TURNING], Files(**OWN), 1_601_000) == []
    assert turn_size_errors([brief("a", lines={})], Files(**OWN), 1000) == []


def test_what_is_small_once_it_is_compressed_is_no_error():
    site = Files()
    site.files = {"posts/a/figures/map.0123456789.svg": b"<path/>" * 10**6}

    assert turn_size_errors([TURNING], site, 10**5) == []


def test_a_site_that_is_too_large_is_not_written_and_unchanged_files_count(tmp_path):
    data = random.Random(2).randbytes(3000)

    def pages(second):
        return [
            Page("posts/a/turn/x.0.js", lambda: data, "key"),
            Page("posts/a/figures/y.0.svg", lambda: second, f"key {len(second)}"),
        ]

    def write(second, before):
        return write_site(
            pages(second), tmp_path, before, check=lambda site: turn_size_errors([TURNING], site, 5000)
        ).after

    before = write(data[:1000], {})
    with pytest.raises(SiteError, match="its settings have"):
        write(data, before)

    assert (tmp_path / "posts/a/figures/y.0.svg").read_bytes() == data[:1000]
