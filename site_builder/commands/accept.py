"""Remember the answers of posts as they now are."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from site_builder.commands import options


@click.command("accept")
@click.argument("posts", nargs=-1)
@options.drafts("Accept the answers of drafts as well.")
@options.jobs
@click.pass_obj
def command(root: Path, posts: Sequence[str], drafts: bool, jobs: int) -> None:
    """Remember the answers of posts as they now are, in content/accepted/; of all posts when none is named.

    POSTS are slugs or files.
    """
    from site_builder import checking
    from site_builder.pipeline import Wanted
    from site_builder.report import report_on

    with report_on(sys.stderr) as report:
        done = checking.accept(Wanted(root, drafts, (), jobs, search=False), posts, report, options.warn)
    for line in checking.accepted_told(done):
        click.echo(line)
