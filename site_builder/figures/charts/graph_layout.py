"""Where the nodes of a diagram come to stand, and the ways of its arrows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from matplotlib.path import Path

from site_builder.contract import Diagram, Edge
from site_builder.figures.canvas.sheet import Box
from site_builder.figures.canvas.text import SMALL, Words, height, lines, widest

SHAPES = ("ellipse", "box", "hexagon", "diamond", "octagon")
APART = 34.0  # pixels between the borders of neighbours, one over the other
TIGHT = 10.0  # and the least that there may be between any two nodes
FARTHEST = 150.0  # pixels that one unit of the plan becomes, at most
ARROW = 9.0
_LOOP = 40.0  # how far the arrow of a move to the same state rises
_WIDEST_BOW = 220.0  # twice as far as an arrow may bow from the straight way
_STEPS = 80  # points on the way of an arrow


@dataclass(frozen=True, eq=False)
class Spot:
    """A node on the sheet. x, y: its middle; across, up: half of its width and height."""

    x: float
    y: float
    across: float
    up: float
    kind: int
    text: tuple[Words, ...]

    @property
    def box(self) -> Box:
        return Box(self.x - self.across, self.y - self.up, self.x + self.across, self.y + self.up)


def lay_out(figure: Diagram, width: float) -> dict[str, Spot]:
    """Every node at its place, by name, within this width and as high as need be; no two of them overlap.

    The plan is kept where its columns fit; else it is turned, so that what ran across runs downwards; else nodes that
    would overlap move down.
    """
    blank = [_blank(node.label or node.name, list(figure.kinds).index(node.kind), width) for node in figure.nodes]
    plan = np.array([node.at for node in figure.nodes], dtype=float).reshape(-1, 2) * (1, -1)
    plans = (plan, plan[:, ::-1] * (-1, -1))
    fitting = [one for one in plans if not _crowded(blank, one, width)]
    placed = _stretched(blank, fitting[0] if fitting else plan, width)
    return dict(zip([node.name for node in figure.nodes], _untangled(placed), strict=True))


def _blank(label: str, kind: int, width: float) -> Spot:
    """A node of the size that its words need in its shape, its place not yet known."""
    text = lines(label, min(110.0, width / 3), SMALL, at_most=3)
    broad, high = widest(text) / 2, height(text) / 2
    room = {"ellipse": (1.25, 1.4), "box": (1, 1), "hexagon": (1.15, 1.1), "diamond": (1.6, 1.9), "octagon": (1.1, 1.2)}
    wider, higher = room[SHAPES[kind % len(SHAPES)]]
    return Spot(0, 0, max(broad * wider + 7, 20), max(high * higher + 6, 16), kind, text)


def _scale_across(blank: Sequence[Spot], plan: np.ndarray, width: float) -> float:
    span = float(np.ptp(plan[:, 0])) if len(plan) else 0.0
    room = width - 2 * max((spot.across for spot in blank), default=0.0)
    return min(room / span, FARTHEST) if span else FARTHEST


def _crowded(blank: Sequence[Spot], plan: np.ndarray, width: float) -> bool:
    """Whether two nodes of one row would overlap."""
    scale = _scale_across(blank, plan, width)
    return any(
        abs(plan[a, 1] - plan[b, 1]) < 1e-9
        and abs(plan[a, 0] - plan[b, 0]) * scale < blank[a].across + blank[b].across + TIGHT
        for a, b in combinations(range(len(blank)), 2)
    )


def _stretched(blank: Sequence[Spot], plan: np.ndarray, width: float) -> list[Spot]:
    """The plan in pixels: as wide as there is room, so high that rows keep apart."""
    if not len(plan):
        return []
    across = _scale_across(blank, plan, width)
    needed = [min(across, 84.0)]
    for a, b in combinations(range(len(blank)), 2):
        rows = abs(plan[a, 1] - plan[b, 1])
        beside = abs(plan[a, 0] - plan[b, 0]) * across >= blank[a].across + blank[b].across + TIGHT
        if rows > 1e-9 and not beside:
            needed.append(min((blank[a].up + blank[b].up + APART) / rows, 2 * FARTHEST))
    down = max(needed)
    places = (plan - plan.min(axis=0)) * (across, down)
    indent = (width - places[:, 0].max()) / 2
    top = max(spot.up for spot in blank)
    return [replace(s, x=float(x) + indent, y=float(y) + top) for s, (x, y) in zip(blank, places, strict=True)]


def _untangled(spots: Sequence[Spot]) -> list[Spot]:
    """From the top on, every node moved down until it keeps clear of those before it."""
    placed: dict[int, Spot] = {}
    for i in sorted(range(len(spots)), key=lambda i: (spots[i].y, spots[i].x)):
        spot = spots[i]
        while hit := [other for other in placed.values() if other.box.grown(TIGHT - 1).meets(spot.box)]:
            spot = replace(spot, y=max(other.box.bottom for other in hit) + TIGHT + spot.up)
        placed[i] = spot
    return [placed[i] for i in range(len(spots))]


def rim(spot: Spot) -> Path:
    """The border of a node in the shape of its kind."""
    shape = SHAPES[spot.kind % len(SHAPES)]
    if shape == "box":
        return spot.box.outline()
    if shape == "hexagon":
        corners = np.array([(-1, 0), (-0.72, -1), (0.72, -1), (1, 0), (0.72, 1), (-0.72, 1), (-1, 0)])
    else:
        count, turn = {"ellipse": (48, 0.0), "diamond": (4, 0.0), "octagon": (8, np.pi / 8)}[shape]
        angles = np.append(np.arange(count), 0) * 2 * np.pi / count + turn
        corners = np.column_stack([np.cos(angles), np.sin(angles)]) / (np.cos(turn) if turn else 1)
    return Path(corners * (spot.across, spot.up) + (spot.x, spot.y), closed=True)


def arrows(spots: Mapping[str, Spot], edges: Sequence[Edge]) -> list[np.ndarray]:
    """The way of each arrow, shape (n, 2), from border to border; moves there and back keep apart, and arrows bow
    around nodes that stand in their way."""
    pairs = {(edge.start, edge.end) for edge in edges}
    ways = []
    for edge in edges:
        start, end = spots[edge.start], spots[edge.end]
        if edge.start == edge.end:
            ends = [spots[e.end if e.start == edge.start else e.start] for e in edges if edge.start in (e.start, e.end)]
            ways.append(_loop(start, [spot for spot in ends if spot is not start]))
            continue
        others = [spot.box.grown(2) for name, spot in spots.items() if name not in (edge.start, edge.end)]
        bends = [edge.bend] if edge.bend else _bends((edge.end, edge.start) in pairs)
        tried = [_between(start, end, bend) for bend in bends]
        ways.append(min(tried, key=lambda way: _crossed(way, others)))
    return ways


def _bends(returned: bool) -> tuple[float, ...]:
    return (0.14, 0.22, 0.3) if returned else (0.0, 0.14, -0.14, 0.24, -0.24, 0.34, -0.34)


def _crossed(way: np.ndarray, boxes: Sequence[Box]) -> int:
    """How many points of the way lie in the boxes."""
    x, y = way.T
    return sum(int(((x > box.left) & (x < box.right) & (y > box.top) & (y < box.bottom)).sum()) for box in boxes)


def _between(start: Spot, end: Spot, bend: float) -> np.ndarray:
    """A bow from node to node, without what lies inside them; `bend` to the left as seen on the way."""
    first, last = np.array([start.x, start.y]), np.array([end.x, end.y])
    way = last - first
    bow = 2 * bend * np.array([way[1], -way[0]])
    middle = (first + last) / 2 + bow * min(1, _WIDEST_BOW / max(np.hypot(*bow), 1e-9))
    t = np.linspace(0, 1, _STEPS)[:, None]
    points = (1 - t) ** 2 * first + 2 * t * (1 - t) * middle + t**2 * last
    outside = ~(rim(start).contains_points(points) | rim(end).contains_points(points))
    places = np.flatnonzero(outside)
    return np.asarray(points[places[0] : places[-1] + 1] if len(places) > 1 else points[[0, -1]])


def _loop(spot: Spot, neighbours: Sequence[Spot]) -> np.ndarray:
    """Out of the node and back into it, on the side that is farthest from its neighbours."""
    towards = np.array([(other.x - spot.x, other.y - spot.y) for other in neighbours]).reshape(-1, 2)
    towards = towards / np.maximum(np.hypot(*towards.T), 1e-9)[:, None]
    sides = np.array([(0, -1), (1, 0), (-1, 0), (0, 1)])
    side = sides[(sides @ towards.T).max(axis=1, initial=-1).argmin()]
    along = np.array([-side[1], side[0]])
    border = np.array([spot.x, spot.y]) + 0.7 * side * (spot.across, spot.up)
    corners = [border + 14 * along, border + 26 * along + _LOOP * side, border - 26 * along + _LOOP * side]
    corners.append(border - 14 * along)
    t = np.linspace(0, 1, _STEPS)[:, None]
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
    points = np.sum([weight * corner for weight, corner in zip(weights, corners, strict=True)], axis=0)
    outside = np.flatnonzero(~rim(spot).contains_points(points))
    return np.asarray(points[outside[0] : outside[-1] + 1])


def head(way: np.ndarray) -> tuple[np.ndarray, Path]:
    """The way cut short of its arrow head, and the head, its tip where the way ended."""
    tip = way[-1]
    gaps = np.hypot(*(way - tip).T)
    kept = way[gaps >= ARROW * 0.8]
    back = kept[-1] if len(kept) else way[0]
    along = (tip - back) / max(np.hypot(*(tip - back)), 1e-9)
    side = np.array([-along[1], along[0]]) * ARROW * 0.42
    base = tip - along * ARROW
    return kept if len(kept) > 1 else way, Path([tip, base + side, base - side, tip], closed=True)
