"""List what a build would do for a post, and why."""

from collections.abc import Sequence
from pathlib import Path

import click

from site_builder.cli import options


@click.command("explain")
@click.argument("post", shell_complete=options.posts)
@options.output
@options.settings
@options.drafts
@options.traceback
@click.pass_obj
def command(root: Path, post: str, output: Path | None, settings: Sequence[str], drafts: bool) -> None:
    """List what a build would do for a post, and why.

    It also lists what the post depends on. Nothing is solved or written. POST is a slug, an address such as
    posts/a-name/, or a file.
    """
    from site_builder.pipeline.explain import explain
    from site_builder.pipeline.options import BuildOptions

    wanted = BuildOptions(root, options.named_folder(root, output), drafts, tuple(settings), workers=1)
    found = explain(wanted, post, Path.cwd(), options.warn)
    click.echo(f"{found.source}\n\nWhat it depends on")
    for line in found.depends:
        click.echo(f"  {line}")
    click.echo("\nWhat a build would do, and why")
    for task in found.reports:
        click.echo(f"  {task}")
