"""Diagrams: states and moves as a graph."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from site_builder.contract import Diagram
from site_builder.figures.columns import DataColumn
from site_builder.figures.kinds.kind import Kind
from site_builder.figures.words import counted, join_list
from site_builder.markup.typeset import spoken

if TYPE_CHECKING:
    from site_builder.figures.canvas.canvas import Canvas, SizeLimits

_MOST_EDGES = 16  # of a larger diagram, single edges are not named


class DiagramKind(Kind[Diagram]):
    """States as nodes, moves as arrows."""

    figure = Diagram
    name = "diagram"

    def errors(self, figure: Diagram) -> Iterator[str]:
        names = [node.name for node in figure.nodes]
        for node in figure.nodes:
            if node.kind not in figure.kinds:
                yield f"the node {node.name!r} is of the kind {node.kind!r}; its kinds are: {', '.join(figure.kinds)}"
            if names.count(node.name) > 1:
                yield f"two nodes have the name {node.name!r}"
        for end in chain.from_iterable((edge.start, edge.end) for edge in figure.edges):
            if end not in names:
                yield f"an edge leads to {end!r}, which is no node"

    def draw(self, figure: Diagram, sizes: "SizeLimits") -> "Canvas":
        from site_builder.figures.charts.diagram import draw_diagram

        return draw_diagram(figure, sizes)

    def describe(self, figure: Diagram) -> str:
        counts = {kind: sum(node.kind == kind for node in figure.nodes) for kind in figure.kinds}
        kinds = join_list(f"{figure.kinds[kind]} ({count})" for kind, count in counts.items() if count)
        start = f"Diagram of {counted(len(figure.nodes), 'state')} and {counted(len(figure.edges), 'move')}"
        labels = {node.name: node.label or node.name for node in figure.nodes}
        if not kinds:
            return f"{start}."
        if not figure.edges:
            return f"{start}: {kinds}."
        if len(figure.edges) > _MOST_EDGES:
            ends = Counter(labels[edge.end] for edge in figure.edges).most_common(3)
            return f"{start}: {kinds}. Most moves lead to {join_list(f'{name} ({count})' for name, count in ends)}."
        moves = ", ".join(
            f"{labels[edge.start]} to {labels[edge.end]}{f' ({edge.label})' if edge.label else ''}"
            for edge in figure.edges
        )
        return f"{start}: {kinds}. Moves: {moves}."

    def columns(self, figure: Diagram) -> list[DataColumn]:
        """One row for each edge, and one for each node without an outgoing edge."""
        nodes = {node.name: node for node in figure.nodes}
        labels = {name: spoken(node.label or name) for name, node in nodes.items()}
        rows = []
        for name, node in nodes.items():
            moves = [(labels[edge.end], spoken(edge.label)) for edge in figure.edges if edge.start == name]
            rows += [(labels[name], spoken(figure.kinds[node.kind]), *move) for move in moves or [("", "")]]
        heads = ("state", "kind", "leads to", "by")
        return [DataColumn(head, [row[i] or None for row in rows]) for i, head in enumerate(heads)]
