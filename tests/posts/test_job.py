"""Code of solvers that a post shows: which definition a name stands for, and the cures for names that are none."""

from types import SimpleNamespace

import pytest

from site_builder.errors import PostError
from site_builder.posts.job import JobData

COIN = "def play():\n    return 1\n\n\ndef play():\n    return 2\n"
RULES = "def play():\n    return 3\n\n\ndef toss():\n    return 4\n"


@pytest.fixture
def show(tmp_path):
    for name, code in {"__init__": "", "coin": COIN, "rules": RULES}.items():
        (tmp_path / "solvers/coinball").mkdir(parents=True, exist_ok=True)
        (tmp_path / f"solvers/coinball/{name}.py").write_text(code, "utf-8")
    post = SimpleNamespace(source="content/posts/a.md", body_line=4)
    return JobData(tmp_path, SimpleNamespace(post=post, own_text=None)).show


def test_a_name_is_that_of_the_first_module_and_its_last_definition(show):
    assert show("coinball", "play") == show("coinball", "coin.play")
    assert (show("coinball", "play").line, show("coinball", "rules.play").line) == (5, 1)


@pytest.mark.parametrize(
    ("name", "cure"),
    [
        ("nothing", "there is: play, toss"),
        ("rules.tos", "did you mean 'rules.toss'?"),
        ("tos", "did you mean 'toss'?"),
        ([1], "there is: play, toss"),
    ],
)
def test_an_unknown_name_has_the_nearest_one_of_its_form_in_its_cure(show, name, cure):
    with pytest.raises(PostError) as raised:
        show("coinball", name)

    assert (raised.value.message, raised.value.cure) == (f"solver 'coinball' has no {str(name)!r} to show", cure)
