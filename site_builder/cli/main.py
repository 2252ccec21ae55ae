"""Words in, messages and exit status out."""

import traceback
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from site_builder.cli.exit_status import AUTHORS_FAULT, CRASHED, DONE, INTERRUPTED, USAGE
from site_builder.errors import SiteError, StoppedError, UnfinishedError, UsageError, counted, faults_of, nearest
from site_builder.solving import interrupts

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = (
    "build",
    "serve",
    "new",
    "solve",
    "check",
    "explain",
    "accept",
    "publish",
    "import",
    "schema",
    "completion",
    "clean",
)
_KEYWORDS = ("import",)  # no module can have such a name


class Commands(click.Group):
    """The commands, each loaded from its module when it is asked for."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Their names, in the order in which an author meets them."""
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """The command of this name, None where there is none."""
        if name not in COMMANDS:
            return super().get_command(context, name)
        module = import_module(f"site_builder.cli.commands.{name}{'_' * (name in _KEYWORDS)}")
        return module.command  # type: ignore[no-any-return]

    def shell_complete(self, context: click.Context, incomplete: str) -> "list[CompletionItem]":
        """What a word may become, commands with their whole short helps."""
        found = super().shell_complete(context, incomplete)
        for item in found:
            command = self.get_command(context, item.value)
            item.help = command.get_short_help_str(100) if command else item.help
        return found

    def resolve_command(
        self, context: click.Context, words: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names. Raises UsageError where there is none."""
        if self.get_command(context, words[0]) is None and not context.resilient_parsing:
            raise UsageError(f"there is no command {words[0]!r}", nearest(words[0], COMMANDS))
        return super().resolve_command(context, words)


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        import tomllib

        project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
        click.echo(f"Puzzlepress {project['version']}")
        context.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Without a command it builds: python build.py is python build.py build.",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit."
)
def commands() -> None:
    """Build a blog of puzzle writeups whose every number is computed when the site is built."""


def main(root: Path, arguments: Sequence[str]) -> int:
    """Run one command line in the project at `root`; the exit status."""
    words = in_full(arguments)
    with interrupts.noted():
        return _run(root, words, is_short=words[0] not in arguments)


def _run(root: Path, words: list[str], is_short: bool) -> int:
    """is_short: whether the command line leaves the command out."""
    try:
        status = commands.main(words, prog_name="build.py", standalone_mode=False, obj=root)
    except click.UsageError as error:
        from site_builder.cli.usage_errors import retold

        click.echo(str(retold(error, ("--version",) if is_short else (), COMMANDS)), err=True)
        return USAGE
    except UsageError as error:
        click.echo(str(error), err=True)
        return USAGE
    except (SiteError, ExceptionGroup) as error:
        if _was_interrupted(words[0]):
            return _interrupted(words[0])
        if isinstance(error, ExceptionGroup) and error.split(SiteError)[1] is not None:
            return _crashed(words[0])
        return _tell(faults_of(error), words[0])
    except StoppedError as error:
        click.echo(str(error), err=True)
        return INTERRUPTED
    except (KeyboardInterrupt, click.exceptions.Abort):
        return _interrupted(words[0])
    except Exception:
        if _was_interrupted(words[0]):
            return _interrupted(words[0])
        return _crashed(words[0])
    return status or DONE


def in_full(arguments: Sequence[str]) -> list[str]:
    """The words of a command line, beginning with the command that they leave out, or with what asks for help."""
    words = list(arguments)
    if not words or (words[0].startswith("-") and words[0] not in ("-h", "--help", "--version")):
        return ["build", *words]
    return [*words[1:], "--help"] if words[0] == "help" else words


def _left(command: str) -> str:
    """What a command leaves that did not come to change anything."""
    return "nothing was published" if command == "publish" else "the site is as it was"


def _was_interrupted(command: str) -> bool:
    """Whether an error may come of Ctrl-C, and nothing has come of the command."""
    return interrupts.were_heard() and command != "publish"


def _interrupted(command: str) -> int:
    click.echo(f"Interrupted; {_left(command)}.", err=True)
    return INTERRUPTED


def _crashed(command: str) -> int:
    """A fault of our own: the traceback is what mends it."""
    traceback.print_exc()
    left = "" if command == "publish" else f"; {_left(command)}"  # of a target nobody knows how far it came
    click.echo(f"This is a fault of the builder, not of your files{left}.", err=True)
    return CRASHED


def _tell(faults: Sequence[SiteError], command: str) -> int:
    for fault in faults:
        click.echo(str(fault), err=True)
    left = "" if any(isinstance(fault, UnfinishedError) for fault in faults) else f"; {_left(command)}"
    click.echo(f"{counted(len(faults), 'fault')}{left}.", err=True)
    from site_builder.solving.plan import COMMAND_LINE

    return USAGE if all(fault.place.path.startswith(COMMAND_LINE) for fault in faults) else AUTHORS_FAULT
