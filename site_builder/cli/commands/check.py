"""Validate the site without writing it."""

import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import click

from site_builder.cli import options
from site_builder.errors import UsageError, counted


@click.command("check")
@click.argument("posts", nargs=-1, metavar="[POST]...", shell_complete=options.posts)
@click.option("--twice", is_flag=True, help="Run every solver twice in fresh processes and compare the results.")
@click.option(
    "--vary",
    "settings",
    type=click.IntRange(1, 10_000),
    metavar="N",
    help="Build each post also at N settings within what it is written for, and report what changes.",
)
@click.option(
    "--mutants",
    "solvers",
    multiple=True,
    metavar="SOLVER",
    shell_complete=options.solvers,
    help="Instead run a solver with one fault at a time in its code (another operator, constant, comparison or bound), "
    "list the faults that its checks miss, and record how many they find; may be repeated.",
)
@options.drafts
@options.workers
@options.traceback
@click.pass_obj
def command(
    root: Path,
    posts: Sequence[str],
    twice: bool,
    settings: int | None,
    solvers: Sequence[str],
    drafts: bool,
    workers: int | str,
) -> int:
    """Validate the site without writing it.

    This covers claims, checks, links and feeds, and lists each answer that differs from the accepted one. POST is a
    slug or a file: only the claims of these posts are listed, but the whole site is validated.
    """
    if solvers:
        if posts or twice or settings or drafts:
            raise UsageError("check --mutants runs solvers and validates no site", "give it alone, or with --workers")
        return _try_mutants(root, solvers, workers)
    from site_builder.cli.progress import report_on
    from site_builder.pipeline import check
    from site_builder.pipeline.options import BuildOptions
    from site_builder.pipeline.vary import vary

    wanted = BuildOptions(root, drafts=drafts, workers=workers, search=False)
    with report_on(sys.stderr) as report:
        checked = check.check(wanted, report, options.warn)
        shown = check.chosen(checked, posts, "check")
        same = check.check_twice(wanted, report, options.warn) if twice else 0
        varied = vary(wanted, settings, [post.source for post in shown], report, options.warn) if settings else []
    for line in chain(check.report_lines(checked, shown), *(post.lines() for post in varied)):
        click.echo(line)
    if twice:
        click.echo(f"{counted(same, 'solution')} solved twice in fresh processes: the same bytes")
    is_wrong = checked.refused or any(post.errors for post in varied)
    return options.AUTHORS_ERROR if is_wrong else options.DONE


def _try_mutants(root: Path, solvers: Sequence[str], workers: int | str) -> int:
    from site_builder.cli.mutant_session import mutant_lines, try_mutants
    from site_builder.cli.progress import report_on

    lost = 0
    for solver in dict.fromkeys(solvers):
        with report_on(sys.stderr) as report:
            run = try_mutants(root, solver, workers, report)
        for line in mutant_lines(run):
            click.echo(line)
        lost += len(run.lost)
    return options.AUTHORS_ERROR if lost else options.DONE
