"""Print what Puzzlepress finds: its own installation, the project and the cache."""

import sys
from pathlib import Path

import click

from site_builder import __version__
from site_builder.cli.options import AUTHORS_ERROR, DONE
from site_builder.errors import SiteError, counted, errors_of
from site_builder.storage.file_fingerprints import BUILDER

_IN_WHEEL = BUILDER / "docs"
DOCS = _IN_WHEEL if _IN_WHEEL.is_dir() else BUILDER.parent / "docs"


@click.command("doctor")
@click.pass_obj
def doctor(root: Path) -> int:
    """Print versions, the project and the cache.

    It changes nothing. The exit status is 1 where config.yaml has errors.
    """
    errors: list[SiteError] = []
    click.echo(f"Puzzlepress  {__version__}, in {BUILDER}")
    click.echo(f"Python       {sys.version.split()[0]}, {sys.executable}")
    click.echo(f"Docs         {DOCS}")
    if (root / "config.yaml").exists():
        click.echo(f"Project      {_project(root, errors)}")
        click.echo(f"Cache        {_cache(root)}")
    else:
        click.echo("Project      none here: puzzlepress init my-blog makes one")
    for error in errors:
        click.echo(str(error), err=True)
    return AUTHORS_ERROR if errors else DONE


def _project(root: Path, errors: list[SiteError]) -> str:
    from site_builder.project.config import load_config
    from site_builder.solving.catalog import solver_names

    try:
        title = load_config(root).settings.title
    except (SiteError, ExceptionGroup) as error:
        errors += errors_of(error)
        title = "config.yaml has errors"
    posts = sum(path.is_file() for path in (root / "content" / "posts").rglob("*.md"))
    return f"{root}, {title!r}: {counted(posts, 'post')}, {counted(len(solver_names(root)), 'solver')}"


def _cache(root: Path) -> str:
    from site_builder.pipeline.last_build import STORE

    size = sum(path.stat().st_size for path in (root / STORE).rglob("*") if path.is_file())
    return f"{root / STORE}, {size / 2**20:.1f} MiB"
