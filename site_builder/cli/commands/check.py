"""Validate the site, record its answers, and explain what is out of date."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from site_builder.cli import options
from site_builder.errors import counted


@click.command("check")
@click.argument("posts", nargs=-1, metavar="[POST]...")
@click.option("--twice", is_flag=True, help="Solve everything once more, not only what is new or has changed.")
@options.drafts
@options.workers
@options.traceback
@click.pass_obj
def check(root: Path, posts: Sequence[str], twice: bool, drafts: bool, workers: int | str) -> int:
    """Validate the site without writing it.

    This covers claims, checks and links; it lists each answer that differs from the accepted one, and refuses
    numbers that no second method confirms. POST is a slug or a file: only the claims of these posts are listed, but
    the whole site is validated.
    """
    from site_builder.cli.progress import report_on
    from site_builder.pipeline import check as checks
    from site_builder.pipeline.options import BuildOptions

    wanted = BuildOptions(root, drafts=drafts, workers=workers, search=False)
    with report_on(sys.stderr) as report:
        checked = checks.check(wanted, report, options.warn)
        shown = checks.chosen(checked, posts, "check")
        same = checks.check_twice(wanted, report, options.warn, twice)
    for line in checks.report_lines(checked, shown):
        click.echo(line)
    if same:
        click.echo(f"{counted(same, 'solution')} solved once more in fresh processes: the same bytes")
    for error in checked.unverified:
        if str(error) not in report.shown_findings:
            options.warn(str(error))
    return options.AUTHORS_ERROR if checked.refused or checked.unverified else options.DONE


@click.command("explain")
@click.argument("post")
@options.settings
@options.drafts
@options.traceback
@click.pass_obj
def explain(root: Path, post: str, settings: Sequence[str], drafts: bool) -> None:
    """List what differs for a post from the last build.

    Nothing is solved or written. POST is a slug, an address such as posts/a-name/, or a file such as
    content/posts/a-name.md.
    """
    from site_builder.pipeline import check as checks
    from site_builder.pipeline.options import BuildOptions

    wanted = BuildOptions(root, drafts=drafts, settings=tuple(settings), workers=1)
    for words in checks.explain(wanted, post, options.warn) or ["nothing differs from the last build"]:
        click.echo(words)


@click.command("accept")
@click.argument("posts", nargs=-1, metavar="[POST]...")
@options.drafts
@options.workers
@options.traceback
@click.pass_obj
def accept(root: Path, posts: Sequence[str], drafts: bool, workers: int | str) -> None:
    """Record the current answers of posts.

    They are written to content/accepted/. POST is a slug or a file; the default is all posts.
    """
    from site_builder.cli.progress import report_on
    from site_builder.pipeline import check as checks
    from site_builder.pipeline.options import BuildOptions

    wanted = BuildOptions(root, drafts=drafts, workers=workers, search=False)
    with report_on(sys.stderr) as report:
        done = checks.accept(wanted, posts, report, options.warn)
    for line in checks.accepted_lines(done):
        click.echo(line)
