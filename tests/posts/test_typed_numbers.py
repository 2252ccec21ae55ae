"""Numbers typed in prose: which are found, which are results, and what that makes a text depend on.

The numbers are those of the gambler's ruin from 10 of 20 coins at 3 in 5 a round, 59049/60073 = 0.98295407 (Feller,
vol. I, ch. XIV, sect. 2), unless a test makes a result of its own.
"""

from fractions import Fraction
from pathlib import PurePosixPath
from types import SimpleNamespace

import numpy as np
import pytest

from site_builder.contract import Grid
from site_builder.posts.typed_numbers import typed_number_errors, typed_numbers
from site_builder.project.posts import read_post
from site_builder.values.records import Record
from tests.blog.conftest import visible_text

NAME = "content/posts/a.md"


def post(body, title="A title", front=""):
    """A post whose text begins at line 5, or later if there is more front matter."""
    text = f"---\ntitle: {title}\ndate: 2026-03-01\n{front}---\n{body}"
    return read_post(text.encode(), PurePosixPath("posts/a.md"), NAME)


def found(body):
    return [typed.text for typed in typed_numbers(post(body))]


@pytest.mark.parametrize(
    ("body", "numbers"),
    [
        ("It is 0.640 or so.", ["0.640"]),
        ("It is 0.640.", ["0.640"]),
        ("(0.640)", ["0.640"]),
        ("**0.640**, _0.641_", ["0.640"]),
        ("\N{MINUS SIGN}0.640 or -0.641", ["0.640", "0.641"]),
        ("from 0.640\N{EN DASH}0.641", ["0.640", "0.641"]),
        ("It is .640 or 0.00640", [".640", "0.00640"]),
        ("64.0 %, 64.1% and 64.2\N{NARROW NO-BREAK SPACE}%", ["64.0 %", "64.1%", "64.2 %"]),
        ("22/91 and 1 in 216", ["22/91", "1 in 216"]),
        ("1,048,576 or 1 048 577 or 1048578", ["1,048,576", "1 048 577", "1048578"]),
        ("$p = 0.640$ and $$0.641\\,\\%$$", ["0.640", "0.641 %"]),
        ("$\\frac{22}{91}$ and $1{,}048{,}576$ and $1\\,234$", ["22/91", "1,048,576", "1,234"]),
        ("# 0.640\n\n| a | 0.641 |\n\n[^1]: 0.642", ["0.640", "0.641", "0.642"]),
        ("[0.640](b.md) ![0.641](c.png)", ["0.640", "0.641"]),
        ("{% if results.a.x %}0.640{% endif %}", ["0.640"]),
        ("I say {{ results.a.x }}, and 0.640", ["0.640"]),
    ],
)
def test_a_number_in_prose_and_tex_is_found(body, numbers):
    assert found(body) == numbers


@pytest.mark.parametrize(
    "body",
    [
        "0.64, 0.0064, 64 %, 1/2 and 1 in 37 have less than three digits",
        "999 states, 100 tosses",
        "10,000 games and 1000 more",
        "in 1984, and in 2026",
        "on 2020-02-21, 2017/10/13 and 2017.10.13",
        "`0.640`",
        "```\n0.640\n```",
        "<!-- 0.640 -->",
        '<img width="1234" alt="0.640">',
        "<pre>0.640</pre>",
        "{{ 0.640 }} {% set x = 0.640 %} {# 0.640 #}",
        "{{ claim('0.640', results.a.x) }} {{ typed('0.640') }}",
        "$P = {{ 0.640 }}$",
        "[a](b-0.640.md) [b](x/12345 'c')",
        "[a]: https://example.org/12345",
        "https://example.org/12345 and example.org/a-1234/5678",
        "&#12345;",
        "n1234, v0.640, x_1234, 1234th, A-1234",
        "1.2.345 is a version",
        "{{ x }}1234 and 1234{{ x }}",
        "## A heading {#a1234 .b}",
    ],
)
def test_what_is_no_number_in_prose_is_left_out(body):
    assert found(body) == []


def test_a_number_has_the_line_of_the_file_or_of_its_key():
    front = "summary: >-\n  A long\n  story of 0.641.\nanswer: 0.642 of it\n"
    body = "One.\n\n{% set x = 1 %}\n{{ y\n}} $a +\n0.643$ <!-- \n --> 0.644"

    typed = typed_numbers(post(body, title="On 0.640", front=front))

    assert [(each.text, each.place.path, each.place.line) for each in typed] == [
        ("0.643", NAME, 14),
        ("0.644", NAME, 15),
        ("0.640", NAME, 2),
        ("0.641", NAME, 4),
        ("0.642", NAME, 7),
    ]


def run(name="fair", pinned=True, axes=None):
    return SimpleNamespace(name=name, pinned=pinned, axes=axes or {})


def record(fields, parameters=(), note=None):
    return Record({**fields, "parameters": Record(dict(parameters)), "figures": Record({})}, "result 'fair'", note)


def cures(body, fields, parameters=(), runs=None):
    """What the post should write in place of the numbers that it types."""
    results = {each.name: record(fields, parameters) for each in runs or [run()]}
    return [fault.cure.splitlines()[0] for fault in typed_number_errors(post(body), results, runs or [run()])]


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

    fixed = typed_number_errors(post(body), {"fair": record(fields)}, [run()])
    turned = typed_number_errors(post(body), {"fair": record(fields)}, [run(pinned=False)])

    assert fixed[0].cure.splitlines()[1:] == [
        '{{ claim("0.983", results.fair.half) }} for a figure that was published elsewhere,',
        '{{ typed("0.983") }} for one that has nothing to do with it',
    ]
    assert turned[0].cure.splitlines()[1:] == ['{{ typed("0.983") }} for one that has nothing to do with it']


def test_a_run_that_a_reader_may_turn_is_named_before_a_fixed_one_which_alone_can_hold_a_claim():
    runs = [run("main", pinned=False), run("published")]
    fields = record({"half": 0.983})

    (fault,) = typed_number_errors(post("It is 0.983."), {"main": fields, "published": fields}, runs)

    assert fault.cure.splitlines()[:2] == [
        "write {{ results.main.half | number(3) }},",
        '{{ claim("0.983", results.published.half) }} for a figure that was published elsewhere,',
    ]


@pytest.mark.parametrize(
    ("body", "reads"),
    [
        ("No number.", set()),
        ("{{ results.fair.half }} of 100", set()),
        ("A parameter, 0.600.", {"parameters"}),
        ("A number, 0.640.", {"parameters", "*"}),
    ],
)
def test_results_are_read_only_where_some_number_could_be_one(body, reads):
    noted = set()
    result = record({"half": 0.5, "goal": 20}, {"win": Fraction(3, 5)}, noted.add)

    typed_number_errors(post(body), {"fair": result}, [run()])

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


def test_a_typed_number_is_looked_at_again_when_the_result_changes(project):
    project.post("It is 0.983.", front=FAIR.replace("0.6}", "0.5}"))
    project.build()
    solver = project.root / "solvers/gamblers_ruin.py"
    text = solver.read_text("utf-8").replace("    half: Fraction\n", "    half: Fraction\n    third: Fraction\n")
    solver.write_text(
        text.replace("Result(chance, chance[goal // 2],", "Result(chance, chance[goal // 2], Fraction(983, 1000),"),
        "utf-8",
    )

    said = project.build(status=1).err

    assert "content/posts/ruin.md:7: the number 0.983 is typed, and equals a result" in said
    assert "{{ results.fair.third | number(3) }}" in said


def test_a_text_without_such_numbers_is_not_written_again_when_another_result_changes(project):
    project.post("Half way: {{ results.fair.half | percent }} of 100 games.", front=FAIR)
    project.build()
    solver = project.root / "solvers/gamblers_ruin.py"
    solver.write_text(solver.read_text("utf-8").replace('{"a_b": 1}', '{"a_b": 2}'), "utf-8")

    built = project.build()

    assert "Built 1 post, 0 texts, 1 solution" in built.out
