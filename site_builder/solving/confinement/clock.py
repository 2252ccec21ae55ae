"""The clock, which solvers do not use: calls from a project's code are refused, other code reads it as ever."""

import ast
import sys
import time
from collections.abc import Callable
from functools import wraps
from types import FrameType
from typing import Any

from site_builder.values.python_syntax import syntax_tree

_READING = (
    *("clock_gettime", "clock_gettime_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns"),
    *("process_time", "process_time_ns", "thread_time", "thread_time_ns", "time", "time_ns"),
)
_CONVERTING = {"asctime": 1, "ctime": 1, "gmtime": 1, "localtime": 1, "strftime": 2}  # with so many arguments
_NOW = ("now", "utcnow")  # of datetime, whose types cannot be changed; `today` asks time.time


def guard(refuse: Callable[[str, FrameType], None]) -> None:
    """From now on call `refuse` with the function and the caller's frame before the clock is read."""
    for name in (*_READING, *_CONVERTING):
        if hasattr(time, name):
            setattr(time, name, _guarded(name, getattr(time, name), _CONVERTING.get(name, sys.maxsize), refuse))


def _guarded(
    name: str, function: Callable[..., Any], enough: int, refuse: Callable[[str, FrameType], None]
) -> Callable[..., Any]:
    @wraps(function)
    def read(*arguments: Any) -> Any:
        if len(arguments) < enough:
            refuse(f"time.{name}", sys._getframe(1))
        return function(*arguments)

    return read


def asks_datetime(text: bytes) -> int:
    """The line of a module on which it asks a class of datetime for the present time; 0 when there is none."""
    if b"datetime" not in text or not any(name.encode() in text for name in _NOW):
        return 0
    nodes = list(ast.walk(syntax_tree(text)))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module == "datetime"]
    names = {alias.asname or alias.name for node in imports for alias in node.names}
    plain = [alias for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names |= {alias.asname or alias.name for alias in plain if alias.name == "datetime"}
    calls = [node for node in nodes if isinstance(node, ast.Attribute) and node.attr in _NOW]
    return min((node.lineno for node in calls if _root(node) in names), default=0)


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
