"""Winning moves, games and their lengths confirmed: by every legal move, by putting pennies back, by games played."""

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from random import Random
from statistics import fmean, stdev

from site_builder.contract import Check
from solvers.common.agreeing import counted, listed, same
from solvers.wythoff.brute import (
    Pair,
    Winning,
    by_exclusion,
    largest_wins,
    lengths_of_games,
    longest,
    mean_length,
    reached,
    winning_in_reach,
)
from solvers.wythoff.solution import Result

BRUTE_PILE = 21  # from every state with piles to this, every legal move is tried
LENGTH_PILE = 13
PROBES = 200
GAMES = 1500
SEED = 20
WRITEUP = "FiveThirtyEight Riddler Classic, writeup dated 2020-01-24"
PUBLISHED_BEST_MOVES = {(75, 90): (51, 51), (8, 14): (0, 1), (9, 10): (8, 8)}
PUBLISHED_GAME = ((3, 5), (3, 4), (1, 2))


def game_checks(result: Result) -> Iterator[Check]:
    """Confirmations of moves and lengths."""
    moves = winning_in_reach(result.map_size)
    yield from _published_moves(result)
    yield _examples(result)
    yield _game(result)
    yield _best_moves(result)
    yield _map(result, moves)
    yield _choices(result, moves)
    yield from _widest(result, moves)
    yield from _ties(result, moves)
    yield _smaller_pile(result, moves)
    yield _quickest(result, moves)
    yield _stubborn_lengths(result)
    yield _random_length(result)
    yield from _all_lengths(result, moves)
    yield _simulated_length(result)


def _published_moves(result: Result) -> Iterator[Check]:
    found = {(e.a, e.b): e.taken for e in result.examples}
    expected = tuple(PUBLISHED_BEST_MOVES.values())
    name = "best moves from (75, 90), (8, 14), (9, 10)"
    told = tuple(found[state] for state in PUBLISHED_BEST_MOVES)
    yield same(name, "published value", expected, told, f"pennies from the two piles; {WRITEUP}")
    left = tuple(turn.left for turn in result.example_game[:3])
    yield same("a game from (3, 7), move by move", "published value", PUBLISHED_GAME, left, WRITEUP)


def _examples(result: Result) -> Check:
    """The examples by every legal move: what is taken, what is left, and the other best moves."""
    right = 0
    for example in result.examples:
        a, b = example.a, example.b
        best = {taken: left for _, taken, left in largest_wins(a, b, by_exclusion(2 * max(a, b)))}
        told = (example.taken, *example.others)
        right += best.get(example.taken) == example.left and sorted(told) == sorted(best)
    how = "every legal move from each: what is taken, what is left, and the moves that are as good"
    return counted("examples of best moves", "brute force", len(result.examples), right, how)


def _game(result: Result) -> Check:
    """The example game: you take the most that wins, the opponent one penny from the larger pile, to the end."""
    state, right = result.example_game[0].before, 0
    beside = by_exclusion(2 * max(state))
    for number, turn in enumerate(result.example_game):
        if number % 2 == 0:
            player, good = "you", {(taken, left) for _, taken, left in largest_wins(*state, beside)}
        else:
            taken = (1, 0) if state[0] > state[1] else (0, 1)
            player, good = "the opponent", {(taken, (state[0] - taken[0], state[1] - taken[1]))}
        right += turn.before == state and turn.player == player and (turn.taken, turn.left) in good
        state = turn.left
    how = "replayed from its first state; you try every legal move, the last move leaves (0, 0)"
    turns = len(result.example_game)
    return counted("turns of the example game", "brute force", turns, right if state == (0, 0) else right - 1, how)


def _code(a: int, b: int, best: list[Pair]) -> int:
    """0 losing, 1 from the smaller pile, 2 from the larger, 3 from both, 4 several."""
    if len(best) != 1:
        return 4 if best else 0
    x, y = best[0]
    if x and y:
        return 3
    return 1 if (x > 0) == (a < b) else 2


def _best_moves(result: Result) -> Check:
    size = min(BRUTE_PILE, result.map_size)
    beside = by_exclusion(result.map_size)
    chance = Random(SEED)
    pairs = [(a, b) for a in range(size + 1) for b in range(size + 1)]
    pairs += [(chance.randint(0, result.map_size), chance.randint(0, result.map_size)) for _ in range(PROBES)]
    codes = [_code(a, b, [taken for _, taken, _ in largest_wins(a, b, beside)]) for a, b in pairs]
    right = sum(result.best_move.at(a=a, b=b) == code for (a, b), code in zip(pairs, codes, strict=True))
    how = f"every legal move from piles to {size} and from {PROBES} more states (seed {SEED})"
    return counted("best moves", "brute force", len(pairs), right, how)


def _map(result: Result, moves: dict[Pair, list[Winning]]) -> Check:
    """Every state of both maps: whether it wins, and the kind of its best move."""
    right, size = 0, result.map_size
    values, codes = result.value.values.tolist(), result.best_move.values.tolist()
    for a in range(size + 1):
        for b in range(size + 1):
            winning = moves.get((a, b), [])
            most = max((move.pennies for move in winning), default=0)
            code = _code(a, b, [move.taken for move in winning if move.pennies == most])
            right += values[a][b] == (1 if winning else -1) and codes[a][b] == code
    how = "who wins and by which move, by pennies put back onto every losing state"
    return counted("states of the maps", "another algorithm", (size + 1) ** 2, right, how)


def _choices(result: Result, moves: dict[Pair, list[Winning]]) -> Check:
    """How many states have a choice, and how much the right one saves: 2 moves for each losing state passed by."""
    ranks = [{move.rank for move in winning} for (a, b), winning in moves.items() if a <= b]
    expected = (len(ranks), sum(len(r) > 1 for r in ranks), max(2 * (max(r) - min(r)) for r in ranks))
    choice = result.choice
    found = (choice.winning_states, choice.several, choice.length_fewest - choice.length_most)
    name = "winning states, those with a choice, moves that it saves"
    how = f"pennies put back onto every losing state, piles to {result.map_size}"
    return same(name, "another algorithm", expected, found, how)


def _widest(result: Result, moves: dict[Pair, list[Winning]]) -> Iterator[Check]:
    """The first state in which the choice matters most, with its moves and how long the game then lasts."""
    choice, spans = result.choice, {}
    for (a, b), winning in moves.items():
        if a <= b:
            ranks = [move.rank for move in winning]
            spans[a, b] = max(ranks) - min(ranks)
    largest = max(spans.values())
    widest = min(state for state, span in spans.items() if span == largest)
    winning = sorted(moves[widest], key=lambda move: move.pennies)
    fewest, most = winning[0].pennies, winning[-1].pennies
    expected = (widest, _one_of(winning, most, choice.most), _one_of(winning, fewest, choice.fewest))
    how = "where taking the most instead of the fewest pennies saves most moves; what is taken"
    found = (choice.widest, choice.most, choice.fewest)
    yield same("where the choice matters most", "another algorithm", expected, found, how)
    lasting = (1 + 2 * winning[-1].rank, 1 + 2 * winning[0].rank)
    how = "one move, and then two for each losing state that a stubborn loser passes through"
    lengths = (choice.length_most, choice.length_fewest)
    yield same("how long the game lasts from there", "closed form", lasting, lengths, how)


def _one_of(winning: list[Winning], pennies: int, told: Pair) -> Pair:
    """A move that takes so many pennies: the one that the result tells of, if it does."""
    taken = [move.taken for move in winning if move.pennies == pennies]
    return told if told in taken else taken[0]


def _ties(result: Result, moves: dict[Pair, list[Winning]]) -> Iterator[Check]:
    pairs = ((b, b + b - a) for a, b in by_exclusion(result.map_size).items() if a < b)
    expected = tuple(sorted(pair for pair in pairs if pair[1] <= result.map_size))
    how = "the states $(b, b + k)$, where $b$ is the larger pile of the $k$-th losing state"
    yield listed("states with two best moves", "closed form", expected, result.choice.ties, how)
    alike = True
    for state in expected:
        most = max(move.pennies for move in moves[state])
        alike &= len({move.rank for move in moves[state] if move.pennies == most}) == 1
    words = {True: "always", False: "not always"}
    how = "both moves of each, by pennies put back"
    found = words[result.choice.ties_leave_the_same]
    yield same("whether the two leave the same piles", "another algorithm", words[alike], found, how)


def _smaller_pile(result: Result, moves: dict[Pair, list[Winning]]) -> Check:
    expected = sum(
        any(x and not y and x == max(move.pennies for move in winning) for x, y in (move.taken for move in winning))
        for (a, b), winning in moves.items()
        if a < b
    )
    how = f"pennies put back onto every losing state, piles to {result.map_size}"
    name = "states where the smaller pile is best"
    return same(name, "another algorithm", expected, result.choice.smaller_pile_best, how)


def _quickest(result: Result, moves: dict[Pair, list[Winning]]) -> Check:
    """Taking the most pennies leaves the first losing state in reach; is the game from there the shortest?"""
    reach = [{move.rank for move in winning} for (a, b), winning in moves.items() if a <= b]
    expected: list[int | str] = []
    found: list[int | str] = []
    for speed in (result.stubborn, result.random):
        place = {length: i for i, length in enumerate(sorted(set(speed.largest_lengths)))}
        places = [place[length] for length in speed.largest_lengths]
        slower = sum(any(places[k] < places[min(r)] for k in r) for r in reach)
        expected += [slower, "no" if slower else "yes"]
        found += [speed.slower_states, "yes" if speed.largest_is_quickest else "no"]
    how = f"against a stubborn and a random loser, from {len(reach):,} states: how many, and whether it always is"
    name = "states from which taking the most is not quickest"
    return same(name, "another algorithm", tuple(expected), tuple(found), how)


def _stubborn_lengths(result: Result) -> Check:
    pile = min(LENGTH_PILE, result.map_size)
    states = [state for state in result.losing_states if state[1] <= pile]
    expected = tuple(longest(*state) for state in states)
    found = tuple(result.stubborn.largest_lengths[: len(states)])
    how = f"every line of play from losing states with piles to {pile}, the winner hurrying in every way there is"
    return same("moves against a stubborn loser", "brute force", expected, found, how)


def _random_length(result: Result) -> Check:
    pile = min(LENGTH_PILE, result.map_size)
    rank = max(k for k, state in enumerate(result.losing_states) if state[1] <= pile)
    a, b = result.losing_states[rank]
    return same(
        "mean length against a random loser",
        "brute force",
        (mean_length(a, b), mean_length(a, b, fewest=True)),
        (result.random.largest_lengths[rank], result.random.smallest_lengths[rank]),
        f"every line of play from ({a}, {b}), the winner hurrying in every way there is, or taking the fewest pennies",
    )


def _all_lengths(result: Result, moves: dict[Pair, list[Winning]]) -> Iterator[Check]:
    """The lengths of games from every losing state of the map, against both losers, taking the most or the fewest."""
    lengths = lengths_of_games(moves, result.map_size)
    found = {
        "stubborn most": result.stubborn.largest_lengths,
        "stubborn fewest": result.stubborn.smallest_lengths,
        "random most": result.random.largest_lengths,
        "random fewest": result.random.smallest_lengths,
    }
    right = sum(
        sum(map(Fraction.__eq__, lengths[name], map(Fraction, told))) - abs(len(lengths[name]) - len(told))
        for name, told in found.items()
    )
    cases = sum(map(len, lengths.values()))
    how = "every move of a stubborn and of a random loser, each answered by the most or by the fewest pennies; exact"
    yield counted("lengths of games", "another algorithm", cases, right, how)
    visits = {True: "yes", False: "no"}
    expected = all(length == 2 * rank for rank, length in enumerate(lengths["stubborn most"]))
    how = f"every move from each of {len(lengths['stubborn most'])} losing states, answered by the most pennies"
    name = "whether a stubborn loser visits every losing state"
    yield same(name, "another algorithm", visits[expected], visits[result.stubborn_visits_all], how)


def _simulated_length(result: Result) -> Check:
    """Games from a losing state against a player who always takes the most that wins."""
    rank = min(12, len(result.random.largest_lengths) - 1)
    start = result.losing_states[rank]
    beside = by_exclusion(2 * start[1])
    chance = Random(SEED)
    played = [_play(start, beside, chance) for _ in range(GAMES)]
    mean, found = fmean(played), float(result.random.largest_lengths[rank])
    errors = abs(mean - found) / (stdev(played) / sqrt(GAMES))
    return Check(
        "mean length, played out",
        "simulation",
        round(mean, 4),
        round(found, 4),
        errors < 4 and all(played),
        f"{GAMES} games from {start}, seed {SEED}; {errors:.1f} standard errors apart, at most 4; the loser lost all",
    )


def _play(state: Pair, beside: dict[int, int], chance: Random) -> int:
    """Moves in one game whose first player moves at random and must lose; 0 if that player could have won."""
    moves = 0
    while state != (0, 0):
        replies = largest_wins(*chance.choice(list(reached(*state))), beside)
        if not replies:
            return 0
        state = replies[0][2]
        moves += 2
    return moves
