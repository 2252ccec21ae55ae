"""The program: arguments in, messages and exit status out."""

import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import click

from site_builder import __version__
from site_builder.cli.options import AUTHORS_ERROR, CRASHED, DONE, INTERRUPTED, TRACEBACK, USAGE
from site_builder.errors import (
    COMMAND_LINE,
    WRITTEN,
    SiteError,
    StoppedError,
    UnfinishedError,
    UsageError,
    counted,
    errors_of,
    nearest,
)
from site_builder.project.root import project_around

COMMANDS = {  # in the order of the help, each with its module
    "build": "build",
    "serve": "build",
    "new": "new",
    "solve": "solve",
    "check": "check",
    "explain": "check",
    "accept": "check",
    "publish": "build",
    "schema": "files",
    "clean": "files",
    "init": "new",
    "doctor": "files",
    "theme": "files",
}


class Commands(click.Group):
    """The commands; a module is imported when a command of it is needed, and extensions for other commands and help."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Their names, in the order of the help, those of extensions last."""
        return [*COMMANDS, *_added_commands(context)]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """The command of this name; None if there is none."""
        if name not in COMMANDS:
            return _added_commands(context).get(name) or super().get_command(context, name)
        module = import_module(f"site_builder.cli.commands.{COMMANDS[name]}")
        return getattr(module, name)  # type: ignore[no-any-return]

    def resolve_command(
        self, context: click.Context, words: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names. Raises UsageError if there is none."""
        if self.get_command(context, words[0]) is None and not context.resilient_parsing:
            raise UsageError(f"there is no command {words[0]!r}", nearest(words[0], self.list_commands(context)))
        return super().resolve_command(context, words)


def _added_commands(context: click.Context) -> dict[str, click.Command]:
    """The commands of the extensions of the project, by name; none where there is no project."""
    root = context.find_root().obj
    if not isinstance(root, Path) or not (root / "config.yaml").is_file():
        return {}
    from site_builder.project.config import load_config

    found = load_config(root).extensions.registry.of("command", COMMANDS)
    return {name: each.value for name, each in found.items()}


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Without a command it builds.",
)
@click.version_option(__version__, message="Puzzlepress %(version)s")
def commands() -> None:
    """Build a blog of puzzle writeups whose every number is computed when the site is built."""


def run() -> None:
    """The program `puzzlepress`: a command line for the project in the current folder or above it."""
    here = Path.cwd()
    sys.exit(main(project_around(here) or here, sys.argv[1:], "puzzlepress"))


def main(root: Path, arguments: Sequence[str], program: str = "build.py") -> int:
    """Run one command line in the project at `root`; the exit status. program: its name in help and messages."""
    words = in_full(arguments)
    command = words[0]
    with _ended_like_ctrl_c():
        try:
            status = commands.main(words, prog_name=program, standalone_mode=False, obj=root)
        except click.UsageError as error:
            error.show()
            return USAGE
        except UsageError as error:
            click.echo(str(error), err=True)
            return USAGE
        except StoppedError as error:
            click.echo(str(error), err=True)
            return INTERRUPTED
        except (Exception, KeyboardInterrupt) as error:
            return _failed(error, command, TRACEBACK in arguments)
    return status or DONE


@contextmanager
def _ended_like_ctrl_c() -> Iterator[None]:
    """Have SIGTERM end what runs in the block as Ctrl-C does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


def in_full(arguments: Sequence[str]) -> list[str]:
    """The words of a command line, beginning with the command that they leave out, or with the option for help."""
    words = list(arguments)
    if not words or (words[0].startswith("-") and words[0] not in ("-h", "--help", "--version")):
        return ["build", *words]
    return [*words[1:], "--help"] if words[0] == "help" else words


def _failed(error: BaseException, command: str, is_traced: bool) -> int:
    """Print what stopped a command, with the calls that led there where they are wanted; the exit status."""
    errors = error, error.__cause__  # click raises Abort from a KeyboardInterrupt
    is_written = any(WRITTEN in getattr(each, "__notes__", ()) for each in errors)
    unchanged = "nothing was published" if command == "publish" else WRITTEN if is_written else "the site is as it was"
    if isinstance(error, (KeyboardInterrupt, click.exceptions.Abort)):
        click.echo(f"Interrupted; {unchanged}.", err=True)
        return INTERRUPTED
    is_ours = isinstance(error, ExceptionGroup) and error.split(SiteError)[1] is not None
    if is_ours or not isinstance(error, (SiteError, ExceptionGroup)):
        traceback.print_exception(error)
        left = "" if command == "publish" else f"; {unchanged}"  # a publish may have changed part of its target
        click.echo(f"This is an error of the builder, not of your files{left}.", err=True)
        return CRASHED
    listed = errors_of(error)
    for each in listed:
        click.echo(each.with_calls() if is_traced else str(each), err=True)
    left = "" if any(isinstance(each, UnfinishedError) for each in listed) else f"; {unchanged}"
    click.echo(f"{counted(len(listed), 'error')}{left}.", err=True)
    return USAGE if all(each.place.path.startswith(COMMAND_LINE) for each in listed) else AUTHORS_ERROR
