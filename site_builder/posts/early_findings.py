"""The errors and findings of a post that are known before its text is written, so that nobody waits for them."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache, lru_cache

from site_builder.errors import Place, SiteError, collecting
from site_builder.markup.jinja_text import protect
from site_builder.posts.coverage import coverage_of, finding_of, open_findings, top_of
from site_builder.posts.evidence import CoverageRow, Finding
from site_builder.posts.jinja import PostEnvironment, has_jinja, missing_name, parsed
from site_builder.posts.shown_fields import always_shown
from site_builder.project.front_matter import FRONT_TEXTS
from site_builder.project.posts import Post
from site_builder.solving.catalog import SolverDescription
from site_builder.solving.checks.outcomes import read_outcomes
from site_builder.solving.plan import PlannedRun, Results
from site_builder.solving.results import packed_checks
from site_builder.values.packing import unpack
from site_builder.values.records import BESIDE, Record, fields_of


def early_findings(post: Post, runs: Sequence[PlannedRun]) -> list[Finding]:
    """A finding for each field that a post shows wherever its conditions lead, and that no check could confirm.

    That is known where all checks of a solver write out the fields that they return, and it has no certificate.
    """
    if not (open_runs := [run for run in runs if _may_be_open(run.description)]):
        return []
    shown, found = _shown(post), []
    for run in open_runs:
        fields = [name.partition(".")[2] for name in shown if name.startswith(f"{run.name}.")]
        found += [finding_of(run, CoverageRow(name, "unconfirmed", ())) for name in fields if _is_open(run, name)]
    return found


def solved_findings(post: Post, run: PlannedRun, results: Results) -> list[Finding]:
    """A finding for each field that a post shows wherever its conditions lead, and that the checks of a run leave open.

    Without those of `early_findings`; a check that failed is an error of its own. results: hold the result of the run
    and its checks; neither its figures nor other runs are needed.
    """
    record = Record(fields_of(unpack(results.results[run.solves[0].key])))
    outcomes = [read_outcomes(data) for data in packed_checks(run, results)]
    known = {top_of(each.field) for point in outcomes for each in point if not each.passed}
    known |= {name for name in fields_of(record) if _may_be_open(run.description) and _is_open(run, name)}
    rows = coverage_of(run, record, outcomes, {}, _shown(post))
    return open_findings(run, [each for each in rows if top_of(each.field) not in known])


def _may_be_open(description: SolverDescription) -> bool:
    """True where all checks write out their fields, and not all fields are known to be among these."""
    fields = description.result_kinds
    is_written_out = all(check.answers is not None for check in description.checks.values())
    return is_written_out and (fields is None or not _answers(description).issuperset(fields))


def _answers(description: SolverDescription) -> set[str]:
    return {field for check in description.checks.values() for field in check.answers or ()}


def early_errors(post: Post, runs: Sequence[PlannedRun]) -> list[SiteError]:
    """The errors in the texts of a post that need no result: what Jinja cannot read, and names that do not exist."""
    known, errors = {run.name: run for run in runs}, list[SiteError]()
    for text, place in _texts(post):
        shown = list[tuple[str, int]]()
        with collecting(errors):
            shown = _shown_in(text, place)
        for name, line in shown:
            run, _, field = name.partition(".")
            owner = _record(known[run]) if run in known else Record(known, "results")
            wrong = field if run in known else run
            if owner and wrong not in fields_of(owner):
                errors.append(SiteError(Place(post.source, line), *missing_name(owner, wrong)))
    return errors


def _record(run: PlannedRun) -> Record | None:
    """What a post may read of a run, without values; None where the fields show only once it is solved."""
    fields = run.keep or run.description.result_kinds
    if fields is None:
        return None
    names = [*(name for name in run.parameters if name not in run.axes), *run.axes, *fields]
    beside = ["parameters"] if run.keep else ["checks", "parameters", "figures"]
    return Record(dict.fromkeys([*names, *beside]), f"result '{run.name}'")


def _shown(post: Post) -> dict[str, None]:
    """The fields that a post shows wherever its conditions lead; none of a text with an error."""
    shown: dict[str, None] = {}
    for text, place in _texts(post):
        with suppress(SiteError):
            shown |= {name: None for name, _ in _shown_in(text, place)}
    return shown


@lru_cache(maxsize=256)  # a text is asked for at each run of its post
def _shown_in(text: str, place: Place) -> list[tuple[str, int]]:
    """The fields that a text shows wherever its conditions lead, with their lines. Raises SiteError."""
    return always_shown(parsed(_environment(), protect(text), place))


def _texts(post: Post) -> Iterator[tuple[str, Place]]:
    front = {key: getattr(post.front, key) for key in FRONT_TEXTS}
    yield from ((text, post.reading.place(key)) for key, text in front.items() if has_jinja(text))
    if has_jinja(post.body):
        yield post.body, Place(post.source, post.body_line)


@cache
def _environment() -> PostEnvironment:
    return PostEnvironment()


def _is_open(run: PlannedRun, field: str) -> bool:
    """True for a field of the result that no check returns and for which the run gives no reason."""
    fields = run.description.result_kinds
    reasons = {each.partition(".")[0] for each in run.unchecked}
    is_free = field in reasons or field in (*BESIDE, *run.parameters)
    return not is_free and (fields is None or field in fields) and field not in _answers(run.description)
