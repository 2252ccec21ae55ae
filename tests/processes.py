"""Processes that tests begin, and those of this machine, as its /proc shows them."""

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path


class Begun(subprocess.Popen):
    """A process that ends with a test that fails: leaving `with` after an error kills it instead of waiting for it.

    It is asked for its stack first, which a builder of tests gives (conftest.py).
    """

    def __exit__(self, kind, value, traceback):
        if kind is not None and self.poll() is None:
            self.send_signal(signal.SIGUSR1)
            time.sleep(0.5)
            self.kill()
            with suppress(subprocess.TimeoutExpired):
                print("What was still to be read of a process that was killed:", *self.communicate(timeout=5), sep="\n")
        super().__exit__(kind, value, traceback)


BEGUN = "    import os\n\n    open(os.getcwd() + '.begun', 'w').close()\n"  # in a solver, for `wait_until_begun`


def wait_until_begun(root):
    """Wait for the solver of the project in this folder that says so."""
    sign = Path(f"{root}.begun")
    for _ in range(1200):
        if sign.exists():
            return sign.unlink()
        time.sleep(0.1)
    raise AssertionError("no solver has begun")


# In a solver, which goes on after `let_go`.
WAITING = "    import os, time\n\n    while not os.path.exists(os.getcwd() + '.go'):\n        time.sleep(0.01)\n"


def let_go(root):
    """Let the waiting solvers of the project in this folder go on, now and later."""
    Path(f"{root}.go").touch()


def hold(root):
    """Let them wait again."""
    Path(f"{root}.go").unlink(missing_ok=True)


def processes_left_in(folder):
    """The processes that work in a folder, as the workers of its build do, after a while in which they may end."""
    for _ in range(600):
        found = [entry.name for entry in Path("/proc").iterdir() if entry.name.isdigit() and _works_in(entry, folder)]
        if not found:
            break
        time.sleep(0.1)
    return found


def _works_in(entry, folder):
    try:
        return Path(os.readlink(entry / "cwd")) == folder
    except OSError:  # it has ended, or belongs to somebody else
        return False
