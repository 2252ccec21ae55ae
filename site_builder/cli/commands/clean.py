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
    from site_builder.build import output as outputs

    folder = options.output_folder(root, output)
    removed = outputs.clean(folder)
    told = [f"{counted(removed, 'file')} in {options.shown(folder)}"] if removed else []
    store = root / ".store"
    if with_store and store.exists():
        from site_builder.storage import store as stores

        stores.clean(root / schema.FOLDER, [f"{name}.json" for name in schema.NAMES])
        stores.clean(store)
        told.append(f"the store in {options.shown(store)}")
    click.echo(f"Removed {' and '.join(told)}." if told else "There is nothing to remove.")
