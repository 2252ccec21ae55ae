"""States, the mapping that computes the turns of a game when they are asked for."""

import pytest

from site_builder.extensions.games.contract import States


def test_it_has_an_entry_for_each_key_in_their_order():
    squares = States(range(3), lambda n: n * n)

    assert dict(squares) == {0: 0, 1: 1, 2: 4}
    assert len(squares) == 3
    with pytest.raises(KeyError):
        squares[3]


def test_nothing_is_computed_to_know_whether_a_key_is_there():
    computed = []
    states = States({"a"}, computed.append)

    assert "a" in states
    assert "b" not in states
    assert computed == []
