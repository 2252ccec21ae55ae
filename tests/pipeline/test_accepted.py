"""Accepted answers: kept as text that is easy to read, and compared down to the single value."""

import json
from datetime import UTC, datetime
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
import yaml

from site_builder.contract import Grid
from site_builder.errors import SiteError
from site_builder.markup.placeholders import Inline
from site_builder.pipeline.accepted import (
    accepted_file,
    compare_accepted,
    correction,
    differences,
    read_accepted,
    write_accepted,
)
from site_builder.posts.evidence import Evidence
from site_builder.posts.gather_evidence import answer_of
from site_builder.posts.summary import Correction
from site_builder.values.json_records import to_json
from tests.support.sites import brief

NAME = "content/accepted/ruin.json"


def told(before, now):
    return [str(each) for each in differences({"fair": before}, {"fair": now})]


def test_what_is_written_is_read_again():
    accepted = {"fair": {"value": "1/3", "sizes": [1, 2]}}

    assert read_accepted(write_accepted(accepted), NAME) == accepted


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b'{"format": 2, "answers": {}}', b'{"format": 1}'],
)
def test_a_file_that_was_damaged_is_a_fault_with_a_cure(data):
    with pytest.raises(SiteError) as caught:
        read_accepted(data, NAME)

    assert str(caught.value.place) == f"{NAME}:1"
    assert "python build.py accept" in caught.value.cure


def test_a_value_that_changed_is_told_with_both():
    assert told({"value": "1/3"}, {"value": "1/2"}) == ["results.fair.value: 1/3 -> 1/2"]


def test_of_a_list_only_the_entries_that_changed_are_told():
    assert told({"sizes": [1, 2, 3]}, {"sizes": [1, 5, 3]}) == ["results.fair.sizes[1]: 2 -> 5"]


def test_a_list_of_another_length_is_told_whole():
    assert told({"sizes": [1, 2]}, {"sizes": [1]}) == ["results.fair.sizes: (1, 2) -> (1)"]


def test_fields_that_come_and_go_are_told():
    assert told({"old": 1}, {"new": 2}) == ["results.fair.new: nothing -> 2", "results.fair.old: 1 -> nothing"]


def test_equal_answers_have_no_difference():
    assert told({"value": ["1/3", {"a": 1}]}, {"value": ["1/3", {"a": 1}]}) == []


def test_the_file_is_named_for_the_post():
    assert accepted_file(brief("ruin")) == NAME
    assert accepted_file(brief("ruin", path="2026/ruin.html")) == "content/accepted/2026--ruin.json"


def test_exact_numbers_are_kept_whole_and_floats_to_the_digits_that_are_sure():
    # 1/3 as a float is 0.333333333333333314829616256247...; twelve digits of it are the same everywhere.
    found = answer_of({"exact": Fraction(1, 3), "float": 1 / 3, "large": 2**70, "no": False, "none": None})

    assert found == {
        "exact": "1/3",
        "float": "0.333333333333",
        "large": 1180591620717411303424,
        "no": False,
        "none": None,
    }


def test_a_long_list_is_kept_as_its_size_its_beginning_and_a_digest():
    found = answer_of(tuple(range(1000)))

    assert (found["size"], found["first"]) == (1000, 0)
    assert answer_of((*range(999), 0))["digest"] != found["digest"]


def test_the_last_digits_of_floats_do_not_count_in_long_lists_either():
    values = np.linspace(0.1, 0.9, 500)

    assert answer_of(values * (1 + 1e-15)) == answer_of(values)
    assert answer_of(values * (1 + 1e-9)) != answer_of(values)


@pytest.mark.parametrize(("one", "other"), [(0.0, -0.0), (np.nan, -np.nan)])
def test_signs_of_zero_and_of_no_number_are_the_same_in_long_lists(one, other):
    assert answer_of(np.full(50, one)) == answer_of(np.full(50, other)) | {"first": answer_of(one)}


def test_a_long_array_with_one_other_value_or_another_shape_is_another_answer():
    values = np.linspace(0, 1, 60)
    other = np.where(values == 1, 0.999999, values)
    large = np.full(60, 2**63)
    several = (values, other, values.reshape(2, 30), np.arange(60), np.arange(60) % 59, large, large + 1)

    assert len({answer_of(each)["digest"] for each in several}) == 7


def test_a_grid_is_kept_as_its_values():
    assert answer_of(Grid(np.array([[1, 2]]), {"a": (0,), "b": (0, 1)})) == [[1, 2]]


def test_the_file_has_one_answer_a_line():
    lines = write_accepted({"fair": {"a": "1/3", "b": "2/3"}}).decode().splitlines()

    assert sum('": "' in line for line in lines) == 2
    assert json.loads("\n".join(lines))["format"] == 1


def compared(answers, notes):
    """A post whose accepted answer was 1/3, compared with its answers now and its notes of correction."""
    evidence = to_json(Evidence((), (), {"fair": answers}))
    corrections = tuple(
        Correction(datetime(2026, 4, 2, tzinfo=UTC), Inline("A comma.", "A comma."), (note,)) for note in notes
    )
    summary = brief("ruin", evidence="e", corrections=corrections)
    file = write_accepted({"fair": {"half": "1/3"}})
    store = SimpleNamespace(get=lambda kind, key: evidence)
    (found,) = compare_accepted([summary], {NAME}, lambda name: file, store)
    return found


@pytest.mark.parametrize(
    "note",
    [
        ("fair.half", "1/3", "1/5"),
        ("fair.half", "1/2", "1/4"),
        ("fair.chance", "1/3", "1/4"),
    ],
)
def test_a_correction_of_something_else_does_not_let_an_answer_pass(note):
    found = compared({"half": "1/4"}, [note])

    assert found.is_refused
    assert [str(each) for each in found.uncorrected] == ["results.fair.half: 1/3 -> 1/4"]


def test_a_correction_without_values_does_not_let_an_answer_pass():
    assert compared({"half": "1/4"}, []).is_refused


def test_a_correction_that_names_the_old_and_the_new_value_lets_the_answer_pass():
    found = compared({"half": "1/4"}, [("fair.half", "1/3", "1/4")])

    assert (found.is_refused, len(found.changed)) == (False, 1)


def test_the_cure_is_front_matter_as_yaml_reads_it():
    cure = correction(compared({"half": 'one "fifth"'}, []).uncorrected, "2026-12-01")

    (note,) = yaml.safe_load(cure)["corrections"]
    assert note["changed"] == {"results.fair.half": ["1/3", 'one "fifth"']}
