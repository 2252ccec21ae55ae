"""Diagrams: states as nodes whose shape and colour tell their kind, moves as arrows from border to border."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from site_builder.contract import Diagram
from site_builder.figures.canvas.label_placement import Obstacles, best, place
from site_builder.figures.canvas.palette import FILLS, INK, MUTED, PAPER
from site_builder.figures.canvas.sheet import Box, Sheet
from site_builder.figures.canvas.sizes import Room
from site_builder.figures.canvas.text import SMALL, height, lines, widest
from site_builder.figures.charts.axes import MARGIN, Entry, draw_legend
from site_builder.figures.charts.graph_layout import Spot, arrows, head, lay_out, rim


def draw_diagram(figure: Diagram, room: Room) -> Sheet:
    """The diagram on a sheet of its own."""
    sheet = Sheet(room.width)
    spots, ways = _placed(figure, room.width - 2 * MARGIN)
    obstacles = Obstacles()
    for spot in spots.values():
        obstacles.add_box(spot.box)
    for way in ways:
        obstacles.add_path(way)
        shaft, tip = head(way)
        sheet.line(shaft, MUTED, 1.4)
        sheet.shape(tip, fill=MUTED)
    for spot in spots.values():
        _draw_node(sheet, spot)
    foot = max([spot.box.bottom for spot in spots.values()] + [float(way[:, 1].max()) for way in ways], default=0.0)
    inside = Box(MARGIN, MARGIN, sheet.width - MARGIN, foot)
    for edge, way in zip(figure.edges, ways, strict=True):
        if edge.label:
            _write_along(sheet, way, edge.label, inside, obstacles)
    taken = [i for i, kind in enumerate(figure.kinds) if any(node.kind == kind for node in figure.nodes)]
    names = list(figure.kinds.values())
    entries = [Entry(_sample(i), names[i]) for i in taken]
    sheet.cut(draw_legend(sheet, entries, MARGIN, foot + 5) + MARGIN)
    return sheet


def _placed(figure: Diagram, width: float) -> tuple[dict[str, Spot], list[np.ndarray]]:
    """Nodes and arrows on the sheet; laid out more narrowly where arrows would bow out of it."""
    for share in (1.0, 0.85, 0.7, 0.55, 0.4):
        spots = lay_out(figure, width * share)
        ways = arrows(spots, figure.edges)
        xs, ys = _extent(spots, ways)
        if xs[1] - xs[0] <= width:
            break
    shift_x, shift_y = MARGIN + (width - xs[1] + xs[0]) / 2 - xs[0], MARGIN - ys[0]
    moved = {name: replace(spot, x=spot.x + shift_x, y=spot.y + shift_y) for name, spot in spots.items()}
    return moved, [way + np.array([shift_x, shift_y]) for way in ways]


def _extent(spots: dict[str, Spot], ways: list[np.ndarray]) -> tuple[tuple[float, float], tuple[float, float]]:
    """From where to where nodes and arrows reach, across and down."""
    boxes = [spot.box.grown(1) for spot in spots.values()]
    xs = [x for box in boxes for x in (box.left, box.right)] + [float(x) for way in ways for x in way[:, 0]]
    ys = [y for box in boxes for y in (box.top, box.bottom)] + [float(y) for way in ways for y in way[:, 1]]
    return (min(xs, default=0.0), max(xs, default=0.0)), (min(ys, default=0.0), max(ys, default=0.0))


def _draw_node(sheet: Sheet, spot: Spot) -> None:
    sheet.shape(rim(spot), fill=FILLS[spot.kind % len(FILLS)], edge=INK, width=1.2)
    sheet.write_block(spot.text, spot.x, spot.y - height(spot.text) / 2, INK, "middle")


def _write_along(sheet: Sheet, way: np.ndarray, label: str, inside: Box, obstacles: Obstacles) -> None:
    """The label of a move beside the middle of its arrow, on paper where it covers something."""
    block = lines(label, 120, SMALL, at_most=2)
    wide, high = widest(block) + 6, height(block) + 2
    candidates = []
    for share in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8):
        i = min(int(share * len(way)), len(way) - 2)
        along = way[i + 1] - way[i]
        aside = np.array([along[1], -along[0]]) / max(np.hypot(*along), 1e-9)
        for side in (1, -1):
            x, y = way[i] + side * aside * (abs(aside[0]) * wide / 2 + abs(aside[1]) * high / 2 + 4)
            candidates.append(Box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2))
    free = place(candidates, inside, obstacles)
    box = free or best(candidates, inside, obstacles)[0]
    if free is None:
        sheet.shape(box.outline(), fill=PAPER)
    sheet.write_block(block, box.left + 3, box.top + 1, MUTED)


def _sample(kind: int) -> Callable[[Sheet, Box], None]:
    def sample(sheet: Sheet, box: Box) -> None:
        middle = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
        spot = Spot(*middle, box.width / 2, box.height / 2 + 1, kind, ())
        sheet.shape(rim(spot), fill=FILLS[kind % len(FILLS)], edge=INK)

    return sample
