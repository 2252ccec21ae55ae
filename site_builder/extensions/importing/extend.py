"""The command `import`: takes over posts of Jekyll, Hugo and Quarto, Markdown files and notebooks."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from site_builder.cli import options
from site_builder.errors import PostError, UsageError, counted, nearest
from site_builder.extension import Site, guarded
from site_builder.storage.atomic_files import make_files

if TYPE_CHECKING:
    from site_builder.extensions.importing.plan import ImportPlan
    from site_builder.project.config import Config


@click.command("import")
@click.argument("path", type=click.Path())
@click.option("--date", default="", metavar="DATE", help="Date of a post without one, such as 2026-11-20.")
@click.option("--keep-outputs", is_flag=True, help="Keep outputs of notebooks, each marked as not computed here.")
@click.option("--from", "importer", metavar="NAME", help="Read PATH by the importer of this name of an extension.")
@options.dry_run
@click.pass_obj
def command(root: Path, path: str, date: str, keep_outputs: bool, importer: str | None, is_dry: bool) -> int:
    """Convert blogs of other tools, Markdown files and notebooks.

    PATH is a file, or a folder of them such as a project of Jekyll, Hugo or Quarto. What could not be converted is
    listed with its file, and every skipped file with the reason. Nothing is overwritten.
    """
    from site_builder.extensions.importing.plan import plan_import
    from site_builder.project.config import load_config
    from site_builder.project.front_matter import read_moment

    try:
        date = f"{read_moment(date):%Y-%m-%d}" if date else ""
    except ValueError as error:
        raise UsageError(f"--date {date}: it is no date", "write one such as --date 2026-11-20") from error
    config = load_config(root)
    with _read_by(config, importer, Path(path)) as folder:
        plan = plan_import(config, folder, path, date, keep_outputs)
        if not is_dry:
            files = {post.target: post.data for post in plan.posts} | plan.files
            make_files(root, files, "import again once it can")  # all of them, or none
    if is_dry:
        for post in plan.posts:
            click.echo(f"{post.target} from {post.source}")
        for name in plan.files:
            click.echo(name)
    for note, count in Counter(map(str, plan.notes)).items():
        click.echo(note + (f" ({count} times)" if count > 1 else ""))
    for failed in plan.errors:
        click.echo(str(failed), err=True)
    click.echo(_summary(plan, is_dry))
    return options.DONE if plan.posts else options.AUTHORS_ERROR


@contextmanager
def _read_by(config: "Config", importer: str | None, path: Path) -> Iterator[Path]:
    """The folder to import: the path itself, or one with the Markdown files that an importer of an extension gives.

    Raises UsageError for an importer that there is not, and where it fails.
    """
    if importer is None:
        yield path
        return
    known = config.extensions.registry.of("importer")
    if importer not in known:
        raise UsageError(f"--from {importer}: no extension has such an importer", nearest(importer, known))
    with TemporaryDirectory(prefix="puzzlepress-import-") as folder:
        try:
            listing = known[importer]._replace(value=lambda path: dict(known[importer].value(path)))
            files = guarded("importer", listing)(path)
        except PostError as error:
            raise UsageError(f"--from {importer}: {error.message}", error.cure) from error
        data = {name: text.encode() if isinstance(text, str) else text for name, text in files.items()}
        make_files(Path(folder), data)
        yield Path(folder)


def extend(site: Site) -> None:
    """Register the command."""
    site.command(command)


def _summary(plan: "ImportPlan", is_dry: bool) -> str:
    pages = sum(planned.post.is_page for planned in plan.posts)
    drafts = sum(planned.post.is_draft for planned in plan.posts)
    numbers = {"post": len(plan.posts) - pages, "page": pages, "file": len(plan.files)}
    listed = ", ".join(counted(number, noun) for noun, number in numbers.items() if number)
    made = f"{'Would import' if is_dry else 'Imported'} {listed} into content/"
    ends = [f"{counted(drafts, 'draft')} among them"] if drafts else []
    ends += [f"{counted(len(plan.errors), 'source')} could not be read"] if plan.errors else []
    ends += [f"{counted(len(plan.notes), 'thing')} listed above"] if plan.notes else []
    return "; ".join([made if plan.posts else "Nothing was imported", *ends])
