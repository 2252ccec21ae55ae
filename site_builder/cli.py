"""Words in, messages and exit status out."""

import gc
import os
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from site_builder.errors import SiteError, UsageError, counted, faults_of

if TYPE_CHECKING:
    from site_builder.explaining import Told
    from site_builder.standing import Variant
    from site_builder.tasks import Setting

DONE, AUTHORS_FAULT, USAGE, CRASHED, INTERRUPTED = 0, 1, 2, 70, 130

_HELP = {"help_option_names": ["-h", "--help"]}
_jobs = click.option(
    "--jobs", type=click.IntRange(1, 256), default=lambda: os.cpu_count() or 1, help="Worker processes  [cores]"
)


@click.group(context_settings=_HELP, epilog="Without a command it builds: python build.py is python build.py build.")
def commands() -> None:
    """Build a blog of puzzle writeups whose every number is computed when the site is built."""


@commands.command()
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), help="Folder to build into  [_site]")
@click.option("--set", "settings", multiple=True, metavar="SOLVER.NAME=VALUE", help="Set a parameter; may be repeated.")
@click.option("--drafts", is_flag=True, help="Build drafts as well.")
@_jobs
@click.option("--explain", is_flag=True, help="Say of every task whether it was run or reused, and why.")
@click.option("--no-search", "search", is_flag=True, flag_value=False, default=True, help="Make no search index.")
@click.pass_obj
def build(
    root: Path, output: Path | None, settings: Sequence[str], drafts: bool, jobs: int, explain: bool, search: bool
) -> None:
    """Build the site into _site/."""
    from site_builder.standing import unchanged

    start = time.monotonic()
    variant = _variant(output, drafts, settings, search)
    left = None if explain else unchanged(root, variant)
    if left is not None:
        found = f"{counted(left.posts, 'post')} and {counted(left.files, 'file')} in {_shown(root / left.output)}"
        click.echo(f"Nothing has changed: {found} ({time.monotonic() - start:.1f} s)")
        return
    gc.set_threshold(1_000_000, 50, 50)  # what a build makes stays to its end; looking through it again finds nothing
    from site_builder.building import build_variant
    from site_builder.pipeline import Wanted
    from site_builder.report import report_on

    if output is not None:
        _refuse_sources(root, output)
    wanted = Wanted(root, drafts, tuple(_setting(text) for text in settings), jobs, explain, search)
    with report_on(sys.stderr) as report:
        done = build_variant(wanted, variant, report, _warn)
    _explain(done.told)
    built, written = done.built, done.written
    anew = [counted(built.texts, "text"), counted(built.solves, "solution"), counted(built.figures, "figure")]
    click.echo(
        f"Built {counted(built.posts, 'post')}, {anew[0]}, {anew[1]} and {anew[2]} of them anew: "
        f"{counted(written.written, 'file')} written, {written.kept} unchanged, "
        f"{written.removed} removed in {_shown(done.folder)} ({time.monotonic() - start:.1f} s)"
    )
    if done.unaccepted:
        have = "has" if done.unaccepted == 1 else "have"
        words = "answers that differ from the accepted ones; python build.py check shows them"
        _warn(f"{counted(done.unaccepted, 'post')} {have} {words}")
    gc.freeze()  # and the interpreter need not look through it when it ends


def _explain(told: "Sequence[Told]") -> None:
    """Every task under the post that it belongs to; those of the site as a whole last."""
    by_subject: dict[str, list[Told]] = {}
    for each in sorted(told, key=lambda each: (not each.subject, each.subject)):
        by_subject.setdefault(each.subject, []).append(each)
    for subject, tasks in by_subject.items():
        click.echo(subject or "the site")
        for task in tasks:
            click.echo(f"  {task}")


@commands.command()
@click.argument("post")
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), help="Folder that is built into  [_site]")
@click.option("--set", "settings", multiple=True, metavar="SOLVER.NAME=VALUE", help="Set a parameter; may be repeated.")
@click.option("--drafts", is_flag=True, help="As a build with drafts would find it.")
@click.pass_obj
def explain(root: Path, post: str, output: Path | None, settings: Sequence[str], drafts: bool) -> None:
    """Say what a post depends on, and what a build would do for it and why; nothing is solved or written.

    POST is its slug, its address such as posts/a-name/, or its file.
    """
    from site_builder.foretelling import foretell
    from site_builder.pipeline import Wanted

    if output is not None:
        _refuse_sources(root, output)
    wanted = Wanted(root, drafts, tuple(_setting(text) for text in settings), 1)
    found = foretell(wanted, _variant(output, drafts, settings), post, Path.cwd(), _warn)
    click.echo(f"{found.source}\n\nWhat it depends on")
    for line in found.depends:
        click.echo(f"  {line}")
    click.echo("\nWhat a build would do, and why")
    for task in found.told:
        click.echo(f"  {task}")


@commands.command()
@click.option("--twice", is_flag=True, help="Run every solver twice in fresh processes and compare the results.")
@click.option("--drafts", is_flag=True, help="Look at drafts as well.")
@_jobs
@click.pass_obj
def check(root: Path, twice: bool, drafts: bool, jobs: int) -> int:
    """Look through the site without writing it: claims, checks, links, feeds, and answers that have changed."""
    from site_builder import checking
    from site_builder.pipeline import Wanted
    from site_builder.report import report_on

    wanted = Wanted(root, drafts, (), jobs, search=False)
    with report_on(sys.stderr) as report:
        checked = checking.check(wanted, report, _warn)
        same = checking.check_twice(wanted, report, _warn) if twice else 0
    for line in checking.told(checked):
        click.echo(line)
    if twice:
        click.echo(f"{counted(same, 'solution')} solved twice in fresh processes: the same bytes")
    return AUTHORS_FAULT if checked.refused else DONE


@commands.command()
@click.argument("posts", nargs=-1)
@click.option("--drafts", is_flag=True, help="Accept the answers of drafts as well.")
@_jobs
@click.pass_obj
def accept(root: Path, posts: Sequence[str], drafts: bool, jobs: int) -> None:
    """Remember the answers of posts as they now are, in content/accepted/; of all posts when none is named.

    POSTS are slugs or files.
    """
    from site_builder import checking
    from site_builder.pipeline import Wanted
    from site_builder.report import report_on

    with report_on(sys.stderr) as report:
        done = checking.accept(Wanted(root, drafts, (), jobs, search=False), posts, report, _warn)
    for line in checking.accepted_told(done):
        click.echo(line)


@commands.command()
@click.argument("solver")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Set a parameter; may be repeated.")
@_jobs
@click.pass_obj
def solve(root: Path, solver: str, settings: Sequence[str], jobs: int) -> None:
    """Run one solver; print its parameters, its result and what confirmed it."""
    from site_builder.solving import solve_one, told

    given = dict(_named_value(text) for text in settings)
    for line in told(solve_one(root, solver, given, jobs, _warn)):
        click.echo(line)


def _variant(output: Path | None, drafts: bool, settings: Sequence[str], search: bool = True) -> "Variant":
    from site_builder.standing import Variant

    return Variant("" if output is None else str(output.absolute()), drafts, tuple(settings), search)


def _warn(words: str) -> None:
    click.echo(words, err=True)


@commands.command()
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), help="Folder to clean  [_site]")
@click.option("--store", "with_store", is_flag=True, help="Remove stored results as well.")
@click.pass_obj
def clean(root: Path, output: Path | None, with_store: bool) -> None:
    """Remove the built site; files in its folder that others wrote stay."""
    from site_builder import output as outputs

    folder = _output_folder(root, output)
    removed = outputs.clean(folder)
    told = [f"{counted(removed, 'file')} in {_shown(folder)}"] if removed else []
    store = root / ".store"
    if with_store and store.exists():
        from site_builder import store as stores

        stores.clean(store)
        told.append(f"the store in {_shown(store)}")
    click.echo(f"Removed {' and '.join(told)}." if told else "There is nothing to remove.")


def _output_folder(root: Path, output: Path | None) -> Path:
    from site_builder.config import load_config

    if output is None:
        return root / load_config(root).settings.output
    _refuse_sources(root, output)
    return output


def _refuse_sources(root: Path, output: Path) -> None:
    from site_builder.config import is_apart

    if not is_apart(root, output):
        raise UsageError(f"--output {output}: it holds files of the project itself", "name a folder of its own")


def main(root: Path, arguments: Sequence[str]) -> int:
    """Run one command line in the project at `root`; the exit status."""
    words = list(arguments)
    if not words or (words[0].startswith("-") and words[0] not in ("-h", "--help")):
        words.insert(0, "build")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # an orderly end, as for Ctrl-C
    try:
        status = commands.main(words, prog_name="build.py", standalone_mode=False, obj=root)
    except click.UsageError as error:
        error.show()
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


def _setting(text: str) -> "Setting":
    from site_builder.tasks import Setting

    target, equals, value = text.partition("=")
    solver, dot, name = target.partition(".")
    if not (equals and dot and solver and name):
        raise UsageError(f"--set {text}: it must be solver.name=value", "write e.g. --set coin_game.flips=20")
    return Setting(solver.strip(), name.strip(), _scalar(text, value))


def _named_value(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not (equals and name.strip()):
        raise UsageError(f"--set {text}: it must be name=value", "write e.g. --set flips=20")
    return name.strip(), _scalar(text, value)


def _scalar(text: str, value: str) -> Any:
    from site_builder.yaml_text import read_scalar

    try:
        return read_scalar(value.strip())
    except ValueError as error:
        raise UsageError(f"--set {text}: {error}", "put a value with signs of its own into quotes") from error


def _shown(folder: Path) -> str:
    absolute, here = folder.resolve(), Path.cwd()
    return f"{absolute.relative_to(here)}/" if absolute.is_relative_to(here) and absolute != here else str(folder)
