"""`mutants SOLVER`: faults are seeded in a solver, and what its checks find of them is recorded."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from site_builder.api.solve import ask, solver_context
from site_builder.cli.options import warn
from site_builder.errors import Place, UsageError, counted
from site_builder.extensions.mutants.trials import Mutants
from site_builder.pipeline.accepted import MutantRecord, record_file, write_record
from site_builder.pipeline.steps.context import Report
from site_builder.storage.atomic_files import replace_file
from site_builder.values.packing import pack

_COMMAND = "mutants"
_MEANS = {
    "check": "by a check that failed",
    "raised": "by an exception",
    "contract": "by a breach of the contract",
    "time": "by the time limit",
    "memory": "by the memory limit",
    "died": "because the process ended",
}


def try_mutants(root: Path, solver: str, workers: int | str, report: Report) -> MutantRecord:
    """Seed faults in a solver, run it with each of them, and record what became of them.

    Raises UsageError where there is no such solver, or one without defaults; SiteError where it fails without a fault,
    and where a file changes meanwhile.
    """
    with solver_context(root, solver, workers, warn, _COMMAND) as context:
        described = ask(context, solver, [{}], _COMMAND)
        answer = described.answers[0]
        if "parameters" not in answer:
            fault = f"{_COMMAND} {solver}: {answer['faults'][0][1]}"
            path = described.description.path
            raise UsageError(fault, f"faults are tried at the defaults of the parameters; give each one in {path}")
        step = Mutants(context, solver, Place(f"{_COMMAND} {solver}"), pack(answer["parameters"]))
        faults, original = step.choose(), step.without_fault()
        report.stage(f"Seeding {solver}", len(faults))
        tried = replace(step, context=replace(context, report=report)).run(faults, original)
        record = MutantRecord(context.codes.checked_code(solver), tuple(tried))
    replace_file(root / record_file(solver), write_record(record))
    return record


def mutant_lines(solver: str, record: MutantRecord) -> Iterator[str]:
    """The outcome of the faults, as lines for the author: the missed ones each, with what to do."""
    counts = record.counts
    yield f"{solver}: {counted(len(record.faults), 'fault')} seeded, each alone, at the default parameters"
    means = ", ".join(f"{counts[outcome]} {words}" for outcome, words in _MEANS.items() if counts[outcome])
    yield f"  {record.found} found{': ' * bool(means)}{means}"
    missed = [fault for fault in record.faults if fault.outcome == "missed"]
    if missed:
        yield f"  {len(missed)} not found, although every one changes an answer; check the fields that it changes:"
    for fault in missed:
        yield from (f"    {fault.place}: {fault.change}", f"      changes {fault.detail}")
    if counts["same"]:
        yield f"  {counts['same']} without effect on any answer at these parameters:"
    yield from (f"    {fault.place}: {fault.change}" for fault in record.faults if fault.outcome == "same")
    score = f"{record.found} of the {record.effective} that change an answer are found"
    yield f"  {score}; recorded in {record_file(solver)}"
