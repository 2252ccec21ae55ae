"""Run one solver."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from site_builder.cli import options
from site_builder.cli.exit_status import AUTHORS_FAULT, DONE
from site_builder.errors import UsageError, nearest

if TYPE_CHECKING:
    from site_builder.cli.solve_session import Asked


class Solve(click.Command):
    """The command, whose help says what the named solver takes."""

    def get_help_option(self, context: click.Context) -> click.Option:
        """The option --help, which is heard after the name of the solver."""
        words = "Show this message, and what the solver takes and gives."
        names = self.get_help_option_names(context)
        return click.Option(names, is_flag=True, expose_value=False, callback=_help, help=words)


def _help(context: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    if not is_wanted or context.resilient_parsing:
        return
    from site_builder.cli.solve_output import Table, described_tables, write_tables
    from site_builder.cli.solve_session import describe, docstring
    from site_builder.solving.catalog import solver_names

    name, root = context.params.get("solver"), context.find_root().obj
    click.echo(f"{context.get_help()}\n")
    if name is None:
        sentences = [(each, docstring(root, each).partition("\n")[0]) for each in solver_names(root)]
        write_tables([Table("Solvers:", sentences)], sys.stdout)
        context.exit()
    description = describe(root, name, options.warn)
    click.echo(f"{docstring(root, name)}\n")
    write_tables(described_tables(description), sys.stdout)
    context.exit()


@click.command("solve", cls=Solve)
@click.argument("solver", required=False, is_eager=True, metavar="NAME", shell_complete=options.solvers)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Set a parameter; may be repeated.")
@click.option(
    "--sweep",
    "sweeps",
    multiple=True,
    metavar="NAME=START:STOP:STEPS",
    help="Solve for several values, both ends included, or for a list, NAME=[1, 2, 5]; given twice, for every pair.",
)
@click.option(
    "--keep", multiple=True, metavar="FIELD", help="A field that a sweep shows; the default is all single values."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
@click.option("--fresh", is_flag=True, help="Run the solver without reading or writing the cache.")
@options.jobs
@click.pass_obj
def command(
    root: Path,
    solver: str | None,
    settings: Sequence[str],
    sweeps: Sequence[str],
    keep: Sequence[str],
    as_json: bool,
    fresh: bool,
    jobs: int,
) -> int:
    """Run one solver; print its result and its checks.

    Parameters that are not set have their defaults. With NAME, --help shows the parameters and result fields of the
    solver; without NAME, the list of solvers. The exit status is 1 when a check fails.
    """
    from site_builder.cli import solve_output
    from site_builder.cli.progress import report_on
    from site_builder.cli.solve_session import solve_one, solve_sweep

    asked = _asked(root, solver, settings, sweeps, keep, fresh)
    if asked.sweeps:
        with report_on(sys.stderr) as report:
            swept = solve_sweep(root, asked, jobs, report, options.warn)
        if as_json:
            _print_json(solve_output.swept_json(swept))
        else:
            solve_output.write_tables(solve_output.swept_tables(swept), sys.stdout)
        return DONE
    solved = solve_one(root, asked, jobs, options.warn)
    if as_json:
        _print_json(solve_output.solved_json(solved))
    else:
        solve_output.write_tables(solve_output.solved_tables(solved), sys.stdout)
    for fault in solved.faults:
        options.warn(str(fault))
    return AUTHORS_FAULT if solved.faults else DONE


def _asked(
    root: Path,
    solver: str | None,
    settings: Sequence[str],
    sweeps: Sequence[str],
    keep: Sequence[str],
    fresh: bool,
) -> "Asked":
    """What the words of the command line ask for. Raises UsageError for words that ask for nothing."""
    from site_builder.cli.solve_session import Asked
    from site_builder.solving.catalog import solver_names

    if solver is None:
        raise UsageError("solve: no solver is named", nearest("", solver_names(root)))
    if keep and not sweeps:
        raise UsageError("--keep goes with a sweep; without one every field is shown", "leave it out, or add --sweep")
    own = f"{solver}."  # may stand before a name, as it does for other commands
    given: dict[str, Any] = {}
    swept: dict[str, Any] = {}
    words: dict[str, str] = {}
    for text in settings:
        name, value = options.named_value(text)
        name = name.removeprefix(own)
        given[name], words[name] = value, f"--set {text}"
    for text in sweeps:
        name, values = _sweep(text)
        name = name.removeprefix(own)
        if name in swept:
            raise UsageError(f"--sweep {text}: {name} is swept twice", "keep one of the two")
        swept[name], words[name] = values, f"--sweep {text}"
    return Asked(solver, given, swept, keep, fresh, words)


def _sweep(text: str) -> tuple[str, Any]:
    """What NAME=START:STOP:STEPS or NAME=[VALUE, ...] says. Raises UsageError where it says nothing."""
    name, _, values = (part.strip() for part in text.partition("="))
    cure = "write e.g. --sweep p=0:1:11 for 0, 1/10, ... 1, or a list such as --sweep 'n=[1, 2, 5]'"
    ends = [part.strip() for part in values.split(":")]
    if name and values.startswith("["):
        listed = options.named_value(text, "--sweep")[1]
        if isinstance(listed, list):
            return name, listed
    elif name and len(ends) == 3 and ends[2].isdecimal():
        return name, {"start": ends[0], "stop": ends[1], "steps": int(ends[2])}
    raise UsageError(f"--sweep {text}: it must be name=start:stop:steps", cure)


def _print_json(data: Any) -> None:
    import json

    click.echo(json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False))
