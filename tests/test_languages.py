"""Posts in German and French in one site, as they are built: numbers, dates, quotation marks and words of the theme.

The forms of numbers and dates are those of the Unicode CLDR; German has „so“ (DUDEN, rule 8), French « ainsi ».
"""

import re
from xml.etree import ElementTree

import pytest

from tests.conftest import CONFIG, Project
from tests.support.html import Html
from tests.support.visible_text import visible_text

SOLVER = '''"""A chance that is known."""

from fractions import Fraction

from site_builder.contract import Curve, Series


def solve(games: int = 4):
    """Nothing to find."""
    heights = [Fraction(k, 4) for k in range(games + 1)]
    return {"chance": Fraction(312, 1000), "gain": Fraction(2469, 2), "games_in_all": 1234567, "heights": heights}


def check_again(games):
    """Counted again."""
    heights = [Fraction(k, 4) for k in range(games + 1)]
    return {"chance": Fraction(312, 1000), "gain": Fraction(2469, 2), "games_in_all": 1234567, "heights": heights}


def figure_heights(heights):
    """Heights that rise."""
    return Curve("Höhen", (Series("x", tuple(range(len(heights))), tuple(heights)),), "k", "y", "Eine Linie.")
'''
GERMAN = """---
title: "Die \\"schnelle\\" Münze: {{ results.main.chance | percent(1) }}"
date: 2026-11-24
language: de
solver: known
---
Sie sagt "so", und geht's gut, ist die Chance {{ results.main.chance | percent(1) }}
(veröffentlicht: {{ claim("etwa 31,2 Prozent", results.main.chance) }}), der Gewinn {{ results.main.gain | number(1) }}
und $x = {{ results.main.gain | number(1) }}$ in {{ results.main.games_in_all | integer }} Spielen.[^1]

{{ figure(results.main.figures.heights) }} {#fig-x}

Siehe @fig-x.

> [!TIP]
> Ein Rat.

!!! warning
    Eine Warnung.

::: {.callout-note}
Ein Hinweis.
:::

!!! note "Eigener Titel"
    Ein Satz.

[^1]: Eine Anmerkung.
"""
FRENCH = """---
title: La course
date: 2026-11-23
language: fr
solver: known
---
Il dit "ainsi", l'homme: {{ results.main.chance | percent(1) }}, {{ results.main.gain | number(1) }},
{{ claim("31,2 %", results.main.chance) }}, {{ results.main.games_in_all | integer }}.
"""
ENGLISH = """---
title: An English post
date: 2026-11-22
solver: known
---
She says "so": {{ results.main.chance | percent(1) }}.
"""


def write_posts(project):
    project.write("solvers/known.py", SOLVER)
    for name, text in (("de", GERMAN), ("fr", FRENCH), ("en", ENGLISH)):
        project.write(f"content/posts/{name}.md", text)
    return project


@pytest.fixture(scope="module")
def built(builds, tmp_path_factory):
    project = write_posts(Project(tmp_path_factory.mktemp("languages")))
    project.build()
    return project


def post(built, name):
    return built.page(f"posts/{name}/index.html")


def text_of(built, name):
    return visible_text(post(built, name))


def test_a_german_post_has_german_numbers_dates_and_quotation_marks(built):
    text = text_of(built, "de")

    assert "Die „schnelle“ Münze: 31,2 %" in text
    assert "Sie sagt „so“, und geht’s gut, ist die Chance 31,2 % (veröffentlicht: etwa 31,2 Prozent)" in text
    assert "der Gewinn 1.234,5 und" in text
    assert "in 1.234.567 Spielen" in text
    assert "24. November 2026" in text


def test_a_french_post_has_french_numbers_dates_and_quotation_marks(built):
    text = text_of(built, "fr")

    assert "Il dit « ainsi », l’homme: 31,2 %, 1 234,5, 31,2 %, 1 234 567." in text
    assert "23 novembre 2026" in text


def test_no_line_breaks_within_a_number_or_before_its_sign(built):
    assert "ist die Chance 31,2\u00a0%" in post(built, "de")
    assert "1\u202f234\u202f567" in post(built, "fr")
    assert '<span class="claim">31,2\u00a0%</span>' in post(built, "fr")
    assert "«\u00a0ainsi\u00a0»" in post(built, "fr")


def test_a_formula_has_the_number_without_a_space_after_its_comma(built):
    assert '<mn>1.234</mn><mo lspace="0" rspace="0">,</mo><mn>5</mn>' in post(built, "de")


def test_the_words_of_the_page_and_of_the_text_are_those_of_the_post(built):
    text = text_of(built, "de")

    assert "Zum Text springen" in text
    assert "Abbildung 1: Höhen" in text
    assert "Siehe Abbildung 1." in text
    assert "Anmerkung 1" in text
    assert "1 Prüfung bestanden. Bestätigt genau: chance, gain" in text
    assert "auf 1 Dezimale" in text
    assert "min de lecture" in text_of(built, "fr")
    assert "min read" in text_of(built, "en")


def test_a_callout_has_the_name_of_its_kind_in_the_language_of_the_post(built):
    titles = re.findall(r'"admonition-title">(.*?)<', post(built, "de"))

    assert titles == ["Tipp", "Warnung", "Hinweis", "Eigener Titel"]


def test_a_figure_has_the_numbers_of_its_post(built):
    svg = next(data for name, data in built.files().items() if re.search(r"posts/de/figures/.*heights\.\w+\.svg", name))
    table = Html(post(built, "de")).all("td")

    assert {"0,25", "0,75"} <= set(re.findall(r">([\d,.]+)<", svg.decode())) | {each.text for each in table}
    assert "0.25" not in svg.decode()
    (csv,) = (data for name, data in built.files().items() if re.search(r"posts/de/figures/.*\.csv", name))
    assert b"0.25" in csv  # for programs


def test_pages_feeds_and_data_say_the_language_of_each_post(built):
    assert [each.attributes["lang"] for each in Html(post(built, "fr")).all("html")] == ["fr"]
    entries = [each.attributes.get("lang") for each in Html(built.page("index.html")).all("article")]
    assert entries == ["de", "fr", None]
    feed = ElementTree.fromstring(built.page("feed.xml"))
    lang = "{http://www.w3.org/XML/1998/namespace}lang"
    assert [feed.get(lang), *(each.get(lang) for each in feed.findall("{http://www.w3.org/2005/Atom}entry"))] == [
        *("en", "de", "fr", None)
    ]


def test_lists_have_the_language_of_the_site(builds, project):
    write_posts(project).write("config.yaml", f"{CONFIG}language: de\n")

    project.build()

    home = visible_text(project.page("index.html"))
    assert "24. November 2026" in home
    assert "23. November 2026" in home
    assert "wird von An author geschrieben." in home
    assert "Themen" in visible_text(project.page("tags/index.html"))


TYPED = [
    ("Es sind 31,2 %.", "the number 31,2 % is typed, and equals results.main.chance"),
    ("Es sind 31,7 %.", "the number 31,7 % is typed, and results.main.chance is 31,2"),
    ("Es sind 13,2 Prozent.", "the number 13,2 Prozent is typed, and results.main.chance is 31,2"),
    ("Es sind 1.234,5 Euro.", "the number 1.234,5 is typed, and equals results.main.gain"),
    ("Es sind $1.234{,}5$.", "the number 1.234,5 is typed, and equals results.main.gain"),
]


@pytest.fixture(scope="module")
def said_of_typed(builds, tmp_path_factory):
    """What one build says of German posts, each with one of these lines."""
    project = write_posts(Project(tmp_path_factory.mktemp("typed")))
    for number, (line, _) in enumerate(TYPED):
        project.write(f"content/posts/typed-{number}.md", GERMAN.replace("Siehe @fig-x.", line))
    return project.build().err


@pytest.mark.parametrize("number", range(len(TYPED)), ids=lambda number: TYPED[number][0])
def test_typed_numbers_are_found_as_the_language_of_the_post_writes_them(said_of_typed, number):
    assert f"content/posts/typed-{number}.md:13: {TYPED[number][1]}" in said_of_typed


@pytest.mark.parametrize(
    ("claim", "says"),
    [
        (
            "31,3 %",
            "the claim 31,3 % disagrees with results.main.chance, which is 31,2 %; they differ by 0,1",
        ),
        ("31.2 %", "the claim 31.2 % cannot be held against results.main.chance: '31.2 %' is no number"),
    ],
)
def test_a_wrong_claim_is_refused_at_its_line_in_the_numbers_of_the_post(builds, project, claim, says):
    write_posts(project).write("content/posts/de.md", GERMAN.replace("etwa 31,2 Prozent", claim))

    ran = project.build(status=1)

    assert f"content/posts/de.md:8: {says}" in ran.err
    assert ("mend: write claim(\"31,2 %\", ...): the post is in 'de'" in ran.err) == ("." in claim)


def test_an_unknown_language_is_an_error_at_its_line(builds, project):
    project.write("content/posts/x.md", "---\ntitle: X\ndate: 2026-01-01\nlanguage: fre\n---\nText.\n")

    ran = project.build(status=1)

    assert "content/posts/x.md:4: there is no language 'fre'\n    mend: did you mean 'fr'?\n" in ran.err
    assert "or write templates/words/fre.yaml" in ran.err


OWN = """decimal: ","
group: "."
grouped_from: 5
direction: rtl
quotes: [„, ”, ‚, ’]
months: [januari, februari, maart, april, mei, juni, juli, augustus, september, oktober, november, december]
words: {Answer: Antwoord}
"""


@pytest.fixture
def own_words(builds, project):
    """A project with a language of its own."""
    (project.root / "templates").unlink()
    project.write("templates/words/xn.yaml", OWN)
    front = 'title: X\ndate: 2026-11-24\nlanguage: xn\nanswer: "1"\n'
    project.write("content/posts/x.md", f'---\n{front}---\nZij zegt "zo".\n')
    return project


def test_a_blog_adds_a_language_by_a_file_and_a_missing_word_stays_english(own_words):
    own_words.build()

    text = visible_text(own_words.page("posts/x/index.html"))
    assert "Zij zegt „zo”." in text
    assert "24 november 2026" in text
    assert "Antwoord" in text
    assert "Skip to the text" in text
    (html,) = Html(own_words.page("posts/x/index.html")).all("html")
    assert html.attributes == {"lang": "xn", "dir": "rtl"}


def test_a_changed_word_is_on_the_page_after_the_next_build(own_words):
    own_words.build()

    own_words.write("templates/words/xn.yaml", OWN.replace("Antwoord", "Oplossing"))
    own_words.build()

    assert "Oplossing" in visible_text(own_words.page("posts/x/index.html"))


@pytest.mark.parametrize(
    ("line", "changed", "says"),
    [
        (3, ("5", "x"), "grouped_from is 'x'; it must be a whole number"),
        (7, ("Antwoord", '"%(x)s"'), "words: '%(x)s' may hold no % but those of 'Answer'"),
        (1, ("decimal", "decimals"), "'decimals' is not known here"),
    ],
)
def test_a_wrong_file_of_a_language_is_an_error_at_its_line(own_words, line, changed, says):
    own_words.write("templates/words/xn.yaml", OWN.replace(*changed))

    ran = own_words.build(status=1)

    assert f"templates/words/xn.yaml:{line}: {says}" in ran.err
