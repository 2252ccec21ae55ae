"""The keys of a post's front matter."""

import math
import re
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from site_builder.project.config import TEXT, LanguageTag, MacroName, Text, Title
from site_builder.project.validation import StrictModel, exact_fraction, shown, text_of_form

FRONT_TEXTS = ("title", "summary", "answer", "method")  # the texts of a post in lists, which may use results
_MOST_STEPS = 100_001
_RUN_NAME = r"[a-z][a-z0-9_]*"
_MOST_SETTINGS = 24
_SETTING_KEY = r"[a-z0-9]([a-z0-9._-]*[a-z0-9])?"
_PARAMETER = r"[a-z_][A-Za-z0-9_]*\.[A-Za-z_][A-Za-z0-9_]*"
_DATE = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]+(.+))?$")


def read_moment(value: object) -> datetime:
    """A point in time from a date or a date with a time; without a zone it is UTC. Raises ValueError."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    match = _DATE.match(str(value).strip())
    year, month, day, time = match.groups() if match else ("", "", "", "")
    clock = re.sub(r"\s+", "", time or "00:00")
    clock = re.sub(r"(UTC|GMT)$", "Z", re.sub(r"^(?=\d:)", "0", clock))
    try:
        return read_moment(datetime.fromisoformat(f"{year}-{month:0>2}-{day:0>2}T{clock}"))
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


def _authors(value: object) -> object:
    """A list of names, also from one text, in which a comma belongs to the name."""
    return _words([value] if isinstance(value, (str, int, Decimal)) else value)


def _scalar(value: object) -> object:
    if value is None or isinstance(value, (list, dict)):
        raise ValueError(f"{shown(value)} is not a single value")
    return value


def _points(value: object) -> object:
    if not isinstance(value, (list, dict)):
        raise ValueError(f"{shown(value)} is neither a list of values nor like {{start: 0, stop: 1, steps: 11}}")
    return value


# The JSON schemas are those of an editor, to which a date is text; it takes what a build takes, and more.
_WORD_LIST = {"anyOf": [{"type": "array", "items": {"type": [*TEXT["type"], "null"]}}, TEXT]}
Scalar = Annotated[Any, BeforeValidator(_scalar)]
OldAndNew = Annotated[list[Text], Field(min_length=2, max_length=2)]
WebAddress = Annotated[
    str, text_of_form(r"(https?://[^\s/]+(/\S*)?)?", "{} is not an address such as https://example.org/")
]
Moment = Annotated[datetime, BeforeValidator(read_moment), WithJsonSchema({"type": "string"})]
Words = Annotated[list[str], BeforeValidator(_words), WithJsonSchema(_WORD_LIST)]
Authors = Annotated[list[str], BeforeValidator(_authors), WithJsonSchema(_WORD_LIST)]
RunName = Annotated[str, text_of_form(_RUN_NAME, "a run needs a name of small letters, digits and _, such as by_p")]
SourceName = Annotated[
    str, text_of_form(_RUN_NAME, "a source needs a name of small letters, digits and _, such as writeup")
]
SettingKey = Annotated[
    Text, text_of_form(_SETTING_KEY, "{} cannot be part of an address; write key: with small letters, digits and -")
]
ParameterName = Annotated[
    str, text_of_form(_PARAMETER, "{} is no parameter; write solver.name, such as coin_game.flips")
]


Exact = Annotated[Fraction, BeforeValidator(exact_fraction), WithJsonSchema(TEXT)]


class Steps(StrictModel):
    """Equally spaced values from start to stop, both included."""

    start: Exact = Field(description="the first value")
    stop: Exact = Field(description="the last value")
    steps: int = Field(ge=1, le=_MOST_STEPS, description="how many values, both ends included")

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


UNCHECKED = "fields that no second method confirms, each with a reason for readers"
Reasons = dict[str, Annotated[Text, Field(min_length=1)]]


class Run(StrictModel):
    """One solution that a post asks for, or one for each point of a sweep."""

    solver: str = Field(description="the solver, by the name of its file")
    parameters: dict[str, Any] = Field({}, description="parameters, by name; the default is the solver's")
    fixed: bool = Field(False, description="take parameters from the solver and this run alone")
    sweep: dict[str, Annotated[Steps | list[Scalar], BeforeValidator(_points)]] = Field(
        {}, description="one or two parameters, each with a list of values or `{start: 0, stop: 1, steps: 11}`"
    )
    keep: Words = Field([], description="the fields of the results that a sweep keeps")
    unchecked: Reasons = Field({}, description=UNCHECKED)

    @model_validator(mode="after")
    def _sweep_and_keep_together(self) -> "Run":
        if bool(self.sweep) != bool(self.keep):
            raise ValueError("`sweep:` goes with `keep:`, the fields of the results that it keeps")
        if len(self.sweep) > 2:
            raise ValueError("a sweep takes one or two names")
        if twice := [name for name in self.sweep if name in self.parameters or name in self.keep]:
            raise ValueError(f"{twice[0]} is swept: leave it out of `parameters:` and `keep:`")
        if any(isinstance(values, list) and not values for values in self.sweep.values()):
            raise ValueError("a sweep needs at least one value")
        if math.prod(len(self.points(name)) for name in self.sweep) > _MOST_STEPS:
            raise ValueError(f"a sweep has at most {_MOST_STEPS:,} points")
        return self

    def points(self, name: str) -> tuple[Any, ...]:
        """The values that the sweep gives to one name."""
        values = self.sweep[name]
        return values.values() if isinstance(values, Steps) else tuple(values)


class PuzzleCredit(StrictModel):
    """Where a puzzle comes from."""

    name: Text = Field("", description="what the puzzle is called")
    source: Text = Field("", description="who set it, or where it appeared")
    url: WebAddress = Field("", description="its address, such as `https://example.org/`")
    published: Moment | None = Field(None, description="the date at which it appeared")


class PublishedSource(StrictModel):
    """A publication that claims cite."""

    title: Text = Field(min_length=1, description="its title, or what is known of it")
    author: Text = Field("", description="who wrote it")
    date: Moment | None = Field(None, description="when it was published")
    url: WebAddress = Field("", description="its address, such as `https://example.org/`")


class DatedCorrection(StrictModel):
    """A correction of a post, with its date. The text may use results and TeX."""

    date: Moment = Field(description="the date of the correction")
    text: Title = Field(description="what was wrong; may use results and TeX")
    changed: dict[str, OldAndNew] = Field(
        {}, description="answers with their old and new value, such as `{fair.half: [1/3, 1/4]}`"
    )


class Guess(StrictModel):
    """A question that readers may answer before they see the answer: with a number, or with one of several choices."""

    question: Title = Field(description="what a reader guesses, such as `How often do you win?`")
    answer: Title = Field(description="the number or the choice, from results, such as `{{ results.main.best }}`")
    choices: Words = Field([], description="what a reader chooses from; without it, a number on a slider")
    start: Exact | None = Field(None, description="the lowest number of the slider")
    stop: Exact | None = Field(None, description="the highest number of the slider")
    step: Exact | None = Field(None, description="the gap between its numbers, 1 unless given")
    unit: Text = Field("", description="what stands after the number, such as `%`")

    @model_validator(mode="after")
    def _number_or_choices(self) -> "Guess":
        ends = [end for end in (self.start, self.stop) if end is not None]
        if len(ends) != (0 if self.choices else 2):
            raise ValueError("it needs `start:` and `stop:` for a number, or `choices:`, and not both")
        if self.choices and not 2 <= len(self.choices) == len(set(self.choices)):
            raise ValueError("`choices:` needs two or more different ones")
        if ends and (ends[0] >= ends[1] or (self.step is not None and self.step <= 0)):
            raise ValueError("a slider goes from `start:` up to `stop:`, by a `step:` above 0")
        return self


def _in_words(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


class TurnSetting(StrictModel):
    """One setting: its key in addresses, its label, and the values of parameters, each named solver.name."""

    key: SettingKey = Field("", description="what stands for it in the address; by default made from the label")
    label: Text = Field("", description="the words of its link; by default its values")
    values: dict[ParameterName, Any] = Field(
        alias="set", min_length=1, description="parameters, each as `solver.name`, with their values"
    )

    @model_validator(mode="before")
    @classmethod
    def _named_by_its_values(cls, given: Any) -> Any:
        if not isinstance(given, dict) or not isinstance(given.get("set"), dict):
            return given
        label = str(given.get("label") or ", ".join(map(_in_words, given["set"].values())))
        key = given.get("key") or re.sub(r"[^a-z0-9.]+", "-", label.lower()).strip("-.")
        return {**given, "label": label, "key": key}


def _long_form(value: Any) -> Any:
    """The settings of one parameter with a list as a list of settings."""
    if isinstance(value, list):
        return value
    if not isinstance(value, dict) or len(value) != 1 or not isinstance(next(iter(value.values())), list):
        one, more = "{coin_game.flips: [10, 50]}", "[{set: {coin_game.flips: 200}}]"
        raise ValueError(f"{shown(value)} is not one parameter with a list, such as {one}, nor a list such as {more}")
    ((name, values),) = value.items()
    return [{"set": {name: each}} for each in values]


def _different(settings: list[TurnSetting]) -> list[TurnSetting]:
    keys = [each.key for each in settings]
    if not 1 <= len(keys) <= _MOST_SETTINGS:
        raise ValueError(f"it has {len(keys)} settings; write from 1 to {_MOST_SETTINGS}")
    if twice := next((key for place, key in enumerate(keys) if key in keys[:place]), ""):
        raise ValueError(f"two settings have the key {twice}; give one of them another")
    return settings


TurnSettings = Annotated[
    list[TurnSetting],
    BeforeValidator(_long_form),
    AfterValidator(_different),
    WithJsonSchema({"type": ["object", "array"]}),
]


class FrontMatter(StrictModel):
    """The settings at a post's head. Pages need no date."""

    title: Title = Field(description="the post's title; may use results and TeX")
    date: Moment | None = Field(
        None, description="`2026-11-20`, `2026/11/20` or with a time; posts need one, here or in the file's name"
    )
    updated: Moment | None = Field(None, description="when it was last changed")
    corrections: list[DatedCorrection] = Field([], description="dated corrections, shown in the post and in the feed")
    tags: Words = Field([], description="a list, or words separated by commas")
    categories: Words = Field([], description="more tags")
    series: Text = Field("", description="the name of the series to which the post belongs")
    summary: Text = Field("", description="a sentence for lists and search engines; may use results and TeX")
    answer: Text = Field("", description="the result in a few words; may use results and TeX")
    language: LanguageTag | None = Field(
        None, description="the language of the post, such as `de`; by default that of the site"
    )
    macros: dict[MacroName, str] = Field(
        {}, description="commands of TeX for the formulas of the post, as in config.yaml"
    )
    picture: Text = Field("", description="the figure after the puzzle and in lists, such as `fair.chances`")
    guess: Guess | None = Field(None, description="a question whose answer readers can guess first")
    method: Text = Field("", description="how the answer was found, for the list of answers; may use results and TeX")
    author: Authors = Field([], description="who wrote it, if not the site's author; a name or a list")
    puzzle: PuzzleCredit | None = Field(None, description="where the puzzle comes from")
    sources: dict[SourceName, PublishedSource] = Field({}, description="what claims and `[@name]` cite, by name")
    colours: dict[str, str] = Field(
        {}, description="the colours of names in figures and boards, such as `{Yvonne: red, Zara: blue}`"
    )
    slug: Text = Field("", description="the post's name in its address; the default is the file's name")
    permalink: str = Field("", description="the full path within the site, such as `/2026/a-name/`")
    aliases: Words = Field([], description="old addresses that redirect to this post")
    layout: str = Field("", description="accepted from Jekyll blogs and ignored")
    draft: bool = Field(False, description="leave the post out, and the folder of its name, unless `--drafts` is given")
    published: bool = Field(True, description="`false` is the same as `draft: true`")
    toc: bool | None = Field(
        None, description="show a table of contents; by default from 1,000 words or 4 figures on, with 3 headings"
    )
    solver: str = Field("", description="short for one run of this solver, named `main`")
    parameters: dict[str, Any] = Field({}, description="the parameters of that one run")
    unchecked: Reasons = Field({}, description=UNCHECKED)
    runs: dict[RunName, Run] = Field({}, description="the runs of solvers that the post uses, by name")
    turn: TurnSettings = Field(
        [],
        description="settings for readers: a parameter with a list, `{coin_game.flips: [10, 50]}`, "
        "or a list of `{key: long, label: a long game, set: {coin_game.flips: 200}}`",
    )
    extra: dict[str, Any] = Field({}, description="values for templates; days and times are texts")

    @field_validator("parameters", "unchecked")
    @classmethod
    def _settings_of_a_solver(cls, value: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
        if value and info.data.get("solver") == "":
            raise ValueError("at the top they go with `solver:`; with `runs:` set them in a run")
        return value

    @field_validator("runs")
    @classmethod
    def _one_way_to_ask(cls, value: dict[str, Run], info: ValidationInfo) -> dict[str, Run]:
        if value and info.data.get("solver"):
            raise ValueError("`solver:` at the top is short for one run; here name the solver in each run")
        return value
