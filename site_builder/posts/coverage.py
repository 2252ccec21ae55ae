"""Coverage of the results that a post shows: what confirms each field and how closely; findings for the others."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from site_builder.posts.evidence import CoverageRow, Finding, LooseCheck, RunRow
from site_builder.solving.checks.answers import leaves_of
from site_builder.solving.checks.outcomes import CASES, CERTIFICATE, CheckOutcome
from site_builder.solving.plan import PlannedRun, plain
from site_builder.values.plain_values import text_of
from site_builder.values.records import BESIDE, Record, fields_of

FIGURES = "figures."
_ALL_CELLS = "return all of its cells, or make what the post shows a field of its own"


def coverage_of(
    run: PlannedRun,
    record: Record,
    outcomes: Sequence[Sequence[CheckOutcome]],
    figure_fields: Mapping[str, Collection[str]],
    reads: Iterable[str],
) -> tuple[CoverageRow, ...]:
    """The fields of a run that a text reads, with their checks.

    outcomes: of the run, or of each checked point of its sweep; figure_fields: the fields that each figure takes;
    reads: what the text reads, as `post_results` notes it.
    """
    fields = fields_of(record)
    shown = {name.removeprefix(f"{run.name}.") for name in reads if name.startswith(f"{run.name}.")}
    for name in [each.removeprefix(FIGURES) for each in shown if each.startswith(FIGURES)]:
        shown |= {field for field in figure_fields.get(name, ()) if field != "result"}
        shown |= set(fields) if "result" in figure_fields.get(name, ()) else set()
    top = {name for name in shown if name in fields and name not in BESIDE}
    values = {name: value for name, value in fields.items() if name in top and name not in run.axes}
    leaves = values if run.keep else leaves_of(values)
    return tuple(_row(run, leaf, value, outcomes) for leaf, value in leaves.items() if run.keep or value is not None)


def foreign_rows(
    run: PlannedRun, foreign: Mapping[str, Sequence[float]], reads: Collection[str]
) -> tuple[CoverageRow, ...]:
    """A row for each figure that a text shows and that has numbers of its own, which are in no field that it takes."""
    rows = []
    for name, numbers in foreign.items():
        if f"{run.name}.{FIGURES}{name}" in reads:
            listed = ", ".join(f"{each:.6g}" for each in numbers)
            cure = f"return them from solve as a field, and take it in figure_{name}"
            reason = LooseCheck("it", f"shows numbers of its own: {listed}", cure)
            rows.append(CoverageRow(f"{FIGURES}{name}", "unconfirmed", (), loose=(reason,)))
    return tuple(rows)


def untraced_rows(run: PlannedRun, figures: Iterable[str], reads: Collection[str]) -> tuple[CoverageRow, ...]:
    """A row for each figure that a text shows and that matplotlib has drawn without data."""
    shown = [name for name in figures if f"{run.name}.{FIGURES}{name}" in reads]
    return tuple(CoverageRow(f"{FIGURES}{name}", "untraced", ()) for name in shown)


def _row(run: PlannedRun, leaf: str, value: Any, outcomes: Sequence[Sequence[CheckOutcome]]) -> CoverageRow:
    if leaf in run.parameters and (run.keep or text_of(plain(run.parameters[leaf])) == text_of(plain(value))):
        return CoverageRow(leaf, "parameter", ())
    found = [[each for each in point if _is_about(each, leaf)] for point in outcomes]
    confirming = [[each for each in point if each.confirms] for point in found]
    whole = [[each for each in point if each.is_whole] for point in confirming]
    best = [_least_closely(point) for point in whole if _is_all_of(leaf, point)]
    if best and len(best) == len(found):
        titles = tuple(dict.fromkeys(each.title for point in confirming for each in point))
        closely = max(best, key=_order).how_closely
        return CoverageRow(leaf, "confirmed", titles, len(best) if run.keep else 0, closely)
    every = [each for point in found for each in point]
    agreeing = [each for each in every if each.agrees and each.is_whole]
    cases = _whole_cases(leaf, every)
    if len(cases) >= CASES:
        closely = f"in {len(cases)} smaller cases"
        titles = tuple(dict.fromkeys(each.title for own in cases for each in own))
        return CoverageRow(leaf, "tested", titles, len(best) if run.keep else 0, closely)
    given = tuple(dict.fromkeys(name for each in agreeing for name in each.given))
    if given:
        titles = tuple(dict.fromkeys(each.title for each in agreeing))
        return CoverageRow(leaf, "given", titles, given=given)
    laws = [each for point in outcomes for each in point if each.kind == "law" and leaf.partition(".")[0] in each.takes]
    status = "lawful" if laws else "unconfirmed"
    return CoverageRow(leaf, status, tuple(dict.fromkeys(each.title for each in laws)), loose=_loose(every))


def _is_about(each: CheckOutcome, leaf: str) -> bool:
    """True when a check compares a leaf; of a sweep leaves are whole fields."""
    return each.field == leaf or each.field.startswith(f"{leaf}.")


def _whole_cases(leaf: str, outcomes: Iterable[CheckOutcome]) -> list[list[CheckOutcome]]:
    """The smaller cases that test all of a leaf."""
    cases: dict[str, list[CheckOutcome]] = {}
    for each in outcomes:
        if each.tests:
            cases.setdefault(each.parameters, []).append(each)
    return [own for own in cases.values() if _is_all_of(leaf, own)]


def _is_all_of(leaf: str, outcomes: Sequence[CheckOutcome]) -> bool:
    """True when outcomes are about all of a leaf; of a sweep a leaf may be a record, with leaves of its own."""
    compared = {each.field for each in outcomes}
    return bool(outcomes) and (leaf in compared or compared.issuperset(outcomes[0].leaves))


def _least_closely(outcomes: Iterable[CheckOutcome]) -> CheckOutcome:
    """The closest outcome of each leaf, and of these the one that is least close."""
    best: dict[str, CheckOutcome] = {}
    for each in sorted(outcomes, key=_order, reverse=True):
        best[each.field] = each
    return max(best.values(), key=_order)


def _order(each: CheckOutcome) -> tuple[float, float]:
    """Puts a check of more cells first, then a closer one."""
    return -each.cells / max(each.total, 1), each.closeness.share


def _loose(every: Iterable[CheckOutcome]) -> tuple[LooseCheck, ...]:
    """The checks that agree and confirm nothing, with the reason."""
    found = []
    for each in every:
        if each.kind in ("answer", CERTIFICATE) and each.passed and each.shared:
            reason = f"shares {', '.join(each.shared)} with solve"
            found.append(LooseCheck(each.check, reason, "compute it without them, or mark rules of the puzzle @rules"))
        elif each.kind == "answer" and each.passed and not each.closeness.confirms:
            found.append(LooseCheck(each.check, f"agrees {each.closeness.text}", each.closeness.cure))
        elif each.kind == "answer" and each.passed and not each.is_whole:
            found.append(LooseCheck(each.check, f"agrees {each.cells_in_words}", _ALL_CELLS))
    return tuple(dict.fromkeys(found))


def findings_of(runs: Iterable[PlannedRun], rows: Iterable[RunRow]) -> list[Finding]:
    """A finding for each field that the post shows, which nothing confirms and for which its run gives no reason."""
    return [each for run, row in zip(runs, rows, strict=True) for each in open_findings(run, row.coverage)]


def open_findings(run: PlannedRun, coverage: Iterable[CoverageRow]) -> list[Finding]:
    """The findings of one run."""
    return [
        finding_of(run, each)
        for each in coverage
        if not each.is_confirmed and not {each.field, top_of(each.field)} & run.unchecked.keys()
    ]


def top_of(field: str) -> str:
    """The field of a result that a leaf belongs to."""
    return field.partition(".")[0]


def finding_of(run: PlannedRun, row: CoverageRow) -> Finding:
    """The finding about a field that nothing confirms."""
    name = f"results.{run.name}.{row.field}"
    reasons = "; ".join(f"{each.name} {each.reason}" for each in row.loose)
    cures = list(dict.fromkeys(each.cure for each in row.loose if each.cure))
    if row.given:
        given = ", ".join(row.given)
        reasons, cures = f"it agrees, given {given}", [f"confirm {given} by a check that takes parameters alone"]
    reason = row.loose[0].reason.removeprefix("agrees ") if row.loose else "why it is shown all the same"
    check = f"write a function check_<method> in {run.description.path} that returns {{{top_of(row.field)!r}: ...}}"
    cure = f"{'; '.join(cures) or check}\nor give readers the reason: unchecked: {{{row.field}: {reason}}}"
    message = f"{name} is not confirmed by a second method{reasons and f': {reasons}'}"
    if row.field.startswith(FIGURES):
        message = f"the figure {name} {row.loose[0].reason}, which are in no field that it takes"
    return Finding(run.place.line, message, cure, name)
