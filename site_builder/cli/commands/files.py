"""Files that the program writes into a project, removes and finds: schemas, copies of the theme, what was built."""

import sys
from pathlib import Path

import click

from site_builder import __version__
from site_builder.cli import options
from site_builder.errors import SiteError, UsageError, counted, errors_of, guide, nearest
from site_builder.storage.atomic_files import replace_file
from site_builder.storage.file_fingerprints import BUILDER

FOLDER = ".store/schemas"
_IN_WHEEL = BUILDER / "docs"
DOCS = _IN_WHEEL if _IN_WHEEL.is_dir() else BUILDER.parent / "docs"


@click.command("schema")
@click.pass_obj
def schema(root: Path) -> None:
    """Write JSON Schemas for config.yaml and front matter.

    Editors use them to complete and check YAML; they have the names of the solvers and are written to
    .store/schemas/. See docs/editors.md.
    """
    from site_builder.cli.json_schema import config_schema, front_matter_schema, written
    from site_builder.project.config import load_config
    from site_builder.solving.catalog import solver_names

    load_config(root)  # raises in a folder that is no project
    solvers = solver_names(root)
    for name, found in (("config", config_schema(solvers)), ("front-matter", front_matter_schema(solvers))):
        replace_file(root / FOLDER / f"{name}.json", written(found))
        click.echo(f"Wrote {FOLDER}/{name}.json")
    click.echo(f"{guide('editors')} says how to set up an editor.")


@click.command("theme")
@click.argument("action", type=click.Choice(("copy",)), metavar="copy")
@click.argument("name", metavar="FILE")
@click.pass_obj
def theme(root: Path, action: str, name: str) -> None:
    """Copy a file of the default theme into templates/.

    FILE is its path in the theme, such as post.html or assets/post.css. The copy takes the place of the original.
    """
    from site_builder.project.config import load_config
    from site_builder.storage.atomic_files import make_files
    from site_builder.storage.file_fingerprints import DEFAULT_THEME

    load_config(root)  # raises in a folder that is no project
    names = [path.relative_to(DEFAULT_THEME).as_posix() for path in DEFAULT_THEME.rglob("*") if path.is_file()]
    if name not in names:
        raise UsageError(f"theme copy: the default theme has no file {name}", nearest(name, names))
    cure = "edit this file, or move it away to begin with the original"
    make_files(root, {f"templates/{name}": (DEFAULT_THEME / name).read_bytes()}, cure)
    click.echo(f"Wrote templates/{name}, which takes the place of the default theme's")


@click.command("clean")
@options.output
@click.option("--store", "with_store", is_flag=True, help="Also remove the cache.")
@click.pass_obj
def clean(root: Path, output: Path | None, with_store: bool) -> None:
    """Remove the built site.

    Other files in its folder are kept.
    """
    from site_builder.pipeline import output as outputs
    from site_builder.pipeline.last_build import STORE

    folder = options.output_folder(root, output)
    count = outputs.clean(folder)
    removed = [f"{counted(count, 'file')} in {options.shown(folder)}"] if count else []
    store = root / STORE
    if with_store and store.exists():
        from site_builder.storage import store as stores

        stores.clean(root / FOLDER, ("config.json", "front-matter.json"))
        stores.clean(store)
        removed.append(f"the cache in {options.shown(store)}")
    click.echo(f"Removed {' and '.join(removed)}." if removed else "There is nothing to remove.")


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
    return options.AUTHORS_ERROR if errors else options.DONE


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
