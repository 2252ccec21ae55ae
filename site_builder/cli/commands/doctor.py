"""Print what Puzzlepress finds: its own installation, the project, the cache, and what is missing."""

import re
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import click

from site_builder import __version__
from site_builder.cli.options import AUTHORS_ERROR, DONE
from site_builder.errors import SiteError, counted, errors_of
from site_builder.storage.file_fingerprints import BUILDER

_IN_WHEEL = BUILDER / "docs"
DOCS = _IN_WHEEL if _IN_WHEEL.is_dir() else BUILDER.parent / "docs"
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")


@click.command("doctor")
@click.pass_obj
def doctor(root: Path) -> int:
    """Print versions, the project, the cache, and what is missing.

    It changes nothing. The exit status is 1 where something is missing that the project needs.
    """
    missing: list[str] = []
    click.echo(f"Puzzlepress  {__version__}, in {BUILDER}")
    click.echo(f"Python       {sys.version.split()[0]}, {sys.executable}")
    click.echo(f"Libraries    {', '.join(_libraries(missing))}")
    click.echo(f"Docs         {DOCS}")
    if (root / "config.yaml").exists():
        click.echo(f"Project      {_project(root, missing)}")
        click.echo(f"Cache        {_cache(root)}")
    else:
        click.echo("Project      none here: puzzlepress init my-blog makes one")
    for words in missing:
        click.echo(words, err=True)
    return AUTHORS_ERROR if missing else DONE


def _libraries(missing: list[str]) -> Iterator[str]:
    """The libraries that Puzzlepress needs with their versions; what is not installed is added to `missing`."""
    for requirement in _requirements():
        name = _NAME.match(requirement)
        if name is None or "extra ==" in requirement:
            continue
        try:
            yield f"{name[0]} {metadata.version(name[0])}"
        except metadata.PackageNotFoundError:
            missing.append(f"Missing: {name[0]}, which Puzzlepress needs; run pip install '{requirement}'")


def _requirements() -> list[str]:
    """The requirements of Puzzlepress, from the checkout that it is in or from what an installer has left."""
    if (file := BUILDER.parent / "pyproject.toml").is_file():
        import tomllib

        return list(tomllib.loads(file.read_text("utf-8"))["project"]["dependencies"])
    return metadata.requires("puzzlepress") or []


def _project(root: Path, missing: list[str]) -> str:
    from site_builder.project.config import load_config
    from site_builder.solving.catalog import solver_names

    try:
        title = load_config(root).settings.title
    except (SiteError, ExceptionGroup) as error:
        missing += [str(each) for each in errors_of(error)]
        title = "config.yaml has errors"
    posts = sum(path.is_file() for path in (root / "content" / "posts").rglob("*.md"))
    return f"{root}, {title!r}: {counted(posts, 'post')}, {counted(len(solver_names(root)), 'solver')}"


def _cache(root: Path) -> str:
    from site_builder.pipeline.last_build import STORE

    size = sum(path.stat().st_size for path in (root / STORE).rglob("*") if path.is_file())
    return f"{root / STORE}, {size / 2**20:.1f} MiB"
