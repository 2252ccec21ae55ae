"""A fault as it is shown in a browser: with the lines around its place."""

import re
from dataclasses import dataclass
from pathlib import Path

from site_builder.errors import SiteError

_AROUND = 3  # lines before and after the one that is meant
_INNER = re.compile(r"\b((?:solvers|templates|content)/[^\s:]+):(\d+)")


@dataclass(frozen=True)
class ShownFault:
    """What is wrong, where and how to mend it, in words.

    place: such as content/posts/x.md:12. file and line: where to look, which for a solver that fails is its own line;
    around: numbered lines of that file, none where it has none.
    """

    place: str
    fault: str
    cure: str
    file: str
    line: int
    around: tuple[tuple[int, str], ...]


def shown(fault: SiteError, root: Path) -> ShownFault:
    """The fault with the lines that are around its place now, in the project in `root`."""
    inner = _INNER.search(fault.fault)
    file, line = (inner[1], int(inner[2])) if inner else (fault.place.path, fault.place.line)
    around = _lines(root / file, line) if line else ()
    return ShownFault(str(fault.place), fault.fault, fault.cure, file, line, around)


def _lines(path: Path, line: int) -> tuple[tuple[int, str], ...]:
    try:
        lines = path.read_text("utf-8", "replace").split("\n")
    except (OSError, ValueError):
        return ()
    first = max(1, line - _AROUND)
    return tuple(enumerate(lines[first - 1 : line + _AROUND], first))
