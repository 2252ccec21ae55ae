"""Begin a post, or a whole puzzle."""

from pathlib import Path

import click

from site_builder.cli import options
from site_builder.errors import command_line


@click.command("new")
@click.argument("title")
@click.option("--solver", metavar="NAME", help="Also write a solver of this name and its test.")
@options.slug
@options.date
@click.option("--draft", is_flag=True, help="Write it as a draft.")
@click.pass_obj
def command(root: Path, title: str, solver: str | None, slug: str | None, date: str, draft: bool) -> None:
    """Write a new post, or a puzzle with a solver and a test.

    TITLE is the title as readers see it. The files work as they are and are meant to be replaced step by step. No
    existing file is overwritten.
    """
    from site_builder.cli.scaffold import Beginning, begin, date_of, slug_of, solver_name, title_of
    from site_builder.project.config import load_config

    load_config(root)  # raises in a folder that is no project
    words = title_of(title)
    name = "" if solver is None else solver_name(solver)
    beginning = Beginning(words, slug_of(words, slug), name, date_of(date or None), draft)
    for path in begin(root, beginning):
        click.echo(f"Wrote {path}")
    click.echo("Next")
    drafts = " --drafts" if draft else ""
    click.echo(f"  edit     {beginning.post}{f' and solvers/{name}.py' if name else ''}")
    click.echo(f"  preview  {command_line(f'serve{drafts}')}, at /posts/{beginning.slug}/")
    if name:
        click.echo(f"  explore  {command_line(f'solve {name}')}, with --set and --sweep; --help lists what can be set")
        click.echo(f"  confirm  {command_line(f'check{drafts} {beginning.slug}')}")
        click.echo(f"  test     python -m pytest tests/solvers/test_{name}.py")
