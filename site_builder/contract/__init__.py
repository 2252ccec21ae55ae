"""The names that solvers import: marks of parameters and answers, grids and figures.

Lives here: plain data and its validation.
May import: nothing of ours.
Must not know: posts, pages, the cache.
"""

from pydantic import Field

from site_builder.contract.answers import at_least, at_most, case, close, one_of, rules, simulated
from site_builder.contract.bounds import Bounds, ErrorBound, Estimate, NotFinite
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
from site_builder.contract.grid import Grid
from site_builder.contract.progress_report import progress

__all__ = [
    "Action",
    "BarSeries",
    "Bars",
    "Bounds",
    "Column",
    "Curve",
    "Diagram",
    "Drawing",
    "Edge",
    "ErrorBound",
    "Estimate",
    "Field",
    "Figure",
    "Frames",
    "Grid",
    "Heatmap",
    "Histogram",
    "Line",
    "Look",
    "Mark",
    "Node",
    "NotFinite",
    "PolicyMap",
    "Reference",
    "Series",
    "Table",
    "at_least",
    "at_most",
    "case",
    "close",
    "one_of",
    "progress",
    "rules",
    "simulated",
]
