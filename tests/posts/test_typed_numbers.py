"""Numbers typed in posts with results: which are refused, which are compared with results, and with what cure.

The rule is that of docs/post-language.md, "Typed numbers". The numbers are those of the gambler's ruin from 10 of 20
coins at 3 in 5 a round, 59049/60073 = 0.98295407 (Feller, vol. I, ch. XIV, sect. 2), unless a test makes its own.
"""

import re
from fractions import Fraction
from pathlib import PurePosixPath
from types import SimpleNamespace

import numpy as np
import pytest

from site_builder.contract import Grid
from site_builder.posts.claims.typed_numbers import TypedNumber, typed_number_errors
from site_builder.posts.render import Renderer
from site_builder.project.posts import read_post
from site_builder.values.records import Record
from tests.support.visible_text import visible_text

NAME = "content/posts/a.md"
RENDERER = Renderer()


def post(body, title="A title", front=""):
    """A post whose text begins at line 5, or later if there is more front matter."""
    text = f"---\ntitle: {title}\ndate: 2026-03-01\n{front}---\n{body}"
    return read_post(text.encode(), PurePosixPath("posts/a.md"), NAME)


def run(name="fair", pinned=True, axes=None):
    return SimpleNamespace(name=name, pinned=pinned, axes=axes or {}, solver="gamblers_ruin", keep=(), turned=())


def record(fields, parameters=(), note=None):
    return Record({**fields, "parameters": Record(dict(parameters)), "figures": Record({})}, "result 'fair'", note)


RESULTS = {"fair": record({"p": Fraction(78994, 100000), "n": 3, "word": "tie"})}


def typed_in(post, results=RESULTS):
    """The numbers that are typed in a post with these results."""
    numbers: list[TypedNumber] = []
    RENDERER.front_texts(post, results, None, numbers)
    runs = [run(name) for name in results]
    return [*numbers, *RENDERER.text(post, results, runs, listing=None).typed]


def refused(body, **more):
    """The numbers that must not be typed, whatever the results are."""
    return list(dict.fromkeys(each.shown.text for each in typed_in(post(body, **more)) if each.shown.is_bare))


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("It is 78.99 % of 20.", "78.99 %"),
        ("78.**99**", "78.99"),
        ("78.<span>99</span>", "78.99"),
        ("78.<!-- -->99", "78.99"),
        ("78.<wbr>99", "78.99"),
        ("78&#46;99", "78.99"),
        (r"78\.99", "78.99"),
        ("78.`99`", "78.99"),
        ("`78.`99", "78.99"),
        ("78.[99](https://example.org)", "78.99"),
        ("78.9\N{SOFT HYPHEN}9", "78.99"),
        ("78\N{WORD JOINER}.99", "78.99"),
        ("7\N{COMBINING LOW LINE}8.9\N{COMBINING LOW LINE}9", "78.99"),
        ("78,99 %", "78.99 %"),
        ("0,789", "0.789"),
        ("1.234,56", "1234.56"),
        ("78\N{MIDDLE DOT}99", "78.99"),
        ("78\N{DOT OPERATOR}99", "78.99"),
        ("\u0667\u0668\u066b\u0669\u0669", "78.99"),  # ARABIC-INDIC DIGITS and their decimal separator
        ("\uff17\uff18\uff0e\uff19\uff19", "78.99"),  # FULLWIDTH
        ("\U0001d7d5\U0001d7d6.\U0001d7d7\U0001d7d7", "78.99"),  # MATHEMATICAL BOLD
        ("78.\u2079\u2079", "78.99"),  # SUPERSCRIPT NINE
        ("<sup>78.99</sup>", "78.99"),
        ("78<sup>.99</sup>", "78.99"),
        ("<math><mn>78</mn><mo>.</mo><mn>99</mn></math>", "78.99"),
        ("789.9 \N{PER MILLE SIGN}", "789.9 \N{PER MILLE SIGN}"),
        ("789 per mille", "789 per mille"),
        ("7.89e-1", "7.89e-1"),
        (
            "789 \N{MULTIPLICATION SIGN} 10\N{SUPERSCRIPT MINUS}\N{SUPERSCRIPT THREE}",
            "789 \N{MULTIPLICATION SIGN} 10^-3",
        ),
        ("789 x 10^-3", "789 x 10^-3"),
        (r"$789 \cdot 10^{-3}$", "789 · 10^(-3)"),
        (r"$0.\mathbf{78994}$", "0.78994"),
        (r"$0.78\,994$", "0.78994"),
        (r"$78{,}99\,\%$", "78.99 %"),
        (r"$\frac{22}{91}$", "22/91"),
        (r"$$\begin{aligned} P &= 0.789 \\ Q &= 1 \end{aligned}$$", "0.789"),
        ('<span title="78.99 %">a</span>', "78.99 %"),
        ("<span data-x='78.99 %'>a</span>", "78.99 %"),
        ("![78.99](/x.png)", "78.99"),
        ('![a](/x.png "78.99 %")', "78.99 %"),
        ("22/91", "22/91"),
        ("22 out of 91", "22 out of 91"),
        ("1 in 216", "1 in 216"),
        ("one in 216", "one in 216"),
        ("178 to 1", "178 to 1"),
        ("178:1", "178:1"),
        ("178 to 25 against", "178 to 25"),
        ("odds of 178 to 25", "178 to 25"),
        ("12,345", "12,345"),
        ("1 048 576", "1 048 576"),
        ("1'048'576", "1,048,576"),
        ("1.048.576", "1048576"),
        ("p=0.640", "0.640"),
        ("a coin-0.640", "0.640"),
        ("0.640cm", "0.640"),
        (".640", ".640"),
        ("1:78.99", "78.99"),
        ("# # 0.640".replace("# #", "##"), "0.640"),
        ("a[^1]\n\n[^1]: 0.640", "0.640"),
        ("0.640[^1]\n\n[^1]: a", "0.640"),
        ("| a |\n|---|\n| 0.640 |", "0.640"),
        ('The "78.99 %" is all.', "78.99 %"),
        ("<a>78.99</a>", "78.99"),
    ],
)
def test_a_typed_number_is_found_as_readers_see_it(body, number):
    assert refused(body) == [number]


@pytest.mark.parametrize("dash", ["-", "\N{EN DASH}", "/", ",", " to "])
def test_both_ends_of_a_range_are_found(dash):
    assert refused(f"from 0.640{dash}0.641") == ["0.640", "0.641"]


TABLE = '{{ table({"a": [results.fair.p]}, forms={"a": "number(2)"}, caption=CAPTION) }}'
CURVE = '{{ figure(curve([1, 2], [0, results.fair.p], title="a", across_label="b", up_label="c", MORE)) }}'


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("{{ 78.99 | number(2) }}", "78.99"),
        ('{{ "78.99" }}', "78.99"),
        ('{% set x = "78.99 %" %}', "78.99 %"),
        ("{% set x = 78.99 %}", "78.99"),
        ('{% for x in ["78.99 %"] %}{% endfor %}', "78.99 %"),
        ("{{ 78 }}.{{ 99 }}", "78.99"),
        ('78{{ "." }}99', "78.99"),
        ('{% set x = 78 %}{{ x ~ "." ~ 99 }}', "78.99"),
        ('{{ "%s.%s" | format(78, 99) }}', "78.99"),
        ("{% set x = 78 %}{{ (x + 99/100) | number(2) }}", "78.99"),
        ("{% macro m(x) %}78.{{ x }}{% endmacro %}{{ m(99) }}", "78.99"),
        ("{% set x %}It is 78.99{% endset %}{{ x }}", "78.99"),
        ('{{ "It is 78.99 %, a " ~ results.fair.word }}', "78.99 %"),
        ('{{ "78.99 %" if results.fair.n > 2 else "" }}', "78.99 %"),
        ("{{ results.fair.n }}.55", "3.55"),
        ("78.{{ results.fair.n }}", "78.3"),
        ("1{{ results.fair.p | number(4) }}", "10.7899"),
        ("{{ results.fair.p | number(2) }}5", "0.795"),
        ("$0.{{ results.fair.n }}$".replace("{{ ", "{{ ") + " 0.{{ results.fair.n }}55", "0.355"),
        ("$1{{ results.fair.p | number(4) }}$", "10.7899"),
        ('{{ table({"a": ["78.99 %"]}) }}', "78.99 %"),
        ('{{ table({"0.789": ["a"]}) }}', "0.789"),
        ('{{ table({"a": [0.789]}, forms={"a": "number(3)"}) }}', "0.789"),
        ("{% set x = 7899 %}\n\n" + '{{ table({"a": [x / 10000]}, forms={"a": "percent(2)"}) }}', "7899/10000"),
        (TABLE.replace("CAPTION", r'"It is $0.\\mathbf{789}$"'), "0.789"),
        ('{% set x = 78 %}{% set y = "." ~ 99 %}\n\n' + TABLE.replace("CAPTION", "x ~ y"), "78.99"),
        ("{% set x %}It is 78.99 %{% endset %}\n\n" + TABLE.replace("CAPTION", "x"), "78.99 %"),
        (CURVE.replace("0, ", "0.125, ").replace(", MORE", ""), "0.125"),
        (CURVE.replace("MORE", 'caption="It is 78.99 %"'), "78.99 %"),
        (CURVE.replace("MORE", 'references=[(0.125, "even")]'), "0.125"),
        (CURVE.replace('"a"', '"0.789"').replace(", MORE", ""), "0.789"),
        ('{{ figure(bars(["0.789"], [results.fair.p], title="a", value_label="b")) }}', "0.789"),
    ],
)
def test_a_number_typed_in_jinja_is_found(body, number):
    assert number in refused(body)


@pytest.mark.parametrize(
    "body",
    [
        "0.64, 0.0064, 64 %, 1/2 and 1 in 37 have less than three digits",
        "999 states, 9,999 games, 10,000 tosses and 12,000 more",
        "1 to 100, 100 to 200, 24 hours, 50/50 and 100 %",
        "in 1984, and in 2026",
        "on 2020-02-21, 2017/10/13, 2017.10.13, 13.10.2017 and 10/13/2017",
        "at 12:30, at 12:30:45, at 12.30 pm and at 7.30 a.m.",
        "Python 3.12, version 10.25, v10.25, Python 3.11 to 3.14 and 1.2.345",
        "€ 12.50, 12.50 €, £1,234.56, 12.50 dollars and USD 12.50",
        r"\$12.50",
        "section 3.14, Theorem 12.34, § 12.34 and ISBN 978-3-16-148410-0",
        "`0.640` and ``0.641``",
        "```\n0.640\n```",
        "<code>0.640</code> <kbd>0.641</kbd> <pre>0.642</pre>",
        "<!-- 0.640 -->",
        '<img src="/0.640.png" width="1234" alt="a">',
        '<svg viewBox="0 0 12.34 56.78"><path d="M 1.234 5.678"/></svg>',
        "https://example.org/0.640 and example.org/a-1234/56.789",
        "[0.640](https://example.org/12345 'c')",
        "[a]: https://example.org/12345",
        '<a href="https://example.org">0.640</a>',
        "> He wrote 0.640.",
        "<q>0.640</q>",
        'He wrote "it is 0.640 of the time" there.',
        "(10,20), [10,20] and 1,2,3",
        "10^{10}, $10^{10}$, 10<sup>10</sup> and $2^{100}$",
        "n12345, x_12345, 12345th and A-12345",
        "&#12345;",
        "{{ results.fair.p | number(4) }}, {{ results.fair.p | percent(2) }} and {{ results.fair.p }}",
        "**{{ results.fair.p | number(4) }}**[^1]\n\n[^1]: a",
        r"$P = {{ results.fair.p | number(4) }}$ and $\frac{ {{ results.fair.n }} }{37}$",
        "1 in {{ results.fair.n }}, 1/{{ results.fair.n }} and {{ results.fair.n }} to 1",
        "{{ (100 * results.fair.p - 1/3) | number(4) }}",
        "{% if results.fair.p > 0.123 %}a{% endif %}{{ 'a' if results.fair.p > 0.123 }}",
        "{% set p = results.fair.p %}{% for x in [p] %}{{ x | number(3) }}{% endfor %}",
        "{% macro m(x) %}**{{ x | percent(2) }}**{% endmacro %}{{ m(results.fair.p) }}",
        "{% set l = namespace(x=[]) %}{% set l.x = l.x + [results.fair.p] %}{{ l.x | first | number(4) }}",
        "{{ claim('0.78994', results.fair.p) }} {{ typed('0.640') }} $P = {{ typed('0.640') }}$",
        TABLE.replace("CAPTION", '"About " ~ (results.fair.p | number(4)) ~ " of it"'),
        '{{ source("gamblers_ruin", "solve") }}',
    ],
)
def test_what_may_be_typed_is_left_out(body):
    code = SimpleNamespace(name="solve")
    found = RENDERER.text(post(body), RESULTS, [run()], listing=lambda *_: code).typed

    assert [each.shown.text for each in found if each.shown.is_bare] == []


def test_texts_of_front_matter_are_looked_at_too():
    front = r"""summary: "About 0.641, $0.\\mathbf{642}$, `0.5` and {{ '0.643' }}"
answer: "{{ results.fair.p | percent(2) }}, {{ results.fair.n }}.55"
"""

    assert refused("", title="On 0.640", front=front) == ["0.640", "0.643", "0.641", "0.642", "3.55"]


def test_a_post_without_results_may_type_any_number():
    body = "It is 78.99 %, {{ 0.640 | number(2) }}."

    assert RENDERER.text(post(body, title="On 0.640"), {}, [], listing=None).typed == ()


def test_a_number_has_the_line_of_the_file_or_of_its_key():
    front = "summary: >-\n  A long\n  story of 0.641.\nanswer: 0.642 of it\n"
    body = "One.\n\n{% set x = 1 %}\n{{ x\n}} $a +\n0.643$ <!-- \n --> 0.644\n\nA 0.**645**\nand 0.644.\n\n"
    body += "{% set\ny = 0.646 %}"

    typed = typed_in(post(body, title="On 0.640", front=front))

    assert {(each.shown.text, each.place.path, each.place.line) for each in typed} == {
        ("0.640", NAME, 2),
        ("0.641", NAME, 4),
        ("0.642", NAME, 7),
        ("0.643", NAME, 14),
        ("0.644", NAME, 15),
        ("0.645", NAME, 17),
        ("0.644", NAME, 18),
        ("0.646", NAME, 21),
    }


def errors(body, results, runs, only_equal=False):
    return typed_number_errors(typed_in(post(body), results), results, runs, only_equal)


def test_a_number_that_equals_no_result_is_refused_with_what_to_write():
    (error,) = errors("\nIt is 87.99 %.", {"fair": record({"p": 0.78994})}, [run()])

    assert (error.place.path, error.place.line) == (NAME, 6)
    assert error.message == "the number 87.99 % is typed, and no result is compared with it"
    assert error.cure.splitlines() == [
        "write an expression of results or parameters, such as {{ results.<run>.<field> | percent(2) }},",
        '{{ claim("87.99 %", results.<run>.<field>) }} for a figure that was published elsewhere,',
        '{{ typed("87.99 %") }} for one that has nothing to do with it,',
        "or numbers: equal in the front matter, which refuses only numbers that equal a result",
    ]


def test_a_parameter_is_written_as_an_expression():
    runs = [run("main", pinned=False)]

    (error,) = errors("With 0.375.", {"main": record({"p": 0.5}, {"win": Fraction(3, 8)})}, runs)

    assert error.cure.splitlines()[0] == "write {{ results.main.parameters.win | number(3) }},"


def test_posts_that_contradict_each_other_about_a_fixed_run_are_both_refused():
    results = {"fair": record({"p": Fraction(78994, 100000)})}

    found = [errors(body, results, [run()]) for body in ("Exactly 0.78994.", "Exactly 0.98994.")]

    assert [[error.message.partition(",")[0] for error in each] for each in found] == [
        ["the number 0.78994 is typed"],
        ["the number 0.98994 is typed"],
    ]


def test_a_number_in_jinja_is_cured_without_further_braces():
    (error,) = errors("{% set x = 0.9999 %}", {"fair": record({"p": 0.5})}, [run()])

    assert 'typed("0.9999") for one that has nothing to do with it' in error.cure.splitlines()[-2]


def cures(body, fields, parameters=(), runs=None):
    """What the post should write in place of the numbers that it types, where only those count that equal a result."""
    results = {each.name: record(fields, parameters) for each in runs or [run()]}
    return [error.cure.splitlines()[0] for error in errors(body, results, runs or [run()], only_equal=True)]


@pytest.mark.parametrize(
    ("typed", "fields", "expression"),
    [
        ("0.983", {"half": Fraction(59049, 60073)}, "results.fair.half | number(3)"),
        ("98.30 %", {"half": Fraction(59049, 60073)}, "results.fair.half | percent(2)"),
        ("59049/60073", {"half": Fraction(59049, 60073)}, "results.fair.half | fraction"),
        ("0.983", {"half": 59049 / 60073}, "results.fair.half | number(3)"),
        ("22/91", {"half": 22 / 91}, "results.fair.half | number(4)"),
        ("-0.983", {"half": -0.983}, "results.fair.half | number(3)"),
        ("0.983", {"loss": -0.983}, "results.fair.loss | number(3)"),
        ("1 in 216", {"rare": Fraction(1, 216)}, "results.fair.rare | one_in"),
        ("1,048,576", {"states": 2**20}, "results.fair.states | integer"),
        ("1048576", {"states": np.int64(2**20)}, "results.fair.states | integer"),
        ("0.983", {"by": {"rush": (0.5, 0.983)}}, "results.fair.by['rush'][1] | number(3)"),
        ("0.983", {"by": Record({"rush": 0.983})}, "results.fair.by.rush | number(3)"),
        ("0.983", {"chance": np.array([[0.5, 0.983]])}, "results.fair.chance[0, 1] | number(3)"),
        (
            "0.983",
            {"map": Grid(np.array([[0.5, 0.983]]), {"end": ("a",), "coins": (3, 4)})},
            "results.fair.map.at(end='a', coins=4) | number(3)",
        ),
        (
            "0.983",
            {"map": Grid(np.array([Fraction(983, 1000)], dtype=object), {"p": (Fraction(1, 2),)})},
            "results.fair.map.at(p=1/2) | number(3)",
        ),
    ],
)
def test_a_number_that_equals_a_result_names_the_expression_to_write(typed, fields, expression):
    assert cures(f"It is {typed}.", fields) == [f"write {{{{ {expression} }}}},"]


@pytest.mark.parametrize(
    ("typed", "fields"),
    [
        ("0.984", {"half": Fraction(59049, 60073)}),
        ("0.9830", {"half": 0.9829}),
        ("1,048,577", {"states": 2**20}),
        ("22/91", {"half": 0.2417}),
        ("0.640", {"name": "0.640", "none": None, "is_even": True, "far": float("inf"), "huge": Fraction(10**400)}),
        ("0.983", {}),
    ],
)
def test_a_number_that_equals_no_result_is_the_authors_own(typed, fields):
    assert cures(f"It is {typed}.", fields) == []


def test_a_number_that_equals_a_parameter_of_any_run_is_the_authors_own():
    runs = [run(), run("swept", axes={"p": (0.125, 0.25)})]
    fields = {"x": 0.125, "y": Fraction("0.375"), "z": 12345}

    assert cures("0.125 and 37.5 % and 12,345", fields, {"p": Fraction(3, 8), "all": (12345,)}, runs) == []


def test_of_a_large_field_only_a_number_counts_that_no_coincidence_explains():
    many = tuple(0.5 + place / 1_000_003 for place in range(20_000))  # number 7777 is 0.50777697...

    assert cures("0.508", {"many": many}) == []
    assert cures("0.507777", {"many": many}) == []
    assert cures("0.50777698", {"many": many}) == ["write {{ results.fair.many[7777] | number(8) }},"]
    assert cures("0.508", {"few": many[7777:7877]}) != []


def test_a_figure_of_a_fixed_run_may_be_a_claim_and_one_of_another_run_not():
    fields = {"half": Fraction(59049, 60073)}
    body = "It is 0.983."

    fixed = errors(body, {"fair": record(fields)}, [run()])
    turned = errors(body, {"fair": record(fields)}, [run(pinned=False)])

    assert fixed[0].cure.splitlines()[1:] == [
        '{{ claim("0.983", results.fair.half) }} for a figure that was published elsewhere,',
        '{{ typed("0.983") }} for one that has nothing to do with it',
    ]
    assert turned[0].cure.splitlines()[1:] == ['{{ typed("0.983") }} for one that has nothing to do with it']


def test_a_run_that_a_reader_may_turn_is_named_before_a_fixed_one_which_alone_can_hold_a_claim():
    runs = [run("main", pinned=False), run("published")]
    fields = record({"half": 0.983})

    (error,) = errors("It is 0.983.", {"main": fields, "published": fields}, runs)

    assert error.cure.splitlines()[:2] == [
        "write {{ results.main.half | number(3) }},",
        '{{ claim("0.983", results.published.half) }} for a figure that was published elsewhere,',
    ]


@pytest.mark.parametrize(
    ("body", "reads"),
    [
        ("No number.", set()),
        ("{{ results.fair.half | number(1) }} of 100", {"half"}),
        ("A parameter, 1234.", {"parameters"}),
        ("A number, 1236.", {"parameters", "*"}),
    ],
)
def test_results_are_read_only_where_some_number_could_be_one(body, reads):
    noted = set()
    result = record({"half": 0.5, "goal": 20}, {"win": 1234}, noted.add)

    errors(body, {"fair": result}, [run()])

    assert noted == reads


FAIR = "runs:\n  fair: {solver: gamblers_ruin, fixed: true, parameters: {win: 0.6}}\n"


def test_a_number_that_means_something_else_is_typed_deliberately(project):
    title = "\"Odds of {{ typed('0.98295') }}\""
    project.post('It is {{ typed("98.30 %") }} and $x = {{ typed("0.983") }}$.', front=FAIR, title=title)

    project.build()

    page = project.page("posts/ruin/index.html")
    assert "It is 98.30 % and" in visible_text(page)
    assert "<mn>0.983</mn>" in page
    assert "<title>Odds of 0.98295" in page


def test_numbers_equal_lets_a_number_be_typed_that_equals_no_result(project):
    project.post("It is 0.984, {{ 0.985 | number(3) }} and 0.983.", front=FAIR + "numbers: equal\n")

    said = project.build(status=1).err

    assert re.findall(r"the number (\S+) is typed", said) == ["0.983"]


def test_a_change_of_numbers_in_config_yaml_counts(project):
    project.post("It is 0.984.", front=FAIR)
    config = project.root / "config.yaml"
    written = config.read_text("utf-8")
    config.write_text(written + "numbers: equal\n", "utf-8")
    project.build()
    config.write_text(written, "utf-8")

    said = project.build(status=1).err

    assert "content/posts/ruin.md:7: the number 0.984 is typed, and no result is compared with it" in said


def test_a_typed_number_is_looked_at_again_when_the_result_changes(project):
    project.post("It is 0.983.", front=FAIR.replace("0.6}", "0.5}") + "numbers: equal\n")
    project.build()
    solver = project.root / "solvers/gamblers_ruin.py"
    text = solver.read_text("utf-8").replace("    half: Fraction\n", "    half: Fraction\n    third: Fraction\n")
    solver.write_text(
        text.replace("Result(chance, chance[goal // 2],", "Result(chance, chance[goal // 2], Fraction(983, 1000),"),
        "utf-8",
    )

    said = project.build(status=1).err

    assert "content/posts/ruin.md:8: the number 0.983 is typed, and equals a result" in said
    assert "{{ results.fair.third | number(3) }}" in said
