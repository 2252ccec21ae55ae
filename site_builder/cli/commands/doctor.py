"""Print what Puzzlepress finds: its own installation, the project, the cache, and what is missing."""

import ast
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import click

from site_builder import __version__
from site_builder.cli.options import AUTHORS_ERROR, DONE
from site_builder.errors import SiteError, counted, errors_of
from site_builder.storage.file_fingerprints import BUILDER

_IN_WHEEL = BUILDER / "docs"
DOCS = _IN_WHEEL if _IN_WHEEL.is_dir() else BUILDER.parent / "docs"
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")
_PROGRAMS = {"git": "publish: {branch: ...}", "rsync": "publish: {rsync: ...}"}


@click.command("doctor")
@click.pass_obj
def doctor(root: Path) -> int:
    """Print versions, the project, the cache, and what is missing.

    It changes nothing. The exit status is 1 where something is missing that the project needs.
    """
    missing: list[str] = []
    click.echo(f"Puzzlepress  {__version__}, in {BUILDER}")
    click.echo(f"Python       {sys.version.split()[0]}, {sys.executable}")
    click.echo(f"Libraries    {', '.join(_libraries(BUILDER, missing))}")
    click.echo(f"Docs         {DOCS}")
    click.echo(f"Workers      {_workers()}")
    click.echo(f"Programs     {', '.join(_programs())}")
    if (root / "config.yaml").exists():
        click.echo(f"Project      {_project(root, missing)}")
        click.echo(f"Cache        {_cache(root)}")
        missing += _missing_libraries(root)
    else:
        click.echo("Project      none here: puzzlepress init my-blog makes one")
    for words in missing:
        click.echo(words, err=True)
    return AUTHORS_ERROR if missing else DONE


def _libraries(builder: Path, missing: list[str]) -> Iterator[str]:
    """The libraries that Puzzlepress needs with their versions; what is not installed is added to `missing`."""
    for requirement in _requirements(builder):
        name = _NAME.match(requirement)
        if name is None or "extra ==" in requirement:
            continue
        try:
            yield f"{name[0]} {metadata.version(name[0])}"
        except metadata.PackageNotFoundError:
            missing.append(f"Missing: {name[0]}, which Puzzlepress needs; run pip install '{requirement}'")


def _requirements(builder: Path) -> list[str]:
    """The requirements of Puzzlepress, from the checkout that it is in or from what an installer has left."""
    try:
        import tomllib

        project = tomllib.loads((builder.parent / "pyproject.toml").read_text("utf-8"))["project"]
        return list(project["dependencies"])
    except (OSError, KeyError):
        pass
    try:
        return metadata.requires("puzzlepress") or []
    except metadata.PackageNotFoundError:
        return []


def _workers() -> str:
    return f"{os.cpu_count() or 1} by default, one for each core"


def _programs() -> Iterator[str]:
    for name, purpose in _PROGRAMS.items():
        yield f"{name} {'is there' if shutil.which(name) else f'is not there ({purpose} needs it)'}"


def _project(root: Path, missing: list[str]) -> str:
    from site_builder.project.config import load_config
    from site_builder.solving.catalog import solver_names

    try:
        title = load_config(root).settings.title
    except (SiteError, ExceptionGroup) as error:
        missing += [str(each) for each in errors_of(error)]
        title = "config.yaml has errors"
    posts = sum(path.is_file() for path in (root / "content" / "posts").rglob("*.md"))
    return f"{root}, {title!r}: {counted(posts, 'post')}, {counted(len(solver_names(root)), 'solver')}"


def _cache(root: Path) -> str:
    from site_builder.pipeline.last_build import STORE

    size = sum(path.stat().st_size for path in (root / STORE).rglob("*") if path.is_file())
    return f"{root / STORE}, {size / 2**20:.1f} MiB"


def _missing_libraries(root: Path) -> Iterator[str]:
    """The libraries that files of solvers/ import and that are not installed, each with the place of the import."""
    found: dict[str, str] = {}
    for path in sorted((root / "solvers").rglob("*.py")):
        with suppress(SyntaxError, ValueError, OSError):  # which a build reports
            for node in ast.walk(ast.parse(path.read_bytes())):
                for top in _imported(node):
                    if not _is_there(root, top):
                        found.setdefault(top, f"{path.relative_to(root).as_posix()}:{getattr(node, 'lineno', 1)}")
    cure = "write it into requirements.txt, and run pip install -r requirements.txt"
    for name, place in found.items():
        yield f"Missing: {name}, which {place} imports; {cure}"


def _imported(node: ast.AST) -> list[str]:
    """The top-level modules that a statement imports."""
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    return [str(node.module).partition(".")[0]] if isinstance(node, ast.ImportFrom) and not node.level else []


def _is_there(root: Path, module: str) -> bool:
    if module in ("solvers", "site_builder") or (root / module).is_dir() or (root / f"{module}.py").is_file():
        return True
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False
