"""Why tasks ran: what differs between what a task was made from at the last build and now, as an author writes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
    """What differs between two lists of ingredients, in words."""
    if before.get("solver") != now.get("solver"):
        return [_change("solver", before.get("solver"), now.get("solver"))]
    names = sorted({*before, *now}, key=_importance)
    found = [_change(name, before.get(name), now.get(name)) for name in names if before.get(name) != now.get(name)]
    return [words for words in found if words]


def _importance(name: str) -> tuple[int, str]:
    """Parameters first, then the author's own files, then libraries, then the builder."""
    if name.startswith("parameter "):
        return 0, name
    if name.startswith(("solvers/", "data file")):
        return 1, name
    return (3 if name.startswith("site_builder/") else 2), name


def _change(name: str, before: Any, now: Any) -> str:
    """One change in words; empty for one that is no reason to run. Lists are the values of sweeps."""
    plain = name.removeprefix("parameter ")
    file, bracket, part = name.partition(" (")
    if name.startswith("read "):
        return _read_change(name.removeprefix("read ")) if before and now else ""
    if isinstance(before, list) or isinstance(now, list):
        return _sweep_change(plain, before, now)
    if bracket and "/" in file:
        if before and now:
            return f"{file} changed ({part}"
        return f"{name} is {'now' if now else 'no longer'} used"
    if before is None or now is None:
        return f"{plain} is {'new' if now else 'gone'}"
    return f"{plain} changed" if "/" in name or " " in plain else f"{plain} changed {before} -> {now}"


def _sweep_change(parameter: str, before: Any, now: Any) -> str:
    if not isinstance(before, list):
        return f"{parameter} is now swept"
    if not isinstance(now, list):
        return f"{parameter} is no longer swept"
    new = len(set(now) - set(before))
    return f"the sweep of {parameter} has {new} new value{'' if new == 1 else 's'}" if new else ""


def _read_change(name: str) -> str:
    """The change of something that a text read of results or code."""
    if name.startswith("source "):
        return f"the code of {name.removeprefix('source ')} changed, which it shows"
    return f"results.{name.removesuffix('.*')} changed"  # all fields of a run are noted by a star


def joined(found: Sequence[str]) -> str:
    """Join reasons into one phrase: at most four, then "and N more"."""
    shown = list(dict.fromkeys(found))
    more = len(shown) - _MOST_REASONS
    return ", ".join(shown[:_MOST_REASONS]) + (f" and {more} more" if more > 0 else "")
