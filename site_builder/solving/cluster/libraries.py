"""The libraries that a worker must share with the machine that builds, so that answers have the same bytes."""

from collections.abc import Mapping
from functools import cache

from site_builder.solving.code.libraries import python_version, versions

_OF_THE_BUILDER = ("numpy", "matplotlib", "PIL", "pydantic")  # what tasks on a cluster import of themselves
PROCESSOR = "instructions of the processor that numpy uses"


@cache
def needed_by_every_task() -> Mapping[str, str]:
    """The Python, the versions of libraries, and the processor's instructions of this machine."""
    from numpy._core._multiarray_umath import __cpu_features__  # type: ignore[import-not-found]

    used = " ".join(sorted(name for name, is_there in __cpu_features__.items() if is_there))
    return {"Python": python_version(), PROCESSOR: used, **versions(_OF_THE_BUILDER)}


def differences(needed: Mapping[str, str]) -> str:
    """In words what this machine has in other versions; empty where there is no difference."""
    own = needed_by_every_task()
    libraries = [name for name in needed if name not in own]
    found = {**own, **(_installed(libraries) if libraries else {})}
    words = []
    for name, version in needed.items():
        there = found.get(name, "")
        if there == version:
            continue
        if name == PROCESSOR:
            one, other = set(there.split()), set(version.split())
            words.append(f"another processor (only there: {_list(one - other)}; only here: {_list(other - one)})")
        else:
            words.append(f"{name} {there} there, {version} here" if there else f"{name} is missing there")
    return "; ".join(words)


def _installed(names: list[str]) -> Mapping[str, str]:
    from site_builder.solving.code.libraries import installed

    return {name: installed()[name].version for name in names if name in installed()}


def _list(names: set[str]) -> str:
    return " ".join(sorted(names)) or "none"
