"""Landlock: the Linux kernel refuses what a process may not open, to compiled code too, which no audit hook sees."""

import ctypes
import os
import sys
from collections.abc import Iterable

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446  # numbers of the system calls on every machine
_ASK_VERSION = 1
_PATH_BENEATH = 1
_NO_NEW_PRIVILEGES = 38  # of prctl
_EXECUTE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 2, 1 << 3
_BIND_AND_CONNECT = 3
_SOCKETS_AND_SIGNALS = 3
_NETWORK_SINCE, _SCOPE_SINCE = 4, 6  # versions of the interface


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Rule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """The version of the interface; 0 where the kernel has none or has it turned off."""
    return max(0, _call(_CREATE, None, 0, _ASK_VERSION)) if sys.platform == "linux" else 0


def restrict(folders: Iterable[str], files: Iterable[str], listed: Iterable[str]) -> bool:
    """Allow this thread, for ever, to read and list these folders, read these files and list these other folders alone.

    Nothing is executed; no network, no signal to other processes where the kernel knows these rules. Whether it is so.
    """
    known = version()
    if not known:
        return False
    size = 8 + 8 * (known >= _NETWORK_SINCE) + 8 * (known >= _SCOPE_SINCE)
    wanted = _Ruleset(_EXECUTE | _READ_FILE | _READ_DIR, _BIND_AND_CONNECT, _SOCKETS_AND_SIGNALS)
    ruleset = _call(_CREATE, ctypes.byref(wanted), size, 0)
    if ruleset < 0:
        return False
    try:
        rules = [(path, _READ_FILE | _READ_DIR) for path in folders]
        rules += [*((path, _READ_FILE) for path in files), *((path, _READ_DIR) for path in listed)]
        for path, allowed in rules:
            _allow(ruleset, path, allowed)
        ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        return _call(_RESTRICT, ruleset, 0) == 0
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, allowed: int) -> None:
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # there is none, so nothing is to be allowed
        return
    _call(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(_Rule(allowed, opened)), 0)
    os.close(opened)


def _call(number: int, *arguments: object) -> int:
    return int(ctypes.CDLL(None).syscall(number, *arguments))
