"""Build the site, show it while it is written, and put it where its readers find it."""

import gc
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from site_builder.cli import options
from site_builder.errors import command_line, counted


@click.command("build")
@options.output
@options.settings
@options.drafts
@options.workers
@click.option("--explain", is_flag=True, help="Print every task that was run, and why.")
@click.option("--no-search", "search", is_flag=True, flag_value=False, default=True, help="Make no search index.")
@click.option("--no-turns", "turns", is_flag=True, flag_value=False, default=True, help="Make no pages of settings.")
@options.traceback
@click.pass_obj
def build(
    root: Path,
    output: Path | None,
    settings: Sequence[str],
    drafts: bool,
    workers: int | str,
    explain: bool,
    search: bool,
    turns: bool,
) -> None:
    """Build the site into _site/."""
    from site_builder.pipeline.last_build import unchanged
    from site_builder.pipeline.options import BuildOptions

    gc.set_threshold(20_000, 50, 50)  # most of what a build makes lives to its end, but not the contexts of pages
    start = time.monotonic()
    wanted = BuildOptions(
        root, options.named_folder(root, output), drafts, tuple(settings), workers, explain, search, turns
    )
    left = None if explain else unchanged(wanted)
    if left is not None:
        folder = options.shown(root / left.output)
        found = f"{counted(left.posts, 'post')} and {counted(len(left.outputs), 'file')} in {folder}"
        click.echo(f"Nothing has changed: {found} ({time.monotonic() - start:.1f} s)")
        return
    from site_builder.cli.progress import report_on
    from site_builder.pipeline.build import build_and_write

    with report_on(sys.stderr) as report:
        done = build_and_write(wanted, report, options.warn)
    _explain(done.built.log.reports)
    built, written, log = done.built, done.written, done.built.log
    anew = [counted(log.texts, "text"), counted(log.solves, "solution"), counted(log.figures, "figure")]
    click.echo(
        f"Built {counted(built.posts, 'post')}, {anew[0]}, {anew[1]} and {anew[2]} of them anew: "
        f"{counted(written.written, 'file')} written, {written.kept} unchanged, "
        f"{written.removed} removed in {options.shown(done.folder)} ({time.monotonic() - start:.1f} s)"
    )
    for post in built.summaries:
        for error in (finding.error(post.source) for finding in post.findings):
            if str(error) not in report.shown_findings:
                options.warn(str(error))
    if done.unaccepted:
        have = "has" if done.unaccepted == 1 else "have"
        words = f"answers that differ from the accepted ones; {command_line('check')} shows them"
        options.warn(f"{counted(done.unaccepted, 'post')} {have} {words}")
    gc.freeze()  # the interpreter need not collect it at exit


def _explain(reports: Mapping[str, Sequence[str]]) -> None:
    """Every task that ran under the post that it belongs to; those of the site as a whole last."""
    for subject, tasks in sorted(reports.items(), key=lambda each: (not each[0], each[0])):
        click.echo("\n  ".join([subject or "the site", *tasks]))


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
    publish(built, posts, target, click.echo, is_dry, is_meant)
