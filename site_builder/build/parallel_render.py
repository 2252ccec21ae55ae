"""Pages made ahead of their turn by processes beside this one: a shortcut, without which the site is the same.

The processes are forked, so that they have all that pages are made of and nothing has to be sent to them. Whatever goes
wrong in one of them, it ends; its pages are then made here, where a fault can be told.
"""

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from site_builder.site.page import Names, Page
from site_builder.storage.store import Store

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_MANY = 200  # pages that are worth two processes
_MOST = 4  # processes; more would wait for this one to take what they have made
_PATIENCE = 60.0  # seconds, for one page
_ROOM = 2**20  # bytes that a process may be ahead


@dataclass(frozen=True)
class Made:
    """The bytes of a page, what was looked at for them, and whether they are new to the store."""

    data: bytes
    names: Names | None
    is_new: bool


Make = Callable[[Page], Made]


@contextmanager
def made_ahead(
    pages: Sequence[Page], prepare: Callable[[], None], make: Make, store: Store, jobs: int, many: int = _MANY
) -> Iterator[Make]:
    """A function that gives what `make` does for each of the pages, to be asked in their order, and for any others.

    Beside this process, up to `jobs` others make the pages; they have ended when the `with` is left. prepare: called
    before, for what they would all have to do. store: the one that `make` reads from.
    """
    if len(pages) < many or jobs < 2 or sys.platform != "linux" or not store.let_go():
        yield make
        return
    helpers: list[_Helper] = []
    try:
        prepare()
        gc.freeze()  # or the first collection of each process would copy all that they share
        try:
            for number in range(min(jobs, _MOST)):
                helpers.append(_Helper(pages[number :: min(jobs, _MOST)], make, store, helpers))
        finally:
            gc.unfreeze()
            store.take_up()
        turns = {page.path: helpers[number % len(helpers)] for number, page in enumerate(pages)}

        def made(page: Page) -> Made:
            helper = turns.get(page.path)
            return (helper and helper.take(page)) or make(page)

        yield made
    finally:
        for helper in helpers:
            helper.end()


class _Helper:
    """A process that makes some of the pages, and waits where it is too far ahead."""

    def __init__(self, pages: Sequence[Page], make: Make, store: Store, others: "Sequence[_Helper]") -> None:
        from multiprocessing import Pipe

        self._receiving, sending = Pipe(duplex=False)
        _enlarge(sending.fileno())
        self._process = os.fork()
        if self._process == 0:
            try:
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the build's business
                for end in (self._receiving, *(other._receiving for other in others)):
                    end.close()  # so that this process ends when the build has, by whatever means
                _send_all(pages, make, store, sending)
            finally:
                os._exit(0)  # whatever happened: nothing of the build's own ending may run here
        sending.close()

    def take(self, page: Page) -> Made | None:
        """What was made of the page, whose turn it is; None when the process has failed."""
        if self._receiving.closed:
            return None
        with suppress(OSError, EOFError):
            if self._receiving.poll(_PATIENCE):
                path, made = self._receiving.recv()
                if path == page.path:
                    return made  # type: ignore[no-any-return]
        self._receiving.close()
        return None

    def end(self) -> None:
        """End the process, which has nothing to lose."""
        self._receiving.close()
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)


def _enlarge(pipe: int) -> None:
    import fcntl

    with suppress(OSError):  # the system allows less
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _ROOM)


def _send_all(pages: Sequence[Page], make: Make, store: Store, sending: "Connection") -> None:
    store.take_up()
    for page in pages:
        sending.send((page.path, make(page)))
    sending.close()
    store.close()
