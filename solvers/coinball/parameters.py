"""What can be turned on the puzzle: the tosses, the points, the opponent, who calls first."""

from fractions import Fraction
from typing import Annotated, Literal

from site_builder.contract import Field, parameters
from solvers.common.lattice import Lottery, depths

MOST_WORK = 4_000_000
MOST_STATES = 40_000_000


@parameters
class Parameters:
    n_tosses: Annotated[int, Field(ge=1, le=5000, description="how many tosses are called, in turn")] = 100
    rush_points: Annotated[int, Field(ge=0, le=1000, description="points at stake when the caller rushes")] = 1
    pass_points: Annotated[int, Field(ge=0, le=1000, description="points at stake when the caller passes")] = 2
    opponent: Annotated[
        Literal["rush", "pass", "optimal"], Field(description="how the opponent plays: one call always, or best")
    ] = "optimal"
    first: Annotated[Literal["you", "opponent"], Field(description="who calls the first toss")] = "you"
    arithmetic: Annotated[
        Literal["auto", "exact", "float"],
        Field(description="exact fractions, floats, or whatever takes about a second at most"),
    ] = "auto"
    seed: Annotated[int, Field(ge=0, description="where the games of the simulated check start")] = 2017

    def __post_init__(self) -> None:
        if self.rush_points == self.pass_points == 0:
            raise ValueError("rush_points and pass_points are both 0; at least one call must be worth something")
        self._refuse_long_game()

    def _refuse_long_game(self) -> None:
        """Beyond MOST_WORK only floats are fast enough, for leads near a draw: at most MOST_STATES."""
        if self.n_tosses**2 * max(self.rush_points, self.pass_points) <= MOST_WORK:
            return
        if self.arithmetic == "exact":
            raise ValueError(
                "in exact fractions n_tosses times n_tosses times the larger number of points must be at most "
                f"{MOST_WORK}"
            )
        calls = Lottery(self.rush_points, Fraction(1, 2)), Lottery(self.pass_points, Fraction(1, 2))
        states = 2 * self.n_tosses * depths(calls, self.n_tosses)[-1]
        if states > MOST_STATES:
            raise ValueError(
                f"so many tosses for so many points have {states} states that matter; at most {MOST_STATES} can be "
                "solved: take fewer tosses, or fewer points"
            )
