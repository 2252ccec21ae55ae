"""Areas of a grid: their outlines, spots in their midst for a letter, and where two codes alternate."""

from typing import Any

import numpy as np
from matplotlib.path import Path

Corner = tuple[int, int]
_RESTLESS = 0.42  # a slanting border reaches 0.16 in a window, stripes one cell wide 0.5, a chessboard 1
_REGULAR = 0.85  # chance alone gives 0.5 with two codes


def border_length(mask: np.ndarray) -> int:
    """How many cell edges lie between True and False, the rim of the grid counted as False."""
    padded: np.ndarray = np.pad(mask, 1)
    return int(np.count_nonzero(padded[1:] != padded[:-1]) + np.count_nonzero(padded[:, 1:] != padded[:, :-1]))


def outline(mask: np.ndarray) -> Path:
    """The outlines of the True cells as one compound path, in cells: x to the right, y downwards, corners whole.

    Filled by the non-zero rule it covers exactly these cells: the inside always lies on the same side of the path.
    """
    ways = _ways(mask)
    vertices: list[Corner] = []
    codes: list[Any] = []
    while ways:
        loop = _corners(_loop(ways))
        vertices += [*loop, loop[0]]
        codes += [Path.MOVETO, *[Path.LINETO] * (len(loop) - 1), Path.CLOSEPOLY]
    return Path(np.array(vertices, dtype=float).reshape(-1, 2), codes)


def _ways(mask: np.ndarray) -> dict[Corner, list[Corner]]:
    """From each corner on a border the corners that follow, the True cells on the right hand."""
    padded = np.pad(mask, 1)
    inside = padded[1:-1, 1:-1]
    sides = (
        (inside & ~padded[:-2, 1:-1], (0, 0), (1, 0)),
        (inside & ~padded[1:-1, 2:], (1, 0), (1, 1)),
        (inside & ~padded[2:, 1:-1], (1, 1), (0, 1)),
        (inside & ~padded[1:-1, :-2], (0, 1), (0, 0)),
    )
    ways: dict[Corner, list[Corner]] = {}
    for side, start, end in sides:
        for row, column in np.argwhere(side).tolist():
            ways.setdefault((column + start[0], row + start[1]), []).append((column + end[0], row + end[1]))
    return ways


def _loop(ways: dict[Corner, list[Corner]]) -> list[Corner]:
    """One closed walk, taken out of the ways that are left."""
    start = next(iter(ways))
    walk = [start]
    while True:
        followers = ways[walk[-1]]
        step = followers.pop()
        if not followers:
            del ways[walk[-1]]
        if step == start:
            return walk
        walk.append(step)


def _corners(walk: list[Corner]) -> list[Corner]:
    """The walk without the places where it goes straight on."""
    before, after = [walk[-1], *walk[:-1]], [*walk[1:], walk[0]]
    return [
        here
        for last, here, following in zip(before, walk, after, strict=True)
        if (here[0] - last[0], here[1] - last[1]) != (following[0] - here[0], following[1] - here[1])
    ]


def letter_spots(mask: np.ndarray, cell: tuple[float, float], clear: float, apart: float) -> list[tuple[float, float]]:
    """Up to four spots deep inside the True cells, in cells (x, y).

    cell: width and height of a cell in pixels. clear: a spot has no False cell within so many pixels. apart: spots
    lie at least so many pixels from each other.
    """
    fine = 4.0  # pixels of the lattice on which depth is measured
    rows = _sampled(mask.shape[0], cell[1], fine)
    columns = _sampled(mask.shape[1], cell[0], fine)
    depth = _depth(mask[np.ix_(rows.astype(int), columns.astype(int))]) * fine
    spots: list[tuple[float, float]] = []
    y, x = np.meshgrid(rows, columns, indexing="ij")
    while len(spots) < 4 and depth.size and depth.max() >= clear:
        deepest = depth == depth.max()
        off_centre = np.hypot((x - x[deepest].mean()) * cell[0], (y - y[deepest].mean()) * cell[1])
        best = np.unravel_index(np.where(deepest, off_centre, np.inf).argmin(), depth.shape)
        spot = (float(x[best]), float(y[best]))
        spots.append(spot)
        depth = np.where(np.hypot((x - spot[0]) * cell[0], (y - spot[1]) * cell[1]) < apart, 0, depth)
    return spots


def _sampled(count: int, size: float, fine: float) -> np.ndarray:
    """Places along an axis of `count` cells of this size, about `fine` pixels apart, in cells."""
    steps = max(int(count * size / fine), 1)
    return (np.arange(steps) + 0.5) * count / steps


def _depth(mask: np.ndarray) -> np.ndarray:
    """How many rounds of erosion each place survives, diagonal neighbours counting in every other round."""
    depth = np.zeros(mask.shape)
    left = mask
    for turn in range(60):
        if not left.any():
            break
        depth += left
        p = np.pad(left, 1)
        straight = p[1:-1, 1:-1] & p[:-2, 1:-1] & p[2:, 1:-1] & p[1:-1, :-2] & p[1:-1, 2:]
        left = straight & p[:-2, :-2] & p[2:, 2:] & p[:-2, 2:] & p[2:, :-2] if turn % 2 else straight
    return depth


def woven(codes: np.ndarray) -> tuple[np.ndarray, dict[int, tuple[int, int]]]:
    """The codes with areas in which two of them alternate from cell to cell put together under new codes.

    codes: from 0 on, -1 where there is none. Also gives the two codes behind each new one. Only cells between two
    cells of the other code count, and what lies between such cells; a border, a lone line of cells through an area,
    and what fills less than a twentieth of the map are left as they are.
    """
    count = int(codes.max(initial=-1)) + 1
    lively = _near(_near((_restlessness(codes) > _RESTLESS) & (_regularity(codes) > _REGULAR)))
    partner = _partner(codes)
    result = codes.copy()
    pairs: dict[int, tuple[int, int]] = {}
    for low in range(count):
        for high in range(low + 1, count):
            of_low, of_high = (codes == low) & (partner == high), (codes == high) & (partner == low)
            inside = (of_low | of_high) & _near(of_low) & _near(of_high) & lively
            area = ~_near(~_near(inside) & (codes >= 0)) & ((codes == low) | (codes == high))
            if 20 * np.count_nonzero(area & (result < count)) > np.count_nonzero(codes >= 0):
                new = count + len(pairs)
                pairs[new] = (low, high)
                result[area & (result < count)] = new
    return result, pairs


def _partner(codes: np.ndarray) -> np.ndarray:
    """For each cell the other code that stands on both sides of it, left and right or above and below; else -1."""
    p = np.pad(codes, 1, constant_values=-1)
    partner = np.full_like(codes, -1)
    for one, other in ((p[1:-1, :-2], p[1:-1, 2:]), (p[:-2, 1:-1], p[2:, 1:-1])):
        partner = np.where((one == other) & (one != codes) & (one >= 0) & (codes >= 0), one, partner)
    return partner


def _restlessness(codes: np.ndarray) -> np.ndarray:
    """Around each cell, the share of neighbouring cells with different codes, among those that have any."""
    differ, known = np.zeros((2, *codes.shape))
    for axis in (0, 1):
        ahead, behind = (codes[1:], codes[:-1]) if axis == 0 else (codes[:, 1:], codes[:, :-1])
        both = (ahead >= 0) & (behind >= 0)
        place = (slice(0, -1), slice(None)) if axis == 0 else (slice(None), slice(0, -1))
        known[place] += both
        differ[place] += both & (ahead != behind)
    return np.asarray(_window_sum(differ) / np.maximum(_window_sum(known), 1))


def _regularity(codes: np.ndarray) -> np.ndarray:
    """Around each cell, the share of cells with the code of the next cell but one, along the axis with the larger."""
    shares = []
    for axis in (0, 1):
        ahead, behind = (codes[2:], codes[:-2]) if axis == 0 else (codes[:, 2:], codes[:, :-2])
        both = (ahead >= 0) & (behind >= 0)
        place = (slice(1, -1), slice(None)) if axis == 0 else (slice(None), slice(1, -1))
        known, equal = np.zeros((2, *codes.shape))
        known[place], equal[place] = both, both & (ahead == behind)
        shares.append(_window_sum(equal) / np.maximum(_window_sum(known), 1))
    return np.asarray(np.maximum(*shares))


def _window_sum(values: np.ndarray) -> np.ndarray:
    """The sum over the seven by seven cells around each cell."""
    for axis in (0, 1):
        wide = [(4, 3) if axis == i else (0, 0) for i in (0, 1)]
        total = np.cumsum(np.pad(values.astype(float), wide), axis=axis)
        ahead, behind = (total[7:], total[:-7]) if axis == 0 else (total[:, 7:], total[:, :-7])
        values = ahead - behind
    return values


def _near(mask: np.ndarray) -> np.ndarray:
    """The True cells and their eight neighbours."""
    p = np.pad(mask, 1)
    tall = p[:-2] | p[1:-1] | p[2:]
    return np.asarray(tall[:, :-2] | tall[:, 1:-1] | tall[:, 2:])
