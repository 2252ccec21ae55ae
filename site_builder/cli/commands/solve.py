"""Run one solver."""

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from site_builder.cli import options
from site_builder.errors import UsageError, nearest

if TYPE_CHECKING:
    from site_builder.api.solve import SolveRequest


class SolveCommand(click.Command):
    """The command, whose help shows what the named solver takes."""

    def get_help_option(self, context: click.Context) -> click.Option:
        """The option --help, which is handled after the name of the solver."""
        words = "Show this message, and what the solver takes and gives."
        names = self.get_help_option_names(context)
        return click.Option(names, is_flag=True, expose_value=False, callback=_help, help=words)


def _help(context: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    if not is_wanted or context.resilient_parsing:
        return
    from site_builder.api.solve import describe, docstring
    from site_builder.cli.solve_output import TextTable, described_tables, write_tables
    from site_builder.solving.catalog import solver_names

    name, root = context.params.get("solver"), context.find_root().obj
    click.echo(f"{context.get_help()}\n")
    if name is None:
        sentences = [(each, docstring(root, each).partition("\n")[0]) for each in solver_names(root)]
        write_tables([TextTable("Solvers:", sentences)], sys.stdout)
    else:
        tables = described_tables(describe(root, name, options.warn))
        click.echo(f"{docstring(root, name)}\n")
        write_tables(tables, sys.stdout)
    context.exit()


@click.command("solve", cls=SolveCommand)
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
    "--keep",
    multiple=True,
    metavar="FIELD",
    help="A field that a sweep shows; may be repeated. Default: all single values.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.option("--csv", "table", default="", metavar="FIELD", help="Print a field as a table in CSV, and nothing else.")
@click.option("--fresh", is_flag=True, help="Run the solver without reading or writing the cache.")
@click.option(
    "--limit",
    metavar="DURATION",
    callback=options.duration,
    help="Time that a task may take, such as 90s, 10m or none; the default is that of config.yaml.",
)
@click.option("--here", is_flag=True, help="Run the solver in this process, where breakpoint() works; no time limit.")
@click.option("--verbose", is_flag=True, help="Also print what the solver prints, at most 200 lines.")
@options.workers
@options.traceback
@click.pass_obj
def solve(
    root: Path,
    solver: str | None,
    settings: Sequence[str],
    sweeps: Sequence[str],
    keep: Sequence[str],
    as_json: bool,
    table: str,
    fresh: bool,
    limit: float | None,
    here: bool,
    verbose: bool,
    workers: int | str,
) -> int:
    """Run one solver; print its result and its checks.

    Parameters that are not set have their defaults. With NAME, --help shows the parameters and result fields of the
    solver; without NAME, the list of solvers. The exit status is 1 when a check fails.
    """
    from site_builder.api.solve import solve_one, solve_sweep
    from site_builder.cli import flat_output, solve_output
    from site_builder.cli.progress import report_on
    from site_builder.pipeline.steps.context import Report

    if table and (as_json or keep):
        raise UsageError(f"--csv {table} goes neither with --json nor with --keep", "keep one of them")
    swept_field = (table.partition(".")[0],) if table and sweeps else ()
    asked = replace(_asked(root, solver, settings, sweeps, swept_field or keep, fresh), limit=limit)
    if here and asked.sweeps:
        raise UsageError("--here runs one set of parameters", "leave --sweep out")
    if asked.sweeps:
        with report_on(sys.stderr) as report:
            swept = solve_sweep(root, asked, workers, report, options.warn)
        _print_printed(swept.printed, verbose)
        if table:
            flat_output.write_csv(table, flat_output.swept_rows(swept), sys.stdout)
        else:
            _print(solve_output.swept_json if as_json else solve_output.swept_tables, swept)
        return options.DONE
    if here:
        from site_builder.api.solve_here import solve_here

        solved = solve_here(root, asked)
    else:
        with report_on(sys.stderr) if sys.stderr.isatty() else nullcontext(Report()) as report:
            solved = solve_one(root, asked, workers, options.warn, report)
    _print_printed(solved.printed, verbose)
    if table:
        flat_output.write_csv(table, flat_output.field_rows(solved, table), sys.stdout)
    else:
        _print(solve_output.solved_json if as_json else solve_output.solved_tables, solved)
    for error in solved.errors:
        options.warn(str(error))
    return options.AUTHORS_ERROR if solved.errors else options.DONE


def _print_printed(lines: Sequence[str], verbose: bool) -> None:
    """Print what a solver has printed, if that is wanted."""
    for line in lines if verbose else ():
        options.warn(f"solver: {line}")
    if verbose and not lines:
        options.warn("The solver has printed nothing, or its result came from the cache: --fresh runs it.")


def _asked(
    root: Path,
    solver: str | None,
    settings: Sequence[str],
    sweeps: Sequence[str],
    keep: Sequence[str],
    fresh: bool,
) -> "SolveRequest":
    """The arguments, parsed. Raises UsageError."""
    from site_builder.api.solve import SolveRequest
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
        name, value = _named_value(text, "--set")
        name = name.removeprefix(own)
        given[name], words[name] = value, f"--set {text}"
    for text in sweeps:
        name, values = _sweep(text)
        name = name.removeprefix(own)
        if name in swept:
            raise UsageError(f"--sweep {text}: {name} is swept twice", "keep one of the two")
        swept[name], words[name] = values, f"--sweep {text}"
    return SolveRequest(solver, given, swept, keep, fresh, words)


def _named_value(text: str, option: str) -> tuple[str, Any]:
    """The name and value of NAME=VALUE. Raises UsageError for a text that is not of this form."""
    from site_builder.project.yaml_reader import read_scalar

    name, equals, value = text.partition("=")
    if not (equals and name.strip()):
        raise UsageError(f"{option} {text}: it must be name=value", f"write e.g. {option} flips=20")
    try:
        return name.strip(), read_scalar(value.strip())
    except ValueError as error:
        raise UsageError(f"{option} {text}: {error}", "put a value with signs of its own into quotes") from error


def _sweep(text: str) -> tuple[str, Any]:
    """The name and values of NAME=START:STOP:STEPS or NAME=[VALUE, ...]. Raises UsageError for other texts."""
    name, _, values = (part.strip() for part in text.partition("="))
    cure = "write e.g. --sweep p=0:1:11 for 0, 1/10, ... 1, or a list such as --sweep 'n=[1, 2, 5]'"
    ends = [part.strip() for part in values.split(":")]
    if name and values.startswith("["):
        listed = _named_value(text, "--sweep")[1]
        if isinstance(listed, list):
            return name, listed
    elif name and len(ends) == 3 and ends[2].isdecimal():
        return name, {"start": ends[0], "stop": ends[1], "steps": int(ends[2])}
    raise UsageError(f"--sweep {text}: it must be name=start:stop:steps", cure)


def _print(form: Callable[[Any], Any], answer: Any) -> None:
    """Print an answer as tables, or as JSON where its form is a mapping."""
    found = form(answer)
    if isinstance(found, dict):
        click.echo(json.dumps(found, ensure_ascii=False, indent=1, allow_nan=False))
        return
    from site_builder.cli.solve_output import write_tables

    write_tables(found, sys.stdout)
