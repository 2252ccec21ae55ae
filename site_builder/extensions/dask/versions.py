"""Versions that a worker must share with the machine that builds, so that answers have the same bytes."""

from collections.abc import Mapping
from functools import cache

from site_builder import __version__
from site_builder.solving.code.libraries import installed, python_version, versions
from site_builder.storage.file_fingerprints import BUILDER
from site_builder.values.digest import bytes_digest, digest

_OF_THE_BUILDER = ("numpy", "matplotlib", "pydantic")  # what tasks of solvers import of themselves
PROCESSOR = "instructions of the processor that numpy uses"


@cache
def needed_by_every_task() -> Mapping[str, str]:
    """The builder, the Python, the versions of libraries, and the processor's instructions of this machine."""
    import numpy

    found = numpy.show_config(mode="dicts")["SIMD Extensions"]
    used = " ".join(sorted({*found.get("baseline", []), *found.get("found", [])}))
    return {"Puzzlepress": _builder(), "Python": python_version(), PROCESSOR: used, **versions(_OF_THE_BUILDER)}


def _builder() -> str:
    """The version of the builder, and the start of a digest of its code."""
    code = {str(path.relative_to(BUILDER)): bytes_digest(path.read_bytes()) for path in BUILDER.rglob("*.py")}
    return f"{__version__} ({digest(dict(sorted(code.items())))[:8]})"


def differences(needed: Mapping[str, str]) -> str:
    """In words what this machine has in other versions; empty where there is no difference."""
    own = {name: library.version for name, library in installed().items()} | dict(needed_by_every_task())
    words = []
    for name, version in needed.items():
        there = own.get(name, "")
        if there == version:
            continue
        if name == PROCESSOR:
            one, other = set(there.split()), set(version.split())
            words.append(f"another processor (only there: {_list(one - other)}; only here: {_list(other - one)})")
        else:
            words.append(f"{name} {there} there, {version} here" if there else f"{name} is missing there")
    return "; ".join(words)


def _list(names: set[str]) -> str:
    return " ".join(sorted(names)) or "none"
