"""Write the JSON Schemas with which editors complete and check config.yaml and front matter."""

from pathlib import Path

import click

from site_builder.cli import options
from site_builder.errors import guide
from site_builder.storage.atomic_files import replace_file

FOLDER = ".store/schemas"
NAMES = ("config", "front-matter")


@click.command("schema")
@click.argument("name", type=click.Choice(NAMES), metavar="[NAME]", required=False)
@options.workers
@click.pass_obj
def command(root: Path, name: str | None, workers: int | str) -> None:
    """Write JSON Schemas for config.yaml and front matter.

    Editors use them to complete and check YAML; they include the solvers of the project and are written to
    .store/schemas/. With NAME, config or front-matter, that one is printed instead. See docs/editors.md.
    """
    schemas = _schemas(root, workers)
    if name is not None:
        click.echo(schemas[name], nl=False)
        return
    for each, data in schemas.items():
        replace_file(root / FOLDER / f"{each}.json", data)
        click.echo(f"Wrote {FOLDER}/{each}.json")
    click.echo(f"{guide('editors')} says how to set up an editor.")


def _schemas(root: Path, workers: int | str) -> dict[str, bytes]:
    """The schemas by name. Raises SiteError for a solver that cannot be described."""
    from site_builder.cli.json_schema import config_schema, front_matter_schema, written
    from site_builder.pipeline.build import open_build
    from site_builder.pipeline.options import BuildOptions
    from site_builder.pipeline.steps.context import Report
    from site_builder.solving.catalog import solver_names

    with open_build(BuildOptions(root, workers=workers), Report(), options.warn) as build:
        solvers = build.describe(solver_names(root))
    return {"config": written(config_schema(solvers)), "front-matter": written(front_matter_schema(solvers))}
