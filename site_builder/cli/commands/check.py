"""Validate the site without writing it."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from site_builder.cli import options
from site_builder.errors import counted


@click.command("check")
@click.argument("posts", nargs=-1, metavar="[POST]...", shell_complete=options.posts)
@click.option("--twice", is_flag=True, help="Solve everything once more, not only what is new or has changed.")
@options.drafts
@options.workers
@options.traceback
@click.pass_obj
def command(
    root: Path,
    posts: Sequence[str],
    twice: bool,
    drafts: bool,
    workers: int | str,
) -> int:
    """Validate the site without writing it.

    This covers claims, checks, links and feeds; it lists each answer that differs from the accepted one, and refuses
    numbers that no second method confirms. POST is a slug or a file: only the claims of these posts are listed, but
    the whole site is validated.
    """
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
        if str(error) not in report.said:
            options.warn(str(error))
    return options.AUTHORS_ERROR if checked.refused or checked.unverified else options.DONE
