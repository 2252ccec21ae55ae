"""A row of coins: two players take turns, each taking the first or the last coin of the row.

State: the stretch of coins that is left, first to last. Action: take the first coin or the last. Value: what the
player to move collects from here on; with slips, the expected winnings; with an unknown error rate, the state also
counts hits and misses. Parameters are in model.py, the mathematics in rows.py (perfect play), erring.py (slips) and
learning.py (an error rate learned while playing).
Source: a bonus problem in a final exam of CS561, Data Structures and Algorithms, at UNM, told in a post called
"Notorious Coins".
"""

from solvers.notorious_coins.checks import checks
from solvers.notorious_coins.figures import figures
from solvers.notorious_coins.model import Parameters, Result
from solvers.notorious_coins.solving import solve

DATA = ()

__all__ = ["DATA", "Parameters", "Result", "checks", "figures", "solve"]
