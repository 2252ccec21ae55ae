"""Every number on the boards of the five posts, in each of their states, against exact values computed here.

The values are Fractions, by recursion through the rules of each puzzle. A number is rounded once, ties to even.
"""

import re
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from tests.browser.test_play import COINBALL, FLIPS, PENNEY, PILES, ROW, button, status
from tests.conftest import deep

MINUS = "\N{MINUS SIGN}"
HALF = Fraction(1, 2)

# The board begun in every state of the game, or in one of so many: what it says, the pieces that are left, and for each
# move that has a button what it says after that move.
STATES = """(each) => {
    const [data] = Object.values(window.boards)
    history.replaceState = () => {} // browsers refuse thousands of addresses
    return [...data.values.keys()].filter(start => start % (each ?? 1) === 0).map(start => {
        const board = window.boardOf({ ...data, start, starts: [] }, { load() {}, save() {} }), { element } = board
        const said = each => element.querySelector(each)?.textContent ?? ''
        const status = () => said('.status') + said(':scope > .present')
        const click = name => element.querySelector(`[data-move="${name}"]`).click()
        board.start()
        const buttons = element.querySelector('.moves select') ? [] : element.querySelectorAll('.moves button')
        const moves = element.dataset.end ? [] : [...buttons].map(each => each.dataset.move)
        const pieces = [...element.querySelectorAll('.pieces li:not(.gone)')].map(each => each.textContent)
        const game = data.starts.findLastIndex(([, first]) => first <= start) // if these are in order
        const found = { game, pieces, after: {} }
        for (const move of moves) {
            click(move)
            found.after[move] = status()
            click('Undo')
        }
        return { ...found, said: status() } // chances are shown once a move was tried
    })
}"""

# For each pair of sequences three decks, card by card: the cards turned so far, and what the board says.
MATCHES = """() => {
    const data = window.boards[document.querySelector('figure.play').dataset.board], found = []
    history.replaceState = () => {}
    for (const [, start] of data.starts) {
        const board = window.boardOf({ ...data, start, starts: [] }, { load() {}, save() {} })
        const { element } = board
        const button = name => element.querySelector(`[data-move="${name}"]`)
        board.start()
        for (const answer of [...element.querySelectorAll('.moves button')].map(each => each.dataset.move)) {
            board.start()
            button(answer).click()
            for (let decks = 0; decks < 3; ) {
                const cards = [...element.querySelectorAll('.deal li')].map(each => each.textContent).join('')
                found.push([cards, element.querySelector('.status').textContent])
                button('Turn a card').click()
                if (button('Next deck')) decks += 1
                button('Next deck')?.click()
            }
        }
    }
    return found
}"""


@pytest.fixture
def opened(look, blog):
    """Opens a post and begins one of its games."""

    def begin(address, search="?seed=7", place=0):
        page = look(blog.address + address + search).page
        page.locator(".play .begin button").nth(place).click()
        page.locator(".play .status").wait_for()
        return page

    return begin


def test_players_and_moves_have_the_colours_that_the_posts_give_them(opened):
    colour_of = "(each, name) => getComputedStyle(each)[name]"
    penney = opened(PENNEY)  # Zara, the reader, is blue (#00589a) there, and Yvonne orange (#c8500a)
    assert penney.locator(".play .odds").evaluate(colour_of, "backgroundColor") == "rgb(221, 215, 202)"  # not known yet
    button(penney, "RRB").click()

    assert penney.locator(".play .bar").evaluate(colour_of, "backgroundColor") == "rgb(0, 88, 154)"
    assert penney.locator(".play .odds").evaluate(colour_of, "backgroundColor") == "rgb(200, 80, 10)"
    flips = opened(FLIPS)
    flips.locator(".play .legend input").check()
    assert flips.locator(".play .swatch").nth(1).inner_text() == "coin B (±2)"
    assert flips.locator(".play .swatch").nth(1).evaluate(colour_of, "borderInlineStartColor") == "rgb(200, 80, 10)"


def percent(chance):
    """A chance as boards write it: to a tenth of a percent, and only what is sure as such."""
    if chance in (0, 1):
        return f"{chance * 100}%"
    if not Fraction(1, 1000) <= chance <= Fraction(999, 1000):
        return "below 0.1%" if chance < HALF else "above 99.9%"
    return f"{decimal(chance * 100, 1)}%"


def points(cost):
    """The cost of a move in percentage points."""
    words = "less than 0.1" if cost < Fraction(1, 1000) else decimal(cost * 100, 1)
    return f"{words} percentage points of your chance"


def decimal(number, digits):
    """A number that is not negative, with so many decimals."""
    whole, rest = divmod(round(number * 10**digits), 10**digits)
    return f"{whole}.{rest:0{digits}d}"


def whole(text):
    return int(text.replace(MINUS, "-"))


def wrong(found, form, expected_words, expected_cost):
    """The states in which the board says something else than expected, and all states that it was seen in.

    form: what is said, as a pattern; its groups are the state, the last one excepted. expected_words: the last group
    for a state. expected_cost: of a state and a move, as words; empty for a move that costs nothing.
    """
    errors, seen = [], set()
    for each in found:
        if not (match := re.search(form, each["said"])):
            continue
        *state, words = match.groups()
        seen.add(tuple(state))
        if words != (right := expected_words(*state)):
            errors.append((state, words, right))
        for move, said in each["after"].items():
            cost = re.search(r"(?:Your move cost you|In all you gave away) (.*?)\. ", said)
            if (cost[1] if cost else "") != (right := expected_cost(*state, move)):
                errors.append((state, move, said, right))
    return errors, seen


# Two coins: flips of 1 or 2 points; a score above zero wins.


COINS = "coin A (±1)", "coin B (±2)"


@cache
def flips_won(left, score):
    return max(after_flip(left, score, coin) for coin in (1, 2)) if left else Fraction(score > 0)


def after_flip(left, score, coin):
    return (flips_won(left - 1, score + coin) + flips_won(left - 1, score - coin)) / 2


def scores_of(n, second=(1, 2)):
    """The states before the last flip of n, or toss: in each, one or two points more or less than before.

    second: the points of every second one.
    """
    states = {(0, 0)}
    for flips in range(1, n):
        before = [score for other, score in states if other == flips - 1]
        won = (1, 2) if flips % 2 else second
        states |= {(flips, score + step) for score in before for points in won for step in (-points, points)}
    return states


@pytest.mark.parametrize(("place", "n_flips", "each"), [(0, 20, 1), (1, 100, 41), deep(1, 100, 4)])
def test_the_boards_of_the_coins_show_the_true_chance_and_cost_in_their_states(opened, place, n_flips, each):
    found = opened(FLIPS, place=place).evaluate(STATES, each)

    def words(left, score):
        return percent(flips_won(int(left), whole(score)))

    def cost(left, score, move):
        state = int(left), whole(score)
        lost = flips_won(*state) - after_flip(*state, COINS.index(move) + 1)
        return points(lost) if lost else ""

    form = rf"(\d+) flips? left, score ({MINUS}?\d+): chance to win (.*)\.$"
    errors, seen = wrong(found, form, words, cost)
    assert errors == []
    every, states = scores_of(n_flips), {(n_flips - int(left), whole(score)) for left, score in seen}
    assert states <= every
    assert len(states) >= len(every) // each - 1


# Games of one coin alone, by seed: the score before each flip, and what is said at the end.
GAMES = """([coin, seeds]) => seeds.map(seed => {
    const data = window.boards[document.querySelector('figure.play').dataset.board]
    const board = window.boardOf(data, { load() {}, save() {} })
    const { element } = board, move = () => element.querySelector(`[data-move="${coin}"]`)
    const said = each => element.querySelector(each)?.textContent ?? ''
    const status = () => said('.status') + said(':scope > .present')
    const scores = []
    history.replaceState(null, '', `?seed=${seed}`)
    board.start()
    while (move()) {
        scores.push(status().match(/left, score (.*):/)[1])
        move().click()
    }
    return [scores, status()]
})"""


@pytest.mark.parametrize("coin", [1, deep(2)])
def test_the_sum_that_a_game_gave_away_is_rounded_once(opened, coin):
    seeds = (57, 76, 103, 107, 135)  # with values of four digits, other sums come of four of these ten games

    games = opened(FLIPS).evaluate(GAMES, [COINS[coin - 1], seeds])

    for scores, end in games:
        states = [(20 - flips, whole(score)) for flips, score in enumerate(scores)]
        lost = sum(flips_won(*state) - after_flip(*state, coin) for state in states)
        shown = f"In all you gave away {points(lost)}" if lost else "You made no mistake"
        assert f"{shown}. Perfect play wins {percent(flips_won(20, 0))}." in end


# Coinball: 10 tosses; a rush is for 1 point, a pass for 2. You call the tosses after an even number of them, or after
# an odd number if the opponent calls first.


@cache
def ball_won(tosses, lead, yours, theirs):
    """yours: whether the number of tosses before each of yours is even, 0, or odd, 1. theirs: the opponent's calls."""
    if tosses == 10:
        return Fraction(lead > 0) + HALF * (lead == 0)
    if tosses % 2 == yours:
        return max(after_call(tosses, lead, won, yours, theirs) for won in (1, 2))
    return min(after_call(tosses, lead, won, yours, theirs) for won in theirs)


def after_call(tosses, lead, won, *others):
    return (ball_won(tosses + 1, lead + won, *others) + ball_won(tosses + 1, lead - won, *others)) / 2


BALL_GAMES = [(0, (1,)), (0, (2,)), (0, (1, 2)), (1, (1, 2))]
"""In the order of the board: yours and theirs, as in `ball_won`."""


def test_the_board_of_coinball_shows_the_true_chance_and_cost_in_every_state(opened):
    found = opened(COINBALL).evaluate(STATES)

    def state_of(left, where):
        tosses, sign = 10 - int(left), -1 if "trail" in where else 1
        return tosses, sign * int(re.sub(r"\D", "", where) or 0)

    form = r"(\d+) toss(?:es)? left, (you lead by \d+|you trail by \d+|the score is level): chance to win (.*)\.$"
    for number, (yours, theirs) in enumerate(BALL_GAMES):

        def words(*state, which=(yours, theirs)):
            return percent(ball_won(*state_of(*state), *which))

        def cost(left, where, move, which=(yours, theirs)):
            state = state_of(left, where)
            lost = ball_won(*state, *which) - after_call(*state, {"rush": 1, "pass": 2}[move], *which)
            return points(lost) if lost else ""

        errors, seen = wrong([each for each in found if each["game"] == number], form, words, cost)
        assert errors == []
        every = scores_of(10, second=theirs)
        assert {state_of(*each) for each in seen} == {state for state in every if state[0] % 2 == yours}


# Penney's game: 26 red and 26 black cards, three in a sequence; the reader is Zara.


def zara_wins(yvonne, zara, cards="", reds=26, blacks=26):
    """Zara's chance once these cards are turned."""
    gone = yvonne + zara + cards
    return with_left(yvonne, zara, reds - gone.count("R"), blacks - gone.count("B"), cards[-3:])


@cache
def with_left(yvonne, zara, red, black, last):
    """The next card is red in proportion to the red cards left. last: the last three cards."""
    if last in (yvonne, zara):
        return Fraction(last == zara)
    if red + black == 0:
        return HALF
    on_red = red * with_left(yvonne, zara, red - 1, black, (last + "R")[-3:]) if red else 0
    on_black = black * with_left(yvonne, zara, red, black - 1, (last + "B")[-3:]) if black else 0
    return Fraction(on_red + on_black) / (red + black)


WORDS = ["".join(word) for word in product("RB", repeat=3)]


def test_the_chances_computed_here_agree_with_a_known_one():
    # Known: RRB against BBR with 8 red and 12 black cards: 22/91 for RRB.
    assert 1 - zara_wins("RRB", "BBR", "", 8, 12) == Fraction(22, 91)


def test_the_board_of_penneys_game_shows_the_true_chance_and_cost_of_every_answer(opened):
    found = opened(PENNEY).evaluate(STATES)

    def best(yvonne):
        return max(zara_wins(yvonne, each) for each in WORDS if each != yvonne)

    def cost(yvonne, move):
        lost = best(yvonne) - zara_wins(yvonne, move)
        return points(lost) if lost else ""

    answering = [each for each in found if "you have" not in each["said"]]
    errors, seen = wrong(answering, r"Yvonne has (\w+): chance to win (.*)\.$", lambda y: percent(best(y)), cost)
    assert errors == []
    assert seen == {(word,) for word in WORDS}


@pytest.mark.parametrize(("seed", "cards", "chance"), [deep(2, "RR", "100%"), (13, "BBBRB", "33.0%")])
def test_the_chance_follows_the_cards_that_are_turned(opened, seed, cards, chance):
    # By a reader of the post, who saw 65.6% stay while the cards of these two seeds were turned.
    page = opened(PENNEY, f"?seed={seed}")
    button(page, "RRB").click()
    before = status(page)
    for _ in cards:
        button(page, "Turn a card").click()

    assert before == "Well played. Turn the next card. Yvonne has RBR, you have RRB: chance to win 65.6%."
    assert "".join(page.locator(".play .deal li").all_inner_texts()) == cards
    assert status(page) == f"Turn the next card. Yvonne has RBR, you have RRB: chance to win {chance}."
    assert page.locator(".play .deal ul").get_attribute("data-left") == str(46 - len(cards))


def test_the_chance_in_penneys_game_is_the_true_one_at_each_card_of_every_pair(opened):
    found = opened(PENNEY).evaluate(MATCHES)

    shown = [
        (*re.search(r"Yvonne has (\w+), you have (\w+): chance to win (.*)\.$", said).groups(), cards)
        for cards, said in found
    ]
    errors = [each for each in shown if each[2] != percent(zara_wins(*each[:2], each[3]))]
    assert errors == []
    assert {each[:2] for each in shown} == {pair for pair in product(WORDS, WORDS) if pair[0] != pair[1]}
    assert len({each[2] for each in shown}) > 100


# A row of coins: the opponent is perfect, greedy, or slips once in four moves.


@cache
def row_worth(coins, opponent):
    """What the player to move expects."""
    if not coins:
        return Fraction(0)
    return max(coins[0] + replied(coins[1:], opponent), coins[-1] + replied(coins[:-1], opponent))


def replied(coins, opponent):
    """What is left for the player once the opponent has moved."""
    if not coins:
        return Fraction(0)
    left, right = row_worth(coins[1:], opponent), row_worth(coins[:-1], opponent)
    if opponent == "perfect opponent":
        return min(left, right)
    if opponent == "one who slips (25%)":
        return Fraction(3, 4) * min(left, right) + Fraction(1, 4) * max(left, right)
    opened = [max(rest[0], rest[-1]) if rest else 0 for rest in (coins[1:], coins[:-1])]
    looks = opponent == "greedy, looks ahead"
    return left if coins[0] - looks * opened[0] >= coins[-1] - looks * opened[1] else right


def test_the_board_of_the_row_shows_the_true_sums_and_costs_in_every_state_against_each_opponent(opened):
    page = opened(ROW)
    found = page.evaluate(STATES)
    games = page.locator(".play .tools option").all_inner_texts()

    def short(number):
        return decimal(number, 2).rstrip("0").rstrip(".")

    opponents = ["perfect opponent", "greedy opponent", "greedy, looks ahead", "one who slips (25%)"]
    assert games == [f"{coins} coins, {opponent}" for coins in (12, 8, 20) for opponent in opponents]
    seen = set()
    for place, each in enumerate(found[:-1]):  # by opponent, the end last
        coins, opponent = tuple(map(Fraction, each["pieces"])), opponents[place // 210]
        if not (
            shown := re.search(r"coins? (?:is|are) left: you have 0 so far and can expect (.*) more\.$", each["said"])
        ):
            assert coins == ()
            continue
        seen.add((opponent, coins))
        assert shown[1] == short(row_worth(coins, opponent)), (coins, opponent)
        for move, said in each["after"].items():
            first, rest = (coins[0], coins[1:]) if move == "left" else (coins[-1], coins[:-1])
            lost = row_worth(coins, opponent) - first - replied(rest, opponent)
            cost = re.search(r"(?:Your move cost you|In all you gave away) (.*?)\. ", said)
            assert (cost[1] if cost else "") == (short(lost) if lost else ""), (coins, opponent, move)
    assert len(seen) == 4 * (1 + 3 + 5 + 7 + 9 + 11 + 13 + 15 + 17 + 19)  # stretches of 20, 18, 16, ... coins


# Two piles of pennies: whoever takes the last one wins.


def taken(a, b):
    """The pairs that the moves from (a, b) leave, the smaller pile first; the last one takes a penny from b."""
    both = [(a - n, b - n) for n in range(1, min(a, b) + 1)]
    return [
        tuple(sorted(each)) for each in [*both, *((a - n, b) for n in range(1, a + 1)), *((a, n) for n in range(b))]
    ]


@cache
def piles_won(a, b):
    """Whether the player to move wins."""
    return not all(piles_won(*each) for each in taken(a, b))


@cache
def beginner_beaten(a, b):
    """Whether you win, on the move from (a, b) with a <= b, against a beginner."""
    return any(each == (0, 0) or beginner_replies(*each) for each in taken(a, b))


def beginner_replies(a, b):
    """Whether you win after a beginner's move: to (0, 0), (1, 2) or (3, 5), or else one penny from the larger pile."""
    left = next((each for each in [(0, 0), (1, 2), (3, 5)] if each in taken(a, b)), taken(a, b)[-1])
    return left != (0, 0) and beginner_beaten(*left)


def test_the_board_of_the_pennies_says_in_every_state_whether_it_can_be_won(opened):
    found = opened(PILES).evaluate(STATES)
    played = (len(found) - 1 - 14) // 2  # by opponent; before them the choice of one of 11 totals, and 14 divisions

    for is_won, states in ((piles_won, found[:-played]), (beginner_beaten, found[-played:])):

        def words(a, b, one, is_won=is_won):
            piles = (0, int(one)) if one else (int(a), int(b))
            return "you can win from here" if is_won(*piles) else "you cannot win from here"

        words_of_piles = r"(\d+) and (\d+) pennies(?:, a losing pair that the beginner does not know)?"
        form = rf"(?:[^.]*\. )?(?:{words_of_piles}|[Oo]ne pile of (\d+)): (.*)\.$"
        errors, seen = wrong(states, form, words, None)
        assert errors == []
        assert {(int(a or 0), int(b or one)) for a, b, one in seen} >= {
            (a, b) for b in range(1, 30) for a in range(min(b, 29 - b) + 1)
        }
