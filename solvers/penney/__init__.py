"""Penney's game with one deck of cards.

Yvonne picks a sequence of k colours, then Zara, knowing it, another of k colours. Both are taken out of the deck, the
rest is shuffled and turned over card by card; the first whose sequence appears as k consecutive cards wins, and if the
deck runs out, a fair coin decides.

State: (reds left, blacks left, the longest end of the cards turned that begins one of the sequences). Action: a
sequence for each player, chosen once and in turn. Value: the exact probability that Yvonne wins.
Source: a programming-contest problem in two parts; the game without a deck limit is Walter Penney's.
"""

from solvers.penney.confirming import checks
from solvers.penney.parameters import Parameters
from solvers.penney.pictures import figures
from solvers.penney.puzzle import Result, solve

__all__ = ["DATA", "Parameters", "Result", "checks", "figures", "solve"]

DATA = ()
