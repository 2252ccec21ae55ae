"""Loads the code of a project from its text, never from bytecode.

CPython trusts a .pyc whose source has the same size and mtime second; after a quick edit it would run stale code.
"""

from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from types import CodeType

_as_python_does = SourceFileLoader.get_code
_compiled: dict[tuple[str, bytes], CodeType] = {}  # a worker loads the same texts again when it changes solvers


def compile_texts(is_ours: Callable[[str], bool], checked: Callable[[str, bytes], bytes]) -> CodeType:
    """From now on compile each file that `is_ours` from its text; returns the code object that does so.

    checked: gives the text that is to run for a path and the text that was found there, or raises.

    The loader itself is changed, since a solver can make one by hand and so avoid every import hook.
    """

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        path = loader.get_filename(name)
        if not is_ours(path):
            return _as_python_does(loader, name)
        text = checked(path, loader.get_data(path))
        if (path, text) not in _compiled:
            _compiled[path, text] = loader.source_to_code(text, path)
        return _compiled[path, text]

    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]
    return get_code.__code__
