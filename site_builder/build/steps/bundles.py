"""Orders -> bundles: each distinct one once, from the store or made and proved in a worker process."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, replace

from site_builder.errors import Place, SiteError, faults_of, raise_all
from site_builder.project.config import Limits
from site_builder.solving.bundle.archive import BUILDERS, Order, bundle
from site_builder.solving.failure import Failure
from site_builder.solving.pool import Workers
from site_builder.storage.code_fingerprints import CodeKeys
from site_builder.storage.store import MissingEntryError, Store
from site_builder.values.digest import bytes_digest, digest

_STARTING = 20.0  # seconds to unpack a bundle, start Python and load libraries, which no solve's limit is meant for
_ENDING = 30.0  # and to end all that, before the worker itself is ended


@dataclass(frozen=True)
class Request:
    """An order with the run's place in the post and the limits of its solve."""

    order: Order
    place: Place
    limits: Limits


@dataclass(frozen=True)
class Bundles:
    """Where bundles come from and are kept. thorough: whether to look if all that is kept is really there."""

    workers: Workers
    store: Store
    codes: CodeKeys
    thorough: bool = False

    def make(
        self, requests: Iterable[Request], tell: Callable[[Request, bool], None], step: Callable[[int], None]
    ) -> dict[Order, str]:
        """What names the bytes of each bundle, by its order.

        tell: called with each distinct request and whether it had to be made. Raises SiteError for each that cannot be
        made or does not give the published answer by itself, after all others have been proved.
        """
        found: dict[Order, str] = {}
        proving: list[tuple[Request, str, bytes, Future[bytes | Failure]]] = []
        faults: list[SiteError] = []
        for request in _distinct(requests):
            try:
                known = self.recalled(request.order)
                tell(request, known is None)
                if known is None:
                    key, data = self.key(request.order), self._made(request.order)
                    proving.append((request, key, data, self._submit(request, data)))
                else:
                    found[request.order] = known
                    step(1)
            except* SiteError as group:
                faults += faults_of(group)
                step(1)
        for request, key, data, future in proving:
            answer = future.result()
            if isinstance(answer, Failure):
                faults.append(_told(answer, request))
            else:
                found[request.order] = self._kept(key, data)
            step(1)
        raise_all(faults)
        return found

    def file(self, name: str) -> bytes:
        """The bytes of a bundle. Raises MissingEntryError when they are in the store no more."""
        data = self.store.get("bundled", name)
        if data is None:
            raise MissingEntryError
        return data

    def recalled(self, order: Order) -> str | None:
        """What names the bytes of the bundle, if it is in the store."""
        found = self.store.get("bundle", self.key(order))
        if found is None:
            return None
        name = found.decode("ascii", "replace")
        return None if self.thorough and self.store.get("bundled", name) is None else name

    def key(self, order: Order) -> str:
        """Names all that a bundle is made of, and what it was proved with."""
        texts = self.codes.digests(self._sources(order.solver))
        wanted = (order.run, order.solver, bytes_digest(order.parameters), bytes_digest(order.expected.encode()))
        return digest(self.codes.bundling.key, wanted, texts, self.codes.libraries(order.solver))

    def _sources(self, solver: str) -> list[str]:
        known = self.codes.whole(solver)
        return sorted({*known.files, *known.data, *BUILDERS.values()})

    def _made(self, order: Order) -> bytes:
        files = {name: self.codes.read(name) for name in self._sources(order.solver)}
        return bundle(order, files, self.codes.libraries(order.solver))

    def _submit(self, request: Request, data: bytes) -> "Future[bytes | Failure]":
        from site_builder.build.steps import worker_tasks  # paid for by builds that prove

        seconds = request.limits.time + _STARTING
        limits = request.limits.model_copy(update={"time": seconds + _ENDING})
        return self.workers.submit(worker_tasks.prove, data, seconds, limits=limits)

    def _kept(self, key: str, data: bytes) -> str:
        name = bytes_digest(data)
        self.store.put("bundled", name, data)
        self.store.put("bundle", key, name.encode())
        return name


def _distinct(requests: Iterable[Request]) -> Iterable[Request]:
    """One request for each order, with the widest of the limits."""
    found: dict[Order, Request] = {}
    for request in requests:
        first = found.get(request.order, request)
        found[request.order] = replace(first, limits=first.limits.widened(request.limits))
    return found.values()


def _told(fault: Failure, request: Request) -> SiteError:
    words = f"the bundle of run '{request.order.run}' does not give the published answer by itself: {fault.message}"
    return SiteError(request.place, words, _cure(fault, request.order))


def _cure(fault: Failure, order: Order) -> str:
    if fault.kind in ("time", "memory"):
        example = "{time: 600}" if fault.kind == "time" else "{memory: 4 GiB}"
        return f"allow more with limits: {example} in the post, or ask for less"
    said = fault.message
    if "was loaded from" in said:
        return "take that other copy out of the Python that builds the site (pip uninstall, or its .pth file)"
    if "No module named" in said:
        return "import it by name at the top of the solver's file; of code that is found in another way nobody knows"
    if "FileNotFoundError" in said:
        return "name the file in DATA = (...) of the solver, and read it by its place beside the solver's file"
    if "same as published" in said:
        return (
            f"the answer of solver '{order.solver}' must follow from its parameters alone: not from the order of a set,"
            "\nfrom chance without a seed, from the time, or from what was computed before in the same process"
        )
    return f"solver '{order.solver}' works in a build and not alone; see what it asks of the process that it runs in"
