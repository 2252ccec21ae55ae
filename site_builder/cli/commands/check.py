"""Validate the site without writing it."""

import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import click

from site_builder.cli import options
from site_builder.errors import counted


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
@options.drafts
@options.jobs
@click.pass_obj
def command(root: Path, posts: Sequence[str], twice: bool, settings: int | None, drafts: bool, jobs: int) -> int:
    """Validate the site without writing it.

    This covers claims, checks, links and feeds, and lists each answer that differs from the accepted one. POST is a
    slug or a file: only the claims of these posts are listed, but the whole site is validated.
    """
    from site_builder.build import check
    from site_builder.build.options import BuildOptions
    from site_builder.build.vary import vary
    from site_builder.cli.progress import report_on

    wanted = BuildOptions(root, drafts=drafts, jobs=jobs, search=False)
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
