"""Step: the figures that posts show -> rendered figures, each distinct one once."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from site_builder.build.steps.context import StepContext, StepPlan, StepResult, Task
from site_builder.errors import Place, SiteError
from site_builder.figures.rendered import FigureFiles
from site_builder.solving.failure import Failure
from site_builder.values.digest import bytes_digest, digest

_FILES = ("svg", "narrow_svg", "png", "csv", "json", "table")


@dataclass(frozen=True)
class Drawings:
    """The step that renders figures. Its items are the keys of figures."""

    context: StepContext

    def plan(self, figures: Iterable[str], code: str = "") -> StepPlan[str, FigureFiles]:
        """Which figures the cache holds rendered. code: key of the code that rendered them; today's by default."""
        code = code or self.context.codes.builder("drawing").key
        return self.context.look_up(
            "drawing",
            figures,
            lambda figure: digest(code, figure),
            lambda data: FigureFiles(**json.loads(data)),
            lambda figure, files: [("drawn", getattr(files, file)) for file in _FILES],
        )

    def run(self, missing: Iterable[str], posts: Mapping[str, str]) -> StepResult[str, FigureFiles]:
        """Render these figures. posts: the source of the post that shows each, for errors.

        Raises MissingEntryError where the data of a figure is no longer in the cache.
        """
        found: dict[str, FigureFiles] = {}

        def task(figure: str) -> Task:
            from site_builder.build.steps import worker_tasks  # only builds that render pay for this import

            data = self.context.load("figure", figure)

            def keep(answer: bytes) -> None:
                found[figure] = self._store(figure, answer)

            return Task(worker_tasks.draw, (data,), self.context.limits, keep, rendering_error(data, posts[figure]))

        return StepResult(found, self.context.compute(map(task, missing)))

    def _store(self, figure: str, answer: bytes) -> FigureFiles:
        from site_builder.values.packing import unpack

        fields = unpack(answer)
        for file in _FILES:
            data = fields[file]
            fields[file] = bytes_digest(data)
            self.context.store.put("drawn", fields[file], data)
        key = digest(self.context.codes.builder("drawing").key, figure)
        self.context.store.put("drawing", key, json.dumps(fields).encode())
        return FigureFiles(**fields)


def rendering_error(figure: bytes, post: str) -> Callable[[Failure], SiteError]:
    """Gives the error for a figure of a post that cannot be rendered. figure: its data, packed."""
    from site_builder.values.packing import unpack

    def error(failure: Failure) -> SiteError:
        return SiteError(Place(post), f"the figure {unpack(figure).title!r} cannot be drawn: {failure.message}")

    return error
