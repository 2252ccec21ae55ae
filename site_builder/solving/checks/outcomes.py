"""The outcomes of checks: the build's own process compares the two answers of each, and packs the outcome."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import prod
from typing import Any

from site_builder.contract.checks import (
    Absolute,
    AtLeast,
    AtMost,
    Relative,
    StandardErrors,
    Tolerance,
    disagreements,
    fields_in,
)
from site_builder.solving.checks.closeness import EXACTLY, Closeness, closeness_of, is_compared, leaves_of
from site_builder.values.packing import pack, unpack
from site_builder.values.plain_values import SURE_DIGITS, classify, text_of

_MOST_SIGNS = 24  # of a fraction that is written as such
_MOST_LISTED = 6  # entries of a list that are shown one by one


@dataclass(frozen=True)
class Confirmation:
    """A field of a result that a check looked at: how closely, at so many cells of all that it has."""

    field: str
    cells: int
    total: int
    closeness: Closeness = EXACTLY

    @property
    def how_closely(self) -> str:
        """The closeness in words, and the number of cells where these are not all."""
        cells = "" if self.cells == self.total else f" in {self.cells:,} of {self.total:,} cells"
        return self.closeness.text + cells

    def __str__(self) -> str:
        return self.field if self.cells == self.total else f"{self.field} ({self.cells:,} of {self.total:,})"


@dataclass(frozen=True)
class CheckOutcome:
    """A check after the comparison. shared: functions that made the expected value and that `solve` may run as well.

    expected and found are texts, of a long list its size and its ends; difference: what differs, empty where it passed.
    """

    name: str
    method: str
    expected: str
    found: str
    difference: str
    agreement: str
    of: tuple[Confirmation, ...]
    shared: tuple[str, ...]
    detail: str

    @property
    def passed(self) -> bool:
        """True when the two answers agree."""
        return not self.difference

    @property
    def is_independent(self) -> bool:
        """True when the second method shares no code with the solution."""
        return not self.shared

    @property
    def confirmed(self) -> tuple[Confirmation, ...]:
        """The fields that it confirms."""
        agrees = self.passed and self.is_independent
        return tuple(each for each in self.of if agrees and each.closeness.confirms)


def values_of_fields(result: Any) -> dict[str, Any]:
    """The fields of a result with their values; the fields of a record within it as `record.field`."""
    values: dict[str, Any] = {}
    for name, value in (classify(result)[1] if classify(result)[0] == "record" else {}).items():
        inner = values_of_fields(value)
        values |= {f"{name}.{field}": each for field, each in inner.items()} if inner else {name: value}
    return values


def sizes_of_fields(result: Any) -> dict[str, int]:
    """The fields of a result, as of `values_of_fields`, with their numbers of cells."""
    return {name: _cells(value) for name, value in values_of_fields(result).items()}


def _cells(value: Any) -> int:
    kind, value = classify(value)
    match kind:
        case "grid":
            return _cells(value.values)
        case "array":
            return prod(value.shape)
        case "sequence":
            return len(value)
        case "mapping":
            return sum(map(_cells, value.values()))
    return 1


def is_within(field: str, other: str) -> bool:
    """True when a field is the other one, or one of the fields of that record."""
    return field == other or field.startswith(f"{other}.")


def cells_of(field: str, sizes: Mapping[str, int]) -> int:
    """The number of cells of a field, or of all fields of a record; 0 for what the result does not have."""
    return sum(size for name, size in sizes.items() if is_within(name, field))


def judge(raw: bytes) -> bytes:
    """Compare the answers of the checks that a worker packed, and pack the outcomes, with the board beside them."""
    checks, board = unpack(raw)
    return pack(([asdict(_outcome(entry, checks)) for entry in checks], board))


def read_outcomes(data: bytes) -> tuple[CheckOutcome, ...]:
    """The outcomes that `judge` packed."""
    return tuple(CheckOutcome(**{**entry, "of": tuple(map(_confirmed, entry["of"]))}) for entry in unpack(data)[0])


def _confirmed(packed: Mapping[str, Any]) -> Confirmation:
    return Confirmation(**{**packed, "closeness": Closeness(**packed["closeness"])})


def read_board(data: bytes) -> bytes:
    """The board beside the outcomes that `judge` packed; empty without one."""
    board: bytes = unpack(data)[1]
    return board


def raw_check(check: Any, shared: Sequence[str], result: Any, is_game: bool = False) -> dict[str, Any]:
    """A check of a result as a worker packs it for `judge`: its fields with their cells, and whether they are compared.

    is_game: whether the builder has verified a game, which compares all of its fields.
    """
    values = values_of_fields(result)
    found = [] if is_game else list(leaves_of(check.found))
    fields = []
    for field, cells in fields_in(check.of):
        inner = {name: value for name, value in values.items() if is_within(name, field)}
        total = sum(map(_cells, inner.values()))
        compared = is_game or is_compared(inner.get(field, inner), found)
        fields.append((field, cells or total, total, compared))
    names = ("name", "method", "expected", "found", "within", "detail")
    return {**{name: getattr(check, name) for name in names}, "of": fields, "shared": tuple(shared)}


def _outcome(raw: Mapping[str, Any], checks: Sequence[Mapping[str, Any]]) -> CheckOutcome:
    expected, found, within = raw["expected"], raw["found"], raw["within"]
    return CheckOutcome(
        raw["name"],
        raw["method"],
        *_shown(expected, found, within),
        _difference(expected, found, within),
        _agreement(within),
        tuple(
            Confirmation(field, cells, total, closeness_of(raw, field, checks)) for field, cells, total, _ in raw["of"]
        ),
        raw["shared"],
        raw["detail"],
    )


def _difference(expected: Any, found: Any, within: Tolerance) -> str:
    """The first entries that do not agree, in words; empty when all do."""
    for at, one, other in disagreements(expected, found, within):
        where = f"of {_size(found)} values number {', '.join(str(index + 1) for index in at)} " if at else "it "
        rule = {AtMost: "at most ", AtLeast: "at least "}.get(type(within), "")
        return f"{where}should be {rule}{text_of(one)}, and is {text_of(other)}"
    return ""


def _agreement(within: Tolerance) -> str:
    """The tolerance in words."""
    match within:
        case Absolute(error):
            return f"within {error:g}"
        case Relative(share):
            return f"within {share:g} of the value"
        case StandardErrors(count, n):
            return f"within {count:g} standard errors of {n:,} games"
    return "exactly"


def _shown(expected: Any, found: Any, within: Tolerance) -> tuple[str, str]:
    """Both answers as readers see them."""
    rule = {AtMost: "at most ", AtLeast: "at least "}.get(type(within), "")
    return rule + _short(expected, within), _short(found, within)


def _short(value: Any, within: Tolerance) -> str:
    if _size(value) > _MOST_LISTED:
        return f"{_size(value):,} values"
    if not isinstance(within, (Absolute, Relative, StandardErrors)):
        return text_of(_with_fractions(value, _readable), digits=SURE_DIGITS)
    digits = 6 if isinstance(within, StandardErrors) else SURE_DIGITS
    return text_of(_with_fractions(value, float), digits=digits)


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


def _size(value: Any) -> int:
    if getattr(getattr(value, "dtype", None), "kind", "O") != "O":
        return int(value.size)
    value = value.tolist() if hasattr(value, "tolist") else value
    return sum(map(_size, value)) if isinstance(value, (list, tuple)) else 1
