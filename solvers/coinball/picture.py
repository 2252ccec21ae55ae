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
        caption=f"The caller of a toss chooses {rush_points} (rush) or {pass_points} (pass). A right call brings "
        f"the points, a wrong one gives them to the other player. There are {tosses}.",
        alt=f"Two calls from which the caller chooses: rush, for {rush_points}, and pass, for {pass_points}. Arrows "
        f"lead from both to a coin, and from it to a score of 0 to 0, with {tosses} to come.",
    )


def _calls(rush: int, far: int, tosses: str, look: Look) -> Any:
    """The two calls on the left, the coin in the middle, the score board on the right."""
    from matplotlib.patches import FancyBboxPatch

    axes = board(look)
    box: dict[str, Any] = {"boxstyle": "round,pad=0.25", "facecolor": "none", "edgecolor": look.ink, "linewidth": 1.5}
    words(axes, look, 4.4, 7.2, "the caller chooses")
    for y, call, points in ((4.9, "rush", rush), (1.6, "pass", far)):
        axes.add_patch(FancyBboxPatch((1.2, y - 0.85), 6.4, 1.7, **box))
        words(axes, look, 4.4, y, f"{call} \N{PLUS-MINUS SIGN}{points}", 0.8)
        arrow(axes, look, (8.1, y), (10.5, 3.25 + (y - 3.25) / 3), look.ink)
    coin(axes, look, 12.7, 3.25, 1.9, "?", 1.5)
    arrow(axes, look, (14.9, 3.25), (16.7, 3.25), look.ink)
    words(axes, look, 20.2, 7.2, tosses)
    axes.add_patch(FancyBboxPatch((17.2, 1.75), 6.2, 3.0, **box))
    words(axes, look, 18.8, 4.0, "you")
    words(axes, look, 21.8, 4.0, "rival")
    words(axes, look, 20.3, 2.5, "0 : 0", 0.9)
    return axes
