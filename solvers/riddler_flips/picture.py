"""The picture of the game: two coins with what they pay, and the score on its track."""

from fractions import Fraction
from typing import Any

from site_builder.contract import Drawing, Look
from solvers.common.captions import whole
from solvers.common.coins import arrow, board, coin, words

STEPS = 5  # marks of the track on either side of its middle


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
