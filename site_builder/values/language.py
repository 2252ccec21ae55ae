"""The language of a text: its numbers, dates and quotation marks, and its words for those of the theme."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date as day_of
from functools import cached_property
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

_IN_NUMBERS = ("per cent", "about", "and", "or")  # words of published numbers
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*(?:e-?\d+)?")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"  # names of the numbers in a phrase
_NAMED = re.compile(r"%\((\w+)\)s")
_MONTHS = [
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
]


def _date(form: str) -> str:
    if sorted(re.findall(r"\{(.*?)\}", form)) != ["day", "month", "year"]:
        raise ValueError(f"{form!r} needs {{day}}, {{month}} and {{year}}, each once")
    return form


def _words(words: dict[str, str]) -> dict[str, str]:
    for english, word in words.items():
        lost = set(_NAMED.findall(word)) - set(_NAMED.findall(english))
        if lost or "%" in _NAMED.sub("", word):
            raise ValueError(f"{word!r} may hold no % but those of {english!r}")
        if '"' in word and '"' not in english:
            raise ValueError(f"{word!r} holds a straight quotation mark, which would end an attribute")
    return {" ".join(english.split()): word for english, word in words.items()}


class Language(BaseModel):
    """A language, with the keys of its file. code: its tag, such as de-AT.

    group: the separator of groups of three digits, in whole numbers with as many digits as `grouped_from`; percent:
    the sign with the space before it; quotes: opening and closing, double and then single; words: of the theme and the
    builder, by the English ones.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    code: str = "en"
    direction: Literal["ltr", "rtl"] = "ltr"
    decimal: str = "."
    group: str = ","
    grouped_from: int = 5
    percent: str = "%"
    quotes: Annotated[list[str], Field(min_length=4, max_length=4)] = ["“", "”", "‘", "’"]
    date: Annotated[str, AfterValidator(_date)] = "{day} {month} {year}"
    months: Annotated[list[str], Field(min_length=12, max_length=12)] = _MONTHS
    words: Annotated[dict[str, str], AfterValidator(_words)] = {}

    def word(self, english: str) -> str:
        """The word or sentence in this language, however its lines are broken; the English one where there is none."""
        return self.words.get(" ".join(english.split()), english) if self.words else english

    def phrase(self, english: str) -> str:
        """A phrase with numbers, such as "to 12 decimals", whose word is that of "to %(a)s decimals".

        Of several, divided by semicolons, each has a word of its own.
        """
        return "; ".join(map(self._phrase, english.split("; ")))

    def _phrase(self, english: str) -> str:
        names = iter(_LETTERS)
        form = _NUMBER.sub(lambda found: f"%({next(names, '')})s", english) if self.words else ""
        if form not in self.words:
            return self.from_english(english, with_words=False)
        numbers = map(self.from_english, _NUMBER.findall(english))
        return self.words[form] % dict(zip(_LETTERS, numbers, strict=False))

    def date_words(self, day: day_of) -> str:
        """The date, such as 20 November 2026."""
        return self.date.format(day=day.day, month=self.months[day.month - 1], year=day.year)

    def in_english(self, text: str) -> str:
        """The text with its numbers as English writes them: 1.234,5 Prozent is 1,234.5 per cent."""
        if self.words:
            text = self._own_words.sub(lambda found: self._english[found[0].lower()], text)
        return self._marks.sub(lambda found: "." if found[0] == self.decimal else ",", text) if self._is_other else text

    def from_english(self, text: str, with_words: bool = True) -> str:
        """The text with the numbers of English as this language writes them."""
        if self.words and with_words:
            text = re.sub(rf"\b({'|'.join(_IN_NUMBERS)})\b", lambda found: self.word(found[0]), text)
        marks = {".": self.decimal, ",": self.group}
        return re.sub(r"(?<=\d)[.,](?=\d)", lambda found: marks[found[0]], text) if self._is_other else text

    @property
    def _is_other(self) -> bool:
        return (self.decimal, self.group) != (".", ",")

    @cached_property
    def _english(self) -> dict[str, str]:
        return {self.word(each).lower(): each for each in _IN_NUMBERS}

    @cached_property
    def _own_words(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, self._english))})\b", re.IGNORECASE)

    @cached_property
    def _marks(self) -> re.Pattern[str]:
        """The marks between digits; a group is set apart by any space where the language does it by one."""
        group = "[ \u00a0\u202f](?=\\d{3}(?!\\d))" if self.group.isspace() else re.escape(self.group)
        return re.compile(rf"(?<=\d)(?:{re.escape(self.decimal)}|{group})(?=\d)")


ENGLISH = Language()
_current: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def current() -> Language:
    """The language of the text that is being written."""
    return _current.get()


@contextmanager
def writing_in(language: Language) -> Iterator[None]:
    """Write texts in this language."""
    token = _current.set(language)
    try:
        yield
    finally:
        _current.reset(token)
