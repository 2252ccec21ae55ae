"""Faults that somebody could make in a solver: an operator, a bound, a payoff, the wrong end, one too many."""

from typing import NamedTuple


class Mutant(NamedTuple):
    """A fault: a file below solvers/, a text that stands in it once, and what takes its place."""

    file: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}: {self.old} -> {self.new}"


def _in(file: str, *changes: tuple[str, str]) -> tuple[Mutant, ...]:
    return tuple(Mutant(file, old, new) for old, new in changes)


LATTICE = _in(
    "common/lattice.py",
    ('{"highest": np.maximum', '{"highest": np.minimum'),
    ("one *= factor", "one *= factor + 1"),
    ("sure = self.win_from +", "sure = self.win_from + 1 +"),
    ("min(near, self.win_from - 1 + far)", "min(near, self.win_from - 3 + far)"),
    ("= (chosen == 0) | (chosen == one)", "= chosen == 0"),
    ("row >> -move for move", "row >> 1 - move for move"),
    ("np.where(equal(first, second), EITHER,", "np.where(~equal(first, second), EITHER,"),
    ("EITHER, chosen == second)", "EITHER, chosen == first)"),
    ("np.where(self.game.reached[:-1], self.choices", "np.where(self.game.reached[1:], self.choices"),
)

RIDDLER_FLIPS = (
    *LATTICE,
    *_in("common/lattice.py", ("sure = self.win_from + self", "sure = self.win_from - 1 + self")),
    *_in(
        "common/score_maps.py",
        ("states[first:, low + game.highest", "states[first:, low + 1 + game.highest"),
        ("high + game.highest + 1]", "high + game.highest + 2]"),
    ),
    *_in(
        "riddler_flips/puzzle.py",
        ("Lottery(parameters.v_a, Fraction(parameters.p_a))", "Lottery(parameters.v_a, 1 - Fraction(parameters.p_a))"),
        ("Lottery(parameters.v_b, Fraction", "Lottery(parameters.v_b + 1, Fraction"),
        ('player: Mover = "highest"', 'player: Mover = "lowest"'),
        ("win_from=target)", "win_from=target - 1)"),
        ("range(fewest_heads, n_flips + 1)", "range(fewest_heads, n_flips)"),
        ("_gain(win, max(with_a, with_b))", "_gain(win, with_a + with_b)"),
        ("relative_gain=gain / max", "relative_gain=gain * max"),
        ('"A" if with_a > with_b else "B"', '"B" if with_a > with_b else "A"'),
        ("np.diff(by_flips) < -TOLERANCE", "np.diff(by_flips) > -TOLERANCE"),
        ("lattice.value[::-1, game.highest]", "lattice.value[::-1, game.highest + 1]"),
        ("Fraction(max(parameters.v_a, parameters.v_b), p", "Fraction(min(parameters.v_a, parameters.v_b), p"),
        ('("A", "B", "either", "decided")[', '("B", "either", "A", "decided")['),
        ("open_states=a + b + either", "open_states=a + b"),
        ("n_states=int(game.reached.sum())", "n_states=int(game.reached[:-1].sum())"),
        ("for code in (FIRST, SECOND, EITHER)", "for code in (SECOND, FIRST, EITHER)"),
        ("flips + NEAR, target=1)", "flips + NEAR, target=0)"),
        (
            "min(parameters.n_flips, LAST_FLIPS), parameters.target - 1",
            "min(parameters.n_flips, LAST_FLIPS), parameters.target",
        ),
    ),
    *_in(
        "riddler_flips/rule.py",
        ('("A", "B"): _mistakes(needs_b, needs_a)}', '("A", "B"): _mistakes(needs_a, needs_b)}'),
        ("proved = mistakes == 0", "proved = True"),
        ("too_low + too_high[-1] - too_high", "too_low - too_high[-1] + too_high"),
        ("int((best >= 0).sum())", "int((best > 0).sum())"),
        ("(scores >= parameters.target)", "(scores <= parameters.target)"),
        ("if not needs_a.any() and not", "if needs_a.any() or not"),
    ),
)

COINBALL = (
    *LATTICE,
    *_in("common/score_maps.py", ("states[first:, low + game.highest", "states[first - 1 : -1, low + game.highest")),
    *_in(
        "coinball/puzzle.py",
        ("win_from=1, draws=1)", "win_from=1, draws=0)"),
        ("win_from=1, draws=1)", "win_from=2, draws=1)"),
        ('"optimal": "lowest"', '"optimal": "highest"'),
        ("% 2 == (0 if parameters.first", "% 2 == (1 if parameters.first"),
        ("Lottery(parameters.rush_points, HALF)", "Lottery(parameters.rush_points, HALF / 2)"),
        ('{"optimal": 1 - going_first["optimal"]}', '{"optimal": going_first["optimal"]}'),
        ('going_first if parameters.first == "you"', 'going_first if parameters.first != "you"'),
        ("states, states[:, ::-1])", "states, states)"),
        ("behind / (behind + ahead)", "ahead / (behind + ahead)"),
        ("np.where(toss % 2 == 0, yours", "np.where(toss % 2 == 1, yours"),
        ("last_caller >= 0.5 - TOLERANCE).all()", "last_caller > 0.5 + TOLERANCE).all()"),
        (
            'best = replace(parameters, opponent="optimal", first="you")',
            'best = replace(parameters, opponent="optimal", first="opponent")',
        ),
        ("(policy == EITHER) & free", "(policy == EITHER) | free"),
        ("((policy >= 0) & (policy != DECIDED))", "(policy >= 0)"),
        ("n_states=int(game.reached.sum())", "n_states=int(game.reached.size)"),
        ("int(leads[column])) for", "int(leads[column]) + 1) for"),
        ("(*by_toss.get(str(toss), ()), lead)", "(lead,)"),
    ),
    *_in(
        "coinball/summary.py",
        ("self.chosen if toss % self.divisor == ", "self.chosen if toss % self.divisor != "),
        ("else 1 - self.chosen\n", "else self.chosen\n"),
        ("mistakes == 0, mistakes, sum(", "True, mistakes, sum("),
        ("int((best >= 0).sum()), int(", "int((best > 0).sum()), int("),
    ),
)

PENNEY = (
    *_in(
        "penney/counting.py",
        ("if i >= deck.k:", "if i > deck.k:"),
        ("appears[overlap.target[:, None], columns] -=", "appears[overlap.target[:, None], columns] +="),
        ("won[: len(yvonne)] - won[len(yvonne) :]", "won[: len(yvonne)] + won[len(yvonne) :]"),
        ("unfinished[:, 1 : i + 1] += unfinished", "unfinished[:, 1 : i + 1] -= unfinished"),
        ("comb(deck.slack - i, reds - j)", "comb(deck.slack - i, reds)"),
        ("min(deck.slack, deck.k - 1) + 1", "min(deck.slack, deck.k - 1)"),
        ("* (length + 1) + count_reds(rows)", "* (length + 1)"),
        ("matches = np.flatnonzero(ends == second", "matches = np.flatnonzero(ends < second"),
    ),
    *_in(
        "penney/search.py",
        ("int(answers[ties].max())", "int(answers[0])"),
        ("best = min(exact)", "best = max(exact)"),
        ("best = max(plays, key=", "best = min(plays, key="),
        ("keep = bounds.chances > float(best)", "keep = bounds.chances < float(best)"),
        ("chance, n_ties = Fraction(best, denominator)", "chance, n_ties = 1 - Fraction(best, denominator)"),
        ("int(sizes[ties].sum())", "len(sizes[ties]) + 1"),
    ),
    *_in(
        "penney/deck.py",
        ("self.reds + self.blacks - 2 * self.k", "self.reds + self.blacks - self.k"),
        ("return self.turned - self.k", "return self.turned - self.k - 1"),
        ("self.reds - count_reds(first) - count_reds(second)", "self.reds - count_reds(first) + count_reds(second)"),
        ("answers - self._has(2 * reds)", "answers + self._has(2 * reds)"),
    ),
    *_in(
        "penney/solution.py",
        ("zara_chance=1 - best.chance", "zara_chance=best.chance"),
        ("decided = 1 - best_pair.nobody", "decided = best_pair.nobody"),
        ("best_pair.zara_chance - best_pair.nobody / 2", "best_pair.zara_chance"),
        ('ahead(best.chance) == "nobody"', 'ahead(best.chance) != "nobody"'),
        ("can_appear=deck.slack >= 0", "can_appear=deck.slack < 0"),
        ("n_sequences=2**deck.k", "n_sequences=2 * deck.k"),
    ),
    *_in(
        "penney/automaton.py",
        ('f"{before} {card}": memories[after[card][place]]', 'f"{before} {card}": memories[place]'),
        ("if cards[start:] in memories", "if cards[start : start + 1] in memories"),
        ("here += won[red, black - 1][:, after[BLACK]]", "here -= won[red, black - 1][:, after[BLACK]]"),
        ("* comb(red + black, red)\n", "* (comb(red + black, red) - 1)\n"),
        ("Fraction(hers, orders) + nobody / 2", "Fraction(hers, orders) - nobody / 2"),
        ("2 ** (deck.k + 1) - 1", "2 ** (deck.k + 1)"),
        ("cards_left=reds_now + blacks_now", "cards_left=reds_now - blacks_now"),
        ('"Yvonne" if chance > half else "Zara"', '"Yvonne" if chance < half else "Zara"'),
        ("reds - cards.count(RED), blacks", "reds, blacks"),
        ("memory = _memory_of(cards, memories)", "memory = _memory_of(cards[:-1], memories)"),
        ("after[RED][occurs[red + 1, black]", "after[BLACK][occurs[red + 1, black]"),
    ),
    *_in(
        "penney/endless.py",
        ("_star(zara, zara, red) - _star(zara, yvonne, red)", "_star(zara, zara, red) + _star(zara, yvonne, red)"),
        ("worth = chances.min(axis=1)", "worth = chances.max(axis=1)"),
        ("own[np.newaxis, :] - star.T", "own[np.newaxis, :] - star"),
        ("if ending.endswith(row)", "if ending.startswith(row)"),
    ),
    *_in(
        "penney/table.py",
        ("{first: 1 - rows[first][answer] for", "{first: rows[first][answer] for"),
        ("min(row, key=row.__getitem__)", "max(row, key=row.__getitem__)"),
        ("zara_chance[first] == min(zara_chance.values())", "zara_chance[first] == max(zara_chance.values())"),
        ("chance > Fraction(1, 2) for", "chance < Fraction(1, 2) for"),
        ("pairs=sum(map(len, rows.values()))", "pairs=len(rows)"),
        ("cycle = trail[trail.index(first) :]", "cycle = trail"),
        ("tuple(zara_chance[first] for first in cycle)", "tuple(zara_chance[first] for first in cycle[::-1])"),
    ),
)

WYTHOFF = (
    *_in(
        "wythoff/game.py",
        ("diagonals |= 1 << (max_pile + b - a)", "diagonals |= 1 << (max_pile + b - a + 1)"),
        ("columns |= 1 << b", "columns |= 2 << b"),
        ("isqrt(5 * k * k)", "isqrt(6 * k * k)"),
        ("return a, a + k", "return a, a + k + 1"),
        ("return b if a == pile else k", "return a if a == pile else k"),
        ("from_both = min(a, b) - losing_state", "from_both = max(a, b) - losing_state"),
        ("most = max(map(sum, moves))", "most = min(map(sum, moves))"),
        ("return a - x, b - y", "return b - y, a - x"),
        ("if a <= b:", "if a < b:"),
        ("np.maximum(np.arange(total_max + 1), 1)", "np.maximum(np.arange(total_max + 1), 0)"),
        (") <= total_max).sum())", ") < total_max).sum())"),
        ("bit = ~seen & (seen + 1)", "bit = seen + 1"),
        ("rows[a] | rows[b] | diagonals[b - a]", "rows[a] | rows[b]"),
        ("numbers[-1] + numbers[-2]", "numbers[-1] + numbers[-1]"),
        ("fibonacci_numbers(total)[2::2]", "fibonacci_numbers(total)[1::2]"),
    ),
    *_in(
        "wythoff/winning_play.py",
        ("b - beside[a], 2 *", "b - beside[a], 1 *"),
        ("beside[b] - b, beside[a] - a", "beside[a] - a, beside[b] - b"),
        ("_ranks(moves, moves.pennies.argmax(axis=0))", "_ranks(moves, moves.pennies.argmin(axis=0))"),
        ("kind = moves.pennies.argmax(axis=0)", "kind = moves.pennies.argmin(axis=0)"),
        ("return max(lengths[rank] for rank in ranks)", "return min(lengths[rank] for rank in ranks)"),
        ("lengths.append(2 + resistance", "lengths.append(1 + resistance"),
        ("terms, Fraction(0)) / len(left)", "terms, Fraction(0)) / len(ranks)"),
        ("if most[m] > best[q])", "if most[m] >= best[q])"),
        ("slower, slower == 0)", "slower, slower != 0)"),
        ("moves.pennies.max() + 1)", "-1)"),
        ("np.where(kind == 2, 3,", "np.where(kind == 1, 3,"),
        ("others=tuple(others)", "others=()"),
        ("(1, 0) if state[0] > state[1]", "(1, 0) if state[0] < state[1]"),
        ("several=int((most != fewest).sum())", "several=int((most == fewest).sum())"),
        ("ties=tuple(zip(*(x.tolist() for x in tied)", "ties=tuple(zip(*(x.tolist()[1:] for x in tied)"),
        ("ties_leave_the_same=bool((tie.rank ==", "ties_leave_the_same=bool((tie.rank !="),
        ("((smaller > 0) & (smaller ==", "((smaller > 0) & (smaller <="),
        ("(length[fewest] - length[most]).argmax()", "(length[fewest] - length[most]).argmin()"),
        ("length_most=1 + int", "length_most=2 + int"),
    ),
    *_in(
        "wythoff/solution.py",
        ("tuple(t for t in totals if t not in splits)", "tuple(t for t in totals if t in splits)"),
        ("tuple(t for t in totals if t in splits)", "tuple(t for t in totals if t + 1 in splits)"),
        ("tuple(splits[t] for t in totals if", "tuple(splits[t][::-1] for t in totals if"),
        ("n_divisions=sum(t // 2 for t in totals)", "n_divisions=sum(t // 2 + 1 for t in totals)"),
        ("game.losing_states(SMALL_PILE)", "game.losing_states(SMALL_PILE + 3)"),
        ("ratio=Fraction(listed[-1][1], listed[-1][0])", "ratio=Fraction(listed[-2][1], listed[-2][0])"),
        ("closed_form_agrees=listed ==", "closed_form_agrees=listed !="),
        ("(1 + sqrt(5)) / 2))", "(1 + sqrt(5)) / 2)) + 1"),
        ("game.losing_state(FAR_INDEX)", "game.losing_state(FAR_INDEX + 1)"),
        ("len(game.fibonacci_parts(t)) == 1)", "len(game.fibonacci_parts(t)) == 2)"),
        ("is_losing_total(t) == (t in splits)", "is_losing_total(t) != (t in splits)"),
        ("np.where(moves.pennies.any(axis=0), 1, -1)", "np.where(moves.pennies.all(axis=0), 1, -1)"),
        ("int(grundy.argmax())", "int(grundy.argmin())"),
        ("length == 2 * rank for", "length == 3 * rank for"),
    ),
)

NOTORIOUS_COINS = (
    *_in(
        "notorious_coins/perfect_play.py",
        ("reply = np.minimum(shorter[1:], shorter[:-1])", "reply = np.maximum(shorter[1:], shorter[:-1])"),
        ("best.append(np.maximum(take_left, take_right))", "best.append(np.minimum(take_left, take_right))"),
        ("better_end(-shorter[1:], -shorter[:-1])", "better_end(shorter[1:], shorter[:-1])"),
        ("np.where(first >= last, first + reply", "np.where(first < last, first + reply"),
        ("(stop - 1, (start, stop - 1)) if end == RIGHT", "(stop - 1, (start, stop - 1)) if end == LEFT"),
        ("totals[mover] += values[number]", "totals[1 - mover] += values[number]"),
        ("(x / 2 - 1, x / 2 - 1,", "(x / 2 - 1, x / 2 + 1,"),
        ("max(b / g for g, b", "min(b / g for g, b"),
        ("mover = len(moves) % 2", "mover = 1 - len(moves) % 2"),
        ("tie=end == EITHER and", "tie=end != EITHER and"),
    ),
    *_in(
        "notorious_coins/slips.py",
        ("= p[k - 1], q[k]", "= p[k], q[k]"),
        ("their_hit * low + their_miss * high", "their_hit * high + their_miss * low"),
        ("my_hit * np.maximum(left, right) + my_miss", "my_hit * np.maximum(left, right) - my_miss"),
        ("unit = coin_unit * (my_hit + my_miss)", "unit = coin_unit * my_hit"),
        ("[(p, 1 - p)]", "[(1 - p, p)]"),
    ),
    *_in(
        "notorious_coins/unknown_rate.py",
        ("np.select([theirs == LEFT, theirs == EITHER], [2, 1], 0)", "np.select([theirs == LEFT], [2], 0)"),
        ("int(scale * (x + k))", "int(scale * (x + 2 * k))"),
        ("value = np.maximum(left, right)\n        policy", "value = np.minimum(left, right)\n        policy"),
        ("[[1, 1], [0, 0]], replies != 1", "[[1, 1], [0, 0]], replies == 1"),
        ("[[1, 0], [0, 1]]", "[[0, 1], [1, 0]]"),
        ("(unit // both)[seen]", "(unit // both)[seen // 2]"),
        ("rate.denominator - rate.numerator", "rate.denominator + rate.numerator"),
        ("outcome(MISS, *miss)", "outcome(HIT, *miss)"),
    ),
    *_in(
        "notorious_coins/solution.py",
        ("opponent=total - best", "opponent=total + best"),
        ("lead=2 * best - total", "lead=best - total"),
        ("share=best / total", "share=best * total"),
        ("secure=max(odd, even)", "secure=min(odd, even)"),
        ("entries=n * (n + 1) // 2", "entries=n * (n - 1) // 2"),
        ("1 + sum(map(len, by_length[1:]))", "sum(map(len, by_length))"),
        ("name_of_end(ends[n][0], n)", "name_of_end(1 - ends[n][0], n)"),
        ('"left" if values[0] >= values[-1] else', '"left" if values[0] < values[-1] else'),
    ),
    *_in(
        "notorious_coins/slips.py",
        ("gain=expected - best if", "gain=expected + best if"),
        ("decisions=n * (n - 1) // 2", "decisions=n * (n + 1) // 2"),
        ("(mine + theirs == LEFT", "(mine + theirs != LEFT"),
        (">= half * (1 - _TOLERANCE)", ">= half * (1 - 1e-2)"),
    ),
    *_in(
        "notorious_coins/learning.py",
        ("guess = Fraction(parameters.prior[0]", "guess = Fraction(parameters.prior[1] / 2"),
        ("known=known[len(rates)]", "known=known[0]"),
        ("true_rate = guess if chance is None else chance", "true_rate = guess"),
        ("mine - theirs for mine, theirs", "mine + theirs for mine, theirs"),
        ("gain_rate=rates[gains.index(max(gains))]", "gain_rate=rates[gains.index(min(gains))]"),
        ("if gain < 0)", "if gain > 0)"),
        ("np.arange(t + 1)) <= t", "np.arange(t + 1)) < t"),
        ("changed += int(((choice + end ==", "changed += int(((choice + end !="),
        ("known[: len(rates)]", "known[1 : len(rates) + 1]"),
        ("belief=(a + hits)", "belief=(a + misses)"),
        ('misses + (verdict == "miss")', 'misses + (verdict == "hit")'),
        ("mine += (my_coin", "mine -= (my_coin"),
    ),
)

MUTANTS = {
    "coinball": COINBALL,
    "notorious_coins": NOTORIOUS_COINS,
    "penney": PENNEY,
    "riddler_flips": RIDDLER_FLIPS,
    "wythoff": WYTHOFF,
}
