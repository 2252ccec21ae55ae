"""The growth of costs with the number of posts: medians and their table."""

from costs import Cost
from growth import medians, table
from rebuilding import Measured


def found(change, posts, *seconds):
    """Measurements of one change at one size."""
    return [
        Measured(f"{posts}", change, "Puzzlepress", number, Cost(cpu, cpu, 2**20)) for number, cpu in enumerate(seconds)
    ]


def test_the_table_has_the_median_of_each_change_at_each_size():
    costs = medians([*found("cold", 100, 3), *found("edited", 1000, 0.5), *found("edited", 100, 0.25, 9, 0.5)])

    assert table(costs).splitlines() == [
        "| | 100 posts | 1,000 posts |",
        "|---|---|---|",
        "| cold | 3.00 s, 1 MiB |  |",
        "| edited | 0.50 s, 1 MiB | 0.50 s, 1 MiB |",
    ]
