"""Penney's game with one deck of cards.

Yvonne picks a sequence of k colours; Zara, who knows it, picks another one. The cards of both sequences are taken out
of the deck, and the others are shuffled and turned over one by one. The player whose sequence first appears as k
consecutive cards wins. If the deck runs out, a fair coin decides.

State: (r, b, m): r red and b black cards left to turn, and the memory m, which is the longest row of cards that ends
the cards turned so far and begins Yvonne's sequence y or Zara's sequence z. The other cards turned do not matter.
Action: y for Yvonne, then z for Zara; each is chosen once, before the first card.
Value: W, Yvonne's probability to win. With mR and mB for the memory after one more red or black card,

    W(r, b, m) = r / (r + b) * W(r - 1, b, mR) + b / (r + b) * W(r, b - 1, mB),
    W(r, b, y) = 1,  W(r, b, z) = 0,  and W(0, 0, m) = 1/2 for every other m.

Best play: the maximum over y of the minimum over z of W(r, b, ""), where r and b are what y and z leave of the deck.
Source: a programming-contest problem in two parts; the game without a deck limit is Walter Penney's.

Begin with `rules` and `solution`, which has `solve`. `deck` says which sequences there are; `search` finds best play
without trying all pairs, with `counting`, which counts pairs by classes. `following` follows one pair card by card,
`table` has every pair of short sequences. `checks` has the answers by the methods of `by_card`, `moves` the board,
`figures` and `picture` what readers see.
"""

from solvers.penney.checks import *
from solvers.penney.figures import *
from solvers.penney.moves import game
from solvers.penney.picture import figure_last_cards, figure_picture
from solvers.penney.solution import solve, validate
