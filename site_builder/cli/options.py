"""Options that commands share, the checking of their values, and exit statuses."""

import re
from pathlib import Path

import click
from click.core import ParameterSource

from site_builder.errors import UsageError

DONE, AUTHORS_ERROR, USAGE, CRASHED, INTERRUPTED = 0, 1, 2, 70, 130  # exit statuses
_ADDRESS = r"[a-z][a-z0-9+.-]*://[^\s/]\S*"


class _WorkersType(click.ParamType[int | str]):
    name = "workers"

    def convert(self, value: str | int, parameter: click.Parameter | None, context: click.Context | None) -> int | str:
        """A number of processes, or on the command line alone the address of other workers."""
        if value == 0:  # the default, for which a build with nothing to do imports no settings
            return value
        from site_builder.project.config import MOST_WORKERS

        source = context and parameter and context.get_parameter_source(str(parameter.name))
        variable = f"{parameter.envvar}: " if parameter and source is ParameterSource.ENVIRONMENT else ""
        text, is_address = str(value), "://" in str(value)
        if re.fullmatch(r"[0-9]{1,9}", text) and int(text) <= MOST_WORKERS:
            return int(text)
        if re.fullmatch(_ADDRESS, text) and not variable:
            return text
        more = ", or an address such as tcp://192.0.2.7:8786"
        if variable:
            more = "; an address is taken from --workers on the command line alone" if is_address else ""
        return self.fail(
            f"{variable}{text!r} is not a number of processes, at most {MOST_WORKERS}{more}", parameter, context
        )


workers = click.option(
    "--workers",
    "--jobs",
    "workers",
    type=_WorkersType(),
    default=0,
    envvar="PUZZLEPRESS_WORKERS",
    metavar="N",
    help="Number of worker processes, or the address of other workers, such as tcp://192.0.2.7:8786 (docs/cluster.md); "
    "the default is the number of the variable PUZZLEPRESS_WORKERS, of config.yaml, or one for each core.",
)
drafts = click.option("--drafts", is_flag=True, help="Include drafts: posts with draft: true or published: false.")
output = click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder of the built site; the default is that of config.yaml.",
)
settings = click.option(
    "--set", "settings", multiple=True, metavar="SOLVER.NAME=VALUE", help="Set a parameter; may be repeated."
)
TRACEBACK = "--traceback"
traceback = click.option(
    TRACEBACK, is_flag=True, expose_value=False, help="Show the calls in solvers that led to an error."
)
dry_run = click.option("--dry-run", "is_dry", is_flag=True, help="List what would change, and change nothing.")


def solvers(context: click.Context, _: click.Parameter, word: str) -> list[str]:
    """The names of solvers that begin with a word, for shells that complete."""
    from site_builder.solving.catalog import solver_names

    return [name for name in solver_names(context.obj) if name.startswith(word)]


def warn(words: str) -> None:
    """Print a warning."""
    click.echo(words, err=True)


def named_folder(root: Path, output: Path | None) -> str:
    """The folder of --output for BuildOptions, empty without one. Raises UsageError for a folder of the project."""
    return str(output_folder(root, output).absolute()) if output is not None else ""


def output_folder(root: Path, output: Path | None) -> Path:
    """The folder that holds the site. Raises UsageError for one that holds files of the project itself."""
    from site_builder.project.config import is_apart, load_config

    if output is None:
        return root / load_config(root).settings.output
    if not is_apart(root, output):
        raise UsageError(f"--output {output}: it holds files of the project itself", "name a folder of its own")
    return output


def shown(folder: Path) -> str:
    """A folder as a person at the command line would name it."""
    absolute, here = folder.resolve(), Path.cwd()
    return f"{absolute.relative_to(here)}/" if absolute.is_relative_to(here) and absolute != here else str(folder)
