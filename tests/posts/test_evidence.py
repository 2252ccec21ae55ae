"""What the answers of a post rest on: kept as bytes, read again, told to people and to machines."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.markup.placeholders import Inline
from site_builder.posts.blocks import CheckRow
from site_builder.posts.evidence import ClaimRow, CoverageRow, Evidence, RunRow
from site_builder.posts.gather_evidence import check_rows, in_order
from site_builder.site.provenance import CodeFacts, fold, provenance_json
from site_builder.solving.checks.outcomes import CheckOutcome
from site_builder.solving.checks.tolerances import Closeness
from site_builder.values.json_records import from_json, to_json

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
PAIRS = st.lists(st.tuples(TEXTS, TEXTS), max_size=3).map(tuple)
CHECKS = st.builds(CheckRow, TEXTS, st.builds(Inline, TEXTS, TEXTS), TEXTS, TEXTS, TEXTS, st.booleans())
RUNS = st.builds(
    RunRow,
    TEXTS,
    TEXTS,
    st.booleans(),
    PAIRS,
    st.lists(TEXTS, max_size=3).map(tuple),
    PAIRS,
    st.integers(0, 9),
    st.lists(CHECKS, max_size=3).map(tuple),
)
CLAIMS = st.builds(ClaimRow, st.integers(1, 99), *[TEXTS] * 7, st.integers(0, 9))
ANSWERS = st.dictionaries(TEXTS, st.dictionaries(TEXTS, st.one_of(TEXTS, st.integers(), st.lists(TEXTS)), max_size=3))
EVERY = st.builds(Evidence, st.lists(RUNS, max_size=3).map(tuple), st.lists(CLAIMS, max_size=3).map(tuple), ANSWERS)

PASSED = CheckRow("check_all", Inline("all <i>states</i>", "all states"), "answer", "1/2", "1/2", True, "half")
SINGLE = RunRow("fair", "ruin", True, (("goal", "20"), ("win", "2/3")), ("win=2/3",), (), 0, (PASSED,))
SWEEP = RunRow("by_goal", "ruin", True, (("win", "1/2"),), (), (("goal", "1 to 9, 9 values"),), 9, ())
CLAIM = ClaimRow(7, "0.46086", "results.fair.half", "0.4602", "4 standard errors", "writeup", "p. 3", "", 100_000)
LOOSE = ClaimRow(9, "20 %", "results.fair.gain", "18.011 %", "loosely, to 1 significant digit", "", "", "so", 0)
WRITEUP = {"title": "A writeup", "author": "", "date": "2020-02-21", "url": "https://example.org/"}
EVIDENCE = Evidence((SINGLE, SWEEP), (LOOSE, CLAIM), {"fair": {"half": "1/2"}}, {"writeup": WRITEUP})


@given(EVERY)
def test_evidence_that_is_written_is_read_again(evidence):
    assert from_json(Evidence, to_json(evidence)) == evidence


def test_an_answer_has_the_same_bytes_in_whichever_order_its_names_are():
    one, other = {"b": [{"x": 1, "y": 2}], "a": "1"}, {"a": "1", "b": [{"y": 2, "x": 1}]}

    assert json.dumps(in_order(one)) == json.dumps(in_order(other)) == '{"a": "1", "b": [{"x": 1, "y": 2}]}'


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"runs": [{}], "claims": [], "answers": {}}', b"\xff"])
def test_bytes_that_are_no_evidence_are_refused(data):
    with pytest.raises(ValueError):  # noqa: PT011 - of JSON, of UTF-8 or our own
        from_json(Evidence, data)


@pytest.mark.parametrize(
    ("settings", "command"),
    [
        ((), "python build.py solve ruin"),
        (("win=2/3", "goal=4"), "python build.py solve ruin --set win=2/3 --set goal=4"),
        (("values=[1, 2]",), "python build.py solve ruin --set 'values=[1, 2]'"),
    ],
)
def test_the_command_sets_what_is_not_at_its_default(settings, command):
    run = RunRow("fair", "ruin", True, (), settings, (), 0, ())

    assert run.command == command


def test_the_record_for_machines_names_code_and_versions():
    codes = {"ruin": CodeFacts("0a1b", {"numpy": "2.4.1", "Python": "3.11"})}

    found = json.loads(provenance_json("posts/ruin/", "puzzlepress 1.2", EVIDENCE, codes))

    assert found["builder"] == "puzzlepress 1.2"
    assert found["solvers"] == {"ruin": {"code": "0a1b", "libraries": {"numpy": "2.4.1", "Python": "3.11"}}}
    assert [(run["name"], run["settings"]) for run in found["runs"]] == [("fair", ["win=2/3"]), ("by_goal", [])]
    assert found["runs"][1]["axes"] == [["goal", "1 to 9, 9 values"]]
    assert found["sources"]["writeup"]["title"] == "A writeup"
    assert found["claims"][0]["loose"] == "so"
    assert found["claims"][1] == {
        "line": 7,
        "text": "0.46086",
        "expression": "results.fair.half",
        "computed": "0.4602",
        "held": "4 standard errors",
        "source": "writeup",
        "where": "p. 3",
        "loose": "",
        "simulated": 100_000,
    }
    assert found["answers"] == {"fair": {"half": "1/2"}}


def test_the_fold_lists_claims_by_source_and_those_without_one_last():
    found = fold(EVIDENCE)["sources"]

    assert [(source["title"], [claim["text"] for claim in source["claims"]]) for source in found] == [
        ("A writeup", ["0.46086"]),
        ("", ["20 %"]),
    ]


def test_a_check_that_confirms_one_field_says_which_other_it_compares_too_loosely():
    compared = {"chance": Closeness(15.0, "to ±0.3"), "ways": Closeness(0.05, "to 0.001 of the value")}
    outcomes = [
        CheckOutcome("check_it", "", "answer", name, "1", "1", "", 1, 1, each) for name, each in compared.items()
    ]

    (row,) = check_rows(outcomes, lambda text: Inline(text, text))

    assert (row.of, row.closely, row.confirms) == ("chance (to ±0.3), ways", "to 0.001 of the value", True)


def test_the_record_has_the_checks_and_none_of_sweeps():
    runs = json.loads(provenance_json("posts/ruin/", "puzzlepress 1", EVIDENCE, {}))["runs"]

    assert [run["name"] for run in runs if run["checks"]] == ["fair"]
    assert runs[0]["checks"][0] == {
        "name": "check_all",
        "title": {"html": "all <i>states</i>", "text": "all states"},
        "kind": "answer",
        "expected": "1/2",
        "found": "1/2",
        "passed": True,
        "of": "half",
        "closely": "exactly",
        "shared": [],
        "rules": [],
        "given": [],
        "confirms": True,
    }


COVERED = (
    CoverageRow("half", "confirmed", ("all states",), closeness="exactly"),
    CoverageRow("few", "tested", ("by hand",), closeness="in 3 smaller cases"),
    CoverageRow("goal", "parameter", ()),
    CoverageRow("play", "given", ("games",), given=("stake",)),
    CoverageRow("law", "lawful", ("a law",)),
    CoverageRow("open", "unconfirmed", ()),
)


def test_the_fold_says_what_is_confirmed_how_closely_and_what_is_not_and_why():
    run = RunRow("fair", "ruin", True, (), (), (), 0, (PASSED, PASSED), 0, 2, COVERED, {"open": "nobody knows how"})

    found = fold(Evidence((run,), (), {}))

    assert found["checks"] == 2
    (told,) = found["runs"]
    assert told["confirmed"] == {"exactly": ["half"], "in 3 smaller cases": ["few"]}
    assert told["unconfirmed"] == {
        "play": "agrees, given stake",
        "law": "no second method",
        "open": "nobody knows how",
    }
