"""The script for readers who explore a figure: the words of each cell or point, and where the plot lies."""

import json
from typing import Any

from site_builder.contract import Figure, Frames
from site_builder.figures.kinds.registry import kind_of
from site_builder.figures.rendered import RenderedFigure

MOST_CELLS = 40_000  # of all steps; of a larger map every so many rows and columns can be read


def axis_names(figure: Figure) -> tuple[str, ...]:
    """Return what the axes of a map or curve count, the horizontal one first; nothing where nobody can explore it.

    Of a curve the horizontal one alone; of Frames those of the first step.
    """
    return kind_of(figure).axis_names(figure)


def explore_script(figure: Figure, drawn: RenderedFigure) -> bytes:
    """Return a script that sets window.explored[its own address]; nothing for a figure that nobody can explore.

    It has for each step (most figures have one) an object, or null where that step cannot be explored. plot, narrow and
    spans are those of RenderedFigure; down: whether the other axis of a map runs downwards. axes: for each axis its
    words, and their positions (`at`) where these are not 0, 1, 2, ... layers: what readers can read of each cell, those
    of the first column first: words and a label for them, or names and their indices, -1 where there is none. costs:
    likewise the words of what each action costs, empty where that is nothing, with their unit.
    """
    if not axis_names(figure):
        return b""
    figures = [step for _, step in figure.frames] if isinstance(figure, Frames) else [figure]
    pairs = zip(figures, (drawn, *drawn.frames), strict=True)
    steps = [_facts(step, each, MOST_CELLS // len(figures)) for step, each in pairs]
    text = json.dumps(steps, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return f"(window.explored ??= {{}})[document.currentScript.src] = {text};\n".encode()


def _facts(figure: Figure, drawn: RenderedFigure, most: int) -> dict[str, Any] | None:
    if not axis_names(figure):
        return None
    places = {"plot": drawn.plot, "narrow": drawn.narrow_plot, "spans": drawn.spans}
    return places | kind_of(figure).explored(figure, most)
