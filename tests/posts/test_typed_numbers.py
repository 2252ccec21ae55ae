"""Numbers typed in posts: a finding where one meets a result, as printed or by a slip of the keys; all others pass.

The results are those of two dice of which one shows more: 15/36 = 0.41666..., and 6^4 = 1296 ways, counted by hand.
"""

from fractions import Fraction
from pathlib import PurePosixPath

import pytest

from site_builder.posts.typed_numbers import result_numbers, typed_findings
from site_builder.project.posts import read_post
from site_builder.values.records import Record

RUN = {
    "chance": Fraction(15, 36),
    "ways": 1296,
    "table": (0.111111, 0.222222),
    "tiny": Fraction(1, 2**100),
    "sides": 6,
    "limit": 2500,
}
RESULTS = {"main": Record({**RUN, "parameters": Record({"sides": 6, "limit": 2500}), "figures": Record({})})}


def post(body, front=""):
    """A post whose text begins at line 5, or later if there is more front matter."""
    text = f"---\ntitle: A title\ndate: 2026-03-01\n{front}---\n{body}"
    return read_post(text.encode(), PurePosixPath("posts/a.md"), "content/posts/a.md")


def found(body, front="", printed=()):
    findings = typed_findings(post(body, front), result_numbers(RESULTS, printed))
    return [(each.line, each.name) for each in findings]


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("It is 41.67 % of all.", "41.67 %"),
        ("It is 41.67% of all.", "41.67%"),
        ("about 42 percent", "42 percent"),
        ("It is 0.4167.", "0.4167"),
        ("**0.417**", "0.417"),
        ("or 5/12 of them", "5/12"),
        ("or 15/36", "15/36"),
        ("in 1,296 ways", "1,296"),
        ("in 1296 ways", "1296"),
        ("The rest, 58.33 %, goes on.", "58.33 %"),  # 1 - 15/36 = 21/36
        (r"$p = 0.4167$", "0.4167"),
        (r"$1{,}296$ ways", "1,296"),
        (r"$\frac{5}{12}$", "5/12"),
        (r"$\tfrac{15}{36}$", "15/36"),
        (r"$41.67\,\%$", "41.67%"),
        ("| a | b |\n|---|---|\n| 1 | 0.4167 |", "0.4167"),
        ("![the 41.67 % of wins](die.png)", "41.67 %"),
        ('<img src="die.png" alt="41.67 %">', "41.67 %"),
        ("```output\n0.4167\n```", "0.4167"),
        ('{{ table({"a": [1]}, caption="in 1,296 ways") }}', "1,296"),
        ("{{ 0.4167 | number(4) }}", "0.4167"),
        ('{{ table({"a": [results.main.sides, 1296]}) }}', "1296"),
        ("{{ figure(curve([1, 2], [0.4167, 0.5], title='T')) }}", "0.4167"),
        ("Text[^1].\n\n[^1]: 41.67 % of them", "41.67 %"),
        ("{% set x = 0.4167 %}", "0.4167"),
        ("{{ 0.4167 | percent(digits=1) }}", "0.4167"),
        ('{{ main.words or ["0.4167"] }}', "0.4167"),
        ('{{ table({"a": [0.5] if main.some else [0.4167]}) }}', "0.4167"),
    ],
)
def test_a_typed_number_that_equals_a_result_as_printed_is_found(body, number):
    assert [name for _, name in found(body)] == [number]


@pytest.mark.parametrize("number", ["0.70", "12.50", "1_296.0", "0.7000"])
def test_a_number_in_a_list_has_the_digits_that_are_typed(number):
    shown = number.replace("_", "")

    printed = [0.7, 12.5, 1296.0]
    assert found(f'{{{{ table({{"a": [1, {number}]}}) }}}}', printed=printed) == [(5, shown)]
    assert found(f"{{% set x = [{number}] %}}", printed=printed) == [(5, shown)]
    assert found("{{ [1296, 1296.00] }}", printed=printed) == [(5, "1296"), (5, "1296.00")]
    assert found('{{ table({"a": [0.7], "b": [9]}) }}', printed=printed) == []  # one digit is no finding


def test_a_number_with_an_exponent_is_written_out():
    assert found("{{ [1.2965e3, 41.67e-2, 0.7] }}", printed=[1296.5]) == [(5, "1296.5"), (5, "0.4167")]


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("41.76 %", "41.76 %"),  # two digits swapped
        ("in 1,926 ways", "1,926"),
        ("41.57 %", "41.57 %"),  # one digit exchanged
        ("0.4157", "0.4157"),
        ("in 1,297 ways", "1,297"),
        ("4.67 %", "4.67 %"),  # a digit lost
    ],
)
def test_a_typed_number_that_misses_a_result_by_a_slip_is_found(body, number):
    assert [name for _, name in found(body)] == [number]


@pytest.mark.parametrize(
    "body",
    [
        "Pi is 3.14159, and the square root of 2 is 1.414.",
        "It costs 12.80 and came out in 1996, in 2019 or 24/7.",
        "ISBN 978-0-471-25708-0, RFC 2119, Python 3.11.4, 192.168.1.10.",
        "The throws 3, 12 and 36 of 42 are small whole numbers.",
        "58.23 % is a slip of the complement, which counts for equality alone.",
        "0.111111 is an entry of a table, not a result.",
        "2,500 is a parameter.",
        "100 is 1 - 2^-100 in percent, but for the rounding.",
        "100 or 129 are whole numbers of three digits, and no slips.",
        "{{ (129.6 * main.chance) | number(2) }}",
        "`0.4167` in code, and\n\n```python\np = 0.4167\n```",
        "[a link](https://example.org/0.4167) and https://example.org/41.67",
        '{{ claim("0.4167", results.main.chance) }}',
        '{{ typed("0.4167", because="the price of an apple") }}',
        "{{ results.main.table[1296] | number(4) }}",
        "{{ 0x10e }} is 270",
        "{# 0.4167 #}{% if results.main.chance > 0.4167 %}more{% endif %}",
        "<!-- 41.67 % -->",
    ],
)
def test_all_other_typed_numbers_are_the_authors(body):
    assert found(body) == []


@pytest.mark.parametrize("call", ['typed("0.4167")', 'typed ("0.4167")', 'typed("0.4167",)'])
def test_a_typed_number_needs_a_reason_where_it_equals_a_result(call):
    (finding,) = typed_findings(post(f"one\n\n{{{{ {call} }}}}"), result_numbers(RESULTS))

    assert finding.line == 7
    assert finding.message == 'typed("0.4167") equals a result and gives no reason'
    assert 'typed("0.4167", because="...")' in finding.cure
    assert found('{{ typed("365") }}') == []


def test_front_matter_is_looked_through_too():
    front = (
        "summary: It is 0.4167.\ntags: ['41.67 %']\ncorrections:\n  - {date: 2026-03-02, text: it was 41.76 % before}\n"
    )

    assert found("", front) == [(4, "0.4167"), (7, "41.76 %"), (5, "41.67 %")]


def test_a_value_that_the_post_prints_counts_as_a_result():
    assert found("0.2222 of them", printed=[0.222222]) == [(5, "0.2222")]
    assert found("0.2222 of them") == []


@pytest.mark.parametrize(
    ("body", "cure"),
    [
        ("41.67 %", "write {{ results.main.chance | percent(2) }},"),
        ("0.42", "write {{ results.main.chance | number(2) }},"),
        ("5/12", "write {{ results.main.chance | fraction }},"),
        ("1,296", "write {{ results.main.ways | integer }},"),
        ("41.76 %", "did you mean {{ results.main.chance | percent(2) }}?"),
    ],
)
def test_the_cure_says_what_to_write(body, cure):
    (finding,) = typed_findings(post(body), result_numbers(RESULTS))

    assert finding.cure.startswith(cure)
