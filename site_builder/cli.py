"""Words in, messages and exit status out."""

import signal
import traceback
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click

from site_builder.commands.statuses import AUTHORS_FAULT, CRASHED, DONE, INTERRUPTED, USAGE
from site_builder.errors import SiteError, UsageError, counted, faults_of, nearest

COMMANDS = ("build", "serve", "solve", "check", "explain", "accept", "schema", "clean")
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
        module = import_module(f"site_builder.commands.{name}{'_' * (name in _KEYWORDS)}")
        return module.command  # type: ignore[no-any-return]

    def resolve_command(
        self, context: click.Context, words: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names. Raises UsageError where there is none."""
        if self.get_command(context, words[0]) is None:
            raise UsageError(f"there is no command {words[0]!r}", nearest(words[0], COMMANDS))
        return super().resolve_command(context, words)


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        import tomllib

        project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
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
    words = list(arguments)
    front = not words or words[0].startswith("-")
    if front and words[:1] not in (["-h"], ["--help"], ["--version"]):
        words.insert(0, "build")
    if words[0] == "help":
        words = [*words[1:2], "--help"]
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # an orderly end, as for Ctrl-C
    try:
        status = commands.main(words, prog_name="build.py", standalone_mode=False, obj=root)
    except click.UsageError as error:
        from site_builder.commands.usage import retold

        click.echo(str(retold(error, ("--version",) if front else (), COMMANDS)), err=True)
        return USAGE
    except UsageError as error:
        click.echo(str(error), err=True)
        return USAGE
    except (SiteError, ExceptionGroup) as error:
        if isinstance(error, ExceptionGroup) and error.split(SiteError)[1] is not None:
            return _crashed()
        return _tell(faults_of(error))
    except (KeyboardInterrupt, click.exceptions.Abort):
        click.echo("Interrupted; the site is as it was.", err=True)
        return INTERRUPTED
    except Exception:
        return _crashed()
    return status or DONE


def _crashed() -> int:
    """A fault of our own: the traceback is what mends it."""
    traceback.print_exc()
    click.echo("This is a fault of the builder, not of your files; the site is as it was.", err=True)
    return CRASHED


def _tell(faults: Sequence[SiteError]) -> int:
    for fault in faults:
        click.echo(str(fault), err=True)
    click.echo(f"{counted(len(faults), 'fault')}; the site is as it was.", err=True)
    from site_builder.tasks import COMMAND_LINE

    return USAGE if all(fault.place.path.startswith(COMMAND_LINE) for fault in faults) else AUTHORS_FAULT
