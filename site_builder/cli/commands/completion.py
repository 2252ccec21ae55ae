"""Print the script with which a shell completes command lines of `puzzlepress`; click answers what it asks."""

import click

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS), metavar="SHELL")
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print a script for shell completion with TAB.

    SHELL is bash, zsh or fish; docs/commands.md describes the installation. It completes the program puzzlepress.
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None, "one of click's own"
    click.echo(found(context.find_root().command, {}, "puzzlepress", "_PUZZLEPRESS_COMPLETE").source(), nl=False)
