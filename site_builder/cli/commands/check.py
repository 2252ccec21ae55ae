"""Validate the site without writing it."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from site_builder.cli import options
from site_builder.errors import UsageError, counted


@click.command("check")
@click.argument("posts", nargs=-1, metavar="[POST]...", shell_complete=options.posts)
@click.option("--twice", is_flag=True, help="Solve everything once more, not only what is new or has changed.")
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
    solvers: Sequence[str],
    drafts: bool,
    workers: int | str,
) -> int:
    """Validate the site without writing it.

    This covers claims, checks, links and feeds; it lists each answer that differs from the accepted one, and refuses
    numbers that no second method confirms. POST is a slug or a file: only the claims of these posts are listed, but
    the whole site is validated.
    """
    if solvers:
        if posts or twice or drafts:
            raise UsageError("check --mutants runs solvers and validates no site", "give it alone, or with --workers")
        return _try_mutants(root, solvers, workers)
    from site_builder.cli.progress import report_on
    from site_builder.pipeline import check
    from site_builder.pipeline.options import BuildOptions

    wanted = BuildOptions(root, drafts=drafts, workers=workers, search=False)
    with report_on(sys.stderr) as report:
        checked = check.check(wanted, report, options.warn)
        shown = check.chosen(checked, posts, "check")
        same = check.check_twice(wanted, report, options.warn, twice)
    for line in check.report_lines(checked, shown):
        click.echo(line)
    if same:
        click.echo(f"{counted(same, 'solution')} solved once more in fresh processes: the same bytes")
    for error in checked.unverified:
        options.warn(str(error))
    return options.AUTHORS_ERROR if checked.refused or checked.unverified else options.DONE


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
