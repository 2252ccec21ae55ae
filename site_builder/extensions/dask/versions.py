"""Versions that a worker must share with the machine that builds, so that answers have the same bytes."""

from collections.abc import Mapping
from functools import cache

from site_builder import __version__
from site_builder.solving.code.libraries import installed, python_version, versions
from site_builder.storage.file_fingerprints import BUILDER
from site_builder.values.digest import bytes_digest, digest

_OF_THE_BUILDER = ("numpy", "matplotlib", "pydantic")  # what tasks of solvers import of themselves


@cache
def needed_by_every_task() -> Mapping[str, str]:
    """The builder, the Python, the versions of libraries, and the instructions of the processor that numpy uses."""
    import numpy

    code = {path.relative_to(BUILDER).as_posix(): bytes_digest(path.read_bytes()) for path in BUILDER.rglob("*.py")}
    builder = f"{__version__} ({digest(dict(sorted(code.items())))[:8]})"
    found = numpy.show_config(mode="dicts")["SIMD Extensions"]
    processor = " ".join(sorted({*found.get("baseline", []), *found.get("found", [])}))
    return {"Puzzlepress": builder, "Python": python_version(), "processor": processor, **versions(_OF_THE_BUILDER)}


def differences(needed: Mapping[str, str]) -> str:
    """In words what this machine has in other versions; empty where there is no difference."""
    own = {name: library.version for name, library in installed().items()} | dict(needed_by_every_task())
    others = [(name, version) for name, version in needed.items() if own.get(name) != version]
    return "; ".join(
        f"{name} {own[name]} there, {version} here" if name in own else f"{name} is missing there"
        for name, version in others
    )
