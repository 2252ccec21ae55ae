"""The made posts: the same every day, and each with what the benchmark's page says that a post has."""

import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from corpus import MARKER, PICTURES, TAGS, make_post, slug_of, with_yaml_head, write_pictures

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
POSTS = [make_post(number, 50) for number in range(50)]


@pytest.mark.parametrize("seed", ["1", "2"])
def test_another_process_makes_the_same_posts(seed):
    script = "from corpus import make_post; print([make_post(n, 50) for n in (0, 7, 49)])"

    environment = {"PYTHONHASHSEED": seed}
    told = subprocess.check_output([sys.executable, "-c", script], cwd=BENCHMARKS, env=environment, text=True)

    assert told == f"{[POSTS[0], POSTS[7], POSTS[49]]}\n"


@pytest.mark.parametrize(
    ("what", "pattern", "count"),
    [
        ("display formulas", r"(?m)^\$\$\n.+\n\$\$$", 2),
        ("blocks of code", r"(?ms)^```python\n.+?^```$", 2),
        ("tables of six rows", r"(?m)(^\|.*\|\n){8}", 1),
        ("pictures", r"!\[[^]]+\]\(/images/fig[0-7]\.png\)", 1),
        ("links", r"(?<!!)\[[^]]+\]\(", 3),
        ("markers", MARKER, 1),
    ],
)
def test_a_post_has_what_was_promised(what, pattern, count):
    assert {sum(1 for _ in re.finditer(pattern, post.body)) for post in POSTS} == {count}, what


def test_a_post_has_four_formulas_within_its_sentences():
    without_code = [re.sub(r"(?ms)^```.+?^```$", "", post.body) for post in POSTS]

    assert {len(re.findall(r"(?<!\$)\$(?!\$)[^$\n]+\$", body)) for body in without_code} == {4}


def test_a_post_has_about_a_thousand_words():
    assert all(900 <= len(post.body.split()) <= 1200 for post in POSTS)


def test_a_post_has_three_of_forty_tags():
    assert len(set(TAGS)) == 40
    assert all(len(set(post.tags)) == 3 and set(post.tags) <= set(TAGS) for post in POSTS)


def test_a_post_links_to_a_post_of_its_own_blog():
    linked = {target for post in POSTS for target in re.findall(r"\(/posts/([^/]+)/\)", post.body)}

    assert linked <= {slug_of(number) for number in range(50)}


def test_the_head_says_what_the_post_is():
    post = POSTS[3]

    _, head, body = with_yaml_head(post).split("---\n", 2)

    read = yaml.safe_load(head)
    assert (read["title"], tuple(read["tags"]), read["date"].date()) == (post.title, post.tags, post.date.date())
    assert body == "\n" + post.body


def test_the_pictures_are_png_files_of_their_size(tmp_path):
    write_pictures(tmp_path)

    files = sorted(tmp_path.iterdir())
    assert len(files) == PICTURES
    for file in files:
        data = file.read_bytes()
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        assert struct.unpack(">II", data[16:24]) == (120, 80)
