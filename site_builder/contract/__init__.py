"""What solvers import: parameters, grids, figures and checks.

Lives here: plain data and its validation.
May import: nothing of ours.
Must not know: posts, pages, the cache.
"""

from site_builder.contract.checks import Check
from site_builder.contract.figures import (
    Action,
    Bars,
    BarSeries,
    Column,
    Curve,
    Diagram,
    Edge,
    Figure,
    Heatmap,
    Line,
    Mark,
    Node,
    PolicyMap,
    Reference,
    Series,
    Table,
)
from site_builder.contract.grid import Grid
from site_builder.contract.parameters import Field, NotFinite, Rational, parameters

__all__ = [
    "Action",
    "BarSeries",
    "Bars",
    "Check",
    "Column",
    "Curve",
    "Diagram",
    "Edge",
    "Field",
    "Figure",
    "Grid",
    "Heatmap",
    "Line",
    "Mark",
    "Node",
    "NotFinite",
    "PolicyMap",
    "Rational",
    "Reference",
    "Series",
    "Table",
    "parameters",
]
