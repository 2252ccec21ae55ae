"""Values as JSON that does not lie about precision."""

import json
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.contract import Grid
from site_builder.values.plain_json import plain_json
from site_builder.values.records import Record


@dataclass(frozen=True)
class Rule:
    below: str
    share: Fraction


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (Fraction(3, 5), {"exact": "3/5", "float": 0.6}),
        (Fraction(2), {"exact": "2", "float": 2.0}),
        (Decimal("0.1"), {"exact": "0.1", "float": 0.1}),
        (2**53 - 1, 9007199254740991),
        (2**53, {"exact": "9007199254740992", "float": 9007199254740992.0}),
        (10**400, {"exact": "1" + "0" * 400, "float": None}),
        (16**5000, {"exact": "0x1" + "0" * 5000, "float": None}),
        (0.1, 0.1),
        (float("inf"), "inf"),
        (float("-inf"), "-inf"),
        (np.float64("nan"), "nan"),
        (Decimal("NaN"), "nan"),
        (Decimal("-sNaN"), "nan"),
        (Decimal("Infinity"), "inf"),
        (Decimal("-Infinity"), "-inf"),
        ({1: 2, "1": 3}, {"1": 2, "'1'": 3}),
        (True, True),
        (None, None),
        ("ä", "ä"),
        (date(2026, 1, 2), "2026-01-02"),
        (b"\x01\xff", "01ff"),
        ((1, (2, "x")), [1, [2, "x"]]),
        ({"a": Fraction(1, 2), 3: 4}, {"a": {"exact": "1/2", "float": 0.5}, "3": 4}),
        (np.array([[1.5, np.nan]]), {"shape": [1, 2], "values": [[1.5, "nan"]]}),
        (Grid(np.array([1, 2]), {"t": ("a", "b")}), {"axes": {"t": ["a", "b"]}, "values": [1, 2]}),
        (Rule("A", Fraction(1, 2)), {"below": "A", "share": {"exact": "1/2", "float": 0.5}}),
        (Record({"x": 1}), {"x": 1}),
    ],
    ids=lambda value: "" if isinstance(value, int) else None,
)
def test_each_kind_of_value_has_its_form(value, data):
    assert plain_json(value) == data
    assert json.loads(json.dumps(plain_json(value), allow_nan=False)) == data


@given(st.fractions() | st.integers())
def test_nothing_exact_is_lost(value):
    data = plain_json(value)

    assert Fraction(data["exact"] if isinstance(data, dict) else data) == value
