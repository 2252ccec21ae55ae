"""Put the site where its readers find it."""

import sys
from pathlib import Path

import click

from site_builder.cli import options


@click.command("publish")
@options.dry_run
@click.option(
    "--yes",
    "is_meant",
    is_flag=True,
    help="Allow removing most published pages, replacing files of others, and a base_url that is an example.",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder of this machine to publish to, in place of the target of config.yaml.",
)
@options.workers
@options.traceback
@click.pass_obj
def publish(root: Path, is_dry: bool, is_meant: bool, folder: Path | None, workers: int | str) -> None:
    """Build and check the site, then update the published site.

    The target is a branch, another machine or a folder: see publish: in config.yaml. Nothing is published when the
    build or a check fails, or when an answer differs from the accepted or the published one.
    """
    from site_builder.cli.progress import report_on
    from site_builder.project.config import load_config
    from site_builder.publish.publish import build_checked, publish, refuse_placeholder, target_of

    config = load_config(root)
    target = target_of(config, folder)
    if not is_meant:
        refuse_placeholder(config)
    with report_on(sys.stderr) as report:
        built, posts = build_checked(config, workers, report, options.warn)
    publish(built, posts, target, root, click.echo, is_dry, is_meant)
