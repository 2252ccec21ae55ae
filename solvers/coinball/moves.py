"""The puzzle as a game of states and moves, for the builder to verify in every state; `solve` uses none of it."""

from fractions import Fraction

from site_builder.contract import Absolute, Board, Game, States, Turn, Walk
from solvers.coinball.parameters import Parameters
from solvers.coinball.puzzle import Result

State = tuple[int, int]  # tosses made, your lead
CALLS = {0: ("rush",), 1: ("pass",), 2: ("rush", "pass")}
"""The best calls by their code in the result."""


def game(parameters: Parameters, result: Result) -> Game | None:
    """Every lead that some calls lead to; None where the result keeps only some states.

    An opponent who always makes the same call moves like chance.
    """
    if not result.is_whole:
        return None
    half, fixed, n_tosses = Fraction(1, 2), parameters.opponent != "optimal", parameters.n_tosses
    points = {"rush": parameters.rush_points, "pass": parameters.pass_points}
    yours = [(toss % 2 == 0) == (parameters.first == "you") for toss in range(n_tosses)]
    calls = [(parameters.opponent,) if fixed and not mine else ("rush", "pass") for mine in yours]
    callers = [0 if mine else None if fixed else 1 for mine in yours]
    offered = [[(call, points[call]) for call in each] for each in calls]

    def turn(state: State) -> Turn:
        toss, lead = state
        if toss == n_tosses:
            return Turn(None, {}, payoff=1 if lead > 0 else half if lead == 0 else 0)
        after = toss + 1
        moves = {call: ((half, (after, lead + won), 0), (half, (after, lead - won), 0)) for call, won in offered[toss]}
        return Turn(callers[toss], moves)

    rows = result.win_probability_by_state.values.tolist()
    best = result.best_call.values.tolist()
    middle = len(rows[0]) // 2

    def value(state: State) -> Fraction | float:
        return result.win_probability if state == (0, 0) else rows[state[0]][state[1] + middle]

    def best_calls(state: State) -> tuple[str, ...]:
        toss, lead = state
        return CALLS[best[toss][middle + (lead if yours[toss] else -lead)]]

    leads = [{0}]
    for each in offered:
        moves = [sign * won for _, won in each for sign in (1, -1)]
        leads.append({lead + move for lead in leads[-1] for move in moves})
    choices = dict.fromkeys((toss, lead) for toss, row in enumerate(leads[:-1]) for lead in sorted(row))
    states = choices | dict.fromkeys((n_tosses, lead) for lead in sorted(leads[-1]))
    free = sum(len(calls[toss]) == 2 for toss, _ in choices)
    return Game(
        ("you", "opponent"),
        (0, 0),
        States(states, turn),
        States(states, value),
        board(parameters),
        best=States(choices, best_calls),
        of=f"win_probability, win_probability_by_state, best_call[{free}]",
        within=Absolute(1e-15 if result.exact else 1e-12),
    )


def board(parameters: Parameters) -> Board:
    """The lead after each toss as a walk."""
    n = parameters.n_tosses

    def says(state: State) -> str:
        toss, lead = state
        where = "you lead by {points}" if lead > 0 else "you trail by {points}" if lead < 0 else "the score is level"
        if toss < n:
            return f"toss {{toss}} of {n}, {where}"
        if lead == 0:
            return "a draw, which is half a win"
        return "you win by {points}" if lead > 0 else "you lose by {points}"

    def facts(state: State) -> dict[str, int]:
        toss, lead = state
        return {"tosses": toss, "lead": lead, "points": abs(lead)} | ({"toss": toss + 1} if toss < n else {})

    rush, passing = parameters.rush_points, parameters.pass_points
    return Board(
        title=f"Coinball with {n} tosses",
        goal=f"Call each of your tosses: rush for {rush}, pass for {passing}. The points are yours, or the opponent's.",
        facts=facts,
        says=says,
        pictures=(Walk("Your lead, toss by toss", "tosses", "lead", n, 0, "level"),),
    )
