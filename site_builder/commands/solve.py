"""Run one solver."""

from collections.abc import Sequence
from pathlib import Path

import click

from site_builder.commands import options


@click.command("solve")
@click.argument("solver", metavar="NAME")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Set a parameter; may be repeated.")
@options.jobs
@click.pass_obj
def command(root: Path, solver: str, settings: Sequence[str], jobs: int) -> None:
    """Run one solver; print its result and what confirmed it."""
    from site_builder.solving import solve_one, told

    given = dict(options.named_value(text) for text in settings)
    for line in told(solve_one(root, solver, given, jobs, options.warn)):
        click.echo(line)
