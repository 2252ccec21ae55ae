"""The pictures: two coins with what they pay, and the score on its track; what each point of a score is worth."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.path import Path

from site_builder.contract import Drawing, Grid, Look
from solvers.common.canvas import Canvas, Place
from solvers.common.captions import whole
from solvers.riddler_flips.figures import near

STEPS = 5  # marks of the track on either side of its middle
POINT = (4, 6)  # the table of points: so many flips left, so many scores to each side of the one below the target
HALF = Fraction(1, 2)


def figure_picture(n_flips: int, p_a: Fraction, p_b: Fraction, v_a: int, v_b: int, target: int, look: Look) -> Drawing:
    """Both coins, and the score at the start."""
    flips = f"{n_flips} flip{'' if n_flips == 1 else 's'}"
    return Drawing(
        _coins((v_a, v_b), (p_a, p_b), target, look),
        title="Two coins and a score",
        data={
            "points of coin A": v_a,
            "points of coin B": v_b,
            "chance of heads, coin A": float(p_a),
            "chance of heads, coin B": float(p_b),
            "smallest score that wins": target,
            "flips": n_flips,
        },
        caption=f"Heads adds the points of the coin to the score, tails takes them away. After {flips}, a score of "
        f"{whole(target)} or more wins.",
        alt=f"Coin A adds or takes {v_a}, coin B {v_b}, and below them a track for the "
        f"score, which starts at 0 and wins from {whole(target)} upwards.",
    )


def _coins(values: tuple[int, int], chances: tuple[Fraction, Fraction], target: int, look: Look) -> Figure:
    """The coins above, each with points and chance beside it; the track below, its winning part coloured."""
    canvas, places = Canvas(look), (2.4, 14.4)
    rings = [look.colours["blue"], look.colours["orange"]]
    canvas.shapes(Path.circle(radius=2.2), [(x, 5.7) for x in places], facecolors=rings, edgecolors="none")
    canvas.coins([(x, 5.7) for x in places], 1.9, "AB", 1.4)
    for x, points, chance in zip(places, values, chances, strict=True):
        canvas.words(x + 5.3, 6.4, f"+{points} or \N{MINUS SIGN}{points}", 0.85)
        canvas.words(x + 5.3, 4.9, f"heads {100 * float(chance):.3g}%")
    step = max(1, -(-abs(target) // STEPS))
    across = {step * n: 12 + 2 * n for n in range(-STEPS, STEPS + 1)}
    edge = min(max(12 + 2 * (target - 0.5) / step, 1.0), 23.0)
    canvas.lines([(1, 2), (edge, 2)], width=2)
    canvas.lines([(edge, 2), (23, 2)], colour=look.colours["green"], width=5)
    canvas.lines(*([(x, 1.75), (x, 2.25)] for x in across.values()))
    for score, x in across.items():
        if abs(score) in (0, step * STEPS) or (step == 1 and look.width > 500):
            canvas.words(x, 0.9, f"{score}".replace("-", "\N{MINUS SIGN}"))
    canvas.arrow((12, 3.7), (12, 2.35), look.ink)
    return canvas.figure


def figure_point(
    point: Grid, p_a: Fraction, p_b: Fraction, v_a: int, v_b: int, target: int, look: Look
) -> Drawing | None:
    """In how many cases the last point of a score decides, for two fair coins of 1 and 2 points.

    The choice at a score s is between points s - 1 and s + 2; a bracket joins one such pair.
    """
    if (p_a, p_b, v_a, v_b) != (HALF, HALF, 1, 2):
        return None
    worth = near(point, target, *POINT)
    scores = worth.axes["score"]
    rows = [[int(cases) for cases in row] for row in worth.values]
    top, pair = dict(zip(scores, rows[-1], strict=True)), (target + 1, target + 4)
    said = "equal" if top[pair[0]] == top[pair[1]] else "not equal"
    return Drawing(
        _points(rows, scores, (*pair, said), look),
        title="What the last point of a score is worth",
        data={"score": list(scores)} | {f"{left} flips left": row for left, row in enumerate(rows)},
        caption="Of the equally likely cases (2 with one flip left, 4 with two, and so on), how many more win with "
        "this score than with one point less. The bracket joins two points that lie three apart.",
        alt=f"A table of numbers, a row for 0 to {len(rows) - 1} flips left and a column for each score. In the top "
        f"row points {whole(pair[0])} and {whole(pair[1])} are joined: they are {said}.",
    )


def _points(rows: list[list[int]], scores: Sequence[Any], pair: tuple[int, int, str], look: Look) -> Figure:
    """The numbers in squares, the first row below; above the last one a bracket from one score to another."""
    low, high, wide = 2.8, 1.5, 1.6
    top = low + high * len(rows)
    canvas = Canvas(look, top + 2)
    across = {score: 3.6 + wide * n for n, score in enumerate(scores)}
    canvas.words(2.4, top + 0.8, "flips left")
    squares = dict[Place, int]()
    for left, row in enumerate(rows):
        y = low + high * (left + 0.5)
        canvas.words(1.5, y, str(left))
        squares |= {(x, y): cases for x, cases in zip(across.values(), row, strict=True)}
    blues = [to_rgba(look.colours["blue"], 0.2 * min(cases, 4)) for cases in squares.values()]
    square = Path([(-0.75, -0.7), (0.75, -0.7), (0.75, 0.7), (-0.75, 0.7), (-0.75, -0.7)], closed=True)
    canvas.shapes(square, squares, facecolors=blues, edgecolors="none")
    for (x, y), cases in squares.items():
        canvas.words(x, y, str(cases))
    for score, x in across.items():
        canvas.words(x, low - 0.7, whole(score))
    canvas.words(across[scores[len(scores) // 2]], low - 2, "score")
    first, last, said = pair
    start, end, y = across[first], across[last], top + 0.7
    canvas.lines([(start, top + 0.1), (start, y), (end, y), (end, top + 0.1)])
    canvas.words((start + end) / 2, y + 0.65, said)
    return canvas.figure
