"""The record of seeded faults: what it counts, how it is written, and what was found before."""

import pytest

from site_builder.errors import SiteError
from site_builder.solving.fault_record import MutantRecord, TriedFault, read_record, record_file, write_record


def tried(outcome, line=3, detail=""):
    return TriedFault(f"solvers/ruin.py:{line}", f"in solve: {outcome} -> é", outcome, detail)


RECORD = MutantRecord("abc", (tried("check", detail="both ends"), tried("time"), tried("missed"), tried("same")))


def test_found_are_those_that_a_check_the_contract_or_a_limit_stops():
    every = [tried(each) for each in ("check", "raised", "contract", "time", "memory", "died", "missed", "same")]

    assert [fault.outcome for fault in every if not fault.is_found] == ["missed", "same"]


def test_a_fault_without_effect_is_none_that_could_be_found():
    assert (RECORD.found, RECORD.effective, RECORD.counts["same"]) == (2, 3, 1)


def test_what_is_written_is_read_again_and_has_a_line_for_each_fault():
    data = write_record(RECORD)

    assert read_record(data, record_file("ruin")) == RECORD
    assert len(data.splitlines()) == len(RECORD.faults) + 6
    assert "é".encode() in data


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"format": 1}',
        write_record(RECORD).replace(b'"format": 1', b'"format": 2'),
        write_record(RECORD).replace(b'"time"', b'"found"'),
        write_record(RECORD).replace(b'"outcome"', b'"result"'),
    ],
)
def test_a_file_that_is_no_record_is_an_error_that_says_how_to_make_one(data):
    with pytest.raises(SiteError) as caught:
        read_record(data, "content/accepted/mutants/ruin.json")

    assert str(caught.value).startswith("content/accepted/mutants/ruin.json:1: the record of seeded faults cannot be")
    assert "remove it and run python build.py mutants ruin" in str(caught.value)


def test_a_fault_is_lost_when_it_was_found_and_is_missed_now_whatever_its_line():
    fault = tried("check")
    now = TriedFault("solvers/ruin.py:9", fault.change, "missed", "chance")

    assert MutantRecord("b", (now,)).lost_since(MutantRecord("a", (fault,))) == [now]


@pytest.mark.parametrize(("before", "now"), [("missed", "missed"), ("same", "missed"), ("check", "same")])
def test_a_fault_that_was_not_found_or_changes_nothing_now_is_not_lost(before, now):
    first, second = (
        MutantRecord("a", (TriedFault("solvers/ruin.py:3", "in solve: 1 -> 2", each),)) for each in (before, now)
    )

    assert second.lost_since(first) == []
