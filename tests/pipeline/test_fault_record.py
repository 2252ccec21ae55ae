"""The record of seeded faults: what it counts, how it is written."""

import pytest

from site_builder.errors import SiteError
from site_builder.pipeline.accepted import MutantRecord, TriedFault, read_record, record_file, write_record


def tried(outcome, line=3, detail=""):
    return TriedFault(f"solvers/ruin.py:{line}", f"in solve: {outcome} -> é", outcome, detail)


RECORD = MutantRecord("abc", (tried("check", detail="both ends"), tried("time"), tried("missed"), tried("same")))


def test_found_are_those_that_a_check_the_contract_or_a_limit_stops():
    every = [tried(each) for each in ("check", "raised", "contract", "time", "memory", "died", "missed", "same")]

    assert MutantRecord("abc", tuple(every)).found == 6


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
