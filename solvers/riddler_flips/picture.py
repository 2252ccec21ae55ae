"""The pictures: two coins with what they pay, and the score on its track; what each point of a score is worth."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from site_builder.contract import Drawing, Grid, Look
from solvers.common.captions import whole
from solvers.common.coins import arrow, board, coin, words
from solvers.riddler_flips.figures import near

STEPS = 5  # marks of the track on either side of its middle
POINT = (4, 6)  # the table of points: so many flips left, so many scores to each side of the one below the target
HALF = Fraction(1, 2)


def figure_picture(n_flips: int, p_a: Fraction, p_b: Fraction, v_a: int, v_b: int, target: int, look: Look) -> Drawing:
    """Both coins, and the score at the start."""
    flips = f"{n_flips} flip{'' if n_flips == 1 else 's'}"
    return Drawing(
        _coins((v_a, v_b), (p_a, p_b), target, look).figure,
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


def _coins(values: tuple[int, int], chances: tuple[Fraction, Fraction], target: int, look: Look) -> Any:
    """The coins above, each with points and chance beside it; the track below, its winning part coloured."""
    axes = board(look)
    for name, x, points, chance in zip("AB", (2.4, 14.4), values, chances, strict=True):
        coin(axes, look, x, 5.7, 1.9, name, 1.4, ring=look.colours["blue" if name == "A" else "orange"])
        words(axes, look, x + 5.3, 6.4, f"+{points} or \N{MINUS SIGN}{points}", 0.85)
        words(axes, look, x + 5.3, 4.9, f"heads {100 * float(chance):.3g}%")
    step = max(1, -(-abs(target) // STEPS))
    places = [step * n for n in range(-STEPS, STEPS + 1)]
    across = {score: 12 + 2 * n for score, n in zip(places, range(-STEPS, STEPS + 1), strict=True)}
    edge = min(max(12 + 2 * (target - 0.5) / step, 1.0), 23.0)
    axes.plot([1, edge], [2, 2], color=look.ink, linewidth=2)
    axes.plot([edge, 23], [2, 2], color=look.colours["green"], linewidth=5, solid_capstyle="butt")
    for score, x in across.items():
        axes.plot([x, x], [1.75, 2.25], color=look.ink, linewidth=1.2)
        if score in (places[0], 0, places[-1]) or (step == 1 and look.width > 500):
            words(axes, look, x, 0.9, f"{score}".replace("-", "\N{MINUS SIGN}"))
    arrow(axes, look, (12, 3.7), (12, 2.35), look.ink)
    return axes


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
        _points(rows, scores, (*pair, said), look).figure,
        title="What the last point of a score is worth",
        data={"score": list(scores)} | {f"{left} flips left": row for left, row in enumerate(rows)},
        caption="Of the equally likely cases (2 with one flip left, 4 with two, and so on), how many more win with "
        "this score than with one point less. The bracket joins two points that lie three apart.",
        alt=f"A table of numbers, a row for 0 to {len(rows) - 1} flips left and a column for each score. In the top "
        f"row points {whole(pair[0])} and {whole(pair[1])} are joined: they are {said}.",
    )


def _points(rows: list[list[int]], scores: Sequence[Any], pair: tuple[int, int, str], look: Look) -> Any:
    """The numbers in squares, the first row below; above the last one a bracket from one score to another."""
    from matplotlib.patches import Rectangle

    low, high, wide = 2.8, 1.5, 1.6
    top = low + high * len(rows)
    axes = board(look, top + 2)
    across = {score: 3.6 + wide * n for n, score in enumerate(scores)}
    words(axes, look, 2.4, top + 0.8, "flips left")
    for left, row in enumerate(rows):
        y = low + high * (left + 0.5)
        words(axes, look, 1.5, y, str(left))
        for x, cases in zip(across.values(), row, strict=True):
            square = Rectangle((x - 0.75, y - 0.7), 1.5, 1.4, facecolor=look.colours["blue"], edgecolor="none")
            square.set_alpha(0.2 * min(cases, 4))
            axes.add_patch(square)
            words(axes, look, x, y, str(cases))
    for score, x in across.items():
        words(axes, look, x, low - 0.7, whole(score))
    words(axes, look, across[scores[len(scores) // 2]], low - 2, "score")
    first, last, said = pair
    ends, y = (across[first], across[last]), top + 0.7
    axes.plot([ends[0], *ends, ends[1]], [top + 0.1, y, y, top + 0.1], color=look.ink, linewidth=1.2)
    words(axes, look, sum(ends) / 2, y + 0.65, said)
    return axes
