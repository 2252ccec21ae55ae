"""Draws diagrams: states as nodes in the shape and colour of their kind, moves as arrows."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from site_builder.contract import Diagram
from site_builder.figures.canvas.canvas import Box, Canvas, SizeLimits
from site_builder.figures.canvas.label_placement import Obstacles, place_best, place_free
from site_builder.figures.canvas.palette import FILLS, INK, MUTED, PAPER
from site_builder.figures.canvas.text import SMALL, block_height, block_width, wrap_text
from site_builder.figures.charts.axes import MARGIN, LegendEntry, draw_legend
from site_builder.figures.charts.graph_layout import NodePosition, arrow_head, lay_out_nodes, node_outline, route_arrows


def draw_diagram(figure: Diagram, sizes: SizeLimits) -> Canvas:
    """Draw the diagram on a new canvas."""
    canvas = Canvas(sizes.width)
    nodes, routes = _layout(figure, sizes.width - 2 * MARGIN)
    obstacles = Obstacles()
    for node in nodes.values():
        obstacles.add_box(node.box)
    for route in routes:
        obstacles.add_path(route)
        shaft, tip = arrow_head(route)
        canvas.line(shaft, MUTED, 1.4)
        canvas.shape(tip, fill=MUTED)
    for node in nodes.values():
        _draw_node(canvas, node)
    bottoms = [node.box.bottom for node in nodes.values()] + [float(route[:, 1].max()) for route in routes]
    bottom = max(bottoms, default=0.0)
    inside = Box(MARGIN, MARGIN, canvas.width - MARGIN, bottom)
    for edge, route in zip(figure.edges, routes, strict=True):
        if edge.label:
            _label_route(canvas, route, edge.label, inside, obstacles)
    used = {node.kind for node in figure.nodes}
    entries = [LegendEntry(_sample(i), label) for i, (kind, label) in enumerate(figure.kinds.items()) if kind in used]
    canvas.crop(draw_legend(canvas, entries, MARGIN, bottom + 5) + MARGIN)
    return canvas


def _layout(figure: Diagram, width: float) -> tuple[dict[str, NodePosition], list[np.ndarray]]:
    """Nodes by name and the routes of the arrows; in a narrower layout where arrows would leave the canvas."""
    for share in (1.0, 0.85, 0.7, 0.55, 0.4):
        nodes = lay_out_nodes(figure, width * share)
        routes = route_arrows(nodes, figure.edges)
        xs, ys = _extent(nodes, routes)
        if xs[1] - xs[0] <= width:
            break
    shift_x, shift_y = MARGIN + (width - xs[1] + xs[0]) / 2 - xs[0], MARGIN - ys[0]
    moved = {name: replace(node, x=node.x + shift_x, y=node.y + shift_y) for name, node in nodes.items()}
    return moved, [route + np.array([shift_x, shift_y]) for route in routes]


def _extent(
    nodes: dict[str, NodePosition], routes: list[np.ndarray]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """The range of nodes and arrows, across and down."""
    boxes = [node.box.grown(1) for node in nodes.values()]
    xs = [x for box in boxes for x in (box.left, box.right)] + [float(x) for route in routes for x in route[:, 0]]
    ys = [y for box in boxes for y in (box.top, box.bottom)] + [float(y) for route in routes for y in route[:, 1]]
    return (min(xs, default=0.0), max(xs, default=0.0)), (min(ys, default=0.0), max(ys, default=0.0))


def _draw_node(canvas: Canvas, node: NodePosition) -> None:
    canvas.shape(node_outline(node), fill=FILLS[node.kind % len(FILLS)], edge=INK, width=1.2)
    canvas.text_block(node.text, node.x, node.y - block_height(node.text) / 2, INK, "middle")


def _label_route(canvas: Canvas, route: np.ndarray, label: str, inside: Box, obstacles: Obstacles) -> None:
    """Write the label of an edge beside the middle of its arrow, on a background where it covers something."""
    block = wrap_text(label, 120, SMALL, at_most=2)
    wide, high = block_width(block) + 6, block_height(block) + 2
    candidates = []
    for share in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8):
        i = min(int(share * len(route)), len(route) - 2)
        along = route[i + 1] - route[i]
        aside = np.array([along[1], -along[0]]) / max(np.hypot(*along), 1e-9)
        for side in (1, -1):
            x, y = route[i] + side * aside * (abs(aside[0]) * wide / 2 + abs(aside[1]) * high / 2 + 4)
            candidates.append(Box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2))
    free = place_free(candidates, inside, obstacles)
    box = free or place_best(candidates, inside, obstacles)[0]
    if free is None:
        canvas.shape(box.outline(), fill=PAPER)
    canvas.text_block(block, box.left + 3, box.top + 1, MUTED)


def _sample(kind: int) -> Callable[[Canvas, Box], None]:
    def sample(canvas: Canvas, box: Box) -> None:
        middle = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
        node = NodePosition(*middle, box.width / 2, box.height / 2 + 1, kind, ())
        canvas.shape(node_outline(node), fill=FILLS[kind % len(FILLS)], edge=INK)

    return sample
