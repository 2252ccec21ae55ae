"""What can be turned on the puzzle: the flips, the coins, the score that wins."""

from fractions import Fraction
from typing import Annotated, Literal

from site_builder.contract import Field, Rational, parameters
from solvers.common.lattice import Lottery, depths

MOST_WORK = 8_000_000
MOST_STATES = 40_000_000
MOST_DENOMINATOR = 1_000_000


@parameters
class Parameters:
    n_flips: Annotated[int, Field(ge=1, le=10_000, description="how many flips are made")] = 100
    p_a: Annotated[Rational, Field(ge=0, le=1, description="chance of heads for coin A")] = Rational(1, 2)
    p_b: Annotated[Rational, Field(ge=0, le=1, description="chance of heads for coin B")] = Rational(1, 2)
    v_a: Annotated[int, Field(ge=0, le=1000, description="points that coin A wins or loses")] = 1
    v_b: Annotated[int, Field(ge=0, le=1000, description="points that coin B wins or loses")] = 2
    target: Annotated[int, Field(ge=-2_000_000, le=2_000_000, description="the smallest score that wins")] = 1
    arithmetic: Annotated[
        Literal["auto", "exact", "float"],
        Field(description="exact fractions, floats, or whatever takes about a second at most"),
    ] = "auto"
    seed: Annotated[int, Field(ge=0, description="where the games of the simulated check start")] = 2020

    def __post_init__(self) -> None:
        if self.v_a == self.v_b == 0:
            raise ValueError("v_a and v_b are both 0; at least one coin must be worth something")
        self._refuse_long_game()
        if max(self.p_a.denominator, self.p_b.denominator) > MOST_DENOMINATOR:
            raise ValueError(f"the denominators of p_a and p_b must be at most {MOST_DENOMINATOR}")

    def _refuse_long_game(self) -> None:
        """Beyond MOST_WORK only floats are fast enough, for scores near the target: at most MOST_STATES."""
        if self.n_flips**2 * max(self.v_a, self.v_b) <= MOST_WORK:
            return
        if self.arithmetic == "exact":
            raise ValueError(
                f"in exact fractions n_flips times n_flips times the larger of v_a and v_b must be at most {MOST_WORK}"
            )
        coins = Lottery(self.v_a, Fraction(self.p_a)), Lottery(self.v_b, Fraction(self.p_b))
        states = 2 * self.n_flips * (depths(coins, self.n_flips)[-1] + abs(self.target))
        if states > MOST_STATES:
            raise ValueError(
                f"so many flips of these coins have {states} states that matter; at most {MOST_STATES} can be solved: "
                "take fewer flips, smaller coins, a target nearer to 0 or chances nearer to 1/2"
            )
