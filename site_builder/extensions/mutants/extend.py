"""The command `mutants SOLVER`."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from site_builder.cli import options
from site_builder.extension import Site


@click.command("mutants")
@click.argument("solvers", nargs=-1, required=True, metavar="SOLVER...", shell_complete=options.solvers)
@options.workers
@options.traceback
@click.pass_obj
def command(root: Path, solvers: Sequence[str], workers: int | str) -> int:
    """Try whether the checks of a solver find faults.

    SOLVER is run with one fault at a time in its code: another operator, constant, comparison or bound. The faults that
    its checks miss are listed.
    """
    from site_builder.cli.progress import report_on
    from site_builder.extensions.mutants.trials import mutant_lines, try_mutants

    for solver in dict.fromkeys(solvers):
        with report_on(sys.stderr) as report:
            tried = try_mutants(root, solver, workers, report)
        for line in mutant_lines(solver, tried):
            click.echo(line)
    return options.DONE


def extend(site: Site) -> None:
    """Register the command."""
    site.command(command)
