"""Numbers, dates and phrases in languages.

The forms of numbers and dates are those of the Unicode CLDR (https://cldr.unicode.org), version 45, for `de` and `fr`.
"""

import re
from datetime import date
from fractions import Fraction

import pytest

from site_builder.errors import Place
from site_builder.pipeline.sources import Languages
from site_builder.storage.file_fingerprints import THEME
from site_builder.values import number_format
from site_builder.values.language import ENGLISH, writing_in
from tests.support.html import TEMPLATES, environment

FILES = [f"templates/words/{path.name}" for path in sorted((TEMPLATES / "words").glob("*.yaml"))]
LANGUAGES = Languages(dict.fromkeys(FILES, ""), lambda name: (TEMPLATES.parent / name).read_bytes())
GERMAN, FRENCH = (LANGUAGES.get(tag, Place("config.yaml")) for tag in ("de", "fr"))
CLDR = [
    (ENGLISH, "1234.5", "12,345", "31.2%", "24 November 2026"),  # en-GB, but groups from five digits on
    (GERMAN, "1.234,5", "12.345", "31,2\u00a0%", "24. November 2026"),
    (FRENCH, "1\u202f234,5", "12\u202f345", "31,2\u00a0%", "24 novembre 2026"),
]


@pytest.mark.parametrize(("language", "number", "whole", "percent", "day"), CLDR)
def test_numbers_and_dates_are_written_as_the_language_does(language, number, whole, percent, day):
    with writing_in(language):
        assert number_format.number(Fraction(2469, 2), 1) == number
        assert number_format.integer(12_345) == whole
        assert number_format.percent(Fraction(312, 1000), 1) == percent
        assert language.date_words(date(2026, 11, 24)) == day


@pytest.mark.parametrize(("language", "number", "whole", "percent", "day"), CLDR)
def test_numbers_are_read_as_the_language_writes_them(language, number, whole, percent, day):
    read = language.in_english

    assert [read(number).replace(",", ""), read(whole), read(percent).replace("\u00a0", "")] == [
        "1234.5",
        "12,345",
        "31.2%",
    ]


@pytest.mark.parametrize(
    ("language", "typed", "english"),
    [
        (GERMAN, "etwa 31,2 Prozent", "about 31.2 per cent"),
        (GERMAN, "20, 22 und 23", "20, 22 and 23"),
        (FRENCH, "environ 31,2 pour cent", "about 31.2 per cent"),
        (FRENCH, "12 345,5", "12,345.5"),
        (GERMAN, "§ 3.12.4", "§ 3,12,4"),
    ],
)
def test_words_and_spaces_of_numbers_are_read_too(language, typed, english):
    assert language.in_english(typed) == english


@pytest.mark.parametrize(
    ("write", "value", "german"),
    [
        (number_format.one_in, Fraction(1, 37), "1 zu 37"),
        (number_format.sentence, (20, 22, 23), "20, 22 und 23"),
        (number_format.significant, Fraction(1, 80000), "0,0000125"),
        (number_format.percent, Fraction(1, 250), "0,4\u00a0%"),
    ],
)
def test_words_of_numbers_are_those_of_the_language(write, value, german):
    with writing_in(GERMAN):
        assert write(value) == german


def test_a_phrase_with_numbers_has_one_word():
    assert GERMAN.phrase("to 12 decimals") == "auf 12 Dezimalen"
    assert GERMAN.phrase("to ±0.7 points by 20,000 games") == "bis auf ±0,7 Prozentpunkte durch 20.000 Spiele"
    assert GERMAN.phrase("1/2; 11 values") == "1/2; 11 Werte"
    assert GERMAN.phrase("something of 0.5 that nobody knows") == "something of 0,5 that nobody knows"
    assert ENGLISH.phrase("to 12 decimals") == "to 12 decimals"


def test_a_word_is_found_however_its_lines_are_broken_and_else_stays_english():
    assert GERMAN.word("The answer") == GERMAN.word("The\n   answer") == "Die Antwort"
    assert GERMAN.word("No word of any theme") == "No word of any theme"


def words_of_the_theme():
    """The words of the default theme's templates as Jinja extracts them, and those that the builder asks for."""
    made = environment()
    for path in TEMPLATES.rglob("*.html"):
        for _, _, words in made.extract_translations(path.read_text("utf-8")):
            yield from (" ".join(each.split()) for each in (words if isinstance(words, tuple) else [words]) if each)
    for path in (TEMPLATES.parent / "site_builder").rglob("*.py"):
        yield from re.findall(r"\bword\([\"']([^\"']+)[\"']\)", path.read_text("utf-8"))


@pytest.mark.parametrize("language", [GERMAN, FRENCH], ids=["de", "fr"])
def test_german_and_french_have_all_words_of_the_theme(language):
    words = set(words_of_the_theme())

    assert {"Skip to the text", "Figure", "Archive"} <= words
    assert words - language.words.keys() == set()
    assert language.words.keys() == GERMAN.words.keys()


@pytest.mark.parametrize("name", FILES)
def test_every_language_of_the_theme_can_be_read_and_names_different_months(name):
    language = LANGUAGES.get(name.removeprefix("templates/words/").removesuffix(".yaml"), Place(name))

    assert len(set(language.months)) == 12
    assert len(language.quotes) == 4


def test_english_reads_no_file_and_a_region_has_its_own_file_over_that_of_the_language():
    files = {
        f"{THEME}words/de.yaml": "words: {Answer: Antwort, Home: Start}\ndecimal: ','",
        "templates/words/de-at.yaml": "words: {Home: Daheim}",
    }
    read = []

    def data_of(name):
        read.append(name)
        return files[name].encode()

    languages = Languages(dict.fromkeys(files, ""), data_of)

    assert languages.get("en", Place("config.yaml")) == ENGLISH
    assert read == []
    austrian = languages.get("de-AT", Place("config.yaml"))
    assert (austrian.code, austrian.decimal) == ("de-AT", ",")
    assert (austrian.word("Answer"), austrian.word("Home")) == ("Antwort", "Daheim")
    assert languages.get("de", Place("config.yaml")).word("Home") == "Start"
