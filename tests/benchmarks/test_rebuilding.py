"""The comparison of builds: its arithmetic, and that it believes no build without looking."""

import sys

import pytest
from blogs import Blog, Engine, WrongError
from corpus import make_post, with_yaml_head
from costs import Cost
from rebuilding import COLD, EDITED, NOTHING, Measured, edit_a_post, table

# An engine in miniature: a page for each post and an archive; with a word behind, something that is wrong.
ENGINE = """
import pathlib, sys
posts = sorted(pathlib.Path("content/posts").glob("*.md"))
for post in posts:
    page = pathlib.Path("site/posts") / post.stem / "index.html"
    if sys.argv[1] == "stale" and page.exists():
        continue
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(post.read_text())
archive = pathlib.Path("site/archive/index.html")
if not (sys.argv[1] == "old-archive" and archive.exists()):
    archive.parent.mkdir(exist_ok=True)
    archive.write_text("".join(f'<a href="posts/{post.stem}/">' for post in posts))
"""
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process adopt orphans")


def blog(folder, message="none"):
    (folder / "content" / "posts").mkdir(parents=True)
    (folder / "engine.py").write_text(ENGINE, "utf-8")
    command = (sys.executable, "engine.py", message)
    engine = Engine("tiny", "Tiny", command, "site", (), "", with_yaml_head)
    made = Blog(engine, folder)
    for number in range(3):
        made.add(make_post(number, 3))
    made.build()
    return made


def rows(found):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table(found).splitlines()[2:]]


def measured(engine, *seconds, posts="1,000", change=NOTHING, peak=2**20):
    return [Measured(posts, change, engine, n, Cost(cpu, 2 * cpu, peak)) for n, cpu in enumerate(seconds, start=1)]


def test_a_ratio_is_the_median_of_the_ratios_within_each_round():
    # Rounds 1 : 2, 2 : 20 and 10 : 30 are ratios of 2, 10 and 3; the ratio of the medians would be 10.
    found = measured("Puzzlepress", 1, 2, 10) + measured("Peer", 2, 20, 30)

    ours, theirs = rows(found)

    assert theirs[:8] == ["1,000", NOTHING, "Peer", "20.0", "40.0", "1", "3.00", "3.00"]
    assert ours[3:8] == ["2.00", "4.00", "1", "", ""]


def test_a_limit_is_judged_by_the_median():
    # Wanted are 0.08 s CPU with nothing changed and 0.4 s CPU after an edit, at 1,000 posts.
    found = measured("Puzzlepress", 0.05, 0.08, 9) + measured("Puzzlepress", 0.3, 0.41, 0.6, change=EDITED)

    assert [row[8] for row in rows(found)] == ["0.08 s CPU met", "0.4 s CPU **missed**"]


def test_memory_is_judged_in_megabytes_of_a_million_bytes():
    found = measured("Puzzlepress", 1, posts="10,000", change=COLD, peak=300_000_000)
    more = measured("Puzzlepress", 1, posts="10,000", change=COLD, peak=300_004_096)

    assert [rows(each)[0][8] for each in (found, more)] == ["300 MB met", "300 MB **missed**"]


@linux
def test_an_edit_that_reaches_the_site_is_measured(tmp_path):
    made = blog(tmp_path / "blog")
    edit_a_post(made, 1)

    assert made.build().cpu > 0


@linux
def test_a_build_that_leaves_an_old_page_is_refused(tmp_path):
    made = blog(tmp_path / "blog", "stale")
    edit_a_post(made, 1)

    with pytest.raises(WrongError, match="has no 'zqedit1'"):
        made.build()


@linux
def test_a_build_that_leaves_the_page_of_a_post_that_is_gone_is_refused(tmp_path):
    made = blog(tmp_path / "blog")
    made.remove("post-00002")

    with pytest.raises(WrongError, match="3 pages of 2 posts; see post-00002"):
        made.build()


@linux
def test_a_build_whose_archive_lacks_a_post_is_refused(tmp_path):
    made = blog(tmp_path / "blog", "old-archive")
    made.add(make_post(3, 3))

    with pytest.raises(WrongError, match="the archive and the posts disagree; see post-00003"):
        made.build()
