"""Where a class, a function or a field of a class is written."""

import ast
import inspect
from textwrap import dedent
from typing import Any

from site_builder.values.python_syntax import syntax_tree


def origin(thing: Any, field: str = "") -> tuple[str, int]:
    """The file of a class or function and the line at which it begins, or at which a field of the class is declared.

    ("", 1) for what is written in no file.
    """
    try:
        file = inspect.getsourcefile(thing) or ""
        lines, first = inspect.getsourcelines(thing)
    except (OSError, TypeError):
        return "", 1
    return file, first + (_line_of(field, "".join(lines)) if field else 0)


def _line_of(field: str, source: str) -> int:
    """How many lines below the beginning of a class its field is declared; 0 when that is not seen."""
    try:
        (written,) = syntax_tree(dedent(source)).body
    except (SyntaxError, ValueError):  # dedent meets a text within the class that begins further left
        return 0
    declared = [part for part in getattr(written, "body", ()) if isinstance(part, ast.AnnAssign)]
    return next((part.lineno - 1 for part in declared if getattr(part.target, "id", "") == field), 0)
