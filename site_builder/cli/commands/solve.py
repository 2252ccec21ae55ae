"""Run one solver."""

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from site_builder.cli import options
from site_builder.errors import UsageError, nearest


@click.command("solve")
@click.argument("solver", required=False, metavar="NAME", shell_complete=options.solvers)
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
@click.option(
    "--here",
    is_flag=True,
    help="Run the solver in this process and without the cache; breakpoint() works, and there is no time limit.",
)
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
    here: bool,
    workers: int | str,
) -> int:
    """Run one solver; print its result and its checks.

    Parameters that are not set have their defaults. Without NAME, it lists the solvers. The exit status is 1 when a
    check fails.
    """
    from site_builder.api.solve import SolveRequest
    from site_builder.api.solve import solve as solve_request
    from site_builder.cli import solve_output
    from site_builder.cli.progress import report_on
    from site_builder.pipeline.steps.context import Report
    from site_builder.solving.catalog import solver_names

    if solver is None:
        raise UsageError("solve: no solver is named", nearest("", solver_names(root)))
    if table and (as_json or keep):
        raise UsageError(f"--csv {table} goes neither with --json nor with --keep", "keep one of them")
    if keep and not sweeps:
        raise UsageError("--keep goes with a sweep; without one every field is shown", "leave it out, or add --sweep")
    if here and sweeps:
        raise UsageError("--here runs one set of parameters", "leave --sweep out")
    words: dict[str, str] = {}
    given = _named(solver, settings, "--set", _value, words)
    swept = _named(solver, sweeps, "--sweep", _points, words)
    asked = SolveRequest(solver, given, swept, (table,) if table and sweeps else keep, words, here)
    is_reported = bool(sweeps) or (sys.stderr.isatty() and not here)
    with report_on(sys.stderr) if is_reported else nullcontext(Report()) as report:
        solved = solve_request(root, asked, workers, options.warn, report)
    for line in solved.printed:
        options.warn(f"solver: {line}")
    if table:
        solve_output.write_csv(solve_output.csv_columns(solved, table), sys.stdout)
    elif as_json:
        click.echo(json.dumps(solve_output.json_of(solved), ensure_ascii=False, indent=1, allow_nan=False))
    else:
        solve_output.write_tables(solve_output.tables_of(solved), sys.stdout)
    for error in solved.errors:
        options.warn(str(error))
    return options.AUTHORS_ERROR if solved.errors else options.DONE


def _named(
    solver: str, texts: Sequence[str], option: str, read: Callable[[str, str], Any], words: dict[str, str]
) -> dict[str, Any]:
    """The values that an option gives to parameters; a name may have the solver before it, as for other commands.

    words: is given those of the command line, by parameter. Raises UsageError.
    """
    found: dict[str, Any] = {}
    for text in texts:
        name = text.partition("=")[0].strip().removeprefix(f"{solver}.")
        if name in found and option == "--sweep":
            raise UsageError(f"--sweep {text}: {name} is swept twice", "keep one of the two")
        found[name], words[name] = read(text, option), f"{option} {text}"
    return found


def _value(text: str, option: str) -> Any:
    """The value of NAME=VALUE. Raises UsageError for a text that is not of this form."""
    from site_builder.project.yaml_reader import read_scalar

    name, equals, value = text.partition("=")
    if not (equals and name.strip()):
        raise UsageError(f"{option} {text}: it must be name=value", f"write e.g. {option} flips=20")
    try:
        return read_scalar(value.strip())
    except ValueError as error:
        raise UsageError(f"{option} {text}: {error}", "put a value with signs of its own into quotes") from error


def _points(text: str, option: str) -> Any:
    """The values of NAME=START:STOP:STEPS or NAME=[VALUE, ...]. Raises UsageError for other texts."""
    name, _, values = (part.strip() for part in text.partition("="))
    ends = [part.strip() for part in values.split(":")]
    if name and values.startswith("[") and isinstance(listed := _value(text, option), list):
        return listed
    if name and len(ends) == 3 and ends[2].isdecimal():
        return {"start": ends[0], "stop": ends[1], "steps": int(ends[2])}
    cure = "write e.g. --sweep p=0:1:11 for 0, 1/10, ... 1, or a list such as --sweep 'n=[1, 2, 5]'"
    raise UsageError(f"--sweep {text}: it must be name=start:stop:steps", cure)
