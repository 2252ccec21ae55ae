"""Record the current answers of posts."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from site_builder.cli import options


@click.command("accept")
@click.argument("posts", nargs=-1, metavar="[POST]...", shell_complete=options.posts)
@options.drafts
@options.workers
@options.traceback
@click.pass_obj
def command(root: Path, posts: Sequence[str], drafts: bool, workers: int | str) -> None:
    """Record the current answers of posts.

    They are written to content/accepted/. POST is a slug or a file; the default is all posts.
    """
    from site_builder.cli.progress import report_on
    from site_builder.pipeline import check
    from site_builder.pipeline.options import BuildOptions

    with report_on(sys.stderr) as report:
        done = check.accept(
            BuildOptions(root, drafts=drafts, workers=workers, search=False), posts, report, options.warn
        )
    for line in check.accepted_lines(done):
        click.echo(line)
