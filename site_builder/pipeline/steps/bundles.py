"""Step: runs that posts offer to readers -> bundles, each made and proved once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial

from site_builder.errors import Place, SiteError
from site_builder.pipeline.steps.context import StepContext, StepPlan, StepResult, Task
from site_builder.posts.summary import PostSummary
from site_builder.project.config import Limits
from site_builder.solving.bundle.archive import Order, builder_files, bundle, read_order
from site_builder.solving.processes.failure import Failure
from site_builder.values.digest import bytes_digest, digest

_STARTING = 20.0  # seconds to unpack a bundle, start Python and load libraries, which no solve's limit is meant for
_ENDING = 30.0  # seconds to end all that, before the worker itself is ended


@dataclass(frozen=True)
class Request:
    """A bundle that a post requests: its order, the place of the run in the post, and the limits of its solve."""

    order: Order
    place: Place
    limits: Limits


@dataclass(frozen=True)
class Bundles:
    """The step that makes bundles and proves that each gives the published answer by itself. Its items are orders."""

    context: StepContext

    def requests(self, posts: Iterable[PostSummary]) -> dict[str, Request]:
        """The requests of these posts for bundles, by the key of the order. Raises MissingEntryError for a lost one."""
        return {
            ordered.key: Request(
                read_order(self.context.load("order", ordered.key)),
                Place(post.source, ordered.line),
                Limits(time=ordered.time, memory=ordered.memory),
            )
            for post in posts
            for ordered in post.orders
        }

    def plan(self, orders: Iterable[Order]) -> StepPlan[Order, str]:
        """Look up bundles in the cache, each as the digest of its bytes.

        An order whose solver cannot be read any more is missing; `run` gives the error.
        """
        return self.context.look_up(
            "bundle",
            orders,
            self._key,
            lambda data: data.decode("ascii"),
            lambda order, content: [("bundled", content)],
        )

    def run(self, missing: Iterable[Order], requests: Iterable[Request]) -> StepResult[Order, str]:
        """Make and prove these bundles; an error for each that does not give the published answer by itself.

        requests: where posts ask for them; of several for one order the first is named, with the widest of the limits.
        """
        by_order: dict[Order, Request] = {}
        for request in requests:
            first = by_order.get(request.order, request)
            by_order[request.order] = replace(first, limits=first.limits.widened(request.limits))
        found: dict[Order, str] = {}
        return StepResult(found, self.context.compute(map(partial(self._task, by_order, found), missing)))

    def _task(self, requests: Mapping[Order, Request], found: dict[Order, str], order: Order) -> Task:
        from site_builder.pipeline.steps import worker_tasks  # only builds that prove pay for this import

        request, key, codes = requests[order], self._key(order), self.context.codes
        files = {name: codes.read(name) for name in self._sources(order.solver)} | builder_files()
        data = bundle(order, files, self._libraries(order.solver))

        def keep(answer: bytes) -> None:
            found[order] = bytes_digest(data)
            self.context.store.put("bundled", found[order], data)
            self.context.store.put("bundle", key, found[order].encode())

        seconds = request.limits.time + _STARTING
        limits = request.limits.model_copy(update={"time": seconds + _ENDING})
        return Task(worker_tasks.prove, (data, seconds), limits, keep, partial(_error, request))

    def _key(self, order: Order) -> str:
        """Digest of all that a bundle is made of, and of what it is proved with."""
        codes = self.context.codes
        texts = codes.digests(self._sources(order.solver)), _builder_digest()
        wanted = (order.run, order.solver, bytes_digest(order.parameters), bytes_digest(order.expected.encode()))
        return digest(wanted, texts, self._libraries(order.solver))

    def _libraries(self, solver: str) -> dict[str, str]:
        """Versions of the libraries that the solver and the contract need."""
        return {**self.context.codes.contract_libraries(), **self.context.codes.loadable(solver).libraries}

    def _sources(self, solver: str) -> list[str]:
        codes = self.context.codes
        return sorted({*codes.whole(solver).files, *codes.data(solver)})


@cache
def _builder_digest() -> str:
    return digest(sorted((name, bytes_digest(data)) for name, data in builder_files().items()))


def _error(request: Request, failure: Failure) -> SiteError:
    words = f"the bundle of run '{request.order.run}' does not give the published answer by itself: {failure.message}"
    return SiteError(request.place, words, _cure(failure, request.order))


def _cure(failure: Failure, order: Order) -> str:
    if failure.kind in ("time", "memory"):
        example = "{time: 600}" if failure.kind == "time" else "{memory: 4 GiB}"
        return f"allow more with limits: {example} in the post, or ask for less"
    message = failure.message
    if "No module named" in message:
        return "import it by name at the top of the solver's file; of code that is found in another way nobody knows"
    if "FileNotFoundError" in message:
        return "put the file into the project, and read it by its place beside the solver's file"
    if "same as published" in message:
        return (
            f"the answer of solver '{order.solver}' must follow from its parameters alone: not from the order of a set,"
            "\nfrom chance without a seed, from the time, or from what was computed before in the same process"
        )
    return f"solver '{order.solver}' works in a build and not alone; see what it asks of the process that it runs in"
