"""Remove what was built."""

from pathlib import Path

import click

from site_builder.cli import options
from site_builder.cli.commands import schema
from site_builder.errors import counted


@click.command("clean")
@options.output
@click.option("--store", "with_store", is_flag=True, help="Also remove the cache.")
@click.pass_obj
def command(root: Path, output: Path | None, with_store: bool) -> None:
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

        stores.clean(root / schema.FOLDER, [f"{name}.json" for name in schema.NAMES])
        stores.clean(store)
        removed.append(f"the cache in {options.shown(store)}")
    click.echo(f"Removed {' and '.join(removed)}." if removed else "There is nothing to remove.")
