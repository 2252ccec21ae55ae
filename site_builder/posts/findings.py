"""The checks of each field that a post shows, findings for the fields without one, and errors that need no result.

Findings are known before the text is written: those of a run when it is solved, some before anything is.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any, NamedTuple

from jinja2 import nodes

from site_builder.errors import Place, SiteError, collecting
from site_builder.markup.jinja_text import protect
from site_builder.posts.evidence import CoverageRow, Finding, LooseCheck
from site_builder.posts.jinja import PostEnvironment, has_jinja, missing_name, parsed
from site_builder.posts.result_values import RESULTS
from site_builder.posts.typed_numbers import texts_of
from site_builder.project.posts import Post
from site_builder.solving.checks.answers import leaves_of
from site_builder.solving.checks.outcomes import CASES, CERTIFICATE, CheckOutcome, read_outcomes
from site_builder.solving.plan import PlannedRun, Results, plain
from site_builder.solving.results import packed_checks
from site_builder.values.packing import unpack
from site_builder.values.plain_values import text_of
from site_builder.values.records import BESIDE, Record, fields_of

FIGURES = "figures."
_ALL_CELLS = "return all of its cells, or make what the post shows a field of its own"


def coverage_of(run: PlannedRun, record: Record, outcomes: Sequence[Sequence[CheckOutcome]]) -> tuple[CoverageRow, ...]:
    """The fields of a run with their checks. outcomes: of the run, or of each checked point of its sweep."""
    values = {name: value for name, value in fields_of(record).items() if name not in (*BESIDE, *run.axes)}
    leaves = values if run.keep else leaves_of(values)
    laws = [each for each in chain(*outcomes) if each.kind == "law"]
    points = [_by_field(point) for point in outcomes]
    return tuple(
        _row(run, leaf, value, [point.get(top_of(leaf), ()) for point in points], laws)
        for leaf, value in leaves.items()
        if run.keep or value is not None
    )


def _by_field(outcomes: Iterable[CheckOutcome]) -> dict[str, list[CheckOutcome]]:
    """The outcomes about each field of a result."""
    found: dict[str, list[CheckOutcome]] = {}
    for each in outcomes:
        found.setdefault(top_of(each.field), []).append(each)
    return found


def shown_rows(
    run: PlannedRun, coverage: Iterable[CoverageRow], figures: Mapping[str, Any], reads: Iterable[str]
) -> tuple[CoverageRow, ...]:
    """The rows of what a text shows, and one for each figure whose numbers cannot be compared with its fields.

    figures: what is known of those of the run: `takes`, the fields that each takes, `foreign`, numbers of their own,
    and `untraced`, those that matplotlib has drawn without data. reads: what a text reads, as `post_results` notes it.
    """
    shown = {name.removeprefix(f"{run.name}.") for name in reads if name.startswith(f"{run.name}.")}
    taken = {
        field for name, fields in figures.get("takes", {}).items() if f"{FIGURES}{name}" in shown for field in fields
    }
    rows = [row for row in coverage if "result" in taken or top_of(row.field) in shown | taken]
    for name, numbers in figures.get("foreign", {}).items():
        listed = ", ".join(f"{each:.6g}" for each in numbers)
        cure = f"return them from solve as a field, and take it in figure_{name}"
        reason = LooseCheck("it", f"shows numbers of its own: {listed}", cure)
        rows.append(CoverageRow(f"{FIGURES}{name}", "unconfirmed", (), loose=(reason,)))
    rows += [CoverageRow(f"{FIGURES}{name}", "untraced", ()) for name in figures.get("untraced", ())]
    return tuple(row for row in rows if not row.field.startswith(FIGURES) or row.field in shown)


def _row(
    run: PlannedRun,
    leaf: str,
    value: Any,
    outcomes: Iterable[Iterable[CheckOutcome]],
    laws: Iterable[CheckOutcome],
) -> CoverageRow:
    """The row of a leaf. outcomes: about its field, of each point."""
    if leaf in run.parameters and (run.keep or text_of(plain(run.parameters[leaf])) == text_of(plain(value))):
        return CoverageRow(leaf, "parameter", ())
    found = [[each for each in point if _is_about(each, leaf)] for point in outcomes]
    every = list(chain(*found))
    whole = [[each for each in point if each.confirms and each.is_whole] for point in found]
    whole = [point for point in whole if _is_all_of(leaf, point)]
    points = len(whole) if run.keep else 0
    if whole and len(whole) == len(found):
        closely = max(map(_least_closely, whole), key=_order).how_closely
        titles = _titles(each for each in every if each.confirms)
        return CoverageRow(leaf, "confirmed", titles, points, closely)
    cases = _whole_cases(leaf, every)
    if len(cases) >= CASES:
        return CoverageRow(leaf, "tested", _titles(chain(*cases)), points, f"in {len(cases)} smaller cases")
    agreeing = [each for each in every if each.agrees and each.is_whole]
    if given := tuple(dict.fromkeys(name for each in agreeing for name in each.given)):
        return CoverageRow(leaf, "given", _titles(agreeing), given=given)
    laws = [each for each in laws if top_of(leaf) in each.takes]
    return CoverageRow(leaf, "lawful" if laws else "unconfirmed", _titles(laws), loose=_loose(every))


def _titles(outcomes: Iterable[CheckOutcome]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.title for each in outcomes))


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


def open_rows(run: PlannedRun, coverage: Iterable[CoverageRow]) -> list[CoverageRow]:
    """The rows of fields that nothing confirms and for which the run gives no reason."""
    rows = [row for row in coverage if not row.is_confirmed]
    return [row for row in rows if not {row.field, top_of(row.field)} & run.unchecked.keys()]


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


class CheckedRun(NamedTuple):
    """A run of a post with the outcomes of its checks, at each point that was checked, and all its fields."""

    run: PlannedRun
    outcomes: Sequence[Sequence[CheckOutcome]]
    coverage: Sequence[CoverageRow]

    @property
    def open_fields(self) -> set[str]:
        """The fields that nothing confirms, such as "results.main.flips"; those with a reason are left out."""
        return {f"results.{self.run.name}.{top_of(row.field)}" for row in open_rows(self.run, self.coverage)}


def checked_runs(runs: Iterable[PlannedRun], answers: Results, results: Mapping[str, Record]) -> list[CheckedRun]:
    """The runs of a post with their checks. results: its records."""
    every = [(run, [read_outcomes(data) for data in packed_checks(run, answers)]) for run in runs]
    return [CheckedRun(run, outcomes, coverage_of(run, results[run.name], outcomes)) for run, outcomes in every]


# Before the text is written.


def early_findings(post: Post, runs: Sequence[PlannedRun]) -> list[Finding]:
    """A finding for each field that a post shows wherever its conditions lead, and that no check could confirm.

    That is known where all checks of a solver write out the fields that they return, and it has no certificate.
    """
    shown = [name.partition(".") for name in dict.fromkeys(name for name, _ in _shown(post, []))]
    found = [(run, field) for run in runs for name, _, field in shown if name == run.name and _is_open(run, field)]
    return [finding_of(run, CoverageRow(field, "unconfirmed", ())) for run, field in found]


def solved_findings(post: Post, run: PlannedRun, results: Results) -> list[Finding]:
    """A finding for each field that a post shows wherever its conditions lead, and that the checks of a run leave open.

    Without those of `early_findings`; a check that failed is an error of its own. results: hold the result of the run
    and its checks; neither its figures nor other runs are needed.
    """
    record = Record(fields_of(unpack(results.results[run.points[0]])))
    ((_, outcomes, coverage),) = checked_runs([run], results, {run.name: record})
    known = {top_of(each.field) for each in chain(*outcomes) if not each.passed}
    rows = open_rows(run, shown_rows(run, coverage, {}, [name for name, _ in _shown(post, [])]))
    return [
        finding_of(run, row) for row in rows if top_of(row.field) not in known and not _is_open(run, top_of(row.field))
    ]


def early_errors(post: Post, runs: Sequence[PlannedRun]) -> list[SiteError]:
    """The errors in the texts of a post that need no result: what Jinja cannot read, and names that do not exist."""
    known, errors = {run.name: run for run in runs}, list[SiteError]()
    for name, line in _shown(post, errors):
        run, _, field = name.partition(".")
        owner = _record(known[run]) if run in known else Record(known, "results")
        wrong = field if run in known else run
        if owner and wrong not in fields_of(owner):
            errors.append(SiteError(Place(post.source, line), *missing_name(owner, wrong)))
    return errors


def _record(run: PlannedRun) -> Record | None:
    """The names that a post may read of a run, without values; None where the fields show only once it is solved."""
    fields = run.keep or run.description.result_fields
    if fields is None:
        return None
    names = [*(name for name in run.parameters if name not in run.axes), *run.axes, *fields]
    beside = ["parameters"] if run.keep else ["checks", "parameters", "figures"]
    return Record(dict.fromkeys([*names, *beside]), f"result '{run.name}'")


def _shown(post: Post, errors: list[SiteError]) -> list[tuple[str, int]]:
    """The fields that a post shows wherever its conditions lead, with their lines. errors: gets those of Jinja."""
    shown: list[tuple[str, int]] = []
    for text, place in texts_of(post):
        with collecting(errors):
            shown += _shown_in(text, place)
    return shown


@lru_cache(maxsize=256)  # a text is asked for at each run of its post
def _shown_in(text: str, place: Place) -> list[tuple[str, int]]:
    """The fields that a text shows wherever its conditions lead, with their lines. Raises SiteError."""
    return list(_always_shown(parsed(_environment(), protect(text), place))) if has_jinja(text) else []


def _always_shown(tree: nodes.Template) -> Iterator[tuple[str, int]]:
    """The fields that the outputs of a template name wherever its conditions lead, each with its line."""
    runs: dict[str, str] = {}
    for each in tree.find_all(nodes.Assign):
        if isinstance(each.target, nodes.Name) and (run := _run(each.node, {})):
            runs[each.target.name] = run
    outputs = [node for output in tree.body if isinstance(output, nodes.Output) for node in output.nodes]
    for node in outputs:
        parts = list(nodes.Output([node]).find_all(nodes.Expr))
        if not any(map(_is_optional, parts)):
            fields = [(_run(part.node, runs), part.attr) for part in parts if isinstance(part, nodes.Getattr)]
            yield from ((f"{run}.{field}", node.lineno) for run, field in fields if run)


def _run(node: nodes.Node, runs: Mapping[str, str]) -> str:
    """The run that an expression is; empty for any other. runs: by the names that `{% set %}` gives to them."""
    if isinstance(node, nodes.Name):
        return runs.get(node.name, "")
    is_run = isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name) and node.node.name == RESULTS
    return str(node.attr) if is_run and isinstance(node, nodes.Getattr) else ""


def _is_optional(node: nodes.Expr) -> bool:
    """True where a name in it may be left out, or need not exist."""
    if isinstance(node, nodes.Filter):
        return node.name in ("default", "d")
    return isinstance(node, (nodes.CondExpr, nodes.And, nodes.Or, nodes.Test))


@cache
def _environment() -> PostEnvironment:
    return PostEnvironment()


def _is_open(run: PlannedRun, field: str) -> bool:
    """True for a field of the result that no check returns and for which the run gives no reason.

    That is known where all checks write out the fields that they return.
    """
    fields, answers = run.description.result_fields, [check.answers for check in run.description.checks.values()]
    is_free = field in (*BESIDE, *run.parameters, *map(top_of, run.unchecked))
    is_result = not is_free and (fields is None or field in fields)
    return is_result and all(each is not None and field not in each for each in answers)
