"""Checks that say whether two methods agree: exactly, to so many decimals, or case by case."""

from collections.abc import Sequence
from typing import Any

from site_builder.contract import Check


def same(name: str, method: str, expected: Any, found: Any, detail: str) -> Check:
    """Whether two exact answers are equal."""
    return Check(name, method, expected, found, bool(expected == found), detail)


def close(name: str, method: str, expected: Any, found: Any, decimals: int, detail: str) -> Check:
    """Whether numbers, or two tuples of numbers, differ by less than one in the last of so many decimals.

    The check shows the numbers rounded to these decimals, so that what differs is seen to differ.
    """
    ours, theirs = (value if isinstance(value, tuple) else (value,) for value in (expected, found))
    agree = len(ours) == len(theirs) and all(
        abs(float(one) - float(other)) < 10.0**-decimals for one, other in zip(ours, theirs, strict=True)
    )
    return Check(
        name,
        method,
        _rounded(expected, decimals),
        _rounded(found, decimals),
        agree,
        f"{detail}; agreement within $10^{{{-decimals}}}$",
    )


def counted(name: str, method: str, cases: int, agreeing: int, detail: str) -> Check:
    """Whether the two methods agree in every one of so many cases; the check shows in how many they do."""
    return Check(name, method, int(cases), int(agreeing), bool(cases == agreeing), detail)


def in_short(found: Sequence[object], most: int = 12) -> str:
    """A list in words: all of it, or of a long one how many there are, the first and the last."""
    words = ", ".join(map(str, found)) or "none"
    return words if len(found) <= most else f"{len(found)}, from {found[0]} to {found[-1]}"


def listed(name: str, method: str, expected: Sequence[object], found: Sequence[object], detail: str) -> Check:
    """Whether two lists are equal, entry by entry; the check shows long ones in short."""
    return Check(name, method, in_short(expected), in_short(found), tuple(expected) == tuple(found), detail)


def _rounded(value: Any, decimals: int) -> Any:
    if isinstance(value, tuple):
        return tuple(_rounded(entry, decimals) for entry in value)
    return round(float(value), decimals)
