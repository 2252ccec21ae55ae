"""The names that solvers import: marks of parameters and answers, grids, figures and games.

Lives here: plain data and its validation.
May import: nothing of ours.
Must not know: posts, pages, the cache.
"""

from site_builder.contract.answers import at_least, at_most, case, close, one_of, rules, simulated
from site_builder.contract.boards import Board, Cards, Deal, Pieces, Walk
from site_builder.contract.bounds import Bounds, ErrorBound
from site_builder.contract.estimates import Estimate
from site_builder.contract.figures import (
    Action,
    Bars,
    BarSeries,
    Column,
    Curve,
    Diagram,
    Drawing,
    Edge,
    Figure,
    Frames,
    Heatmap,
    Histogram,
    Line,
    Look,
    Mark,
    Node,
    PolicyMap,
    Reference,
    Series,
    Table,
)
from site_builder.contract.games import Absolute, Exact, Game, States, Turn
from site_builder.contract.grid import Grid
from site_builder.contract.parameters import Field, NotFinite, Rational
from site_builder.contract.progress_report import progress

__all__ = [
    "Absolute",
    "Action",
    "BarSeries",
    "Bars",
    "Board",
    "Bounds",
    "Cards",
    "Column",
    "Curve",
    "Deal",
    "Diagram",
    "Drawing",
    "Edge",
    "ErrorBound",
    "Estimate",
    "Exact",
    "Field",
    "Figure",
    "Frames",
    "Game",
    "Grid",
    "Heatmap",
    "Histogram",
    "Line",
    "Look",
    "Mark",
    "Node",
    "NotFinite",
    "Pieces",
    "PolicyMap",
    "Rational",
    "Reference",
    "Series",
    "States",
    "Table",
    "Turn",
    "Walk",
    "at_least",
    "at_most",
    "case",
    "close",
    "one_of",
    "progress",
    "rules",
    "simulated",
]
