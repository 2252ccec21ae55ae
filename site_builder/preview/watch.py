"""Waiting for the files of a project to change, by watchfiles: reports of the system, or its own polling."""

import threading
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any

from site_builder.solving.processes.pool import block_interrupts

_STEP, _DEBOUNCE = 20, 100  # milliseconds: how often watchfiles looks for reports, and how long it collects them
_FIRST = 500  # milliseconds after which folders that are watched anew are looked at once more
_CURE = "allow more with: sudo sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=1024"


class Watcher(threading.Thread):
    """Calls `changed` whenever something may have changed in the folders of a project.

    folders: lists all folders to watch. warn: is called where the system reports no changes and files are polled.
    """

    def __init__(
        self, folders: Callable[[], Collection[str]], changed: Callable[[], None], warn: Callable[[str], None]
    ) -> None:
        super().__init__(daemon=True)
        self._folders, self._changed, self._warn = folders, changed, warn
        self._is_stopped, self._woken = False, threading.Event()

    def list_again(self) -> None:
        """Ask for the folders again, which have become others."""
        self._woken.set()

    def stop(self) -> None:
        """End the thread."""
        self._is_stopped = True
        self._woken.set()
        self.join()

    def run(self) -> None:
        """Watch until stopped."""
        block_interrupts()
        try:
            self._watch()
        except OSError as error:  # the system watches no more files
            self._warn(f"Changes are not reported, and files are polled: {error}; {_CURE}")
            self._watch(force_polling=True)

    def _watch(self, force_polling: bool | None = None) -> None:
        """Watch until stopped. force_polling: None for what the system and WATCHFILES_FORCE_POLLING say."""
        from watchfiles import watch

        options: dict[str, Any] = {"recursive": False, "watch_filter": None, "raise_interrupt": False}
        options |= {"stop_event": self._woken, "force_polling": force_polling}
        options |= {"step": _STEP, "debounce": _DEBOUNCE, "rust_timeout": _FIRST, "yield_on_timeout": True}
        while not self._is_stopped:
            self._woken.clear()
            folders, is_first = set(self._folders()), True
            self._changed()
            with suppress(FileNotFoundError):  # a folder went just now
                for changes in watch(*folders, **options):
                    if changes or is_first:  # what has changed before they were watched is noticed now
                        self._changed()
                    is_first = False
                    if self._is_stopped or (changes and set(self._folders()) != folders):
                        break
