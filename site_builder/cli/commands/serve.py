"""Show the site while it is written."""

import gc
from collections.abc import Sequence
from pathlib import Path

import click

from site_builder.cli import options


@click.command("serve")
@click.option(
    "--host",
    default="127.0.0.1",
    metavar="NAME",
    help="Where to listen; the default is 127.0.0.1, for this machine alone.",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N", help="Port to listen at; the default is 8000 or the next."
)
@options.settings
@options.drafts
@options.workers
@click.pass_obj
def serve(root: Path, host: str, port: int | None, settings: Sequence[str], drafts: bool, workers: int | str) -> None:
    """Serve a live preview of the site."""
    from site_builder.pipeline.options import BuildOptions
    from site_builder.preview.controller import Preview
    from site_builder.solving.catalog import solver_names
    from site_builder.solving.plan import check_settings, read_setting

    gc.set_threshold(200_000, 50, 50)  # a site lives long: collecting at every edit frees nothing
    check_settings([read_setting(text) for text in settings], solver_names(root))
    wanted = BuildOptions(root, drafts=drafts, settings=tuple(settings), workers=workers, search=False)
    preview = Preview(wanted, options.warn)
    preview.start()
    try:
        from site_builder.preview.app import Terminal, run  # while the site is being built

        run(preview, host, port, Terminal(click.echo, options.warn))
    finally:
        preview.stop()
    if preview.state.is_outdated:
        click.echo("The builder or its libraries have changed: start the preview again.")
    click.echo("The preview has ended.")
