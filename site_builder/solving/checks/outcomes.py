"""The outcomes of checks: the build's own process compares the answers of each, and packs the outcomes.

A worker packs what checks returned as comparisons (see `answers`). Titles of checks and the code that they share with
`solve` come from the source, so that an edit of a docstring runs no check again.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from site_builder.contract.answers import Tolerance
from site_builder.errors import counted
from site_builder.solving.checks.answers import Comparison, cells_in
from site_builder.solving.checks.description import CheckDescription
from site_builder.solving.checks.tolerances import (
    ONE_SIDED,
    Closeness,
    Part,
    between,
    closeness_of,
    disagreements,
)
from site_builder.values.packing import pack, unpack
from site_builder.values.plain_values import SURE_DIGITS, text_of

CERTIFICATE = "certificate"  # the kind of what a function of an extension confirms
CASES = 3  # of small cases that make a field tested
_MOST_SIGNS = 24  # of a fraction that is written as such
_MOST_LISTED = 6  # entries of a list that are shown one by one


@dataclass(frozen=True)
class CheckOutcome:
    """A field of the result after the comparison with what a check returned for it; or a law.

    check: name of the function; title: what readers see of it. kind: "answer", "case" of other parameters, "law", or
    "certificate" of an extension. field: the leaf that is compared, none of a law. expected and found are texts.
    difference: what differs, empty where they agree. cells: so many of `total` values were compared. leaves: those of
    the field at the top that have a value, where this one is not alone. given: fields that the check took and that are
    not confirmed.
    parameters: of a case, in words. cure and place: of an answer that does not fit its field.
    """

    check: str
    title: str
    kind: str
    field: str
    expected: str
    found: str
    difference: str
    cells: int
    total: int
    closeness: Closeness
    shared: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    parameters: str = ""
    cure: str = ""
    place: tuple[str, int] | None = None

    @property
    def passed(self) -> bool:
        """True when the two answers agree."""
        return not self.difference

    @property
    def is_whole(self) -> bool:
        """True when every cell of the field was compared; a certificate says itself what it left out."""
        return self.kind == CERTIFICATE or self.cells >= self.total

    @property
    def agrees(self) -> bool:
        """True when it confirms what it compares once the fields that it was given are confirmed."""
        is_second = self.kind in ("answer", CERTIFICATE) and not self.shared
        return self.passed and is_second and self.closeness.confirms and (self.cells > 0 or not self.total)

    @property
    def tests(self) -> bool:
        """True for a smaller case of parameters that `solve` gets right."""
        return self.passed and self.kind == "case" and not self.shared and self.closeness.confirms and self.is_whole

    @property
    def confirms(self) -> bool:
        """True when it confirms what it compares; the field, when it is whole."""
        return self.agrees and not self.given

    @property
    def how_closely(self) -> str:
        """The closeness in words, and the number of cells where these are not all."""
        return self.closeness.text if self.cells >= self.total else f"{self.closeness.text} {self.cells_in_words}"

    @property
    def cells_in_words(self) -> str:
        """The number of cells that were compared, of all there are."""
        return f"in {self.cells:,} of {counted(self.total, 'cell')}"


def judge(data: bytes, sources: Mapping[str, CheckDescription], parameters: Collection[str] = ()) -> bytes:
    """Compare the answers of the checks that a worker packed, and pack the outcomes, with what is beside them.

    parameters: names of fields that repeat a parameter, which need no confirming.
    """
    checks, beside = unpack(data)
    sources = {raw["check"]: CheckDescription(raw["check"]) for raw in checks} | {**sources}
    outcomes = [_outcome(raw, checks, sources) for raw in checks]
    rows = [{**vars(each), "closeness": vars(each.closeness)} for each in with_given(outcomes, parameters)]
    return pack((rows, beside))


def with_given(outcomes: Sequence[CheckOutcome], known: Collection[str] = ()) -> list[CheckOutcome]:
    """The outcomes, each with the fields that its check took and that no chain of checks confirms.

    A chain ends in checks that take parameters alone; a certificate confirms by itself what it takes. A record is
    confirmed with all of its leaves. known: fields that need no confirming.
    """
    confirmed, leaves, before = set(known), set[str](), -1
    while len(confirmed) > before:
        before = len(confirmed)
        for each in outcomes:
            if each.agrees and each.is_whole and (each.kind == CERTIFICATE or confirmed.issuperset(each.takes)):
                leaves.add(each.field)
                if leaves.issuperset(each.leaves):
                    confirmed.add(each.field.partition(".")[0])
    return [
        replace(each, given=() if each.kind == CERTIFICATE else tuple(n for n in each.takes if n not in confirmed))
        for each in outcomes
    ]


def read_outcomes(data: bytes) -> tuple[CheckOutcome, ...]:
    """The outcomes that `judge` packed."""
    return _read(data)[0]


def read_certified(data: bytes) -> dict[str, bytes]:
    """The data beside the outcomes that `judge` packed, by the name of the solver's function."""
    return _read(data)[1]


@lru_cache(maxsize=512)  # those of a post, which is written at each of its settings
def _read(data: bytes) -> tuple[tuple[CheckOutcome, ...], dict[str, bytes]]:
    outcomes, certified = unpack(data)
    return tuple(CheckOutcome(**{**each, "closeness": Closeness(**each["closeness"])}) for each in outcomes), certified


def raw_check(check: str, kind: str, field: str = "", **more: Any) -> dict[str, Any]:
    """The answer of a check, as a worker packs it: fields of CheckOutcome, `parts`, and `failed`, a difference."""
    return {"check": check, "kind": kind, "field": field, "parts": [], "cells": 0, "total": 0, **more}


def raw_comparison(
    check: str, kind: str, comparison: Comparison, parameters: str = "", leaves: Sequence[str] = ()
) -> dict[str, Any]:
    """A comparison as a worker packs it. leaves: those of the field at the top that have a value."""
    parts = [(astuple(tolerance), expected, found) for tolerance, expected, found in comparison.parts]
    cells, total = min(sum(comparison.cells), comparison.total), comparison.total
    more = {"parts": parts, "cells": cells, "total": total, "parameters": parameters, "leaves": leaves}
    return raw_check(check, kind, comparison.leaf, **more)


def _outcome(
    raw: Mapping[str, Any], checks: Sequence[Mapping[str, Any]], sources: Mapping[str, CheckDescription]
) -> CheckOutcome:
    parts = _parts(raw)
    expected, found = _shown(parts)
    compared = {
        "expected": expected,
        "found": found,
        "difference": raw.get("failed") or _difference(parts),
        "closeness": _closeness(raw, parts, checks, sources),
    }
    as_packed = {name: value for name, value in raw.items() if name not in ("parts", "failed")}
    about = {name: value for name, value in vars(sources[raw["check"]]).items() if name != "answers"}
    return CheckOutcome(**{**compared, **about, **as_packed})


def _parts(raw: Mapping[str, Any]) -> list[Part]:
    return [(Tolerance(*tolerance), expected, found) for tolerance, expected, found in raw["parts"]]


def _closeness(
    raw: Mapping[str, Any],
    parts: list[Part],
    checks: Sequence[Mapping[str, Any]],
    sources: Mapping[str, CheckDescription],
) -> Closeness:
    """The closeness of a comparison; of bounds, together with those of another check on the other side."""
    if not any(tolerance.is_bound for tolerance, _, _ in parts):
        return closeness_of(parts)
    found = []
    for other in checks:
        is_shared = sources[other["check"]].shared
        if (other["field"], other["kind"]) == (raw["field"], raw["kind"]) and not is_shared:
            bounds = _parts(other)
            found += [each for each in [between(parts, bounds)] if each and not _difference(bounds)]
    return min(found, key=lambda each: each.share, default=ONE_SIDED)


def _difference(parts: Iterable[Part]) -> str:
    """The first entries that do not agree, in words; empty when all do."""
    for tolerance, expected, found in parts:
        for at, one, other in disagreements_of(expected, found, tolerance):
            size = sum(map(cells_in, found))
            places = ", ".join(str(index + 1) for index in at) if size > 1 else ""
            where = f"of {size} values number {places} " if places else "it "
            wanted = " or ".join(map(text_of, one)) if tolerance.kind == "one of" else text_of(one)
            return f"{where}should be {_rule(tolerance)}{wanted}, and is {text_of(other)}"
    return ""


def disagreements_of(expected: Any, found: Any, tolerance: Tolerance) -> Iterator[tuple[tuple[int, ...], Any, Any]]:
    """The entries of the values of a part that do not agree; of a single value the place within it."""
    for place, (one, other) in enumerate(zip(expected, found, strict=True)):
        for at, *entry in disagreements(one, other, tolerance):
            yield (at if len(expected) == 1 else (place, *at)), entry[0], entry[1]


def _rule(tolerance: Tolerance) -> str:
    return f"{tolerance.kind} " if tolerance.is_bound else ""


def _shown(parts: Sequence[Part]) -> tuple[str, str]:
    """Both answers as readers see them."""
    if not parts:
        return "", ""
    tolerance = parts[0][0]
    found = _short([value for _, _, values in parts for value in values], tolerance)
    if tolerance.kind == "one of":
        return "one of several", found
    return _rule(tolerance) + _short([value for _, values, _ in parts for value in values], tolerance), found


def _short(values: list[Any], tolerance: Tolerance) -> str:
    if (size := sum(map(cells_in, values))) > _MOST_LISTED:
        return f"{size:,} values"
    value = values[0] if len(values) == 1 else tuple(values)
    write = float if tolerance.kind in ("close", "games") else _readable
    return text_of(_with_fractions(value, write), digits=6 if tolerance.kind == "games" else SURE_DIGITS)


def _with_fractions(value: Any, write: Callable[[Fraction], Any]) -> Any:
    """The value with its fractions written by a function, in tuples and mappings too."""
    if isinstance(value, Mapping):
        return {name: _with_fractions(entry, write) for name, entry in value.items()}
    if isinstance(value, tuple):
        return tuple(_with_fractions(entry, write) for entry in value)
    return write(value) if isinstance(value, Fraction) else value


def _readable(value: Fraction) -> Fraction | str:
    """A fraction that nobody would read to its end as its first digits."""
    return value if len(str(value)) <= _MOST_SIGNS else f"{float(value):.{SURE_DIGITS}g}… as a fraction"
