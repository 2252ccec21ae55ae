"""The outcomes of checks: the build's own process compares the answers of each, and packs the outcomes.

A worker packs what checks returned as comparisons (see `answers`). Titles of checks and the code that they share with
`solve` come from the source, so that an edit of a docstring runs no check again.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from site_builder.contract.answers import Tolerance
from site_builder.errors import counted
from site_builder.extension import class_name
from site_builder.solving.checks.answers import Comparison, cells_in
from site_builder.solving.checks.description import CheckDescription
from site_builder.solving.checks.tolerances import (
    EXACTLY,
    ONE_SIDED,
    Closeness,
    Part,
    between,
    compared,
    entries,
    entries_of,
)
from site_builder.values.packing import pack, unpack
from site_builder.values.plain_values import SURE_DIGITS, text_of
from site_builder.values.records import Record

CERTIFICATE = "certificate"  # the kind of what a function of an extension confirms
CASES = 3  # of small cases that make a field tested
_MOST_SIGNS = 24  # of a fraction that is written as such
_MOST_LISTED = 6  # entries of a list that are shown one by one
_FRACTION = re.compile(r"\b(\d+)/(\d+)\b")


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


_COMPARED = ("parts", "places", "failed", "found")  # fields of a comparison that its outcome has in another form
_PACKED = {class_name(kind): kind for kind in (Comparison, Tolerance, CheckOutcome, Closeness)}


def judge(data: bytes, sources: Mapping[str, CheckDescription], parameters: Collection[str] = ()) -> bytes:
    """Compare the answers of the checks that a worker packed, and pack the outcomes, with what is beside them.

    parameters: names of fields that repeat a parameter, which need no confirming.
    """
    checks, beside = unpack(data, _record)
    outcomes = [_outcome(each, sources.get(each.check) or CheckDescription(each.check)) for each in checks]
    second = [pair for pair in zip(checks, outcomes, strict=True) if pair[1].passed and not pair[1].shared]
    for place, each in enumerate(checks):
        if any(tolerance.is_bound for tolerance, *_ in each.parts):
            outcomes[place] = _beside_bounds(each, outcomes[place], second)
    return pack((with_given(outcomes, parameters), beside))


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
    outcomes, certified = unpack(data, _record)
    return outcomes, certified


def _record(kind: str, fields: dict[str, Any]) -> Any:
    """A record of checks, or one in the values that they compare."""
    return _PACKED[kind](**fields) if kind in _PACKED else Record(fields, kind)


def _outcome(made: Comparison, about: CheckDescription) -> CheckOutcome:
    difference, closeness, (expected, found) = made.failed, EXACTLY, _shown(made.parts)
    for part in made.parts:
        for at, one, other in entries_of(part):
            agrees, own = compared(part[0], one, other)
            closeness = max(closeness, own, key=lambda each: each.share)
            difference = difference or ("" if agrees else _difference(part, at, one, other))
    as_packed = {name: value for name, value in vars(made).items() if name not in _COMPARED}
    of_source = {name: value for name, value in vars(about).items() if name != "answers"}
    return CheckOutcome(
        expected=expected,
        found=found or made.found,
        difference=difference,
        closeness=closeness,
        **{**as_packed, **of_source},
    )


def _beside_bounds(
    made: Comparison, outcome: CheckOutcome, others: Iterable[tuple[Comparison, CheckOutcome]]
) -> CheckOutcome:
    """The outcome of bounds together with those of another check on the other side, which stands on what both took."""
    own, found = (made.field, made.parameters, made.places), []
    for each, facing in others:
        is_about_same = (each.field, each.parameters, each.places) == own
        if is_about_same and (closeness := between(made.parts, each.parts)):
            takes = tuple(dict.fromkeys((*outcome.takes, *facing.takes)))
            found.append(replace(outcome, closeness=closeness, takes=takes))
    alone = replace(outcome, closeness=ONE_SIDED)
    return min(found, key=lambda each: (not each.confirms, len(each.takes), each.closeness.share), default=alone)


# Words


def _difference(part: Part, at: tuple[int, ...], expected: Any, found: Any) -> str:
    tolerance, _, values = part
    size = sum(map(cells_in, values))
    where = f"of {size} values number {', '.join(str(index + 1) for index in at)} " if at and size > 1 else "it "
    wanted = " or ".join(map(text_of, expected)) if tolerance.kind == "one of" else text_of(expected)
    return f"{where}should be {_rule(tolerance)}{wanted}, and is {text_of(found)}"


def _rule(tolerance: Tolerance) -> str:
    return f"{tolerance.kind} " if tolerance.is_bound else ""


def _shown(parts: Sequence[Part]) -> tuple[str, str]:
    """Both answers as readers see them."""
    if not parts:
        return "", ""
    tolerance = parts[0][0]
    found = _short([value for part in parts for value in part[2]], tolerance)
    if tolerance.kind == "one of":
        return "one of several", found
    return _rule(tolerance) + _short([value for part in parts for value in part[1]], tolerance), found


def _short(values: list[Any], tolerance: Tolerance) -> str:
    """Some values as text, without the digits of fractions that nobody would read to their end."""
    if (size := sum(map(cells_in, values))) > _MOST_LISTED:
        return f"{size:,} values"
    is_rounded, digits = tolerance.kind in ("close", "games"), 6 if tolerance.kind == "games" else SURE_DIGITS
    fractions = {text_of(abs(each)) for _, each, _ in entries(values, values) if isinstance(each, Fraction)}

    def written(found: re.Match[str]) -> str:
        if found[0] not in fractions or not (is_rounded or len(found[0]) > _MOST_SIGNS):  # a text may look like one
            return found[0]
        return f"{Decimal(found[1]) / Decimal(found[2]):.{digits}g}" + ("" if is_rounded else "… as a fraction")

    return _FRACTION.sub(written, text_of(values[0] if len(values) == 1 else tuple(values), digits=digits))
