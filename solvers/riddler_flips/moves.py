"""The puzzle as a game of states and moves, for the builder to verify in every state; `solve` uses none of it."""

from fractions import Fraction

from site_builder.contract import Absolute, Board, Game, States, Turn, Walk
from solvers.riddler_flips.parameters import Parameters
from solvers.riddler_flips.puzzle import Result

State = tuple[int, int]  # flips made, score
COINS = {0: ("coin A",), 1: ("coin B",), 2: ("coin A", "coin B")}
"""The best coins by their code in the result."""


def game(parameters: Parameters, result: Result) -> Game | None:
    """Every score that some flips lead to; None where the result keeps only some states."""
    if not result.is_whole:
        return None
    heads_a, heads_b = Fraction(parameters.p_a), Fraction(parameters.p_b)
    coins = (
        ("coin A", parameters.v_a, heads_a, 1 - heads_a),
        ("coin B", parameters.v_b, heads_b, 1 - heads_b),
    )

    def turn(state: State) -> Turn:
        flips, score = state
        if flips == parameters.n_flips:
            return Turn(None, {}, payoff=int(score >= parameters.target))
        after = flips + 1
        moves = {
            coin: ((heads, (after, score + points), 0), (tails, (after, score - points), 0))
            for coin, points, heads, tails in coins
        }
        return Turn(0, moves)

    rows = result.win_probability_by_state.values.tolist()
    best = result.best_coin.values.tolist()
    middle = len(rows[0]) // 2

    def value(state: State) -> Fraction | float:
        return result.win_probability if state == (0, 0) else rows[state[0]][state[1] + middle]

    steps = {
        step for _, points, heads, tails in coins for step, chance in ((points, heads), (-points, tails)) if chance
    }
    scores = [{0}]
    for _ in range(parameters.n_flips):
        scores.append({score + step for score in scores[-1] for step in steps})
    choices = dict.fromkeys((flips, score) for flips, row in enumerate(scores[:-1]) for score in sorted(row))
    states = choices | dict.fromkeys((parameters.n_flips, score) for score in sorted(scores[-1]))
    return Game(
        ("you",),
        (0, 0),
        States(states, turn),
        States(states, value),
        board(parameters),
        best=States(choices, lambda state: COINS[best[state[0]][state[1] + middle]]),
        of=f"win_probability, win_probability_by_state, best_coin[{len(choices)}]",
        within=Absolute(1e-15 if result.exact else 1e-12),
    )


def board(parameters: Parameters) -> Board:
    """The flips so far as a walk; the score is won from the target on."""

    def says(state: State) -> str:
        flips, score = state
        if flips < parameters.n_flips:
            return "flip {flip} of " + f"{parameters.n_flips}, score {{score}}"
        return "you win with the score {score}" if score >= parameters.target else "you lose with the score {score}"

    def facts(state: State) -> dict[str, int]:
        flips, score = state
        return {"flips": flips, "score": score} | ({"flip": flips + 1} if flips < parameters.n_flips else {})

    walk = Walk(
        "Your score, flip by flip", "flips", "score", parameters.n_flips, parameters.target, f"{parameters.target} wins"
    )
    return Board(
        title=f"{parameters.n_flips} flips",
        goal=f"Choose the coin of each flip. You win with a score of {parameters.target} or more.",
        facts=facts,
        says=says,
        pictures=(walk,),
    )
