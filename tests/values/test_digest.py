"""Digests of plain values: what differs has another one."""

from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction

import pytest

from site_builder.values.digest import bytes_digest, digest

APART = [
    (("a", "b"), ("ab",), ("a", "", "b"), ("a, b",), ("a', 'b",)),
    ((1,), (True,), (1.0,), ("1",), (Decimal(1),), (Decimal("1.0"),), (Fraction(1),)),
    ((0.0,), (-0.0,), (0,), (False,), (None,), ("",), ((),), ([],), ({},)),
    ((("a", "b"),), (("a",), "b"), ("a", ("b",))),
    ((date(2026, 3, 1),), (datetime(2026, 3, 1),), (datetime(2026, 3, 1, tzinfo=UTC),), ("2026-03-01",)),
    (({"a": 1},), ({"a": "1"},), ([("a", 1)],), ({"b": 1},)),
    (("\ud800",), ("\udc80",), ("\\ud800",), ("é",), ("e\u0301",)),
]


@pytest.mark.parametrize("different", APART, ids=lambda values: repr(values[0]))
def test_values_that_could_be_taken_for_one_another_have_different_names(different):
    assert len({digest(*values) for values in different}) == len(different)


def test_equal_values_have_the_same_name():
    assert digest("a", [1, {"b": (2.5, None)}]) == digest("a", [1, {"b": (2.5, None)}])
    assert bytes_digest(b"a") == bytes_digest(b"a") != bytes_digest(b"b")
