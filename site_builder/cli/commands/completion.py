"""Complete command lines: scripts for shells, and the answers that they ask for.

A script asks with the very words that stand on the line, so `python build.py` is answered by that Python.
"""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SHELLS = ("bash", "zsh", "fish")
_WHOLE_WORD = ("zsh", "fish")  # to bash --output=here is three words, of which it completes the last


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS), metavar="SHELL")
@click.argument("words", nargs=-1, metavar="[-- WORD...]")
@click.pass_context
def command(context: click.Context, shell: str, words: Sequence[str]) -> None:
    """Print a script for shell completion with TAB.

    SHELL is bash, zsh or fish; docs/commands.md describes the installation. With the words of a line after -- it prints
    the completions of the last one; the scripts use this.
    """
    if not words:
        click.echo(_script(shell, context.obj), nl=False)
        return
    commands = context.find_root().command
    option, equals, _ = words[-1].partition("=")
    before = option + equals if shell in _WHOLE_WORD and equals and option.startswith("-") else ""
    for item in _found(commands, context.obj, list(words[:-1]), words[-1]):
        parts = [item.type, before + item.value, item.help or ""] if item.type == "plain" else [item.type]
        click.echo("\t".join(parts))


def _script(shell: str, root: Path) -> str:
    """The script of a shell, for this project: with TAB it runs the build.py of no folder that was not named to it."""
    folder = os.path.realpath(root)
    fish = "'" + folder.replace("\\", r"\\").replace("'", r"\'") + "'"
    text = (Path(__file__).parent / "completion_scripts" / f"build.{shell}").read_text("utf-8")
    return text.replace("PROJECT", fish if shell == "fish" else shlex.quote(folder), 1)


def _found(commands: click.Command, root: Path, words: list[str], word: str) -> "list[CompletionItem]":
    """What the last word may become after the others. A line without a command is one of build."""
    if words[:1] == ["help"]:
        return _completed(commands, root, [], word)
    if words[:1] and not words[0].startswith("-"):
        return _completed(commands, root, words, word)
    found = [] if words else _completed(commands, root, [], word)
    if words or word.startswith("-"):
        known = {item.value for item in found}
        found += [item for item in _completed(commands, root, ["build", *words], word) if item.value not in known]
    return found


def _completed(commands: click.Command, root: Path, words: list[str], word: str) -> "list[CompletionItem]":
    from click.shell_completion import ShellComplete

    return ShellComplete(commands, {"obj": root}, "build.py", "").get_completions(words, word)
