"""The state of a preview that it shows at one moment, and errors with the lines around their places."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from site_builder.errors import SiteError

_AROUND = 3  # lines before and after the line of the error
_INNER = re.compile(r"\b((?:solvers|templates|content)/[^\s:]+):(\d+)")


@dataclass(frozen=True)
class ShownError:
    """An error with the lines around its place, as a browser and a terminal show it.

    place: such as content/posts/x.md:12. file and line: where to look, which for a solver that fails is its own line;
    around: numbered lines of that file, none where it has none. notes: further lines, with the calls that led there.
    """

    place: str
    message: str
    cure: str
    notes: str
    file: str
    line: int
    around: tuple[tuple[int, str], ...]


def shown(error: SiteError, root: Path) -> ShownError:
    """The error with the lines that are around its place now, in the project in `root`."""
    inner = _INNER.search(error.message)
    file, line = (inner[1], int(inner[2])) if inner else (error.place.path, error.place.line)
    around = _lines(root / file, line) if line else ()
    notes = "\n".join([*error.notes, *(["calls:"] if error.calls else []), *(f"  {call}" for call in error.calls)])
    return ShownError(str(error.place), error.message, error.cure, notes, file, line, around)


def _lines(path: Path, line: int) -> tuple[tuple[int, str], ...]:
    try:
        lines = path.read_text("utf-8", "replace").split("\n")
    except (OSError, ValueError):
        return ()
    first = max(1, line - _AROUND)
    return tuple(enumerate(lines[first - 1 : line + _AROUND], first))


@dataclass(frozen=True)
class PreviewState:
    """The state that a browser and a terminal may show.

    version: grows with each new site, 0 while there is none. pending: what is computed for a page that shows its last
    form meanwhile, by its path. progress: of a computation, in words. changed: the files that the new site was built
    for, none where it was built for new results; seconds: how long that took. files: digest of all that is published as
    it is, such as pictures. is_outdated: whether this process has to be restarted, since the builder has changed.
    """

    version: int = 0
    errors: tuple[ShownError, ...] = ()
    pending: Mapping[str, str] = field(default_factory=dict)
    progress: str = ""
    changed: tuple[str, ...] = ()
    seconds: float = 0.0
    files: str = ""
    is_outdated: bool = False
