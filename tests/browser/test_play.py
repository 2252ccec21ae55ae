"""The games of the five posts, played in a browser."""

import re

import pytest

from tests.browser.test_pages import complaints_of_axe
from tests.conftest import deep

FLIPS = "posts/two-coins-a-hundred-flips/"
COIN_A, COIN_B = "coin A (±1)", "coin B (±2)"
MINUS = "\N{MINUS SIGN}"
ROW = "posts/a-row-of-coins/"
PILES = "posts/two-piles-of-pennies/"
PENNEY = "posts/penneys-game-with-one-deck/"
COINBALL = "posts/coinball/"

# Every day one board is seen; test_pages.py looks at the pages of others.
SEEN = [(ROW, "dark")]
BOARDS = [
    pytest.param(address, scheme, marks=[] if (address, scheme) in SEEN else pytest.mark.deep)
    for address in [FLIPS, COINBALL, PILES, ROW, PENNEY]
    for scheme in ["light", "dark"]
]


@pytest.fixture
def play(look, blog):
    def begin(address, search="?seed=7", **more):
        page = look(blog.address + address + search, **more).page
        page.locator(".play .begin button").first.click()
        page.locator(".play .status").wait_for()
        return page

    return begin


def button(page, name):
    return page.locator(".play .board").get_by_role("button", name=name, exact=True)


PARTS = ".advice", ".status", ".board > .present"


def status(page):
    """A better move, what has happened, and how the game stands, which may be above or below the buttons."""
    said = [text for part in PARTS for text in page.locator(f".play {part}").all_text_contents()]
    return " ".join(" ".join(said).split())


# Both play a game to its end by a script, which takes a tenth of the time of a mouse.
GAME = """
    const button = name => [...document.querySelectorAll('.play .board button')].find(
        each => each.textContent === name && each.checkVisibility())
    const parts = () => ['.advice', '.status', '.board > .present'].flatMap(
        each => [...document.querySelectorAll(`.play ${each}`)])
    const status = () => parts().map(each => each.textContent).join(' ').replace(/\\s+/g, ' ').trim()
    const isOver = () => document.querySelector('.play .board').dataset.end !== ''
    const found = []
"""


def play_best(page):
    """Play the best moves to the end; the moves that were made."""
    return page.evaluate(f"""() => {{ {GAME}
        while (!isOver()) {{
            button('Hint').click()
            const told = status().match(/^Best: (.*?)( or .*)?\\. /)  // none where all moves are equal
            const best = told?.[1] ?? document.querySelector('.play .moves button').dataset.move
            found.push(best)
            button(best).click()
        }}
        return found
    }}""")


def test_a_game_of_best_moves_costs_nothing_and_says_what_perfect_play_wins(play):
    page = play(FLIPS)

    assert status(page) == "Your move. 20 flips left, score 0: chance to win ?."
    assert len(play_best(page)) == 20
    assert re.fullmatch(
        r"You (win|lose) with the score [−\d]+\. Coin [AB] shows \w+\. "
        r"You made no mistake\. Perfect play wins 61\.0%\.",
        status(page),
    )


def test_a_mistake_says_its_cost_and_undo_takes_it_back(play):
    page = play(FLIPS, "?seed=3")  # of which this luck leads to a state with one best coin
    while True:
        before = page.locator(".play .present").inner_text()
        button(page, "Hint").click()
        if best := re.match(r"Best: (coin [AB] \(±[12]\))\.", status(page)):
            break
        button(page, COIN_A).click()  # both are best
    best = best[1]
    button(page, COIN_A if best == COIN_B else COIN_B).click()

    lost = r"Your move cost you \d+\.\d percentage points of your chance"
    assert re.match(rf"C{re.escape(best[1:])} was better\. Coin [AB] shows \w+\. {lost}\. \d+ flips left", status(page))
    button(page, "Undo").click()
    assert page.locator(".play .present").inner_text() == before


@pytest.mark.deep
def test_the_same_seed_has_the_same_luck_and_stands_in_the_address(play, blog):
    page = play(FLIPS, "")
    seed = re.search(r"seed=(\d+)", page.url)[1]
    assert page.locator(".play .log").first.get_attribute("data-seed") == seed  # below the moves, by a style
    first = scores(page)

    assert scores(play(FLIPS, f"?seed={seed}")) == first
    assert any(scores(play(FLIPS, f"?seed={other}")) != first for other in (1, 2, 3))


def scores(page):
    """What the page says after each flip of coin A, up to the end of the game."""
    return page.evaluate(f"""() => {{ {GAME}
        while (button('{COIN_A}')) {{
            button('{COIN_A}').click()
            found.push(status())
        }}
        return found
    }}""")


def luck(*words):
    """A number from 0 to 1 of sfc32 (PractRand by C. Doty-Humphrey), whose state is the FNV-1a hash of the words."""
    whole, state = 2**32 - 1, 0x811C9DC5
    for letter in " ".join(map(str, words)).encode():
        state = (state ^ letter) * 0x01000193 & whole
    a, b, c, number = 0, state, 0, 0
    for counter in range(1, 14):
        number = (a + b + counter) & whole
        a, b, c = b ^ (b >> 9), (c + (c << 3)) & whole, (((c << 21) | (c >> 11)) + number) & whole
    return number / 2**32


def test_the_luck_of_a_seed_can_be_replayed_elsewhere(play):
    score = 0
    for flip, said in enumerate(scores(play(FLIPS))[:19]):
        score += 1 if luck(7, flip, "chance") < 0.5 else -1

        assert f"{19 - flip} flip{'s' * (flip < 18)} left, score {score}:".replace("-", "\N{MINUS SIGN}") in said
    assert flip == 18


def test_the_map_of_best_moves_is_painted_behind_the_walk(play):
    page = play(FLIPS)
    page.locator(".play .walk input").check()
    page.locator(".play canvas").wait_for()
    colours = page.locator(".play canvas").evaluate("""canvas => {
        const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
        const found = new Set()
        for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) found.add(data.slice(at, at + 3).join())
        return found.size
    }""")
    assert colours >= 3  # coin A, coin B, either


def test_coins_are_taken_by_a_click_and_the_sum_is_counted(play):
    page = play(ROW)
    coins = page.locator(".play .board .pieces li")
    total = sum(int(each) for each in coins.all_inner_texts())
    first = int(coins.first.inner_text())
    coins.first.click()

    assert f"you have {first} so far" in status(page)
    assert page.locator(".play .board .pieces .gone").count() == 2  # yours and the opponent's
    while page.locator(".play .board .pieces .able").count():
        page.locator(".play .board .pieces .able").last.click()
    mine, theirs = map(int, re.search(r"You have (?:won|lost|drawn), (\d+) to (\d+)\.", status(page)).groups())
    assert mine + theirs == total
    assert page.locator(".play .sum b").all_inner_texts() == [str(mine), str(theirs)]


def test_against_the_perfect_opponent_a_won_game_is_lost_by_one_mistake(play):
    page = play(PILES)
    assert status(page).endswith("2 and 3 pennies: you can win from here.")
    page.get_by_label("How many").select_option("1")
    button(page, "from a").click()

    assert re.match(r".* was better\. The opponent takes .*\. Your move cost you a won game\.", status(page))
    assert status(page).endswith("you cannot win from here.")


@pytest.mark.deep
def test_a_beginner_can_be_beaten_from_a_losing_pair(play):
    page = play(PILES)
    page.get_by_label("Game:").select_option("8 and 13, against a beginner")
    assert "you can win from here" in status(page)
    for _ in range(30):
        if page.locator(".play .board").get_attribute("data-end"):
            break
        button(page, "Hint").click()
        count, kind = re.search(r"(\d+) (from \w+)", status(page)).groups()
        page.get_by_label("How many").select_option(count)
        button(page, kind).click()
    assert status(page).startswith("You win: the last penny is yours. ")


@pytest.mark.parametrize(
    "address", [COINBALL, *(pytest.param(each, marks=pytest.mark.deep) for each in (FLIPS, PILES, ROW))]
)
def test_the_comment_on_a_move_stands_between_picture_and_buttons_on_a_phone(play, address):
    page = play(address, width=390)
    for _ in range(3):
        page.locator(".play .moves button:enabled").last.click()
        top, bottom = (page.locator(f".play {each}").bounding_box() for each in (".pictures", ".moves"))
        comment = page.locator(".play .advice").bounding_box()
        assert comment["height"] > 0
        assert top["y"] + top["height"] <= comment["y"]
        assert comment["y"] + comment["height"] <= bottom["y"] < top["y"] + 600


@pytest.mark.deep
def test_best_moves_win_a_won_game_of_pennies(play):
    page = play(PILES)
    for _ in range(30):
        if page.locator(".play .board").get_attribute("data-end"):
            break
        button(page, "Hint").click()
        best = re.match(r"Best: (\d+) (from \w+)", status(page))
        count, kind = best.groups() if best else ("1", "from b")  # of one penny there is no best move
        page.get_by_label("How many").select_option(count)
        button(page, kind).click()
    assert status(page).startswith("You win: the last penny is yours. ")


@pytest.mark.deep
def test_no_move_of_a_lost_position_is_called_best(play):
    page = play(PILES)  # 2 and 3
    page.get_by_label("How many").select_option("1")
    button(page, "from a").click()
    button(page, "Hint").click()

    assert status(page).startswith("Try 1 from a, and hope. ")


@pytest.mark.parametrize(
    ("address", "width"), [(COINBALL, 390), *(deep(*each) for each in ((PENNEY, 390), (PILES, 390), (PENNEY, 1440)))]
)
def test_the_buttons_keep_their_place_from_the_first_move_to_the_last(play, address, width):
    page = play(address, width=width)

    def place():
        tops = [page.locator(f".play {each}").first.bounding_box()["y"] for each in (".moves", ".tools", ".board")]
        return round(tops[0] - tops[2]), round(tops[1] - tops[2])

    places = [place()]
    while not page.locator(".play .board").get_attribute("data-end"):
        page.locator(".play .moves button:enabled").last.click()
        places.append(place())
    assert len(places) > 2
    assert {*places} == {places[0]}


@pytest.mark.parametrize("scheme", [deep("light"), "dark"])
def test_cards_have_a_white_face_on_light_and_on_dark_pages(play, scheme):
    page = play(PENNEY, scheme=scheme)
    button(page, "RRB").click()

    faces = page.locator(".play .cards li")
    colours = faces.evaluate_all("all => all.map((each) => getComputedStyle(each).backgroundColor)")
    assert {*colours} == {"rgb(251, 247, 230)"}


def test_a_click_on_a_penny_chooses_its_number_and_marks_so_many(play):
    page = play(PILES)
    before = status(page)
    page.locator(".play .board .pieces").nth(1).locator("li").nth(1).click()

    assert page.get_by_label("How many").input_value() == "2"
    assert page.locator(".play .board .marked").count() == 2
    assert status(page) == before  # no move is made yet
    page.get_by_label("How many").select_option("1")
    assert page.locator(".play .board .marked").count() == 0


def test_a_number_that_a_pile_does_not_have_cannot_be_taken_from_it(play):
    page = play(PILES)
    small, large = (page.locator(".play .board .pieces").nth(pile).locator("li").count() for pile in (0, 1))
    page.get_by_label("How many").select_option(str(large))

    assert small < large
    assert button(page, "from a").is_disabled()
    assert button(page, "from b").is_enabled()


def test_cards_are_dealt_until_a_sequence_appears_and_the_decks_won_are_counted(play):
    page = play(PENNEY, "?seed=3")  # of which each side wins a deck
    button(page, "Hint").click()
    button(page, re.match(r"Best: ([RB]+)", status(page))[1]).click()
    yvonne, zara = ("".join(page.locator(".play .cards").nth(n).locator("li").all_inner_texts()) for n in (0, 1))
    wins = []
    for decks in range(1, 7):
        button(page, "Turn a card").click()
        button(page, "Turn all").click()
        dealt = "".join(page.locator(".play .deal li").all_inner_texts())
        found = "".join(page.locator(".play .deal .found").all_inner_texts())
        assert found in (yvonne, zara)
        assert dealt.endswith(found)
        assert not any(row in dealt[:-1] for row in (yvonne, zara))
        assert ("You win" if found == zara else "Yvonne wins") in status(page)
        wins.append(found == zara)
        assert decks == 1 or tallied(page)[:2] == (sum(wins), decks)
        button(page, "Next deck").click()
    assert {*wins} == {True, False}


def test_a_game_of_one_player_is_played_on_by_the_best_moves_and_the_games_won_are_counted(play):
    page = play(FLIPS)
    board, rest = page.locator(".play .board"), button(page, "Play on perfectly")
    button(page, COIN_A).click()
    button(page, "Undo").click()
    wins = []
    while len({*wins}) < 2 or len(wins) < 3:
        rest.click()
        wins.append(board.get_attribute("data-end") == "won")
        assert "You made no mistake. " in status(page)
        assert board.locator(".log li").count() == 20
        assert len(wins) == 1 or tallied(page)[:2] == (sum(wins), len(wins))
        assert rest.is_disabled()
        button(page, "Play again").click()
        button(page, COIN_A).click()
        button(page, "Undo").click()
    page.get_by_label("Game:").select_option(index=1)
    rest.click()
    assert "You won" not in status(page)


def test_a_game_of_two_players_is_not_played_on_for_the_reader(play):
    assert not button(play(COINBALL), "Play on perfectly").is_visible()


def tallied(page):
    """Decks or games won, all of them, and the share of those won in per cent."""
    won, decks, share = re.search(r"You won (\d+) of (\d+): ([\d.]+)%\.", status(page)).groups()
    return int(won), int(decks), float(share)


@pytest.mark.parametrize("answer", ["RRB", deep("BRR")])  # a good one and a bad one
def test_a_hundred_decks_at_once_are_won_as_often_as_the_exact_chance_says(play, answer):
    page = play(PENNEY)
    button(page, answer).click()
    chance = float(re.search(r"chance to win ([\d.]+)%", status(page))[1]) / 100
    button(page, "Turn a card").click()
    for _ in range(4):
        button(page, "100 decks").click()

    won, decks, share = tallied(page)
    assert decks == 400
    assert f"Your choice wins {100 * chance:.1f}%." in status(page)
    assert share == pytest.approx(100 * won / 400, abs=0.051)
    assert abs(won / 400 - chance) < 4 * (chance * (1 - chance) / 400) ** 0.5


def test_a_hundred_decks_say_the_chance_of_the_choice_and_not_who_won_the_last(play):
    page = play(PENNEY)
    button(page, "RRB").click()
    chance = page.locator(".play .standing").inner_text()
    button(page, "100 decks").click()
    choice = page.locator(".play .standing").inner_text()
    board = page.locator(".play .board")
    shown = board.locator(".advice").inner_text(), board.get_attribute("data-end")
    button(page, "Turn all").click()

    assert re.fullmatch(r"chance to win\s+[\d.]+%", chance)
    assert choice == chance.replace("chance to win", "your choice wins")
    assert re.fullmatch(r"You won \d+ of 100: [\d.]+%\.", shown[0].strip())
    assert shown[1] == "over"
    assert re.fullmatch(r"chance to win\s+(0|100)%", page.locator(".play .standing").inner_text())


def test_the_answers_to_yvonne_are_on_the_first_screen_of_a_phone(play):
    page = play(PENNEY, width=390)
    board, answers, deck = (
        page.locator(f".play {each}").bounding_box() for each in (".board", ".moves", ".turns .picture")
    )

    assert answers["y"] + answers["height"] - board["y"] < 450
    assert deck["y"] >= answers["y"] + answers["height"]


def test_another_answer_begins_another_count_and_a_reload_keeps_it(play):
    page = play(PENNEY)
    button(page, "RRB").click()
    button(page, "100 decks").click()
    button(page, "Undo").click()
    begun = status(page)
    button(page, "RRR").click()
    button(page, "100 decks").click()
    counted = tallied(page)
    page.reload()
    page.locator(".play .status").wait_for()

    assert "You won" not in begun
    assert counted[1] == 100
    assert tallied(page) == counted


def test_a_game_is_played_by_keyboard_alone_and_the_focus_stays_on_the_moves(play):
    page = play(COINBALL)
    button(page, "rush").focus()
    for _ in range(4):
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.dataset.move") == "rush"
    page.keyboard.press("Enter")

    assert re.search(r"(You (win|lose) by \d+|A draw, which is half a win)\.", status(page))
    assert page.evaluate("document.activeElement.textContent") == "Play again"


def test_a_move_of_chance_says_what_it_brought_and_shows_the_points(play):
    page = play(FLIPS)
    button(page, COIN_B).click()
    found = re.search(r"Coin B shows (heads|tails)\. 19 flips left, score ([−\d]+)", status(page))

    assert found.groups() in {("heads", "2"), ("tails", "−2")}
    assert page.locator(".play .token").all_inner_texts() == [f"{found[1]}\n{'+2' if found[1] == 'heads' else '−2'}"]


@pytest.mark.deep
def test_each_toss_since_the_readers_last_call_shows_its_face_and_its_points(play):
    page = play(COINBALL)
    page.get_by_label("Game:").select_option("perfect rival, who calls first")
    assert re.match(
        r"Your move\. Your rival (rush|pass)es: (heads|tails), \d points? for (you|your rival)\. 9 tosses left,",
        status(page),
    )
    assert page.locator(".play .token").count() == 1
    button(page, "rush").click()

    brought = re.findall(r"(heads|tails), (\d) points? for (your rival|you)", status(page))
    assert [f"{face}\n{'+' if who == 'you' else MINUS}{points}" for face, points, who in brought] == (
        page.locator(".play .token").all_inner_texts()
    )
    owners = page.locator(".play .tokens > span").all_inner_texts()
    assert [each.split("\n")[-1] for each in owners] == ["You", "Your rival"]
    assert (brought[0][0] == "heads") == (brought[0][2] == "you")
    assert (brought[1][0] == "heads") == (brought[1][2] == "your rival")


@pytest.mark.parametrize(("call", "points"), [("rush", "1 point"), ("pass", "2 points")])
def test_an_opponent_with_a_habit_makes_the_same_call_all_game(play, call, points):
    page = play(COINBALL)
    page.get_by_label("Game:").select_option(f"rival always {call}es")
    for _ in range(5):
        button(page, "rush").click()
        assert re.search(f"Your rival {call}es: (heads|tails), {points} for", status(page))


def test_a_shorter_row_shows_its_own_coins_alone(play):
    page = play(ROW)
    page.get_by_label("Game:").select_option("8 coins, greedy opponent")
    assert page.locator(".play .board .pieces li").all_inner_texts() == ["18", "30", "11", "2", "27", "22", "8", "16"]
    button(page, "right").click()

    assert "Your aunt takes 18, the left coin." in status(page)


@pytest.mark.deep
def test_the_end_of_a_lost_game_of_pennies_says_what_lost_it(play):
    page = play(PILES)  # 2 and 3
    page.get_by_label("How many").select_option("1")
    button(page, "from a").click()
    while not page.locator(".play .board").get_attribute("data-end"):
        page.locator(".play .moves button:enabled").last.click()

    assert status(page).startswith("You lose: the last penny is the opponent’s. ")
    assert status(page).endswith("In all you gave away a won game. Try again with Undo.")
    assert status(page).count("a won game") == 1


def test_the_games_of_the_pennies_are_few_and_the_beginner_is_explained_where_it_plays(play):
    page = play(PILES)
    games, note = page.locator(".play .tools option").all_inner_texts(), page.locator(".play .note")
    before = note.is_visible()
    page.get_by_label("Game:").select_option(games[-1])
    after = note.inner_text()
    page.get_by_label("Game:").select_option(games[0])

    assert games[:6] == [f"{total} pennies" for total in (5, 10, 15, 20, 25, 30)]
    assert len(games) <= 10
    assert after.startswith("The beginner knows only the pairs (1, 2) and (3, 5), ")
    assert [before, note.is_visible()] == [False, False]


def test_a_hint_names_two_moves_at_most(play):
    page = play(PILES)
    page.get_by_label("Game:").select_option("8 and 13, against a beginner")
    button(page, "Hint").click()

    assert page.locator(".play .advice").inner_text() == "Best: 1 from a (one of 8)."


def test_a_chance_is_shown_once_the_reader_has_made_a_move(play):
    page = play(PENNEY)
    assert re.fullmatch(r"chance to win\s+\?", page.locator(".play .standing").inner_text())
    assert page.locator(".play .bar").bounding_box()["width"] == 0
    assert "chance to win ?." in status(page)
    button(page, "RRB").click()

    assert re.fullmatch(r"chance to win\s+65\.6%", page.locator(".play .standing").inner_text())


def test_what_the_bar_says_is_not_seen_once_more_in_the_line_of_the_state(play):
    page = play(COINBALL)
    button(page, "rush").click()
    button(page, "Undo").click()

    assert page.locator(".play .present .unseen").text_content() == ": chance to win 57.6%"
    assert page.locator(".play .present .unseen").bounding_box()["width"] <= 1
    assert re.fullmatch(r"chance to win\s+57\.6%", page.locator(".play .standing").inner_text())


def test_the_coin_that_the_opponent_takes_is_named(play):
    page = play(ROW)
    button(page, "left").click()
    taken = re.search(r"Your aunt takes (\d+), the (left|right) coin\.", status(page))

    gone = page.locator(".play .board .pieces .gone").all_inner_texts()
    assert taken[1] == (gone[1] if taken[2] == "left" else gone[-1])


def test_a_reload_keeps_the_game_and_a_new_seed_begins_another(play):
    page = play(ROW)
    for _ in range(2):
        button(page, "right").click()
    before = status(page), page.locator(".play .sum b").all_inner_texts()
    page.reload()
    page.locator(".play .status").wait_for()

    assert (status(page), page.locator(".play .sum b").all_inner_texts()) == before
    button(page, "Undo").click()
    button(page, "right").click()
    assert (status(page), page.locator(".play .sum b").all_inner_texts()) == before
    page.goto(page.url.replace("seed=7", "seed=8"))
    page.locator(".play .status").wait_for()
    assert "0 so far" in status(page)


def test_two_boards_of_a_post_keep_their_own_games(look, blog):
    page = look(blog.address + ROW + "?seed=7&seed2=8").page
    boards = page.locator(".play")
    for place, taken in enumerate(["left", "right"]):
        boards.nth(place).locator(".begin button").click()
        boards.nth(place).get_by_role("button", name=taken, exact=True).click()
    before = boards.locator(".status").all_inner_texts()
    page.reload()
    boards.nth(1).locator(".status").wait_for()
    boards.nth(0).locator(".status").wait_for()

    assert before[0] != before[1]
    assert boards.locator(".status").all_inner_texts() == before
    assert page.url.endswith("?seed=7&seed2=8")


@pytest.mark.parametrize("address", [ROW, *map(deep, (PILES, PENNEY))])
def test_points_are_announced_on_boards_of_scores_alone(play, address):
    page = play(address)
    page.locator(".play .moves button").last.click()

    assert page.locator(".play .tokens").inner_text() == ""


def test_the_focus_is_on_the_first_move_when_the_board_opens(look, blog):
    page = look(blog.address + COINBALL + "?seed=7").page
    page.locator(".play .begin button").first.focus()
    page.keyboard.press("Enter")
    page.locator(".play .status").wait_for()

    assert page.evaluate("document.activeElement.dataset.move") == "rush"


@pytest.mark.parametrize("address", [ROW, *map(deep, (FLIPS, PENNEY))])
def test_undo_stays_where_it_is_when_the_game_ends(play, address):
    page = play(address)
    undo = "document.querySelector('[data-move=Undo]').getBoundingClientRect().top"
    distance = f"{undo} - document.querySelector('.play .moves').getBoundingClientRect().top"
    before = page.evaluate(distance)
    while not page.locator(".play .board").get_attribute("data-end"):
        page.locator(".play .moves button").last.click()

    assert page.evaluate(distance) == before


def test_without_scripts_a_game_says_what_it_needs(look, blog):
    page = look(blog.address + FLIPS, java_script_enabled=False).page

    assert not page.locator(".play .begin button").first.is_visible()
    assert page.locator(".play noscript p").first.is_visible()


def test_a_turn_brings_the_game_of_its_setting(look, blog):
    page = look(blog.address + ROW).page
    page.locator(".turn a", has_text="2 4 8 10").click()
    page.wait_for_url("**/rising/")
    page.locator(".turn a[aria-current]", has_text="2 4 8 10").wait_for()
    page.locator(".play .begin button").first.click()
    pieces = page.locator(".play .board .pieces li")
    pieces.first.wait_for()  # the game is loaded once it is begun

    assert pieces.all_inner_texts() == ["2", "4", "8", "10"]


@pytest.mark.parametrize(("address", "scheme"), BOARDS)
def test_a_board_fits_a_phone_and_axe_finds_nothing_to_complain_of(play, address, scheme):
    page = play(address, width=360, scheme=scheme)
    page.locator(".play .moves button").last.click()

    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert not re.search(r"['\"]", page.locator(".play").first.inner_text())
    assert page.locator(".play .tools").bounding_box()["x"] == page.locator(".play .moves").bounding_box()["x"]
    assert complaints_of_axe(page, within=".play") == []  # test_pages.py looks at the rest
