"""Best moves, choices and lengths of games confirmed by methods that share no code with `solve`."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from fractions import Fraction
from functools import cache
from random import Random
from statistics import fmean, stdev
from typing import Any

from site_builder.contract import Check, StandardErrors
from solvers.wythoff.rule import Move, State, losing_in_both_orders, losing_pairs, states_after, wins
from solvers.wythoff.solution import Result

BRUTE_PILE = 21  # brute force plays through every state with piles to this
LENGTH_PILE = 13
PROBES = 200
GAMES = 1500
SEED = 20
WRITEUP = "FiveThirtyEight Riddler Classic, writeup dated 2020-01-24"
PUBLISHED_BEST_MOVES = {(75, 90): (51, 51), (8, 14): (0, 1), (9, 10): (8, 8)}
PUBLISHED_GAME = ((3, 5), (3, 4), (1, 2))

RankByMove = dict[Move, int]
"""The winning moves of a state, and the rank of the losing state that each leaves: 0 for (0, 0), 1 for the next, ..."""


def move_checks(result: Result) -> Iterator[Check]:
    """Confirmations of moves, choices and lengths of games."""
    moves = _winning_moves_backwards(result.map_size)
    yield from _published_moves(result)
    yield _examples(result)
    yield _game(result)
    yield from _maps(result, moves)
    yield from _choices(result, moves)
    yield from _best_by_two_or_smaller(result, moves)
    yield _quickest(result, moves)
    yield from _lengths_by_play(result)
    yield from _all_lengths(result, moves)
    yield _simulated_length(result)


def _best_by_trial(a: int, b: int, losing: Collection[State]) -> dict[Move, State]:
    """The winning moves that take the most pennies, and the states they leave, by trying every legal move."""
    left = [state for state in states_after(a, b) if state in losing]
    return {(a - c, b - d): (c, d) for c, d in left if c + d == min(map(sum, left))}


def _published_moves(result: Result) -> Iterator[Check]:
    taken = {(e.a, e.b): e.taken for e in result.examples}
    found = tuple(taken[state] for state in PUBLISHED_BEST_MOVES)
    name, how = "best moves from (75, 90), (8, 14), (9, 10)", f"pennies from the two piles; {WRITEUP}"
    yield Check(name, "published value", tuple(PUBLISHED_BEST_MOVES.values()), found, of="examples[3]", detail=how)
    left = tuple(turn.left for turn in result.example_game[:3])
    yield Check(
        "a game from (3, 7), move by move",
        "published value",
        PUBLISHED_GAME,
        left,
        of="example_game",
        detail=WRITEUP,
    )


def _examples(result: Result) -> Check:
    """The examples by every legal move: what is taken, what is left, and the other best moves."""
    right = 0
    for example in result.examples:
        best = _best_by_trial(example.a, example.b, losing_in_both_orders(max(example.a, example.b)))
        is_best = best.get(example.taken) == example.left
        right += is_best and sorted((example.taken, *example.others)) == sorted(best)
    how = "every legal move from each: what is taken, what is left, and the moves that are as good"
    return Check("examples of best moves", "brute force", len(result.examples), right, of="examples", detail=how)


def _game(result: Result) -> Check:
    """The example game: you take the most that wins, the opponent one penny from the larger pile, to the end."""
    turns = result.example_game
    (a, b), right = turns[0].before, 0
    losing = losing_in_both_orders(max(a, b))
    for number, turn in enumerate(turns):
        if number % 2 == 0:
            player, good = "you", _best_by_trial(a, b, losing)
        else:
            player, good = "the opponent", {(1, 0): (a - 1, b)} if a > b else {(0, 1): (a, b - 1)}
        right += turn.before == (a, b) and turn.player == player and good.get(turn.taken) == turn.left
        a, b = turn.left
    how = "replayed from its first state; you try every legal move, the last move leaves (0, 0)"
    right -= (a, b) != (0, 0)
    return Check("turns of the example game", "brute force", len(turns), right, of="example_game", detail=how)


def _code(a: int, b: int, best: list[Move]) -> int:
    """0 losing, 1 from the smaller pile, 2 from the larger, 3 from both, 4 several."""
    if len(best) != 1:
        return 4 if best else 0
    x, y = best[0]
    return 3 if x and y else 1 if (x > 0) == (a < b) else 2


def probes(size: int) -> list[State]:
    """All states with piles to BRUTE_PILE, and PROBES random states with piles to `size`."""
    chance = Random(SEED)
    every = range(min(BRUTE_PILE, size) + 1)
    more = [(chance.randint(0, size), chance.randint(0, size)) for _ in range(PROBES)]
    return [(a, b) for a in every for b in every] + more


def _maps(result: Result, moves: dict[State, RankByMove]) -> Iterator[Check]:
    """The kind of the best move by brute force, and every state of both maps by another algorithm."""
    size = result.map_size
    states, losing = probes(size), losing_in_both_orders(size)
    right = sum(result.best_move.at(a=a, b=b) == _code(a, b, list(_best_by_trial(a, b, losing))) for a, b in states)
    how = f"every legal move from piles to {min(BRUTE_PILE, size)} and from {PROBES} more states (seed {SEED})"
    yield Check("best moves", "brute force", len(states), right, of=f"best_move[{len(set(states))}]", detail=how)
    right = 0
    values, codes = result.value.values.tolist(), result.best_move.values.tolist()
    for a in range(size + 1):
        for b in range(size + 1):
            winning = moves.get((a, b), {})
            code = _code(a, b, _taking(max, winning))
            right += values[a][b] == (1 if winning else -1) and codes[a][b] == code
    how = "who wins and by which move, by pennies put back onto every losing state"
    yield Check("states of the maps", "another algorithm", (size + 1) ** 2, right, of="value, best_move", detail=how)


def _winning_moves_backwards(size: int) -> dict[State, RankByMove]:
    """The winning moves from each state with piles to `size`, by putting pennies back onto every losing state."""
    moves: dict[State, RankByMove] = defaultdict(dict)
    for rank, pair in enumerate(losing_pairs(size)):
        for a, b in {pair, pair[::-1]}:
            for n in range(1, size + 1):
                for x, y in ((n, 0), (0, n), (n, n)):
                    if max(a + x, b + y) <= size:
                        moves[a + x, b + y][x, y] = rank
    return moves


def _taking(pick: Callable[..., int], winning: RankByMove) -> list[Move]:
    """The winning moves that take the most (pick: `max`) or the fewest pennies (`min`)."""
    pennies = pick(map(sum, winning), default=0)
    return [move for move in winning if sum(move) == pennies]


def _choices(result: Result, moves: dict[State, RankByMove]) -> Iterator[Check]:
    """How many states have a choice, and the first one where it matters most.

    A stubborn loser makes 2 moves last for each losing state, so the choice saves twice the span of the ranks.
    """
    choice = result.choice
    spans = {(a, b): max(w.values()) - min(w.values()) for (a, b), w in moves.items() if a <= b}
    widest_span = max(spans.values())
    name = "winning states, those with a choice, moves that it saves"
    expected = (len(spans), sum(span > 0 for span in spans.values()), 2 * widest_span)
    counts = (choice.winning_states, choice.several, choice.length_fewest - choice.length_most)
    how = f"pennies put back onto every losing state, piles to {result.map_size}"
    of = "choice.winning_states, choice.several, choice.length_fewest, choice.length_most"
    yield Check(name, "another algorithm", expected, counts, of=of, detail=how)
    widest = min(state for state, span in spans.items() if span == widest_span)
    most, fewest = _taking(max, moves[widest]), _taking(min, moves[widest])
    one_of_most = choice.most if choice.most in most else most[0]
    one_of_fewest = choice.fewest if choice.fewest in fewest else fewest[0]
    found = (choice.widest, choice.most, choice.fewest)
    how = "where taking the most instead of the fewest pennies saves most moves; what is taken"
    yield Check(
        "where the choice matters most",
        "another algorithm",
        (widest, one_of_most, one_of_fewest),
        found,
        of="choice.widest, choice.most, choice.fewest",
        detail=how,
    )
    lasting = tuple(1 + 2 * moves[widest][taken[0]] for taken in (most, fewest))
    lengths = (choice.length_most, choice.length_fewest)
    how = "one move, and then two for each losing state that a stubborn loser passes through"
    yield Check(
        "how long the game lasts from there",
        "closed form",
        lasting,
        lengths,
        of="choice.length_most, choice.length_fewest",
        detail=how,
    )


def _best_by_two_or_smaller(result: Result, moves: dict[State, RankByMove]) -> Iterator[Check]:
    pairs = [(b, b + b - a) for a, b in losing_pairs(result.map_size)[1:]]
    ties = [pair for pair in sorted(pairs) if pair[1] <= result.map_size]
    how = "the states $(b, b + k)$, where $b$ is the larger pile of the $k$-th losing state"
    yield Check("states with two best moves", "closed form", ties, result.choice.ties, of="choice.ties", detail=how)
    alike = all(len({moves[state][move] for move in _taking(max, moves[state])}) == 1 for state in ties)
    name, how = "whether the two always leave the same piles", "both moves of each, by pennies put back"
    found, of = result.choice.ties_leave_the_same, "choice.ties_leave_the_same"
    yield Check(name, "another algorithm", alike, found, of=of, detail=how)
    smaller = sum(any(x and not y for x, y in _taking(max, winning)) for (a, b), winning in moves.items() if a < b)
    how = f"pennies put back onto every losing state, piles to {result.map_size}"
    name, of = "states where the smaller pile is best", "choice.smaller_pile_best"
    yield Check(name, "another algorithm", smaller, result.choice.smaller_pile_best, of=of, detail=how)


def _quickest(result: Result, moves: dict[State, RankByMove]) -> Check:
    """Taking the most pennies leaves the first losing state in reach; is the game from there the shortest?"""
    reach = [set(winning.values()) for (a, b), winning in moves.items() if a <= b]
    expected: list[int | bool] = []
    found: list[int | bool] = []
    for speed in (result.stubborn, result.random):
        lengths = speed.largest_lengths
        slower = sum(any(lengths[rank] < lengths[min(ranks)] for rank in ranks) for ranks in reach)
        expected += [slower, slower == 0]
        found += [speed.slower_states, speed.largest_is_quickest]
    name = "states from which taking the most is not quickest"
    how = f"against a stubborn and a random loser, from {len(reach):,} states: how many, and whether it always is"
    of = ", ".join(
        f"{loser}.{name}" for loser in ("stubborn", "random") for name in ("slower_states", "largest_is_quickest")
    )
    return Check(name, "another algorithm", expected, found, of=of, detail=how)


@cache
def _longest(a: int, b: int) -> int:
    """Moves to the end when a loser makes the game long and a winner makes it short, both as well as possible."""
    if wins(a, b):
        return 1 + min(_longest(*state) for state in states_after(a, b) if not wins(*state))
    return max((1 + _longest(*state) for state in states_after(a, b)), default=0)


@cache
def _mean_length(a: int, b: int, fewest: bool = False) -> Fraction:
    """Mean moves to the end against a loser who moves at random, by the winner's best choice in every state.

    With `fewest` the winner always takes as few pennies as still wins.
    """
    after = list(states_after(a, b))
    if not wins(a, b):
        return sum((1 + _mean_length(*state, fewest) for state in after), Fraction(0)) / max(len(after), 1)
    won = [state for state in after if not wins(*state)]
    return 1 + (_mean_length(*max(won, key=sum), fewest) if fewest else min(_mean_length(*state) for state in won))


def _lengths_by_play(result: Result) -> Iterator[Check]:
    pile = min(LENGTH_PILE, result.map_size)
    states = [state for state in result.losing_states if state[1] <= pile]
    expected = tuple(_longest(*state) for state in states)
    found = tuple(result.stubborn.largest_lengths[: len(states)])
    how = f"every line of play from losing states with piles to {pile}, the winner hurrying in every way there is"
    yield Check(
        "moves against a stubborn loser", "brute force", expected, found, of="stubborn.largest_lengths", detail=how
    )
    rank, (a, b) = len(states) - 1, states[-1]
    means = (_mean_length(a, b), _mean_length(a, b, fewest=True))
    found = (result.random.largest_lengths[rank], result.random.smallest_lengths[rank])
    how = f"every line of play from ({a}, {b}), the winner hurrying in every way there is, or taking the fewest pennies"
    yield Check(
        "mean length against a random loser",
        "brute force",
        means,
        found,
        of="random.largest_lengths, random.smallest_lengths",
        detail=how,
    )


def _lengths_of_games(
    moves: dict[State, RankByMove], size: int, is_stubborn: bool, pick: Callable[..., Any]
) -> list[Fraction]:
    """Moves to the end from each losing state with piles to `size`, by trying every move of the loser.
    is_stubborn: a loser who makes the game long, else one who moves at random. pick: `max` or `min`, the winner's
    choice by pennies.
    """
    lengths: list[Fraction] = []
    for pair in losing_pairs(size):
        replies = [moves[left] for left in states_after(*pair)]
        ranks = Counter(reply[pick(reply, key=sum)] for reply in replies)
        if is_stubborn:
            lengths.append(max((2 + lengths[rank] for rank in ranks), default=Fraction(0)))
        else:
            total = sum((n * (2 + lengths[rank]) for rank, n in ranks.items()), Fraction(0))
            lengths.append(total / max(len(replies), 1))
    return lengths


def _all_lengths(result: Result, moves: dict[State, RankByMove]) -> Iterator[Check]:
    """The lengths of games from every losing state of the map, against both losers, taking the most or the fewest."""
    how = "every move of a stubborn and of a random loser, each answered by the most or by the fewest pennies; exact"
    for loser, speed in (("stubborn", result.stubborn), ("random", result.random)):
        for taking, pick, field in (("the most", max, "largest_lengths"), ("the fewest", min, "smallest_lengths")):
            lengths = _lengths_of_games(moves, result.map_size, loser == "stubborn", pick)
            name, found, of = (
                f"lengths of games: {loser} loser, taking {taking}",
                getattr(speed, field),
                f"{loser}.{field}",
            )
            yield Check(name, "another algorithm", lengths, found, of=of, detail=how)
    lengths = _lengths_of_games(moves, result.map_size, True, max)
    expected = all(length == 2 * rank for rank, length in enumerate(lengths))
    name = "whether a stubborn loser visits every losing state"
    how = f"every move from each of {len(lengths)} losing states, answered by the most pennies"
    yield Check(name, "another algorithm", expected, result.stubborn_visits_all, of="stubborn_visits_all", detail=how)


def _simulated_length(result: Result) -> Check:
    """Games from a losing state against a player who always takes the most that wins."""
    rank = min(12, len(result.random.largest_lengths) - 1)
    start = result.losing_states[rank]
    losing = losing_in_both_orders(start[1])
    chance = Random(SEED)
    played = [_play(start, losing, chance) for _ in range(GAMES)]
    mean, found = fmean(played), float(result.random.largest_lengths[rank])
    within, of = StandardErrors(4, GAMES, deviation=stdev(played)), "random.largest_lengths[1], losing_states[1]"
    how = f"{GAMES} games from {start}, seed {SEED}; the loser lost all"
    mean = mean if all(played) else 0.0
    return Check("mean length, played out", "simulation", mean, found, of=of, within=within, detail=how)


def _play(state: State, losing: set[State], chance: Random) -> int:
    """Moves in one game whose first player moves at random and must lose; 0 if that player could have won."""
    moves = 0
    while state != (0, 0):
        replies = _best_by_trial(*chance.choice(list(states_after(*state))), losing)
        if not replies:
            return 0
        state = next(iter(replies.values()))
        moves += 2
    return moves
