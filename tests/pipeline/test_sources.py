"""What pages get from the cache."""

from types import SimpleNamespace

from site_builder.pipeline.sources import CachedFiles


def files_of(solvers):
    codes = SimpleNamespace(solving=lambda name: SimpleNamespace(key=f"key of {name}", libraries={"numpy": "2"}))
    return CachedFiles(SimpleNamespace(codes=codes), bytes, solvers, bytes)


def test_the_code_behind_a_post_is_that_of_its_solvers_as_far_as_they_exist():
    post = SimpleNamespace(solvers={"ruin", "walk", "gone"})

    found = files_of({"ruin", "walk", "other"}).code_behind(post)

    assert {name: code.key for name, code in found.items()} == {"ruin": "key of ruin", "walk": "key of walk"}
    assert found["ruin"].libraries == {"numpy": "2"}
