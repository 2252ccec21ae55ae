"""Templates that a process compiles once, for all projects in which they have the same text.

To compile the templates of a small site takes half of the time of its build. The code depends on the text, the name and
the settings of Jinja; of the file it has only the path, for tracebacks, which is put in anew.
"""

from pathlib import Path
from types import CodeType
from typing import Any

from jinja2 import Environment

ROOT = Path(__file__).resolve().parents[1]
_SETTINGS = ("autoescape", "trim_blocks", "lstrip_blocks", "keep_trailing_newline", "undefined")
_compile: Any = Environment.compile
_compiled: dict[tuple[Any, ...], CodeType] = {}


def keep() -> None:
    """Have this process, and its copies, keep the code of the templates that it compiles."""
    Environment.compile = _kept  # type: ignore[method-assign]


def compile_own() -> None:
    """Compile the templates of this project."""
    from site_builder.project.config import Limits
    from site_builder.site.theme import Theme

    folder = ROOT / "templates"
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*.html")]
    files, digests = {name: name for name in names}, dict.fromkeys(names, "")
    read = lambda name: (folder / name).read_bytes()  # noqa: E731
    Theme(files, digests, lambda _, find: find(), read, folder.joinpath, Limits()).load()


def _kept(self: Environment, source: Any, name: Any = None, filename: Any = None, *more: Any, **others: Any) -> Any:
    if type(self) is not Environment or filename is None or more or others:
        return _compile(self, source, name, filename, *more, **others)
    settings = (getattr(self, each) for each in _SETTINGS)
    key = (source, name, *settings, *self.extensions, *self.filters, *self.tests)
    if key not in _compiled:
        _compiled[key] = _compile(self, source, name, filename)
    return _with_path(_compiled[key], filename)


def _with_path(code: CodeType, path: str) -> CodeType:
    inner = (_with_path(each, path) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_filename=path, co_consts=tuple(inner))
