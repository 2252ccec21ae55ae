"""Frames: a figure with steps, each of another kind."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from site_builder.contract import Frames, Table
from site_builder.figures.canvas.scales import padded
from site_builder.figures.columns import DataColumn, stacked, unique_labels
from site_builder.figures.kinds.kind import MOST_EXPLORED, Kind
from site_builder.figures.rendered import RenderedFigure
from site_builder.markup.typeset import spoken

MOST_FRAMES = 60
_UNITS = ("value_label", "across_label", "up_label", "percent", "scale", "centre", "log")  # of shared scales


class FramesKind(Kind[Frames]):
    """Steps with their labels, each a figure of one of the other kinds."""

    figure = Frames

    def __init__(self, kinds: Iterable[Kind[Any]]) -> None:
        """kinds: those of steps."""
        self._kinds = {kind.figure: kind for kind in kinds}

    def errors(self, figure: Frames) -> Iterator[str]:
        if not figure.alt.strip():
            yield "its alt is empty; it says in words what changes from step to step"
        if not 2 <= len(figure.frames) <= MOST_FRAMES:
            yield f"there are {len(figure.frames)} steps; a figure has 2 to {MOST_FRAMES}"
        taken: set[str] = set()
        for label, step in figure.frames:
            if not isinstance(label, str) or not label.strip():
                yield f"a step has the label {label!r}, which is no text"
            if label in taken:
                yield f"two steps have the label {label!r}"
            taken.add(label)
            if isinstance(step, Table) or type(step) not in self._kinds:
                yield f"the step {label!r} shows a {type(step).__name__}; steps show any other kind of figure"
            elif error := self._kinds[type(step)].first_error(step):
                yield f"in the step {label!r} {error}"

    def describe(self, figure: Frames) -> str:
        return figure.alt  # which no figure with steps may leave out

    def render(self, figure: Frames, has_png: bool = True) -> RenderedFigure:
        """Draw all steps; the PNG is that of the last one, which is the whole picture."""
        *others, last = (step for _, step in self.with_shared_scales(figure).frames)
        first, *later = (self._kinds[type(step)].render(step, has_png=False) for step in others)
        whole = self._kinds[type(last)].render(last, has_png)
        return replace(first, frames=(*later, replace(whole, png=b"")), png=whole.png)

    def size(self, figure: Frames) -> int:
        return sum(self._kinds[type(step)].size(step) for _, step in figure.frames)

    def all_columns(self, figure: Frames) -> list[DataColumn]:
        """The data of all steps below each other, after a column with the label of each."""
        steps = [(spoken(label), self._kinds[type(step)].all_columns(step)) for label, step in figure.frames]
        labels = [DataColumn("step", [label] * len(columns[0].cells)) for label, columns in steps]
        parts = [[own, *columns] for own, (_, columns) in zip(labels, steps, strict=True)]
        return unique_labels(stacked(parts))

    def with_shared_scales(self, figure: Frames) -> Frames:
        """Return Frames whose steps have common scales where they are of one kind and unit and set none."""
        steps: list[Any] = [step for _, step in figure.frames]
        kind = self._kinds[type(steps[0])]
        units = {tuple(getattr(step, name, "") for name in _UNITS) for step in steps}
        if any(type(step) is not kind.figure for step in steps) or len(units) > 1:
            return figure
        ranges = {}
        for name in kind.scales(steps[0]):
            values = np.concatenate([kind.scales(step)[name] for step in steps])
            finite = values[np.isfinite(values)]
            if all(getattr(step, name) is None for step in steps) and finite.size and finite.min() < finite.max():
                low, high = float(finite.min()), float(finite.max())
                ranges[name] = padded(low, high) if name == "up_range" else (low, high)
        made = [(label, replace(step, **ranges)) for (label, _), step in zip(figure.frames, steps, strict=True)]
        return replace(figure, frames=tuple(made)) if ranges else figure

    def numbers(self, figure: Frames) -> Iterable[Any]:
        return chain.from_iterable(self._kinds[type(step)].numbers(step) for _, step in figure.frames)

    def axis_names(self, figure: Frames) -> tuple[str, ...]:
        first = figure.frames[0][1]
        if self.size(figure) > MOST_EXPLORED:
            return ()
        return self._kinds[type(first)].axis_names(first)
