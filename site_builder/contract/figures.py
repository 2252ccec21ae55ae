"""Figures as plain data: values and labels, never how they are drawn.

Titles, labels, legends and captions are plain text in which `$...$` is TeX. A caption is understood without the figure.
`alt` describes the figure in words; if empty, the builder computes it from the data.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from site_builder.contract.grid import Grid

Numbers = np.ndarray | Sequence[Any]


@dataclass(frozen=True, eq=False)
class Line:
    """A straight line over a map, from (across, up) to (across, up), with a label at its end."""

    start: tuple[float, float]
    end: tuple[float, float]
    label: str = ""


@dataclass(frozen=True, eq=False)
class Mark:
    """A marked point on a curve, with a label beside it."""

    at: tuple[float, float]
    label: str = ""


@dataclass(frozen=True, eq=False)
class Action:
    """One action of a policy: its name in the legend; `letter` is written in cells that are large enough.

    colour: "blue", "orange", "grey", "green", "pink", "yellow", "red" or "violet", where it means something. `colours:`
    of the post goes before.
    """

    name: str
    letter: str = ""
    colour: str = ""


@dataclass(frozen=True, eq=False)
class Heatmap:
    """A number for each cell of a grid with two axes.

    across: the axis that runs from left to right; the other runs upwards, or downwards when `downward`.
    labels: for each axis what it counts, with its unit. value_label: what the colours show, with its unit.
    drawn: shape of the grid, False where a cell stays empty; NaN cells stay empty too.
    faded: shape of the grid, True where a cell is drawn pale (known, but not of interest).
    value_range: the values at the ends of the colour scale; by default the smallest and largest drawn value.
    scale: sequential, or diverging around `centre`. cell_text: the filter that writes the number into each cell
    ("number(2)", "percent(0)", "fraction", "integer") where cells are large enough.
    """

    title: str
    grid: Grid
    across: str
    value_label: str
    caption: str
    labels: Mapping[str, str] = field(default_factory=dict)
    drawn: np.ndarray | None = None
    faded: np.ndarray | None = None
    value_range: tuple[float, float] | None = None
    percent: bool = False
    scale: Literal["sequential", "diverging"] = "sequential"
    centre: float | None = None
    cell_text: str = ""
    lines: tuple[Line, ...] = ()
    downward: bool = False
    alt: str = ""


@dataclass(frozen=True, eq=False)
class PolicyMap:
    """The action of each cell of a grid with two axes: indices into `actions`, -1 for none.

    Actions differ in pattern and letter as well as colour. Axes and lines are those of `Heatmap`.
    costs: for actions, by their names, what each gives away against the best one in every cell: 0 where it is a best
    one, NaN where it cannot be taken. cost_unit: their unit, such as "percentage points". value: what every cell is
    worth, NaN where that is not known; value_label says what it is; percent: written as a percentage. Costs and values
    are not drawn: readers who explore the map can read them. colours: of actions, by their names.
    """

    title: str
    grid: Grid
    across: str
    actions: tuple[Action, ...]
    caption: str
    labels: Mapping[str, str] = field(default_factory=dict)
    lines: tuple[Line, ...] = ()
    downward: bool = False
    alt: str = ""
    costs: Mapping[str, Grid] = field(default_factory=dict)
    cost_unit: str = ""
    value: Grid | None = None
    value_label: str = ""
    percent: bool = False
    colours: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Series:
    """One line of a curve. `dots`: single points that are not joined; `steps`: constant between points.

    up: numbers, or Estimates, which are drawn with error bars of two standard errors on each side.
    """

    name: str
    across: Numbers
    up: Numbers
    style: Literal["line", "dots", "line with dots", "steps"] = "line"


@dataclass(frozen=True, eq=False)
class Reference:
    """A line across the whole chart at one value: horizontal at a value of the upward axis, or `upright`."""

    at: float
    label: str
    upright: bool = False


@dataclass(frozen=True, eq=False)
class Curve:
    """One or more series over the same axes; `percent` writes the upward axis as percentages.

    up_range, across_range: the values at the ends of the axes; by default those that the data need. log: the axes that
    are logarithmic; all numbers along them are above 0. colours: of series, by their names, as those of an Action; by
    default, and where `colours:` of the post says so, those of the post.
    """

    title: str
    series: tuple[Series, ...]
    across_label: str
    up_label: str
    caption: str
    references: tuple[Reference, ...] = ()
    marks: tuple[Mark, ...] = ()
    up_range: tuple[float, float] | None = None
    percent: bool = False
    alt: str = ""
    across_range: tuple[float, float] | None = None
    log: Literal["", "across", "up", "both"] = ""
    colours: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class BarSeries:
    """One value for each category: a number, or an Estimate, which is written with its standard error."""

    name: str
    values: Numbers


@dataclass(frozen=True, eq=False)
class Bars:
    """Values of a few categories as bars; the filter `value_text` writes the value at each bar, but for an Estimate.

    category_label: what the categories are. colours: of series, and of the bars of categories where there is one
    series, by their names.
    """

    title: str
    categories: tuple[str, ...]
    series: tuple[BarSeries, ...]
    value_label: str
    caption: str
    value_text: str = "number(3)"
    value_range: tuple[float, float] | None = None
    percent: bool = False
    alt: str = ""
    category_label: str = ""
    colours: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Histogram:
    """How many of many values lie in each of a row of intervals, its bins.

    values: numbers; None and NaN are left out. counts: how often each value occurs, or its chance; by default once.
    bins: about how many bins at round numbers, or their edges; by default chosen by the values: each whole number has
    one of its own where these are few. A bin holds its lower edge, and the last one its upper edge too.
    up_label: what the height of a bar counts. percent: the height is the share of all values. references: upright lines
    at values. up_range, across_range: the values at the ends of the axes. colours: that of the bars, by "".
    """

    title: str
    values: Numbers
    across_label: str
    caption: str
    bins: int | Numbers | None = None
    counts: Numbers | None = None
    percent: bool = False
    references: tuple[Reference, ...] = ()
    up_label: str = ""
    up_range: tuple[float, float] | None = None
    across_range: tuple[float, float] | None = None
    alt: str = ""
    colours: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Node:
    """A state in a diagram, placed at (across, up); neighbours are about 1 apart.

    kind: a key of the diagram's `kinds`.
    """

    name: str
    at: tuple[float, float]
    kind: str
    label: str = ""


@dataclass(frozen=True, eq=False)
class Edge:
    """A move from one node to another, by their names. `bend`: how far it curves to the left, as a share of length."""

    start: str
    end: str
    label: str = ""
    bend: float = 0.0


@dataclass(frozen=True, eq=False)
class Diagram:
    """States and moves as a graph.

    kinds: kind of node -> its name in the legend; kinds differ in shape and colour. colours: by kind.
    """

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    kinds: Mapping[str, str]
    caption: str
    alt: str = ""
    colours: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a table, left-aligned for text, right-aligned for numbers.

    form: the filter that writes its cells, e.g. "percent(2)", "fraction"; text needs none.
    """

    label: str
    cells: tuple[Any, ...]
    form: str = ""


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length under their labels; `row_heads`: the first column has the headings of the rows."""

    title: str
    columns: tuple[Column, ...]
    caption: str
    row_heads: bool = True


@dataclass(frozen=True)
class Look:
    """The colours, width and font of a figure, for a function figure_* that takes `look`.

    ink, paper, accent, series: colours as "#rrggbb", which become those of the dark scheme on dark pages. series: at
    least six colours that differ for colour-blind readers too. colours: the same by name, "blue" to "violet". width: of
    the figure, in CSS pixels. font: name of the font, which comes with matplotlib.
    """

    ink: str
    paper: str
    accent: str
    series: tuple[str, ...]
    colours: Mapping[str, str]
    width: int
    font: str


@dataclass(frozen=True, eq=False)
class Drawing:
    """A figure of matplotlib with its words and numbers.

    figure: of matplotlib, such as plt.gcf(). title, alt: by default from the docstring of the function that returns it.
    data: what it shows, as numbers, rows of numbers and Grids by their names; becomes the data of the figure.
    pictures: made by the builder: SVG for wide screens, for phones (empty if the same) and PNG.
    """

    figure: Any
    title: str = field(default="", kw_only=True)
    caption: str = field(default="", kw_only=True)
    alt: str = field(default="", kw_only=True)
    data: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    pictures: tuple[bytes, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, eq=False)
class Frames:
    """A figure with steps, such as a game move by move: the label of each step, and the figure that it shows.

    frames: 2 to 60 pairs of a label and a figure of any kind but Table and Frames. Heatmaps, curves, bars and
    histograms with the same unit that set no range have a common one, so that steps can be compared.
    alt: all steps in words; it cannot be left out. Each step has the text of its own figure beside.
    """

    title: str
    frames: Sequence[tuple[str, "Figure"]]
    caption: str = field(default="", kw_only=True)
    alt: str = field(kw_only=True)


Figure = Heatmap | PolicyMap | Curve | Bars | Histogram | Diagram | Table | Drawing | Frames
