"""`mutants SOLVER`: faults are seeded in a solver, and what its checks find of them is recorded."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from site_builder.api.solve import ask, solver_context
from site_builder.cli.options import warn
from site_builder.errors import Place, UsageError, counted
from site_builder.extensions.mutants.trials import Mutants
from site_builder.pipeline.steps.context import Report
from site_builder.solving.fault_record import (
    MutantRecord,
    TriedFault,
    read_record,
    record_file,
    write_record,
)
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


@dataclass(frozen=True)
class MutantRun:
    """The faults that were tried in a solver. lost: those that an earlier run found, and this one did not."""

    solver: str
    record: MutantRecord
    lost: tuple[TriedFault, ...]


def try_mutants(root: Path, solver: str, workers: int | str, report: Report) -> MutantRun:
    """Seed faults in a solver, run it with each of them, and record what became of them.

    Nothing is recorded when a fault is missed that was found before. Raises UsageError where there is no such solver,
    or one without defaults; SiteError where it fails without a fault, and where a file changes meanwhile.
    """
    with solver_context(root, solver, workers, warn, _COMMAND) as context:
        file = record_file(solver)
        before = read_record(context.codes.read(file), file) if file in context.digests else None
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
    lost = tuple(record.lost_since(before)) if before else ()
    if not lost:
        replace_file(root / file, write_record(record))
    return MutantRun(solver, record, lost)


def mutant_lines(run: MutantRun) -> Iterator[str]:
    """The outcome of the faults, as lines for the author: the missed ones each, with what to do."""
    record = run.record
    counts = record.counts
    yield f"{run.solver}: {counted(len(record.faults), 'fault')} seeded, each alone, at the default parameters"
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
    if run.lost:
        yield "  not recorded, because these were found before:"
        yield from (f"    {fault.place}: {fault.change}" for fault in run.lost)
        yield "    mend: yield a check that finds them again; or accept that they are missed:"
        yield f"          remove {record_file(run.solver)} and run this again"
    else:
        score = f"{record.found} of the {record.effective} that change an answer are found"
        yield f"  {score}; recorded in {record_file(run.solver)}"
