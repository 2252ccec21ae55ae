"""What the terminal says of a preview: its address, then a line for whatever happens."""

from collections.abc import Callable, Sequence

from site_builder.errors import Place, SiteError, counted
from site_builder.preview.controller import PreviewState
from site_builder.preview.error_excerpt import ShownFault
from site_builder.preview.http.host_check import is_everywhere, is_loopback
from site_builder.preview.http.listen import Door


class Terminal:
    """Tells of a preview in plain lines. say: for what is done; warn: for what is wrong."""

    def __init__(self, door: Door, say: Callable[[str], None], warn: Callable[[str], None]) -> None:
        self._door = door
        self._say = say
        self._warn = warn
        self._state = PreviewState()
        self._faults: Sequence[ShownFault] = ()

    def opened(self, base: str) -> None:
        """The first page can be asked for."""
        door = self._door
        if door.taken:
            self._say(f"Port {door.taken} is in use by another program; this preview takes {door.port}.")
        self._say(f"Preview: {door.address}{base} (Ctrl-C ends it)")
        if is_everywhere(door.host):
            self._warn(f"--host {door.host}: everybody on the network can see this preview at port {door.port}")
        elif not is_loopback(door.host):
            self._warn(f"--host {door.host}: others on the network can see this preview")
        if not self._state.version and not self._faults:
            self._say("The site is being built for the first time; its pages show when they are there.")

    def told(self, state: PreviewState, faults: Sequence[ShownFault]) -> None:
        """How things now stand. faults: all that are known, of pages that were looked at as well."""
        before, known = self._state, self._faults
        self._state, self._faults = state, faults
        for path, doing in state.pending.items():
            if path not in before.pending:
                self._say(f"/{path}: {doing}; until then the page stays as it was")
        for fault in faults:
            if fault not in known:
                self._warn(str(SiteError(Place(fault.place), fault.fault, fault.cure)))
        if faults and set(faults) < set(known):
            self._say(f"{counted(len(known) - len(faults), 'fault')} mended, {len(faults)} left")
        elif known and not faults:
            self._say("Mended.")
        elif state.version > before.version > 0:
            some = ", ".join(state.changed[:3]) + (f" and {len(state.changed) - 3} more" if state.changed[3:] else "")
            self._say(f"{some or 'What was waited for'}: built again ({state.seconds:.2f} s)")
