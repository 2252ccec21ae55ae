"""Diagrams: states and moves as a graph."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np

from site_builder.contract import Diagram, Edge
from site_builder.figures.canvas.axes import MARGIN, Labels, draw_legend, label_size
from site_builder.figures.canvas.shapes import Box, regular
from site_builder.figures.canvas.text import Block, block_height, block_width, wrap_text
from site_builder.figures.columns import DataColumn
from site_builder.figures.kinds.kind import Kind
from site_builder.figures.palette import HUES, INK, MUTED, OF_AREAS, Colour
from site_builder.figures.words import join_list
from site_builder.markup.typeset import spoken
from site_builder.values.number_format import plural

if TYPE_CHECKING:
    from site_builder.figures.canvas.canvas import Canvas

# In pixels:
ROW_GAP = 34.0  # between the borders of nodes in neighbouring rows
MIN_GAP = 10.0  # between the borders of any two nodes
MAX_UNIT = 150.0  # the largest scale of the author's coordinates
_LOOP_HEIGHT = 40.0  # of an arrow from a node to itself
_MAX_BOW = 220.0  # twice the largest distance of an arrow from the straight line


# The shapes of the kinds of nodes: corners, and how much wider and higher than its text a node is.
_SHAPES = (
    (regular(48), 1.25, 1.4),
    (np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]), 1.0, 1.0),
    (np.array([(-1, 0), (-0.72, -1), (0.72, -1), (1, 0), (0.72, 1), (-0.72, 1)]), 1.15, 1.1),
    (regular(4), 1.6, 1.9),
)


class DiagramKind(Kind[Diagram]):
    """States as nodes, moves as arrows."""

    figure = Diagram
    hues = OF_AREAS

    def errors(self, figure: Diagram) -> Iterator[str]:
        names = [node.name for node in figure.nodes]
        for node in figure.nodes:
            if node.kind not in figure.kinds:
                yield f"the node {node.name!r} is of the kind {node.kind!r}; its kinds are: {', '.join(figure.kinds)}"
            if names.count(node.name) > 1:
                yield f"two nodes have the name {node.name!r}"
        for end in chain.from_iterable((edge.start, edge.end) for edge in figure.edges):
            if end not in names:
                yield f"an edge leads to {end!r}, which is no node"

    def names(self, figure: Diagram, given: Collection[str]) -> list[str]:
        return list(figure.kinds)

    def draw(self, figure: Diagram, canvas: "Canvas") -> None:
        fills = [HUES[hue].fill for hue in self.hues_of(figure)]
        nodes, routes = _layout(figure, canvas.width - 2 * MARGIN)
        bottoms = (node.box.bottom for node in nodes.values()), (float(route[:, 1].max()) for route in routes)
        bottom = max(chain(*bottoms), default=0.0)
        labels = Labels(canvas, Box(MARGIN, MARGIN, canvas.width - MARGIN, bottom))
        for route in routes:
            labels.avoid_path(route)
            canvas.arrow(route, MUTED)
        for node in nodes.values():
            labels.avoid_box(node.box)
            canvas.shape([node.outline], fills[node.kind], INK, 1.2)
            canvas.text_block(node.text, node.x, node.y - block_height(node.text) / 2, INK, "middle")
        for edge, route in zip(figure.edges, routes, strict=True):
            if edge.label:
                _label_route(labels, route, edge.label)
        used = {node.kind for node in figure.nodes}
        kinds = [(i, label) for i, (kind, label) in enumerate(figure.kinds.items()) if kind in used]
        entries = [(partial(_sample, kind=i, fill=fills[i]), label) for i, label in kinds]
        draw_legend(canvas, entries, bottom + 5)

    def describe(self, figure: Diagram) -> str:
        counts = {kind: sum(node.kind == kind for node in figure.nodes) for kind in figure.kinds}
        kinds = join_list(f"{figure.kinds[kind]} ({count})" for kind, count in counts.items() if count)
        start = f"Diagram of {plural(len(figure.nodes), 'state')} and {plural(len(figure.edges), 'move')}"
        return f"{start}{kinds and ': '}{kinds}."

    def columns(self, figure: Diagram) -> list[DataColumn]:
        """One row for each edge, and one for each node without an outgoing edge."""
        nodes = {node.name: node for node in figure.nodes}
        labels = {name: spoken(node.label or name) for name, node in nodes.items()}
        rows = []
        for name, node in nodes.items():
            moves = [(labels[edge.end], spoken(edge.label)) for edge in figure.edges if edge.start == name]
            rows += [(labels[name], spoken(figure.kinds[node.kind]), *move) for move in moves or [("", "")]]
        heads = ("state", "kind", "leads to", "by")
        return [DataColumn(head, [row[i] or None for row in rows]) for i, head in enumerate(heads)]


# Drawing


@dataclass(frozen=True, eq=False)
class NodePosition:
    """A node on the canvas. x, y: its centre; across, up: half of its width and height."""

    x: float
    y: float
    across: float
    up: float
    kind: int
    text: Block

    @property
    def box(self) -> Box:
        return Box.around(self.x, self.y, self.across, self.up)

    @property
    def outline(self) -> np.ndarray:
        """Return the corners of the node in the shape of its kind."""
        return np.asarray(_SHAPES[self.kind % len(_SHAPES)][0] * (self.across, self.up) + (self.x, self.y))

    def covers(self, points: np.ndarray) -> np.ndarray:
        """Return for each of the points (shape (n, 2)) whether it lies in the node."""
        from matplotlib.path import Path

        return np.asarray(Path(self.outline).contains_points(points))


def _sample(canvas: "Canvas", box: Box, kind: int, fill: Colour) -> None:
    node = NodePosition(*box.centre, box.width / 2, box.height / 2 + 1, kind, ())
    canvas.shape([node.outline], fill, INK)


def _label_route(labels: Labels, route: np.ndarray, label: str) -> None:
    """Write the label of an edge beside the middle of its arrow, on a background where it covers something."""
    block = wrap_text(label, 120)
    size = np.array(label_size(block))
    candidates = []
    for share in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8):
        i = min(int(share * len(route)), len(route) - 2)
        along = route[i + 1] - route[i]
        aside = np.array([along[1], -along[0]]) / max(np.hypot(*along), 1e-9)
        shift = aside * (np.abs(aside) @ size / 2 + 4)
        candidates += [Box.around(*(route[i] + side * shift), *(size / 2)) for side in (1, -1)]
    labels.write(block, candidates, MUTED)


def _layout(figure: Diagram, width: float) -> tuple[dict[str, NodePosition], list[np.ndarray]]:
    """Nodes by name and the routes of the arrows; in a narrower layout where arrows would leave the canvas."""
    for share in (1.0, 0.85, 0.7, 0.55, 0.4):
        nodes = lay_out_nodes(figure, width * share)
        routes = route_arrows(nodes, figure.edges)
        boxes = [node.box.grown(1).corners for node in nodes.values()] or [np.zeros((1, 2))]
        points = np.vstack([*boxes, *routes])
        (left, top), right = points.min(axis=0).tolist(), float(points[:, 0].max())
        if right - left <= width:
            break
    shift = np.array([MARGIN + (width - right + left) / 2 - left, MARGIN - top])
    moved = {name: replace(node, x=node.x + shift[0], y=node.y + shift[1]) for name, node in nodes.items()}
    return moved, [route + shift for route in routes]


def lay_out_nodes(figure: Diagram, width: float) -> dict[str, NodePosition]:
    """Return the position of each node by its name, within this width and as high as needed, without overlaps.

    The author's coordinates are kept where all nodes fit beside each other; else they are transposed where that fits;
    else nodes that would overlap move down.
    """
    kinds, widest = list(figure.kinds), min(110.0, width / 3)
    nodes = [_unplaced(wrap_text(node.label or node.name, widest), kinds.index(node.kind)) for node in figure.nodes]
    plan = np.array([node.at for node in figure.nodes], dtype=float).reshape(-1, 2) * (1, -1)
    choices = [_scaled(nodes, one, width) for one in (plan, plan[:, ::-1] * (-1, -1))]
    placed = next((each for each in choices if not _overlap(each)), choices[0])
    return dict(zip([node.name for node in figure.nodes], _without_overlaps(placed), strict=True))


def _unplaced(text: Block, kind: int) -> NodePosition:
    """A node of the size that its text needs in its shape, at (0, 0)."""
    _, wider, higher = _SHAPES[kind % len(_SHAPES)]
    across, up = max(block_width(text) / 2 * wider + 7, 20), max(block_height(text) / 2 * higher + 6, 16)
    return NodePosition(0, 0, across, up, kind, text)


def _overlap(nodes: Sequence[NodePosition]) -> bool:
    """True when two of the nodes overlap, or nearly do."""
    return any(one.box.grown(MIN_GAP).overlaps(other.box) for one, other in combinations(nodes, 2))


def _scaled(nodes: Sequence[NodePosition], plan: np.ndarray, width: float) -> list[NodePosition]:
    """The plan in pixels: as wide as allowed, and high enough for a gap between rows that are 1 apart."""
    if not nodes:
        return []
    widest, tallest, span = max(node.across for node in nodes), max(node.up for node in nodes), np.ptp(plan[:, 0])
    across = min((width - 2 * widest) / span, MAX_UNIT) if span else MAX_UNIT
    places = (plan - plan.min(axis=0)) * (across, max(min(across, 84.0), 2 * tallest + ROW_GAP))
    places += ((width - places[:, 0].max()) / 2, tallest)
    return [replace(node, x=float(x), y=float(y)) for node, (x, y) in zip(nodes, places, strict=True)]


def _without_overlaps(nodes: Sequence[NodePosition]) -> list[NodePosition]:
    """The nodes, from the top on each moved down until it overlaps none of those before it."""
    placed: dict[int, NodePosition] = {}
    for i in sorted(range(len(nodes)), key=lambda i: (nodes[i].y, nodes[i].x)):
        node = nodes[i]
        while hit := [other for other in placed.values() if other.box.grown(MIN_GAP - 1).overlaps(node.box)]:
            node = replace(node, y=max(other.box.bottom for other in hit) + MIN_GAP + node.up)
        placed[i] = node
    return [placed[i] for i in range(len(nodes))]


def route_arrows(nodes: Mapping[str, NodePosition], edges: Sequence[Edge]) -> list[np.ndarray]:
    """Return the route of each arrow, shape (n, 2), from border to border.

    Arrows in both directions between two nodes are kept apart, and arrows bow around other nodes.
    """
    pairs = {(edge.start, edge.end) for edge in edges}
    routes = []
    for edge in edges:
        start, end = nodes[edge.start], nodes[edge.end]
        if edge.start == edge.end:
            linked = (each for each in edges if edge.start in (each.start, each.end))
            names = {name for each in linked for name in (each.start, each.end)} - {edge.start}
            routes.append(_loop(start, [nodes[name] for name in names]))
            continue
        others = [node.box.grown(2) for name, node in nodes.items() if name not in (edge.start, edge.end)]
        returned = (edge.end, edge.start) in pairs
        bends = (0.14, 0.22, 0.3) if returned else (0.0, 0.14, -0.14, 0.24, -0.24, 0.34, -0.34)
        tried = [_bow(start, end, bend) for bend in ((edge.bend,) if edge.bend else bends)]
        routes.append(min(tried, key=lambda route: sum(box.inside(route).sum() for box in others)))
    return routes


def _bow(start: NodePosition, end: NodePosition, bend: float) -> np.ndarray:
    """A quadratic Bézier curve from node to node, without its points inside them; `bend` > 0 bows to the left."""
    first, last = np.array([start.x, start.y]), np.array([end.x, end.y])
    vector = last - first
    bow = 2 * bend * np.array([vector[1], -vector[0]])
    middle = (first + last) / 2 + bow * min(1, _MAX_BOW / max(np.hypot(*bow), 1e-9))
    return _outside(_bezier(first, middle, last), start, end)


def _loop(node: NodePosition, neighbours: Sequence[NodePosition]) -> np.ndarray:
    """A cubic Bézier curve from a node to itself, on the side farthest from its neighbours."""
    towards = np.array([(other.x - node.x, other.y - node.y) for other in neighbours]).reshape(-1, 2)
    towards = towards / np.maximum(np.hypot(*towards.T), 1e-9)[:, None]
    sides = np.array([(0, -1), (1, 0), (-1, 0), (0, 1)])
    side = sides[(sides @ towards.T).max(axis=1, initial=-1).argmin()]
    along, border = np.array([-side[1], side[0]]), np.array([node.x, node.y]) + 0.7 * side * (node.across, node.up)
    top = border + _LOOP_HEIGHT * side
    return _outside(_bezier(border + 14 * along, top + 26 * along, top - 26 * along, border - 14 * along), node, node)


def _bezier(*corners: np.ndarray) -> np.ndarray:
    """Points on the Bézier curve with these corners."""
    points, shares = list(corners), np.linspace(0, 1, 80)[:, None]
    while len(points) > 1:  # the construction of de Casteljau
        points = [a + (b - a) * shares for a, b in pairwise(points)]
    return points[0]


def _outside(points: np.ndarray, start: NodePosition, end: NodePosition) -> np.ndarray:
    """The points from the border of one node to that of the other; only the ends where both nodes cover them all."""
    outside = np.flatnonzero(~(start.covers(points) | end.covers(points)))
    return np.asarray(points[outside[0] : outside[-1] + 1] if len(outside) > 1 else points[[0, -1]])
