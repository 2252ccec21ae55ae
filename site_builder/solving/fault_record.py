"""The record of the faults that were seeded in a solver, and of what became of them.

It is committed, and counts as long as the code of the solver and of its checks is the one that it was made with.
"""

import json
from collections import Counter
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Literal, get_args

from site_builder.errors import Place, SiteError, command_line
from site_builder.values.json_records import from_json

FOLDER = "content/accepted/mutants/"
Outcome = Literal["check", "raised", "contract", "time", "memory", "died", "missed", "same"]
_FOUND = frozenset(get_args(Outcome)) - {"missed", "same"}


@dataclass(frozen=True)
class TriedFault:
    """A seeded fault and its outcome. place: its file and line; change: in words that hold when lines move.

    outcome: "check" when a check failed; the kind of the failure when solving or checking ended with one; "missed" when
    an answer changed and every check passed; "same" when no answer changed. detail: the check that failed, the
    exception, or the fields of the result that changed.
    """

    place: str
    change: str
    outcome: Outcome
    detail: str = ""

    @property
    def is_found(self) -> bool:
        """True when the checks, the contract or the limits found it."""
        return self.outcome in _FOUND


@dataclass(frozen=True)
class MutantRecord:
    """The outcomes of the faults that were seeded in a solver. code: digest of the code, by `CodeKeys.checked_code`."""

    code: str
    faults: tuple[TriedFault, ...]
    format: Literal[1] = 1

    @property
    def counts(self) -> Counter[str]:
        """The number of faults with each outcome."""
        return Counter(fault.outcome for fault in self.faults)

    @property
    def found(self) -> int:
        """The number of faults that were found."""
        return sum(fault.is_found for fault in self.faults)

    @property
    def effective(self) -> int:
        """The number of faults that can be found: those that change an answer or prevent one."""
        return len(self.faults) - self.counts["same"]


def record_file(solver: str) -> str:
    """The file with the record of a solver, relative to the project."""
    return f"{FOLDER}{solver}.json"


def write_record(record: MutantRecord) -> bytes:
    """The bytes of the file; one fault a line, so that a change is easy to read in version control."""
    rows = ",\n".join(f"  {json.dumps(asdict(fault), ensure_ascii=False)}" for fault in record.faults)
    return f'{{\n "format": {record.format},\n "code": "{record.code}",\n "faults": [\n{rows}\n ]\n}}\n'.encode()


def read_record(data: bytes, name: str) -> MutantRecord:
    """The record in a file. Raises SiteError when it is not what `write_record` writes."""
    with suppress(ValueError):
        return from_json(MutantRecord, data)
    solver = name.removeprefix(FOLDER).removesuffix(".json")
    cure = f"take it from version control again, or remove it and run {command_line(f'mutants {solver}')}"
    raise SiteError(Place(name, 1), "the record of seeded faults cannot be read", cure)
