"""The closeness of a check to a field: the error of the field that the comparison could miss.

A comparison that could miss more than LOOSEST confirms nothing. Nor does a check that compares something else than the
field, such as whether a chance lies between 0 and 1, or that bounds it on one side alone.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, inf, isclose
from typing import Any

from site_builder.contract.checks import (
    AtLeast,
    AtMost,
    Exact,
    Relative,
    StandardErrors,
    disagreements,
    entries,
    is_number,
)
from site_builder.errors import counted
from site_builder.values.plain_values import classify

LOOSEST = 0.02
"""The largest error of a comparison that confirms: a share of the number, of 1 for a smaller one such as a chance."""

_NEVER_SEEN = 3.0  # after n games without a single win (or loss) its chance may still be 3/n, with 95 %


@dataclass(frozen=True)
class Closeness:
    """The closeness to which a check confirms a field. text: in words; share: of the largest error that confirms.

    cure: what would confirm the field.
    """

    share: float
    text: str
    cure: str = ""

    @property
    def confirms(self) -> bool:
        """True when it is close enough to confirm anything."""
        return self.share <= 1


EXACTLY = Closeness(0.0, "exactly")
_OF_ANOTHER = Closeness(inf, "without comparing its value", "compare the value itself with that of a second method")
_ONE_SIDED = Closeness(inf, "on one side only", "bound it on the other side, too, or compare it")


def closeness_of(check: Mapping[str, Any], field: str, checks: Sequence[Mapping[str, Any]]) -> Closeness:
    """The closeness to which a check confirms one of its fields. checks: all of a result, as `raw_check` packs them."""
    if not dict(_compared_fields(check))[field]:
        return _OF_ANOTHER
    if isinstance(check["within"], (AtMost, AtLeast)):
        bounded = (_between(check, other) for other in checks if _is_other_side(check, other, field))
        return min(bounded, key=lambda each: each.share, default=_ONE_SIDED)
    if isinstance(check["within"], Exact):
        return EXACTLY
    pairs = [pair for pair in _pairs(check) if all(map(is_number, pair))]
    return max((_of_pair(check["within"], *pair) for pair in pairs), key=lambda each: each.share, default=EXACTLY)


def is_compared(value: Any, found: Collection[Any]) -> bool:
    """True when a check that found these leaves compares a field of this value.

    A single number has to be among them. Booleans alone are those of a law that other values obey, too, unless the
    field holds booleans.
    """
    kind, value = classify(value)
    if kind in ("whole", "float", "exact"):
        return any(_is_equal(leaf, value) for leaf in found)
    is_law = bool(found) and all(isinstance(leaf, bool) for leaf in found)
    return not is_law or any(isinstance(leaf, bool) for leaf in leaves_of(value))


def leaves_of(value: Any) -> Iterator[Any]:
    """The numbers, texts and constants of a value, at any depth."""
    kind, value = classify(value)
    match kind:
        case "grid":
            yield from leaves_of(value.values)
        case "array":
            yield from leaves_of(value.tolist())
        case "sequence":
            for entry in value:
                yield from leaves_of(entry)
        case "mapping" | "record":
            for entry in value.values():
                yield from leaves_of(entry)
        case _:
            yield value


def _is_equal(leaf: Any, value: Any) -> bool:
    if not is_number(leaf):
        return False
    try:
        return bool(leaf == value) or isclose(leaf, value, rel_tol=1e-12)
    except OverflowError:
        return False


def _compared_fields(check: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    return ((field, compared) for field, _, _, compared in check["of"])


def _pairs(check: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    return ((expected, found) for _, expected, found in entries(check["expected"], check["found"]))


def _is_other_side(check: Mapping[str, Any], other: Mapping[str, Any], field: str) -> bool:
    """True when the other check bounds the same values of the field from the other side, by a method of its own."""
    opposite = AtLeast if isinstance(check["within"], AtMost) else AtMost
    if not isinstance(other["within"], opposite) or other["shared"] or not dict(_compared_fields(other)).get(field):
        return False
    is_same = [found for _, found in _pairs(check)] == [found for _, found in _pairs(other)]
    return is_same and not any(disagreements(other["expected"], other["found"], other["within"]))


def _between(check: Mapping[str, Any], other: Mapping[str, Any]) -> Closeness:
    """The closeness to which two bounds confirm the value between them: half of the gap."""
    gaps = [
        (abs(float(one) - float(two)) + check["within"].error + other["within"].error, float(found))
        for (one, found), (two, _) in zip(_pairs(check), _pairs(other), strict=True)
        if is_number(one) and is_number(two)
    ]
    return max((_of_error(gap / 2, found) for gap, found in gaps), key=lambda each: each.share, default=EXACTLY)


def _of_pair(within: Any, expected: Any, found: Any) -> Closeness:
    expected, found = float(expected), float(found)
    if isinstance(within, StandardErrors):
        return _of_games(within, expected, found)
    closeness = _of_error(within.bound(expected, found), found)
    return replace(closeness, text=f"to {within.share:.2g} of the value") if isinstance(within, Relative) else closeness


def _of_error(error: float, found: float) -> Closeness:
    if not error:
        return EXACTLY
    most = _largest(found)
    return Closeness(error / most, f"to ±{error:.2g}", f"compare it to ±{most:.2g} or closer")


def _of_games(within: StandardErrors, expected: float, found: float) -> Closeness:
    """Two standard errors, or the difference that was found where that is larger."""
    is_chance = within.deviation is None
    unseen = _NEVER_SEEN / within.n if is_chance else 0.0
    error, most = max(replace(within, count=2).bound(expected, found), unseen), _largest(found)
    games = max(ceil(within.n * (error / most) ** 2), 2 * within.n)
    error = max(error, abs(expected - found))
    agrees, wanted = (_points(each) if is_chance else f"±{each:.2g}" for each in (error, most))
    text = f"to {agrees} by {counted(within.n, 'game')}"
    return Closeness(error / most, text, f"play {games:,} games or more, for {wanted}")


def _points(error: float) -> str:
    """An error of a chance in percentage points."""
    points = f"{100 * error:.1f}".removesuffix(".0") if error >= 0.001 else f"{100 * error:.1g}"
    return f"±{points} points"


def _largest(found: float) -> float:
    return LOOSEST * max(1.0, abs(found))
