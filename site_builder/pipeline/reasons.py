"""Why tasks ran: the difference between the inputs of a task at the last build and now, in words for authors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

FILE_READ = "file read "  # before the path of one that a solver has read, which is known only afterwards
_PARAMETER = "parameter "
_CODE = ("code of ", "statements of ", "imports of ", "docstrings of ")  # beginnings of inputs
_MOST_REASONS = 4


@dataclass(frozen=True)
class TaskReport:
    """A task of a post, or of the site where `subject` is empty, and why it ran or was reused.

    ran: whether it has to run; None where that depends on tasks that have not run yet.
    """

    subject: str
    task: str
    ran: bool | None
    words: str

    def __str__(self) -> str:
        return f"{self.task}: {self.words}"


def changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """The differences between two lists of inputs, in words."""
    if before.get("solver") != now.get("solver"):
        return [_change("solver", before.get("solver"), now.get("solver"))]
    names = sorted({*before, *now}, key=_importance)
    found = [_change(name, before.get(name), now.get(name)) for name in names if before.get(name) != now.get(name)]
    return [words for words in found if words]


def _importance(name: str) -> tuple[int, str]:
    """Parameters first, then the author's own files, then libraries, then the builder."""
    if name.startswith(_PARAMETER):
        return 0, name
    if name.startswith((*_CODE, FILE_READ, "content/")):
        return 1, name
    return (3 if name == "the builder" else 2), name


def _change(name: str, before: Any, now: Any) -> str:
    """One change in words; empty for one that is no reason to run. Lists are the values of sweeps."""
    plain = name.removeprefix(_PARAMETER)
    if name.startswith(FILE_READ):
        return f"data file {name.removeprefix(FILE_READ)} changed" if before and now else ""
    if isinstance(before, list) or isinstance(now, list):
        return _sweep_change(plain, before, now)
    if before is None or now is None:
        is_code = name.startswith(_CODE)
        return f"{plain} is {('now' if now else 'no longer') + ' used' if is_code else 'new' if now else 'gone'}"
    has_value = " " not in plain or (name.startswith("library ") and "(" not in name)
    return f"{plain} changed {before} -> {now}" if has_value and "/" not in name else f"{plain} changed"


def _sweep_change(parameter: str, before: Any, now: Any) -> str:
    if not isinstance(before, list):
        return f"{parameter} is now swept"
    if not isinstance(now, list):
        return f"{parameter} is no longer swept"
    new = len(set(now) - set(before))
    return f"the sweep of {parameter} has {new} new value{'' if new == 1 else 's'}" if new else ""


def joined(found: Sequence[str]) -> str:
    """Join reasons into one phrase: at most four, then "and N more"."""
    shown = list(dict.fromkeys(found))
    more = len(shown) - _MOST_REASONS
    return ", ".join(shown[:_MOST_REASONS]) + (f" and {more} more" if more > 0 else "")
