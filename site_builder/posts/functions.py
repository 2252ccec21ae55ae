"""The functions of the post language, such as claim(), figure(), table() and curve()."""

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from site_builder.contract import (
    Bars,
    BarSeries,
    Column,
    Curve,
    Drawing,
    Figure,
    Frames,
    Grid,
    Heatmap,
    Histogram,
    Line,
    Mark,
    Reference,
    Series,
    Table,
)
from site_builder.errors import PostError, nearest
from site_builder.figures.kinds.registry import CommonColours, describe, is_figure, kind_of
from site_builder.markup.placeholders import Inline
from site_builder.markup.typeset import typeset, written
from site_builder.posts.blocks import (
    ChecksBlock,
    ColumnHead,
    EvidenceBlock,
    FigureBlock,
    FrameLabel,
    ParameterRow,
    ParametersBlock,
    TableBlock,
)
from site_builder.posts.claims import Claims
from site_builder.posts.gather_evidence import check_rows
from site_builder.posts.jinja import formatted, typed
from site_builder.posts.result_values import name_of, raw, with_values
from site_builder.project.validation import shown
from site_builder.solving.plan import PlannedRun, plain
from site_builder.values.digest import bytes_digest, digest
from site_builder.values.language import ENGLISH, current
from site_builder.values.literals import shortened
from site_builder.values.number_format import read_form
from site_builder.values.packing import pack
from site_builder.values.records import BESIDE

if TYPE_CHECKING:
    from site_builder.posts.job import JobData

_Columns = Sequence[Any] | Mapping[str, Sequence[Any]]
_STYLES = "line", "dots", "line with dots", "steps"
# Fields of figures whose entries a post writes as tuples: their class, their length, and how one is written.
_ENTRIES: dict[str, tuple[type, int, str]] = {
    "references": (Reference, 2, '(0.5, "one half")'),
    "marks": (Mark, 2, '((3, 0.5), "here")'),
    "lines": (Line, 3, '((0, 0), (3, 0.5), "even")'),
}


class PostFunctions:
    """The functions of one post. data: of its text; forms: the filters of extensions."""

    def __init__(self, data: "JobData", forms: Mapping[str, Callable[..., Any]] = MappingProxyType({})) -> None:
        self.colours = CommonColours(data.job.post.front.colours)
        self._data, self._forms = data, forms
        self._taken: dict[str, int] = {}  # names, and the number with which each may be free again

    def names(self) -> dict[str, Callable[..., Any]]:
        """The functions by the names that a post uses."""
        blocks: tuple[Any, ...] = self.figure, self.table, self.parameters, self.checks, self.evidence
        made = [self._with_same_points(each) for each in (curve, heatmap, bars, histogram)]
        return {each.__name__: each for each in (*blocks, *made, Claims(self._data).claim, typed)}

    def _with_same_points(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of figures that refuses columns of sweeps with different points."""

        @with_values
        @wraps(function)
        def made(*arguments: Any, **named: Any) -> Any:
            self._refuse_other_points([*arguments, *named.values()])
            return function(*raw(arguments), **raw(named))

        return made

    def _refuse_other_points(self, values: Iterable[Any]) -> None:
        """Raise PostError where columns that stand side by side are of sweeps with different points."""
        columns = [each for value in values for each in (value.values() if isinstance(value, Mapping) else [value])]
        runs = [run for run in map(self._sweep_of, columns) if run]
        for other in runs[1:]:
            if list(other.axes.values()) != list(runs[0].axes.values()):
                names = f"'{runs[0].name}' and '{other.name}'"
                message = f"columns of the sweeps {names} stand side by side, and their points differ"
                raise PostError(message, "take all columns of one sweep, or give both sweeps the same points")

    def _sweep_of(self, column: Any) -> PlannedRun | None:
        """The sweep of which a value is a whole column."""
        match name_of(column).split("."):
            case ["results", run, field] if field not in BESIDE and self._data.runs[run].axes:
                return self._data.runs[run]
        return None

    @with_values
    def figure(self, figure: Any, caption: str = "", alt: str = "") -> FigureBlock | TableBlock:
        """A figure on a line of its own. alt: in words, in place of its own."""
        name = _figure_name(figure)
        figure, caption, alt = raw((figure, caption, alt))
        if isinstance(figure, Table):
            if alt:
                raise PostError("a table has no alt", "leave it out: a table is read as it is")
            return self._table_part(figure, caption, name)
        if not is_figure(figure):
            cure = "write figure(results.<run>.figures.<name>), or figure(curve(...))"
            raise PostError("figure(...) needs a figure", cure)
        figure = dataclasses.replace(figure, alt=alt) if alt else figure
        if message := kind_of(figure).first_error(figure):
            raise PostError(f"in this figure {message}")
        for label in _labels(figure):
            self._set(label)  # broken TeX is found here, where the line is known
        data = pack(self.colours.coloured(figure))
        key = bytes_digest(data)
        if (language := current()) != ENGLISH:
            key = digest(key, language)
        self._data.figures[key] = data
        name = self.free_name(name or figure.title)
        title, text = self._set(figure.title), self._set(caption or figure.caption)
        steps = figure.frames if isinstance(figure, Frames) else ()
        frames = tuple(FrameLabel(self._set(label), describe(step)) for label, step in steps)
        has_alt = not isinstance(figure, Drawing) or bool(figure.alt.strip())
        return FigureBlock(key, name, title, text, describe(figure) if has_alt else "", frames)

    @with_values
    def table(
        self, columns: Any, caption: str = "", forms: Mapping[str, str] | None = None, title: str = ""
    ) -> TableBlock:
        """A table on a line of its own, from columns by their labels or from a solver's Table."""
        self._refuse_other_points([columns])
        name, known = _figure_name(columns), dict(raw(forms or {}))
        columns, caption, title = raw((columns, caption, title))
        if isinstance(columns, Mapping):
            made = tuple(Column(label, tuple(cells), known.get(label, "")) for label, cells in columns.items())
            columns, name = Table(title, made, caption), title or caption or "table"
        if not isinstance(columns, Table):
            raise PostError("table(...) needs columns", 'write table({"k": results.by_k.k, ...})')
        labels = [column.label for column in columns.columns]
        if unknown := [label for label in known if label not in labels]:
            raise PostError(f"the table has no column {unknown[0]!r} for its form", nearest(unknown[0], labels))
        return self._table_part(columns, caption, name)

    @with_values
    def parameters(self, run: Any) -> ParametersBlock:
        """The parameters that a run used, on a line of its own."""
        planned = self._run_of(run, "parameters")
        used = self._data.results[planned.name].parameters
        rows = [
            ParameterRow(
                parameter.name,
                self._cell(getattr(used, parameter.name)),
                self._cell(parameter.default),
                getattr(used, parameter.name) != plain(parameter.default),
                self._set(parameter.description),
                parameter.span.removeprefix("lie ").removeprefix("be "),
            )
            for parameter in planned.description.parameters.values()
            if parameter.name not in planned.axes
        ]
        return ParametersBlock(tuple(rows))

    @with_values
    def checks(self, run: Any) -> ChecksBlock:
        """The checks of the answer of a run, on a line of its own."""
        planned = self._run_of(run, "checks")
        if planned.keep:
            message = f"the run '{planned.name}' is a sweep, and its checks are those of many points"
            raise PostError(message, "show the checks of a run with the same parameters and no sweep")
        return ChecksBlock(check_rows(self._data.results[planned.name].checks, self._set))

    def evidence(self) -> EvidenceBlock:
        """The evidence of the post on a line of its own, which is at the end of its page otherwise."""
        return EvidenceBlock()

    def _run_of(self, run: Any, function: str) -> PlannedRun:
        if found := self._data.runs.get(name_of(run).removeprefix("results.")):
            return found
        raise PostError(f"{function}(...) needs a run", f"write {function}(results.<run>)")

    def _table_part(self, table: Table, caption: str, name: str) -> TableBlock:
        lengths = {len(column.cells) for column in table.columns}
        if len(lengths) > 1:
            sizes = ", ".join(f"{column.label}: {len(column.cells)}" for column in table.columns)
            raise PostError(f"the columns of the table differ in length ({sizes})")
        name, caption = self.free_name(name or table.title), caption or table.caption
        columns = [[self._formed(cell, column.form) for cell in column.cells] for column in table.columns]
        heads = tuple(
            ColumnHead(self._set(column.label), not any(isinstance(cell, str) for cell in column.cells))
            for column in table.columns
        )
        rows = tuple(zip(*columns, strict=True))
        return TableBlock(name, self._set(table.title), self._set(caption), heads, rows, table.row_heads)

    def _formed(self, cell: Any, form: str) -> Inline:
        if isinstance(cell, str) or cell is None:
            return self._set(cell or "")
        name, digits = read_form(form, self._forms) if form else ("", ())
        text = formatted(self._forms[name](cell, *digits)) if name in self._forms else written(cell, form)
        return Inline(text.html, str(text))

    def _cell(self, value: Any) -> Inline:
        simple = plain(value)
        text = ", ".join(shown(entry) for entry in simple) if isinstance(simple, tuple) else str(shown(simple))
        return self._set(text.strip("'"))

    def _set(self, text: str) -> Inline:
        return typeset(text, self._data.place)

    def free_name(self, wanted: str) -> str:
        """A name for files and anchors that is unique in the post."""
        base = re.sub(r"[^a-z0-9]+", "-", wanted.lower()).strip("-")[:60].strip("-") or "figure"
        name, number = base, self._taken.get(base, 2)
        while name in self._taken:
            name, number = f"{base}-{number}", number + 1
        self._taken[base] = number
        self._taken.setdefault(name, 2)
        return name


def _figure_name(value: Any) -> str:
    """The name of a solver's figure, such as fair-map; empty for others."""
    run, is_figure, name = name_of(value).removeprefix("results.").partition(".figures.")
    return f"{run}-{name}" if is_figure else ""


def _labels(value: Any) -> Iterator[str]:
    """The texts in a figure that hold TeX, at any depth."""
    if isinstance(value, str):
        if "$" in value:
            yield value
    elif isinstance(value, (tuple, list)):
        for entry in value:
            yield from _labels(entry)
    elif isinstance(value, Mapping):
        yield from _labels(list(value.values()))
    elif dataclasses.is_dataclass(value) and not isinstance(value, Grid):
        yield from _labels([getattr(value, field.name) for field in dataclasses.fields(value)])


# Figures of results. They take the other arguments of their class of the contract, too.


def curve(
    across: Sequence[Any],
    up: _Columns,
    title: str,
    across_label: str,
    up_label: str,
    caption: str = "",
    name: str = "",
    style: Any = "line",
    **more: Any,
) -> Curve:
    """A curve through columns of results; `up` may hold several columns by name. style: of its points, as in Series."""
    columns = up if isinstance(up, Mapping) else {name: up}
    if style not in _STYLES:
        raise PostError(f"style={style!r} is no style of curve(...)", f"write one of: {', '.join(_STYLES)}")
    places = tuple(across)
    series = tuple(Series(label, places, tuple(column), style) for label, column in columns.items())
    return Curve(title, series, across_label, up_label, caption or title, **_given(Curve, more))


def heatmap(grid: Any, title: str, across: str, value_label: str, caption: str = "", **more: Any) -> Heatmap:
    """A heatmap of a grid with two axes."""
    if not isinstance(grid, Grid) or len(grid.axes) != 2:
        cure = "a sweep over two names gives one; of one with more, fix the others first: grid.along(p=...)"
        raise PostError("heatmap(...) needs a grid with two axes", cure)
    return Heatmap(title, grid, across, value_label, caption or title, **_given(Heatmap, more))


def bars(
    categories: Sequence[Any], values: _Columns, title: str, value_label: str, caption: str = "", **more: Any
) -> Bars:
    """Bars side by side; `values` may hold several columns by name."""
    columns = values if isinstance(values, Mapping) else {"": values}
    series = tuple(BarSeries(label, tuple(column)) for label, column in columns.items())
    return Bars(title, tuple(map(str, categories)), series, value_label, caption or title, **_given(Bars, more))


def histogram(values: Any, title: str, across_label: str, caption: str = "", **more: Any) -> Histogram:
    """How many values lie in each of several bins."""
    numbers = values.values if isinstance(values, Grid) else values
    return Histogram(title, numbers, across_label, caption or title, **_given(Histogram, more))


def _given(kind: type[Figure], more: Mapping[str, Any]) -> dict[str, Any]:
    """Further fields of a figure, as a post gives them. Raises PostError for one that its kind does not have."""
    known = [field.name for field in dataclasses.fields(kind) if field.name != "series"]  # which is made of columns
    if unknown := [name for name in more if name not in known]:
        raise PostError(f"{kind.__name__.lower()}(...) has no argument {unknown[0]!r}", nearest(unknown[0], known))
    parts = {name: _entries(name, value) for name, value in more.items() if name in _ENTRIES}
    if kind is Histogram:
        parts["references"] = tuple(dataclasses.replace(line, upright=True) for line in parts.get("references", ()))
    return {**more, **parts}


def _entries(name: str, given: Any) -> tuple[Any, ...]:
    """Parts of a figure that a post gives as tuples."""
    kind, length, example = _ENTRIES[name]
    for entry in given if isinstance(given, (tuple, list)) else [given]:
        if not isinstance(entry, (tuple, list)) or len(entry) != length:
            raise PostError(
                f"{name}={shortened(repr(given))} is no list of {name}", f"write for example {name}=[{example}]"
            )
    return tuple(kind(*entry) for entry in given)
