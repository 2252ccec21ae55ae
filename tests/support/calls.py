"""How much work an action does, counted and not timed."""

import gc
import sys


def calls_of(action):
    """How often the action calls a function, of Python or of C, without what is called when garbage is collected."""
    count = 0

    def watch(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    gc.collect()
    gc.disable()
    sys.setprofile(watch)
    try:
        action()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count
