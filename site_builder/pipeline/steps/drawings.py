"""Step: the figures that posts show -> rendered figures, each distinct one once."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from site_builder.errors import Place, SiteError
from site_builder.figures.rendered import FigureFiles
from site_builder.pipeline.steps.context import StepContext, StepPlan, StepResult, Task
from site_builder.posts.summary import PostSummary
from site_builder.solving.processes.failure import Failure
from site_builder.values.digest import bytes_digest, digest
from site_builder.values.json_records import from_json, to_json
from site_builder.values.language import Language

MODULES_TO_DRAW = (  # modules that every process loads which draws figures, and a solver that draws some itself
    "site_builder.pipeline.steps.worker_tasks",
    "site_builder.figures.canvas.canvas",
    "matplotlib.pyplot",
)


@dataclass(frozen=True)
class Drawings:
    """The step that renders figures. Its items are the keys of figures, which differ by language.

    language: gives that with a tag. has_downloads: whether PNG and CSV are made, which no page of a setting links to.
    """

    context: StepContext
    language: Callable[[str], Language]
    has_downloads: bool = True

    def plan(self, figures: Iterable[str]) -> StepPlan[str, FigureFiles]:
        """Look up rendered figures in the cache."""
        return self.context.look_up(
            "drawing",
            figures,
            self._key,
            partial(from_json, FigureFiles),
            lambda figure, files: [("drawn", each) for each in files.digests.values()],
        )

    def run(self, missing: Iterable[str], posts: Mapping[str, PostSummary]) -> StepResult[str, FigureFiles]:
        """Render these figures. posts: the post that shows each.

        Raises MissingEntryError where the data of a figure is no longer in the cache.
        """
        found: dict[str, FigureFiles] = {}

        def task(figure: str) -> Task:
            from site_builder.pipeline.steps import worker_tasks  # only builds that render pay for this import

            data = self.context.load("figure", figure)

            def keep(answer: bytes) -> None:
                found[figure] = self._store(figure, answer)

            post = posts[figure]
            extensions = tuple(set(self.context.codes.kinds.values()))
            arguments = data, self.language(post.language), extensions, self.has_downloads
            error = rendering_error(data, post.source)
            return Task(worker_tasks.draw, arguments, self.context.limits, keep, error)

        return StepResult(found, self.context.compute(map(task, missing)))

    def _store(self, figure: str, answer: bytes) -> FigureFiles:
        from site_builder.values.packing import unpack

        files, facts = unpack(answer)
        digests = {kind: bytes_digest(data) for kind, data in files.items()}
        for kind, data in files.items():
            self.context.store.put("drawn", digests[kind], data)
        found = FigureFiles(digests, **facts)
        self.context.store.put("drawing", self._key(figure), to_json(found))
        return found

    def _key(self, figure: str) -> str:
        return digest(self.context.codes.builder, figure, self.has_downloads)


def rendering_error(figure: bytes, post: str) -> Callable[[Failure], SiteError]:
    """Gives the error for a figure of a post that cannot be rendered. figure: its data, packed."""
    from site_builder.values.packing import unpack

    def error(failure: Failure) -> SiteError:
        return SiteError(Place(post), f"the figure {unpack(figure).title!r} cannot be drawn: {failure.message}")

    return error
