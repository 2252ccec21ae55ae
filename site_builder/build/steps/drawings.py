"""Step: the figures that posts show -> rendered figures, each distinct one once."""

import dataclasses
import json
from collections.abc import Iterable, Mapping
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
        keys = {figure: digest(code or self.context.codes.drawing.key, figure) for figure in figures}
        return self.context.look_up("drawing", keys, self._read)

    def run(self, missing: Iterable[str], posts: Mapping[str, str]) -> StepResult[str, FigureFiles]:
        """Render these figures. posts: the source of the post that shows each, for errors.

        Raises MissingEntryError where the data of a figure is no longer in the cache.
        """
        from site_builder.build.steps import worker_tasks  # only builds that render pay for this import

        found: dict[str, FigureFiles] = {}

        def task(figure: str) -> Task:
            data = self.context.load("figure", figure)

            def keep(answer: bytes) -> tuple[()]:
                found[figure] = self._store(figure, answer)
                return ()

            def fail(failure: Failure) -> tuple[()]:
                raise rendering_error(data, posts[figure], failure)

            return Task(worker_tasks.draw, (data,), self.context.limits, keep, fail)

        errors = self.context.compute(map(task, missing))
        return StepResult(found, errors)

    def file(self, content: str) -> bytes:
        """A file of a rendered figure, by the digest of its content. Raises MissingEntryError where it is gone."""
        return self.context.load("drawn", content)

    def _read(self, data: bytes) -> FigureFiles | None:
        files = FigureFiles(**json.loads(data))
        if self.context.verify and any(
            self.context.store.get("drawn", getattr(files, file)) is None for file in _FILES
        ):
            return None
        return files

    def _store(self, figure: str, answer: bytes) -> FigureFiles:
        from site_builder.values.packing import unpack

        fields = unpack(answer)
        for file in _FILES:
            data = fields[file]
            fields[file] = bytes_digest(data)
            self.context.store.put("drawn", fields[file], data)
        files = FigureFiles(**fields)
        key = digest(self.context.codes.drawing.key, figure)
        self.context.store.put("drawing", key, json.dumps(dataclasses.asdict(files)).encode())
        return files


def rendering_error(figure: bytes, post: str, failure: Failure) -> SiteError:
    """The error for a figure of a post that cannot be rendered. figure: its data, packed."""
    from site_builder.values.packing import unpack

    return SiteError(Place(post), f"the figure {unpack(figure).title!r} cannot be drawn: {failure.message}")
