"""Options that commands share, and what becomes of what was written for them."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from site_builder.errors import UsageError

if TYPE_CHECKING:
    from site_builder.standing import Variant
    from site_builder.tasks import Setting

jobs = click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    default=lambda: os.cpu_count() or 1,
    metavar="N",
    help="Worker processes, at most 256; without it one for each core.",
)
drafts = click.option("--drafts", is_flag=True, help="Drafts too: posts with draft: true or published: false.")
output = click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder of the built site; without it that of config.yaml.",
)
settings = click.option(
    "--set", "settings", multiple=True, metavar="SOLVER.NAME=VALUE", help="Set a parameter; may be repeated."
)


def variant_of(output: Path | None, drafts: bool, settings: Sequence[str], search: bool = True) -> "Variant":
    """What a build was asked for."""
    from site_builder.standing import Variant

    return Variant("" if output is None else str(output.absolute()), drafts, tuple(settings), search)


def warn(words: str) -> None:
    """Tell of something that is no fault of the author's."""
    click.echo(words, err=True)


def output_folder(root: Path, output: Path | None) -> Path:
    """The folder that holds the site."""
    from site_builder.config import load_config

    if output is None:
        return root / load_config(root).settings.output
    refuse_sources(root, output)
    return output


def refuse_sources(root: Path, output: Path) -> None:
    """Raises UsageError for a folder that holds files of the project itself."""
    from site_builder.config import is_apart

    if not is_apart(root, output):
        raise UsageError(f"--output {output}: it holds files of the project itself", "name a folder of its own")


def setting_of(text: str) -> "Setting":
    """What SOLVER.NAME=VALUE says. Raises UsageError where it says nothing."""
    from site_builder.tasks import Setting

    target, equals, value = text.partition("=")
    solver, dot, name = target.partition(".")
    if not (equals and dot and solver and name):
        raise UsageError(f"--set {text}: it must be solver.name=value", "write e.g. --set coin_game.flips=20")
    return Setting(solver.strip(), name.strip(), _scalar(text, value))


def named_value(text: str) -> tuple[str, Any]:
    """What NAME=VALUE says. Raises UsageError where it says nothing."""
    name, equals, value = text.partition("=")
    if not (equals and name.strip()):
        raise UsageError(f"--set {text}: it must be name=value", "write e.g. --set flips=20")
    return name.strip(), _scalar(text, value)


def _scalar(text: str, value: str) -> Any:
    from site_builder.yaml_text import read_scalar

    try:
        return read_scalar(value.strip())
    except ValueError as error:
        raise UsageError(f"--set {text}: {error}", "put a value with signs of its own into quotes") from error


def shown(folder: Path) -> str:
    """A folder as a person at the command line would name it."""
    absolute, here = folder.resolve(), Path.cwd()
    return f"{absolute.relative_to(here)}/" if absolute.is_relative_to(here) and absolute != here else str(folder)
