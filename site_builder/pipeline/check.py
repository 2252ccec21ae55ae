"""`check`, `accept` and `explain`: what stands behind a site, found without writing it.

For `explain` solvers may be asked for their parameters; nothing is solved or rendered.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from itertools import chain
from typing import TYPE_CHECKING

from site_builder.errors import Place, SiteError, UsageError, command_line, counted, nearest, raise_all
from site_builder.pipeline.accepted import (
    NOTHING,
    Answers,
    ComparedPost,
    Difference,
    accepted_file,
    compare_accepted,
    correction,
    differences,
    write_accepted,
)
from site_builder.pipeline.build import open_build, open_sources, with_site
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.pipeline import Build, BuiltSite
from site_builder.pipeline.sources import Sources
from site_builder.pipeline.steps.context import Report
from site_builder.pipeline.steps.texts import RESULTS as RESULTS_OF_RUN
from site_builder.posts.evidence import Finding, RunRow
from site_builder.project.posts import Post
from site_builder.site.provenance import ANSWERS, RESULTS
from site_builder.storage.atomic_files import replace_file
from site_builder.storage.store import Store

if TYPE_CHECKING:
    from site_builder.solving.plan import PlannedRun

_MOST_SHOWN = 20  # differences of one post


@dataclass(frozen=True)
class CheckReport:
    """A checked site.

    warnings: of what readers of a figure may miss. findings: numbers that nothing verifies, by the source of the post.
    """

    posts: tuple[ComparedPost, ...]
    warnings: tuple[SiteError, ...]
    findings: Mapping[str, Sequence[Finding]] = field(default_factory=dict)

    @property
    def unverified(self) -> list[SiteError]:
        """The numbers that posts show and nothing verifies."""
        return [each.error(source) for source, found in self.findings.items() for each in found]

    @property
    def refused(self) -> tuple[ComparedPost, ...]:
        """The posts with answers that differ without a note of correction."""
        return tuple(post for post in self.posts if post.is_refused)


def check(options: BuildOptions, report: Report, warn: Callable[[str], None]) -> CheckReport:
    """Build the site without writing it. Raises SiteError, or a group of them, for all that a build would refuse."""
    with open_sources(options, warn) as (sources, store):
        return with_site(options, sources, store, report, lambda built: _checked(built, sources, store), warn)


def check_twice(options: BuildOptions, report: Report, warn: Callable[[str], None], every: bool = False) -> int:
    """Solve new and changed solvers once more; the number of solves that gave the same bytes.

    every: whether to solve all others too. Raises SiteError for each that gave another result.
    """
    from site_builder.pipeline.determinism import compare_twice

    with open_build(options, report, warn) as build:
        runs = build.runs.plan(build.read(anew=True).read)
        return compare_twice(build.context, chain.from_iterable(runs.values()), every)


def _checked(built: BuiltSite, sources: Sources, store: Store) -> CheckReport:
    posts = compare_accepted(built.summaries, sources.digests, sources.read, store)
    findings = {each.source: each.findings for each in built.summaries if each.findings}
    return CheckReport(tuple(posts), tuple(_figure_warnings(built)), findings)


def _figure_warnings(built: BuiltSite) -> Iterator[SiteError]:
    for post in built.summaries:
        for key, name in post.figures:
            if missing := built.drawings[key].missing_letters:
                message = f"the PNG shows a box for each of {' '.join(missing)}, which its font does not have"
                yield SiteError(Place(post.source), f"figure {name}: {message}")


def refuse_changed_answers(posts: Iterable[ComparedPost], data: bytes | None, target: str, is_ours: bool) -> None:
    """Raise SiteError for each post with an answer that differs from the published one without accept and correction.

    data: the file of answers on the target; is_ours: whether publishing wrote it.
    """
    published = _published(data, target, is_ours)
    errors = []
    for post in posts:
        addresses = post.summary.path, *post.summary.aliases
        before = next((published[path] for path in addresses if path in published), {})
        changed = [each for each in differences(before, post.evidence.answers) if each.before != NOTHING]
        if changed and (post.without_correction(changed) or not post.is_accepted):
            errors.append(refusal(post, changed, f"published on {target}"))
    raise_all(errors)


def _published(data: bytes | None, target: str, is_ours: bool) -> Mapping[str, Answers]:
    """The published answers by the address of their post; none where nothing was published."""
    with suppress(ValueError, AttributeError):
        answers = json.loads(data or b"{}").get(RESULTS, {})
        if isinstance(answers, dict):
            return answers
    if not is_ours:
        return {}
    message = "the published answers cannot be read, so that nothing can be compared with them; nothing was published"
    cure = "put the file back as it was published; without it, all answers are published as new ones"
    raise SiteError(Place(f"{target}: {ANSWERS}"), message, cure)


def refusal(post: ComparedPost, changed: Sequence[Difference], where: str) -> SiteError:
    """The error for answers that differ from those that were accepted, or published somewhere."""
    differ = "an answer differs from the one" if len(changed) == 1 else f"{len(changed)} answers differ from those"
    steps = [] if post.is_accepted else [command_line(f"accept {post.summary.slug}")]
    if uncorrected := post.without_correction(changed):
        note = correction(uncorrected, f"{date.today():%Y-%m-%d}")
        steps = [f"tell readers in the front matter{', then ' if steps else ''}{''.join(steps)}:", *note.splitlines()]
    cure = "\n".join([*_shown(changed), f"look into it; if the new one is right, {steps[0]}", *steps[1:]])
    return SiteError(Place(post.summary.source), f"{differ} {where}; nothing was published", cure)


def accept(
    options: BuildOptions, names: Sequence[str], report: Report, warn: Callable[[str], None]
) -> list[tuple[ComparedPost, bool]]:
    """Accept the answers of the named posts (all of them without names) as they are now; which files are new.

    Raises UsageError for a name that no post with results has; SiteError for all that a build would refuse.
    """
    checked = check(options, report, warn)
    written = []
    for post in chosen(checked, names, "accept"):
        data = write_accepted(post.evidence.answers)
        written.append((post, replace_file(options.root / accepted_file(post.summary), data)))
    return written


def chosen(checked: CheckReport, names: Sequence[str], command: str) -> Sequence[ComparedPost]:
    """The posts of these slugs or files, each once; all of them without names.

    Raises UsageError, in the words of the command, for a name that no post with results has.
    """
    known = {key: post for post in checked.posts for key in (post.summary.slug, post.summary.source)}
    for name in names:
        if name not in known:
            raise UsageError(f"{command} {name}: no post with results is named so", nearest(name, known))
    return list({known[name].summary.source: known[name] for name in names}.values()) if names else checked.posts


def report_lines(checked: CheckReport, shown: Sequence[ComparedPost]) -> Iterator[str]:
    """The findings as lines: of each post its claims, its checks, and the answers that have changed.

    Of posts that are not to be shown only those with answers that are not accepted.
    """
    for post in (post for post in checked.posts if post in shown or post.is_refused):
        yield post.summary.source
        for claim in post.evidence.claims:
            named = ", ".join(filter(None, (claim.source, claim.where)))
            about = f" ({named})" if named else ""
            yield f"  line {claim.line}: {claim.text} agrees with {claim.expression} {claim.agreement}{about}"
        passed = {run.name: run.confirmations for run in post.evidence.runs if run.confirmations}
        named = ", ".join(f"{count} of {name}" for name, count in passed.items())
        if passed:
            yield f"  {counted(sum(passed.values()), 'check')} passed: {named}"
        yield from chain.from_iterable(map(_coverage_lines, post.evidence.runs))
        yield from _change_lines(post)
    yield from map(str, checked.warnings)
    claims = sum(len(post.evidence.claims) for post in checked.posts)
    checks = sum(run.confirmations for post in checked.posts for run in post.evidence.runs)
    changed = f"{len(checked.refused)} with answers that differ" if checked.refused else "no answer differs"
    totals = f"{counted(claims, 'claim')}, {counted(checks, 'check')}"
    yield f"{counted(len(checked.posts), 'post')} with results, {totals}: {changed}"


def _coverage_lines(run: RunRow) -> Iterator[str]:
    """Every value that the post shows of a run, with what confirms it and how closely."""
    for row in (each for each in run.coverage if each.status != "parameter"):
        reason = f"unchecked: {run.reason(row)}"
        behind = "; ".join(row.checks) if row.is_confirmed else reason
        behind = "drawn without data, its numbers are not compared" if row.status == "untraced" else behind
        points = f" at {row.points} of {counted(run.points, 'point')}" if row.points else ""
        closely = f", {row.closeness}" if row.closeness else ""
        yield f"    {run.name}.{row.field}{points}{closely}: {behind}"


def _change_lines(post: ComparedPost) -> Iterator[str]:
    if post.accepted is None:
        yield f"  its answers are not accepted yet; {command_line('accept')} records them"
    yield from _difference_lines(post)
    if post.is_refused:
        accept = command_line(f"accept {post.summary.slug}")
        yield f"    mend: look into it; then {accept}, or tell readers in the front matter:"
        note = correction(post.uncorrected, f"{date.today():%Y-%m-%d}")
        yield from (f"          {line}" for line in note.splitlines())
    elif post.changed:
        done = "a note of correction names what has changed"
        yield f"  {done}; {command_line(f'accept {post.summary.slug}')} records the new answers"


def accepted_lines(done: Sequence[tuple[ComparedPost, bool]]) -> Iterator[str]:
    """The accepted answers, as lines for the author."""
    for post, is_written in done:
        count = sum(len(fields) for fields in post.evidence.answers.values())
        yield f"{accepted_file(post.summary)}: {counted(count, 'answer')} {'written' if is_written else 'as they were'}"
        yield from _difference_lines(post)


def _difference_lines(post: ComparedPost) -> Iterator[str]:
    yield from (f"  {line}" for line in _shown(post.changed))


def _shown(changed: Sequence[Difference]) -> list[str]:
    """The first differences, and how many there are besides."""
    more = len(changed) - _MOST_SHOWN
    return [str(each) for each in changed[:_MOST_SHOWN]] + ([f"and {more:,} more"] if more > 0 else [])


def explain(options: BuildOptions, name: str, warn: Callable[[str], None]) -> list[str]:
    """The tasks of one post that differ from the last build, each with the reason. name: its slug, path or file.

    Raises UsageError where there is no such post; SiteError, or a group of them, where its runs cannot be planned.
    """
    with open_build(options, Report(), warn) as build:
        post = _find(build.read(anew=True).read, name)
        return list(_differences(build, post, build.runs.plan([post]).get(post.source, ())))


def _find(posts: Sequence[Post], name: str) -> Post:
    known = {key: post for post in posts for key in (post.slug, post.path.strip("/"), post.source)}
    if found := known.get(name.strip("/")):
        return found
    close = nearest(name, known)
    cure = "name its slug, its address such as posts/a-name/, or its file; --drafts adds those that a build leaves out"
    raise UsageError(f"explain {name}: there is no such post", close if close.startswith("did you") else cure)


def _differences(build: Build, post: Post, runs: "Sequence[PlannedRun]") -> Iterator[str]:
    """The tasks of runs and of the text whose inputs differ from the recorded ones, and the drawings that may."""
    log, recorded = build.log, build.log.recorded(post.source)
    reasons = {task: log.difference(recorded.get(task), inputs) for task, inputs in log.inputs_of(runs).items()}
    before = recorded.get("text")
    results = {name: each for name, each in (before or {}).items() if name.startswith(RESULTS_OF_RUN)}
    text = build.texts.inputs(build.jobs([post], {post.source: runs}, None)[post.source])
    is_solved = any(reasons.values())
    reasons["text"] = "depends on the new result" if is_solved else log.difference(before, results | text)
    if reasons["text"]:
        drawings = [task for task in recorded if task.startswith("drawing ")]
        reasons |= dict.fromkeys(drawings, "depends on the new text")
    return (f"{task}: {why}" for task, why in reasons.items() if why)
