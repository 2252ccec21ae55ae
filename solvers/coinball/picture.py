"""The picture of the game: a coin, the two calls, and the score board."""

from typing import Any

from site_builder.contract import Drawing, Look
from solvers.common.coins import arrow, board, coin, words


def figure_picture(n_tosses: int, rush_points: int, pass_points: int, look: Look) -> Drawing:
    """The game before its first toss."""
    tosses = f"{n_tosses} toss{'' if n_tosses == 1 else 'es'}"
    return Drawing(
        _calls(rush_points, pass_points, tosses, look).figure,
        title="Rush or pass",
        data={"points of a rush": rush_points, "points of a pass": pass_points, "tosses": n_tosses},
        caption=f"The caller of a toss plays for {rush_points} (rush) or for {pass_points} (pass). A right call brings "
        f"the points, a wrong one gives them to the other player. There are {tosses}.",
        alt=f"A coin between two calls: rush, for {rush_points}, and pass, for {pass_points}. Above it a score board "
        f"at 0 to 0, with {tosses} to come.",
    )


def _calls(rush: int, far: int, tosses: str, look: Look) -> Any:
    """The score board on top, the coin in the middle, a call on either side."""
    from matplotlib.patches import FancyBboxPatch

    axes = board(look)
    coin(axes, look, 12, 2.6, 2.0, "?", 1.6)
    for x, call, points, colour in ((4, "rush", rush, look.colours["blue"]), (20, "pass", far, look.colours["orange"])):
        box: dict[str, Any] = {"boxstyle": "round,pad=0.25", "facecolor": "none", "edgecolor": colour, "linewidth": 2.5}
        axes.add_patch(FancyBboxPatch((x - 2.9, 1.0), 5.8, 3.2, **box))
        words(axes, look, x, 3.4, call, 0.9)
        words(axes, look, x, 1.8, f"+{points} or \N{MINUS SIGN}{points}", 0.7)
        arrow(axes, look, (12 + (2.3 if x > 12 else -2.3), 2.6), (x + (-3.4 if x > 12 else 3.4), 2.6), look.ink)
    axes.plot([1, 23], [5.5, 5.5], color=look.ink, linewidth=0.8)
    words(axes, look, 4, 6.6, "you  0", 0.85)
    words(axes, look, 12, 6.6, tosses)
    words(axes, look, 19, 6.6, "opponent  0", 0.85)
    return axes
