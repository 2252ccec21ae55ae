"""The environment variables of worker processes, so that no other variable can change an answer."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

# One thread for linear algebra in each worker, sets in the same order, one zone and language: all give the same bytes.
FIXED = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
FIXED |= {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8"}
SAFE_PATH = {"PYTHONSAFEPATH": "1"}  # no module of the working folder, a blog, hides one of a library
# What a Python needs to start, and what says where caches and temporary files are. A solver finds none of these.
_INHERITED = (
    *("HOME", "PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR", "TEMP", "TMP"),
    *("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"),
)


@contextmanager
def of_workers(hash_seed: str = "") -> Iterator[None]:
    """Have processes that are started meanwhile get these variables, and find modules where this process does.

    hash_seed: their PYTHONHASHSEED, in place of the fixed one. What the working folder holds comes last.
    """
    before = dict(os.environ)
    folders = [path for path in sys.path if path and path != os.getcwd()]
    python_path = os.pathsep.join([*folders, *([os.getcwd()] if len(folders) < len(sys.path) else [])])
    kept = {name: before[name] for name in _INHERITED if name in before}
    seed = {"PYTHONHASHSEED": hash_seed} if hash_seed else {}
    _replace(kept | FIXED | SAFE_PATH | {"PYTHONPATH": python_path} | seed)
    try:
        yield
    finally:
        _replace(before)


def check() -> None:
    """End this process unless it was started with the fixed variables: it may have a parent that was started anew."""
    if any(os.environ.get(name) != value for name, value in FIXED.items() if name != "PYTHONHASHSEED"):
        sys.exit("a worker process was started without its environment")


def keep_fixed() -> None:
    """Remove every variable but the fixed ones from this process, which runs a solver."""
    _replace({name: os.environ.get(name, value) for name, value in FIXED.items()})


def _replace(wanted: Mapping[str, str]) -> None:
    for name in set(os.environ) - set(wanted):
        del os.environ[name]
    os.environ.update(wanted)
