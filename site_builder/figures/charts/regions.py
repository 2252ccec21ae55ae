"""Areas of cells in a grid: their outlines, positions for letters inside them, and areas where two codes alternate."""

from typing import Any

import numpy as np
from matplotlib.path import Path

Corner = tuple[int, int]
_MIN_CHANGE = 0.42  # in a window, a diagonal border has 0.16, stripes one cell wide 0.5, a chessboard 1
_MIN_REGULARITY = 0.85  # two random codes have 0.5


def border_length(mask: np.ndarray) -> int:
    """Return the number of cell edges between True and False; cells outside of the grid count as False."""
    padded: np.ndarray = np.pad(mask, 1)
    return int(np.count_nonzero(padded[1:] != padded[:-1]) + np.count_nonzero(padded[:, 1:] != padded[:, :-1]))


def outline(mask: np.ndarray) -> Path:
    """Return the outlines of the True cells as one compound path, in cells: x to the right, y downwards.

    Filled by the non-zero rule it covers exactly these cells: the inside always lies on the same side of the path.
    """
    steps = _border_steps(mask)
    vertices: list[Corner] = []
    codes: list[Any] = []
    while steps:
        loop = _corners(_closed_walk(steps))
        vertices += [*loop, loop[0]]
        codes += [Path.MOVETO, *[Path.LINETO] * (len(loop) - 1), Path.CLOSEPOLY]
    return Path(np.array(vertices, dtype=float).reshape(-1, 2), codes)


def _border_steps(mask: np.ndarray) -> dict[Corner, list[Corner]]:
    """For each corner on a border, the next corners, with the True cells on the right."""
    padded = np.pad(mask, 1)
    inside = padded[1:-1, 1:-1]
    sides = (
        (inside & ~padded[:-2, 1:-1], (0, 0), (1, 0)),
        (inside & ~padded[1:-1, 2:], (1, 0), (1, 1)),
        (inside & ~padded[2:, 1:-1], (1, 1), (0, 1)),
        (inside & ~padded[1:-1, :-2], (0, 1), (0, 0)),
    )
    steps: dict[Corner, list[Corner]] = {}
    for side, start, end in sides:
        for row, column in np.argwhere(side).tolist():
            steps.setdefault((column + start[0], row + start[1]), []).append((column + end[0], row + end[1]))
    return steps


def _closed_walk(steps: dict[Corner, list[Corner]]) -> list[Corner]:
    """One closed walk along the steps; it is removed from them."""
    start = next(iter(steps))
    walk = [start]
    while True:
        followers = steps[walk[-1]]
        step = followers.pop()
        if not followers:
            del steps[walk[-1]]
        if step == start:
            return walk
        walk.append(step)


def _corners(walk: list[Corner]) -> list[Corner]:
    """The walk without the corners at which it goes straight on."""
    turns = zip([walk[-1], *walk], walk, [*walk[1:], walk[0]], strict=False)
    return [here for last, here, following in turns if last[0] != following[0] and last[1] != following[1]]


def letter_positions(
    mask: np.ndarray, cell: tuple[float, float], clear: float, apart: float
) -> list[tuple[float, float]]:
    """Return up to four positions far inside the True cells, in cells (x, y).

    cell: width and height of a cell in pixels. clear: pixels around a position without a False cell. apart: least
    distance between positions in pixels.
    """
    fine = 4.0  # pixels between the points at which depth is measured
    steps = [max(int(count * size / fine), 1) for count, size in zip(mask.shape, cell[::-1], strict=True)]
    rows, columns = ((np.arange(n) + 0.5) * count / n for n, count in zip(steps, mask.shape, strict=True))
    depth = _depth(mask[np.ix_(rows.astype(int), columns.astype(int))]) * fine
    found: list[tuple[float, float]] = []
    y, x = np.meshgrid(rows, columns, indexing="ij")
    while len(found) < 4 and depth.size and depth.max() >= clear:
        deepest = depth == depth.max()
        off_centre = np.hypot((x - x[deepest].mean()) * cell[0], (y - y[deepest].mean()) * cell[1])
        best = np.unravel_index(np.where(deepest, off_centre, np.inf).argmin(), depth.shape)
        found.append((float(x[best]), float(y[best])))
        depth = np.where(np.hypot((x - x[best]) * cell[0], (y - y[best]) * cell[1]) < apart, 0, depth)
    return found


def _depth(mask: np.ndarray) -> np.ndarray:
    """The number of erosions that each point survives; diagonal neighbours count in every other one."""
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


def merge_alternating(codes: np.ndarray) -> tuple[np.ndarray, dict[int, tuple[int, int]]]:
    """Give areas in which two codes alternate from cell to cell new codes; return the codes, and new code -> the two.

    codes: from 0 on, -1 where there is none. An area consists of cells between two cells of the other code and of what
    lies between such cells. A border, a single line of cells through an area, and areas smaller than a twentieth of the
    map are not changed.
    """
    count = int(codes.max(initial=-1)) + 1
    alternates = _dilated(_dilated(_alternates(codes)))
    partner = _partner(codes)
    result = codes.copy()
    pairs: dict[int, tuple[int, int]] = {}
    for low in range(count):
        for high in range(low + 1, count):
            of_low, of_high = (codes == low) & (partner == high), (codes == high) & (partner == low)
            inside = (of_low | of_high) & _dilated(of_low) & _dilated(of_high) & alternates
            area = ~_dilated(~_dilated(inside) & (codes >= 0)) & ((codes == low) | (codes == high))
            if 20 * np.count_nonzero(area & (result < count)) > np.count_nonzero(codes >= 0):
                new = count + len(pairs)
                pairs[new] = (low, high)
                result[area & (result < count)] = new
    return result, pairs


def _partner(codes: np.ndarray) -> np.ndarray:
    """For each cell the other code that is on both sides of it, left and right or above and below; else -1."""
    p = np.pad(codes, 1, constant_values=-1)
    partner = np.full_like(codes, -1)
    for one, other in ((p[1:-1, :-2], p[1:-1, 2:]), (p[:-2, 1:-1], p[2:, 1:-1])):
        partner = np.where((one == other) & (one != codes) & (one >= 0) & (codes >= 0), one, partner)
    return partner


def _alternates(codes: np.ndarray) -> np.ndarray:
    """Where most neighbouring cells in a window differ, and most are equal to the next but one along one axis."""
    (known, equal), (known_too, equal_too) = _pairs_in_windows(codes, 1)
    pairs = known + known_too
    changes = (pairs - equal - equal_too) / np.maximum(pairs, 1)
    regularity = np.maximum(*(same / np.maximum(both, 1) for both, same in _pairs_in_windows(codes, 2)))
    return np.asarray((changes > _MIN_CHANGE) & (regularity > _MIN_REGULARITY))


def _pairs_in_windows(codes: np.ndarray, gap: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each axis, in a window around each cell: pairs of cells so far apart that have codes, and the equal ones."""
    found = []
    for turned in (np.asarray, np.transpose):
        ahead, behind = turned(codes)[gap:], turned(codes)[:-gap]
        both = (ahead >= 0) & (behind >= 0)
        known, equal = np.zeros((2, *codes.shape))
        middle = slice(gap // 2, gap // 2 - gap)
        turned(known)[middle], turned(equal)[middle] = both, both & (ahead == behind)
        found.append((_window_sum(known), _window_sum(equal)))
    return found


def _window_sum(values: np.ndarray) -> np.ndarray:
    """The sum over the 7 x 7 cells around each cell."""
    total = np.pad(values, ((4, 3), (4, 3))).cumsum(axis=0).cumsum(axis=1)
    rows = total[7:] - total[:-7]
    return np.asarray(rows[:, 7:] - rows[:, :-7])


def _dilated(mask: np.ndarray) -> np.ndarray:
    """The True cells and their eight neighbours."""
    p = np.pad(mask, 1)
    tall = p[:-2] | p[1:-1] | p[2:]
    return np.asarray(tall[:, :-2] | tall[:, 1:-1] | tall[:, 2:])
