"""The code of a solver's function or class as it ran, highlighted; read from its file, never imported."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

from site_builder.errors import PostError, nearest, shown_path
from site_builder.markup.highlight import highlighted
from site_builder.posts.blocks import SourceBlock
from site_builder.project.config import text_of
from site_builder.solving.catalog import SHARED, solver_files, solver_names
from site_builder.values.python_syntax import syntax_tree

Read = Callable[[str], bytes]


def listing(root: Path, solver: str, name: str, read: Read) -> SourceBlock:
    """The code of `name` ("step", "Class.method", or "module.step" in a solver that is a folder, or in `common`).

    read: gives the bytes of a solver's file by its path in the project. Raises PostError when there is no such solver
    or name.
    """
    path, wanted, first, code = _excerpt(root, solver, name, read)
    return SourceBlock(shown_path(path, root), wanted, first, highlighted(code, "python") + "\n")


def _excerpt(root: Path, solver: str, name: str, read: Read) -> tuple[Path, str, int, str]:
    """The file of the code, its name there, its first line and its text."""
    known = [*solver_names(root), SHARED]
    if solver not in known:
        raise PostError(f"no solver is named {solver!r}", nearest(solver, known))
    paths = solver_files(root, solver)
    module, _, rest = name.partition(".")
    wanted, files = (rest, [paths[module]]) if rest and module in paths else (name, list(paths.values()))
    texts = {path: text_of(read(shown), shown) for path in files for shown in [shown_path(path, root)]}
    found: dict[str, tuple[Path, int, int]] = {}
    for path, text in texts.items():
        for each, (first, last) in _definitions(syntax_tree(text), ""):
            found.setdefault(each, (path, first, last))
    if wanted not in found:
        raise PostError(f"solver '{solver}' has no {name!r} to show", nearest(wanted, found))
    path, first, last = found[wanted]
    lines = texts[path].split("\n")[first - 1 : last]
    indent = len(lines[0]) - len(lines[0].lstrip())
    return path, wanted, first, "\n".join(line[indent:] for line in lines)


def _definitions(tree: ast.AST, prefix: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Names that are defined, with their first line (decorators and comments above included) and their last."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield prefix + node.name, (first, node.end_lineno or first)
            if isinstance(node, ast.ClassDef):
                yield from _definitions(node, f"{prefix}{node.name}.")
