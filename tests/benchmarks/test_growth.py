"""The growth of costs with the number of posts: medians, their table and their picture."""

from growth import draw, medians, table


def found(change, posts, *seconds):
    """Measurements of one change at one size, as they stand in the file of results."""
    return [
        {"change": change, "posts": f"{posts}", "cost": {"cpu": cpu, "wall": cpu, "peak": 2**20}} for cpu in seconds
    ]


def test_the_table_has_the_median_of_each_change_at_each_size():
    costs = medians([*found("cold", 100, 3), *found("edited", 1000, 0.5), *found("edited", 100, 0.25, 9, 0.5)])

    assert table(costs).splitlines() == [
        "| | 100 posts | 1,000 posts |",
        "|---|---|---|",
        "| cold | 3.00 s, 1 MiB |  |",
        "| edited | 0.50 s, 1 MiB | 0.50 s, 1 MiB |",
    ]


def test_the_same_measurements_give_the_same_picture(tmp_path):
    costs = medians([*found("cold", 100, 3), *found("cold", 1000, 30)])

    for name in ("first.svg", "second.svg"):
        draw(costs, tmp_path / name)

    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "second.svg").read_bytes()
    assert "cold" in (tmp_path / "first.svg").read_text("utf-8")
