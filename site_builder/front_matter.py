"""What a post's front matter may say."""

import math
import re
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationInfo,
    field_validator,
    model_validator,
)

from site_builder.config import Limits, Seconds, Size, Text, Title
from site_builder.retelling import shown

CARD = ("title", "summary", "answer", "method", "states")  # what lists show of a post, results in it or not
_MOST_STEPS = 100_001
_DATE = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]+(.+))?$")


def read_moment(value: object) -> datetime:
    """A point in time from a date or a date with a time, as authors write them; without a zone it is UTC.

    Raises ValueError for what is no date.
    """
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    match = _DATE.match(str(value).strip())
    if match is None:
        raise ValueError(f"{value!r} is not a date; write one such as 2026-11-20")
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    try:
        clock = re.sub(r"\s+", "", match[4] or "00:00")
        clock = re.sub(r"(UTC|GMT)$", "Z", re.sub(r"^(?=\d:)", "0", clock))
        return read_moment(datetime.fromisoformat(f"{year:04d}-{month:02d}-{day:02d}T{clock}"))
    except ValueError:
        raise ValueError(f"{value!r} is not a date; write one such as 2026-11-20") from None


def _words(value: object) -> object:
    """A list of words, also from one text: a single word, or several with commas."""
    if isinstance(value, (str, int, Decimal)):
        value = value.split(",") if isinstance(value, str) else [value]
    if not isinstance(value, list):
        return value
    for entry in value:
        if isinstance(entry, (bool, list, dict)):
            raise ValueError(f"{shown(entry)} is no word; put it in quotes if it is meant as one")
    return [word for entry in value if entry is not None and (word := str(entry).strip())]


def _scalar(value: object) -> object:
    if value is None or isinstance(value, (list, dict)):
        raise ValueError(f"{shown(value)} is not a single value")
    return value


def _points(value: object) -> object:
    if not isinstance(value, (list, dict)):
        raise ValueError(f"{shown(value)} is neither a list of values nor like {{start: 0, stop: 1, steps: 11}}")
    return value


def _rational(value: object) -> object:
    """An exact number; what is none is told as of any other field."""
    from site_builder.contract import Rational  # paid for by posts with sweeps alone

    return TypeAdapter(Rational).validate_python(value)


def _web_address(value: str) -> str:
    if value and not re.fullmatch(r"https?://[^\s/]+(/\S*)?", value):
        raise ValueError(f"{value!r} is not an address such as https://example.org/")
    return value


def _run_name(value: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", value):
        raise ValueError("a run needs a name of small letters, digits and _, such as by_p")
    return value


Exact = Annotated[Fraction, BeforeValidator(_rational)]
Scalar = Annotated[Any, BeforeValidator(_scalar)]
WebAddress = Annotated[str, AfterValidator(_web_address)]
Moment = Annotated[datetime, BeforeValidator(read_moment)]
Words = Annotated[list[str], BeforeValidator(_words)]
RunName = Annotated[str, AfterValidator(_run_name)]


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, arbitrary_types_allowed=True)


class Steps(_Model):
    """Equally spaced values from start to stop, both included."""

    start: Exact
    stop: Exact
    steps: Annotated[int, Field(ge=1, le=_MOST_STEPS)]

    @model_validator(mode="after")
    def _room_for_both_ends(self) -> "Steps":
        if (self.steps == 1) != (self.start == self.stop):
            raise ValueError(f"{self.steps} steps do not lead from {self.start} to {self.stop}, both included")
        return self

    def values(self) -> tuple[int | Fraction, ...]:
        """The values themselves, exact; whole ones as ints."""
        gap = (self.stop - self.start) / max(self.steps - 1, 1)
        points = [self.start + i * gap for i in range(self.steps)]
        return tuple(point.numerator if point.denominator == 1 else point for point in points)


class Run(_Model):
    """One solution that a post asks for, or one for each point of a sweep."""

    solver: str
    parameters: dict[str, Any] = Field(default_factory=dict)
    fixed: bool = False
    sweep: dict[str, Annotated[Steps | list[Scalar], BeforeValidator(_points)]] = Field(default_factory=dict)
    keep: Words = Field(default_factory=list)

    @model_validator(mode="after")
    def _sweep_and_keep_together(self) -> "Run":
        if self.sweep and not self.keep:
            raise ValueError("a sweep needs `keep:`, the fields of the results that it keeps")
        if self.keep and not self.sweep:
            raise ValueError("`keep:` goes with a sweep; without one every field is there")
        if len(self.sweep) > 2:
            raise ValueError("a sweep takes one or two names")
        for name in self.sweep:
            if name in self.parameters:
                raise ValueError(f"{name} is swept and set as well; keep one of the two")
            if name in self.keep:
                raise ValueError(f"{name} is swept, so it is a column already; leave it out of `keep:`")
        if any(isinstance(values, list) and not values for values in self.sweep.values()):
            raise ValueError("a sweep needs at least one value")
        if math.prod(len(self.points(name)) for name in self.sweep) > _MOST_STEPS:
            raise ValueError(f"a sweep has at most {_MOST_STEPS:,} points")
        return self

    def points(self, name: str) -> tuple[Any, ...]:
        """The values that the sweep gives to one name."""
        values = self.sweep[name]
        return values.values() if isinstance(values, Steps) else tuple(values)


class PuzzleCredit(_Model):
    """Where a puzzle comes from."""

    name: Text = ""
    source: Text = ""
    url: WebAddress = ""
    published: Moment | None = None


class Correction(_Model):
    """What a post said wrongly, and since when it does not. The text may use results and TeX."""

    date: Moment
    text: Title


class OwnLimits(_Model):
    """Limits that a post sets for its own tasks; what it leaves out is config.yaml's."""

    time: Seconds | None = None
    memory: Size | None = None

    def over(self, limits: Limits) -> Limits:
        """The site's limits with the post's own put over them."""
        return limits.model_copy(update=self.model_dump(exclude_none=True))


class FrontMatter(_Model):
    """The settings at a post's head. Pages need no date."""

    title: Title
    date: Moment | None = None
    updated: Moment | None = None
    corrections: list[Correction] = Field(default_factory=list)
    tags: Words = Field(default_factory=list)
    categories: Words = Field(default_factory=list)
    series: Text = ""
    summary: Text = ""
    answer: Text = ""
    method: Text = ""
    states: Text = ""
    author: Text = ""
    puzzle: PuzzleCredit | None = None
    slug: Text = ""
    permalink: str = ""
    aliases: Words = Field(default_factory=list)
    layout: str = ""
    draft: bool = False
    published: bool = True
    toc: bool | None = None
    solver: str = ""
    parameters: dict[str, Any] = Field(default_factory=dict)
    runs: dict[RunName, Run] = Field(default_factory=dict)
    limits: OwnLimits = OwnLimits()
    extra: dict[str, Any] = Field(default_factory=dict)

    @field_validator("parameters")
    @classmethod
    def _parameters_of_a_solver(cls, value: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
        if value and info.data.get("solver") == "":
            raise ValueError("at the top they go with `solver:`; with `runs:` set them in a run")
        return value

    @field_validator("runs")
    @classmethod
    def _one_way_to_ask(cls, value: dict[str, Run], info: ValidationInfo) -> dict[str, Run]:
        if value and info.data.get("solver"):
            raise ValueError("`solver:` at the top is short for one run; here name the solver in each run")
        return value

    def all_runs(self) -> dict[str, Run]:
        """The runs by name; the short form is one named `result`."""
        return {"result": Run(solver=self.solver, parameters=self.parameters)} if self.solver else self.runs

    @property
    def is_draft(self) -> bool:
        """Left out of the site unless drafts are asked for."""
        return self.draft or not self.published
