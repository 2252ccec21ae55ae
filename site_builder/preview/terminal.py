"""The lines of a preview in the terminal: its address, then a line for whatever happens."""

from collections.abc import Callable, Sequence

from site_builder.errors import Place, SiteError
from site_builder.preview.state import PreviewState, ShownError


class Terminal:
    """Reports on a preview in plain lines. echo: prints what is done; warn: what is wrong."""

    def __init__(self, echo: Callable[[str], None], warn: Callable[[str], None]) -> None:
        self._echo, self._warn, self._state = echo, warn, PreviewState()

    def opened(self, address: str, public_port: int) -> None:
        """The first page can be requested. public_port: 0 where only this machine can do so."""
        self._echo(f"Preview: {address} (Ctrl-C ends it)")
        if public_port:
            self._warn(f"everybody on the network can see this preview at port {public_port}")
        if not (self._state.version or self._state.errors):
            self._echo("The site is being built for the first time; its pages show when they are there.")

    def failed(self, errors: Sequence[ShownError]) -> None:
        """Errors have come up."""
        for error in errors:
            self._warn(str(SiteError(Place(error.place), error.message, error.cure, error.notes.splitlines())))

    def report(self, state: PreviewState) -> None:
        """Report what has changed."""
        before, self._state = self._state, state
        for path in state.pending.keys() - before.pending.keys():
            self._echo(f"/{path}: {state.pending[path]}; until then the page stays as it was")
        self.failed([error for error in state.errors if error not in before.errors])
        if before.errors and not state.errors:
            self._echo("All errors are corrected.")
        elif state.version > before.version > 0 and not state.errors:
            some = ", ".join(state.changed[:3]) + (f" and {len(state.changed) - 3} more" if state.changed[3:] else "")
            self._echo(f"{some or 'The pages that were still being computed'}: built again ({state.seconds:.2f} s)")
