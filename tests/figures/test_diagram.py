"""Nodes of a diagram and the routes of its arrows."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.contract import Diagram, Edge, Node
from site_builder.figures.kinds.diagram import lay_out_nodes, route_arrows

PLACES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=14, unique=True)


@given(PLACES, st.sampled_from([322, 674]), st.text("abc ", min_size=1, max_size=25))
def test_nodes_never_overlap_and_keep_within_the_width(places, width, label):
    nodes = tuple(Node(str(i), at, "ab"[i % 2], f"{label}{i}") for i, at in enumerate(places))

    placed = lay_out_nodes(Diagram("t", nodes, (), {"a": "one", "b": "other"}, "c"), width)

    assert not [pair for pair in combinations(placed.values(), 2) if pair[0].box.overlaps(pair[1].box)]
    assert all(node.box.left >= -0.01 and node.box.right <= width + 0.01 for node in placed.values())


def test_arrows_lead_from_border_to_border_and_around_nodes_in_their_way():
    nodes = tuple(Node(name, (i, 0), "k") for i, name in enumerate("abc"))
    edges = (Edge("a", "b"), Edge("a", "c"))
    placed = lay_out_nodes(Diagram("t", nodes, edges, {"k": "a state"}, "c"), 600)

    straight, around_b = route_arrows(placed, edges)

    assert straight[0][0] == pytest.approx(placed["a"].box.right, abs=4)
    assert straight[-1][0] == pytest.approx(placed["b"].box.left, abs=4)
    box = placed["b"].box
    assert not any(box.left < x < box.right and box.top < y < box.bottom for x, y in around_b)


def test_an_arrow_bends_to_the_left_as_seen_on_its_way():
    nodes = (Node("a", (0, 0), "k"), Node("b", (1, 0), "k"))
    edge = Edge("a", "b", bend=0.3)

    (route,) = route_arrows(lay_out_nodes(Diagram("t", nodes, (edge,), {"k": "a state"}, "c"), 600), (edge,))

    assert route[:, 1].min() < route[0, 1] - 20  # from left to right: upwards


def test_a_loop_lies_on_the_side_away_from_all_neighbours():
    nodes = (Node("a", (0, 1), "k"), Node("b", (0, 0), "k"), Node("c", (1, 0), "k"), Node("d", (-1, 0), "k"))
    edges = (Edge("a", "b"), Edge("b", "c"), Edge("d", "b"), Edge("b", "b"))
    placed = lay_out_nodes(Diagram("t", nodes, edges, {"k": "a state"}, "c"), 600)

    *_, loop = route_arrows(placed, edges)

    assert loop[:, 1].min() > placed["b"].y
    assert loop[:, 1].max() > placed["b"].box.bottom + 20
