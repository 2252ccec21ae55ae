"""Begin a post, a whole puzzle, or a blog of one's own."""

from datetime import date
from pathlib import Path

import click

from site_builder.errors import command_line


@click.command("new")
@click.argument("title")
@click.option("--solver", metavar="NAME", help="Also write a solver of this name and its test.")
@click.option("--draft", is_flag=True, help="Write it as a draft.")
@click.pass_obj
def new(root: Path, title: str, solver: str | None, draft: bool) -> None:
    """Write a new post, or a puzzle with a solver and a test.

    TITLE is the title as readers see it. The files work as they are and are meant to be replaced step by step. No
    existing file is overwritten.
    """
    from site_builder.cli.scaffold import Beginning, begin, slug_of, solver_name, title_of
    from site_builder.project.config import load_config

    load_config(root)  # raises in a folder that is no project
    words = title_of(title)
    name = "" if solver is None else solver_name(solver)
    beginning = Beginning(words, slug_of(words), name, date.today().isoformat(), draft)
    for path in begin(root, beginning):
        click.echo(f"Wrote {path}")
    click.echo("Next")
    drafts = " --drafts" if draft else ""
    click.echo(f"  edit     {beginning.post}{f' and solvers/{name}.py' if name else ''}")
    click.echo(f"  preview  {command_line(f'serve{drafts}')}, at /posts/{beginning.slug}/")
    if name:
        click.echo(f"  explore  {command_line(f'solve {name}')}, with --set and --sweep")
        click.echo(f"  confirm  {command_line(f'check{drafts} {beginning.slug}')}")
        click.echo(f"  test     python -m pytest tests/solvers/test_{name}.py")


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--title", metavar="TITLE", help="Title of the blog; the default is made of the folder's name.")
@click.option("--examples", is_flag=True, help="Also write the five example puzzles.")
@click.option(
    "--builder",
    metavar="SPEC",
    help="What requirements.txt installs as Puzzlepress; the default is what this one was installed from.",
)
def init(folder: Path, title: str | None, examples: bool, builder: str | None) -> None:
    """Write a new blog.

    DIR is a new or empty folder. The blog has one post with a solver and its test, and builds and passes its tests as
    it is. All of it is written, or nothing.
    """
    from site_builder.cli.scaffold import NewBlog, begin_blog, installed_builder, title_for, title_of

    words = title_for(folder) if title is None else title_of(title)
    line, wheel = installed_builder() if builder is None else (builder, None)
    files = begin_blog(folder, NewBlog(words, line, wheel, examples))
    click.echo(f"Wrote {len(files)} files into {folder}/")
    click.echo("Next")
    click.echo(f"  go there  cd {folder}")
    if examples:  # whose tests have a library of their own
        click.echo("  install   pip install -r requirements.txt")
    click.echo("  preview   puzzlepress serve")
    click.echo("  test      python -m pytest")
    click.echo("  edit      config.yaml: the author, and the address at which the blog will be published")
    click.echo("  go on     puzzlepress new TITLE --solver NAME")
    if builder is None and "==" not in line:
        click.echo(f"  builder   requirements.txt installs {line}")
    if builder is None and "@ file:" in line:
        click.echo("            which other machines do not have; there, name a wheel or a repository instead")
