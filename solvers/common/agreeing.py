"""Checks that compare two answers: equal, equal to so many decimals, or equal in so many cases."""

from collections.abc import Sequence
from typing import Any

from site_builder.contract import Check

LISTED = 12  # the longest list that a check shows in full


def same(name: str, method: str, expected: Any, found: Any, detail: str) -> Check:
    """Whether two exact answers are equal."""
    return Check(name, method, expected, found, bool(expected == found), detail)


def close(name: str, method: str, expected: Any, found: Any, decimals: int, detail: str) -> Check:
    """Whether numbers, or two tuples of numbers, differ by less than one in the last of so many decimals.

    The check shows the numbers rounded to these decimals, so that a difference is visible.
    """
    ours, theirs = (value if isinstance(value, tuple) else (value,) for value in (expected, found))
    agree = len(ours) == len(theirs) and all(
        abs(float(one) - float(other)) < 10.0**-decimals for one, other in zip(ours, theirs, strict=True)
    )
    detail = f"{detail}; agreement within $10^{{{-decimals}}}$"
    return Check(name, method, _rounded(expected, decimals), _rounded(found, decimals), agree, detail)


def _rounded(value: Any, decimals: int) -> Any:
    if isinstance(value, tuple):
        return tuple(_rounded(entry, decimals) for entry in value)
    return round(float(value), decimals)


def counted(name: str, method: str, cases: int, agreeing: int, detail: str) -> Check:
    """Whether the two methods agree in every one of so many cases; the check shows in how many they do."""
    return Check(name, method, int(cases), int(agreeing), bool(cases == agreeing), detail)


def listed(name: str, method: str, expected: Sequence[object], found: Sequence[object], detail: str) -> Check:
    """Whether two lists are equal, entry by entry; of a long one the check shows the length and both ends."""
    return Check(name, method, _in_short(expected), _in_short(found), tuple(expected) == tuple(found), detail)


def _in_short(entries: Sequence[object]) -> str:
    if len(entries) > LISTED:
        return f"{len(entries)}, from {entries[0]} to {entries[-1]}"
    return ", ".join(map(str, entries)) or "none"
