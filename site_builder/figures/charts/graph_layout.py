"""Computes the positions of a diagram's nodes and the routes of its arrows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from matplotlib.path import Path

from site_builder.contract import Diagram, Edge
from site_builder.figures.canvas.canvas import Box
from site_builder.figures.canvas.text import SMALL, TextLine, block_height, block_width, wrap_text

SHAPES = ("ellipse", "box", "hexagon", "diamond", "octagon")
# In pixels:
ROW_GAP = 34.0  # between the borders of nodes in neighbouring rows
MIN_GAP = 10.0  # between the borders of any two nodes
MAX_UNIT = 150.0  # the largest scale of the author's coordinates
ARROW_HEAD = 9.0
_LOOP_HEIGHT = 40.0  # of an arrow from a node to itself
_MAX_BOW = 220.0  # twice the largest distance of an arrow from the straight line
_STEPS = 80  # points on a route


@dataclass(frozen=True, eq=False)
class NodePosition:
    """A node on the canvas. x, y: its centre; across, up: half of its width and height."""

    x: float
    y: float
    across: float
    up: float
    kind: int
    text: tuple[TextLine, ...]

    @property
    def box(self) -> Box:
        return Box(self.x - self.across, self.y - self.up, self.x + self.across, self.y + self.up)


def lay_out_nodes(figure: Diagram, width: float) -> dict[str, NodePosition]:
    """Return the position of each node by its name, within this width and as high as needed, without overlaps.

    The author's coordinates are kept where nodes of a row fit beside each other; else they are transposed where that
    fits; else nodes that would overlap move down.
    """
    nodes = [_unplaced(node.label or node.name, list(figure.kinds).index(node.kind), width) for node in figure.nodes]
    plan = np.array([node.at for node in figure.nodes], dtype=float).reshape(-1, 2) * (1, -1)
    plans = (plan, plan[:, ::-1] * (-1, -1))
    fitting = [one for one in plans if not _overlaps_in_row(nodes, one, width)]
    placed = _scaled(nodes, fitting[0] if fitting else plan, width)
    return dict(zip([node.name for node in figure.nodes], _without_overlaps(placed), strict=True))


def _unplaced(label: str, kind: int, width: float) -> NodePosition:
    """A node of the size that its text needs in its shape, at (0, 0)."""
    text = wrap_text(label, min(110.0, width / 3), SMALL, at_most=3)
    factors = dict(zip(SHAPES, ((1.25, 1.4), (1, 1), (1.15, 1.1), (1.6, 1.9), (1.1, 1.2)), strict=True))
    wider, higher = factors[SHAPES[kind % len(SHAPES)]]
    across, up = max(block_width(text) / 2 * wider + 7, 20), max(block_height(text) / 2 * higher + 6, 16)
    return NodePosition(0, 0, across, up, kind, text)


def _scale_across(nodes: Sequence[NodePosition], plan: np.ndarray, width: float) -> float:
    """The pixels of one unit across."""
    span = float(np.ptp(plan[:, 0])) if len(plan) else 0.0
    free = width - 2 * max((node.across for node in nodes), default=0.0)
    return min(free / span, MAX_UNIT) if span else MAX_UNIT


def _overlaps_in_row(nodes: Sequence[NodePosition], plan: np.ndarray, width: float) -> bool:
    """Whether two nodes of one row would overlap."""
    scale = _scale_across(nodes, plan, width)
    return any(
        abs(plan[a, 1] - plan[b, 1]) < 1e-9
        and abs(plan[a, 0] - plan[b, 0]) * scale < nodes[a].across + nodes[b].across + MIN_GAP
        for a, b in combinations(range(len(nodes)), 2)
    )


def _scaled(nodes: Sequence[NodePosition], plan: np.ndarray, width: float) -> list[NodePosition]:
    """The plan in pixels: as wide as allowed, and high enough for the gaps between rows."""
    if not len(plan):
        return []
    across = _scale_across(nodes, plan, width)
    needed = [min(across, 84.0)]
    for a, b in combinations(range(len(nodes)), 2):
        rows = abs(plan[a, 1] - plan[b, 1])
        beside = abs(plan[a, 0] - plan[b, 0]) * across >= nodes[a].across + nodes[b].across + MIN_GAP
        if rows > 1e-9 and not beside:
            needed.append(min((nodes[a].up + nodes[b].up + ROW_GAP) / rows, 2 * MAX_UNIT))
    down = max(needed)
    places = (plan - plan.min(axis=0)) * (across, down)
    indent = (width - places[:, 0].max()) / 2
    top = max(node.up for node in nodes)
    return [replace(node, x=float(x) + indent, y=float(y) + top) for node, (x, y) in zip(nodes, places, strict=True)]


def _without_overlaps(nodes: Sequence[NodePosition]) -> list[NodePosition]:
    """The nodes, from the top on each moved down until it overlaps none of those before it."""
    placed: dict[int, NodePosition] = {}
    for i in sorted(range(len(nodes)), key=lambda i: (nodes[i].y, nodes[i].x)):
        node = nodes[i]
        while hit := [other for other in placed.values() if other.box.grown(MIN_GAP - 1).overlaps(node.box)]:
            node = replace(node, y=max(other.box.bottom for other in hit) + MIN_GAP + node.up)
        placed[i] = node
    return [placed[i] for i in range(len(nodes))]


def node_outline(node: NodePosition) -> Path:
    """Return the border of a node in the shape of its kind."""
    shape = SHAPES[node.kind % len(SHAPES)]
    if shape == "box":
        return node.box.outline()
    if shape == "hexagon":
        corners = np.array([(-1, 0), (-0.72, -1), (0.72, -1), (1, 0), (0.72, 1), (-0.72, 1), (-1, 0)])
    else:
        count, turn = {"ellipse": (48, 0.0), "diamond": (4, 0.0), "octagon": (8, np.pi / 8)}[shape]
        angles = np.append(np.arange(count), 0) * 2 * np.pi / count + turn
        corners = np.column_stack([np.cos(angles), np.sin(angles)]) / (np.cos(turn) if turn else 1)
    return Path(corners * (node.across, node.up) + (node.x, node.y), closed=True)


def route_arrows(nodes: Mapping[str, NodePosition], edges: Sequence[Edge]) -> list[np.ndarray]:
    """Return the route of each arrow, shape (n, 2), from border to border.

    Arrows in both directions between two nodes are kept apart, and arrows bow around other nodes.
    """
    pairs = {(edge.start, edge.end) for edge in edges}
    routes = []
    for edge in edges:
        start, end = nodes[edge.start], nodes[edge.end]
        if edge.start == edge.end:
            neighbours = {e.end if e.start == edge.start else e.start for e in edges if edge.start in (e.start, e.end)}
            routes.append(_loop(start, [nodes[name] for name in neighbours if name != edge.start]))
            continue
        others = [node.box.grown(2) for name, node in nodes.items() if name not in (edge.start, edge.end)]
        bends = [edge.bend] if edge.bend else _bends((edge.end, edge.start) in pairs)
        tried = [_bow(start, end, bend) for bend in bends]
        routes.append(min(tried, key=lambda route: _points_inside(route, others)))
    return routes


def _bends(returned: bool) -> tuple[float, ...]:
    return (0.14, 0.22, 0.3) if returned else (0.0, 0.14, -0.14, 0.24, -0.24, 0.34, -0.34)


def _points_inside(route: np.ndarray, boxes: Sequence[Box]) -> int:
    """The number of points of a route that lie in the boxes."""
    x, y = route.T
    return sum(int(((x > box.left) & (x < box.right) & (y > box.top) & (y < box.bottom)).sum()) for box in boxes)


def _bow(start: NodePosition, end: NodePosition, bend: float) -> np.ndarray:
    """A quadratic Bézier curve from node to node, without its points inside them; `bend` > 0 bows to the left."""
    first, last = np.array([start.x, start.y]), np.array([end.x, end.y])
    vector = last - first
    bow = 2 * bend * np.array([vector[1], -vector[0]])
    middle = (first + last) / 2 + bow * min(1, _MAX_BOW / max(np.hypot(*bow), 1e-9))
    t = np.linspace(0, 1, _STEPS)[:, None]
    points = (1 - t) ** 2 * first + 2 * t * (1 - t) * middle + t**2 * last
    inside = node_outline(start).contains_points(points) | node_outline(end).contains_points(points)
    outside = np.flatnonzero(~inside)
    return np.asarray(points[outside[0] : outside[-1] + 1] if len(outside) > 1 else points[[0, -1]])


def _loop(node: NodePosition, neighbours: Sequence[NodePosition]) -> np.ndarray:
    """A cubic Bézier curve from a node to itself, on the side farthest from its neighbours."""
    towards = np.array([(other.x - node.x, other.y - node.y) for other in neighbours]).reshape(-1, 2)
    towards = towards / np.maximum(np.hypot(*towards.T), 1e-9)[:, None]
    sides = np.array([(0, -1), (1, 0), (-1, 0), (0, 1)])
    side = sides[(sides @ towards.T).max(axis=1, initial=-1).argmin()]
    along = np.array([-side[1], side[0]])
    border = np.array([node.x, node.y]) + 0.7 * side * (node.across, node.up)
    top = border + _LOOP_HEIGHT * side
    corners = [border + 14 * along, top + 26 * along, top - 26 * along, border - 14 * along]
    t = np.linspace(0, 1, _STEPS)[:, None]
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
    points = np.sum([weight * corner for weight, corner in zip(weights, corners, strict=True)], axis=0)
    outside = np.flatnonzero(~node_outline(node).contains_points(points))
    return np.asarray(points[outside[0] : outside[-1] + 1])


def arrow_head(route: np.ndarray) -> tuple[np.ndarray, Path]:
    """Return the route shortened by the length of an arrow head, and the head with its tip at the old end."""
    tip = route[-1]
    gaps = np.hypot(*(route - tip).T)
    kept = route[gaps >= ARROW_HEAD * 0.8]
    back = kept[-1] if len(kept) else route[0]
    along = (tip - back) / max(np.hypot(*(tip - back)), 1e-9)
    side = np.array([-along[1], along[0]]) * ARROW_HEAD * 0.42
    base = tip - along * ARROW_HEAD
    return kept if len(kept) > 1 else route, Path([tip, base + side, base - side, tip], closed=True)
