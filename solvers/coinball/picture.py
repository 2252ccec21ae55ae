"""The picture of the game: a coin, the two calls, and the score board."""

from matplotlib.figure import Figure

from site_builder.contract import Drawing, Look
from solvers.common.canvas import Canvas


def figure_picture(n_tosses: int, rush_points: int, pass_points: int, look: Look) -> Drawing:
    """The game before its first toss."""
    tosses = f"{n_tosses} toss{'' if n_tosses == 1 else 'es'}"
    return Drawing(
        _calls(rush_points, pass_points, tosses, look),
        title="Rush or pass",
        data={"points of a rush": rush_points, "points of a pass": pass_points, "tosses": n_tosses},
        caption=f"The caller of a toss chooses {rush_points} (rush) or {pass_points} (pass). A right call brings "
        f"the points, a wrong one gives them to the other player. There are {tosses}.",
        alt=f"Two calls from which the caller chooses: rush, for {rush_points}, and pass, for {pass_points}. Arrows "
        f"lead from both to a coin, and from it to a score of 0 to 0, with {tosses} to come.",
    )


def _calls(rush: int, far: int, tosses: str, look: Look) -> Figure:
    """The two calls on the left, the coin in the middle, the score board on the right."""
    canvas = Canvas(look)
    canvas.words(4.4, 7.2, "the caller chooses")
    for y, call, points in ((4.9, "rush", rush), (1.6, "pass", far)):
        canvas.boxes([(0.95, y - 1.1)], 6.9, 2.2, edgecolors=look.ink)
        canvas.words(4.4, y, f"{call} \N{PLUS-MINUS SIGN}{points}", 0.8)
        canvas.arrow((8.1, y), (10.5, 3.25 + (y - 3.25) / 3), look.ink)
    canvas.coins([(12.7, 3.25)], 1.9, "?", 1.5)
    canvas.arrow((14.9, 3.25), (16.7, 3.25), look.ink)
    canvas.boxes([(16.95, 1.5)], 6.7, 3.5, edgecolors=look.ink)
    for x, y, text in ((20.2, 7.2, tosses), (18.8, 4.0, "you"), (21.8, 4.0, "rival"), (20.3, 2.5, "0 : 0")):
        canvas.words(x, y, text, 0.9 if text == "0 : 0" else 0.6)
    return canvas.figure
