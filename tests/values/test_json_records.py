"""Records as JSON and back."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

import pytest

from site_builder.values.json_records import from_json, to_json


class Point(NamedTuple):
    """Two numbers."""

    across: int
    up: int


@dataclass(frozen=True)
class Drawing:
    """A record with records in it."""

    name: str
    points: tuple[Point, ...]
    made: datetime | None = None


DRAWING = Drawing("größe\n", (Point(1, 2), Point(3, 4)), datetime(2026, 3, 1, 10, tzinfo=UTC))


def test_a_record_comes_back_with_the_kinds_of_all_that_is_in_it():
    found = from_json(Drawing, to_json(DRAWING))

    assert found == DRAWING
    assert isinstance(found.points[1], Point)


def test_a_record_is_one_line_that_names_its_fields():
    assert to_json(DRAWING).decode() == ('{"name":"größe\\n","points":[[1,2],[3,4]],"made":"2026-03-01T10:00:00Z"}')


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff", b'{"name":"a","points":[[1]]}', b'{"name":1,"points":[]}'])
def test_what_is_no_such_record_is_refused(data):
    with pytest.raises(ValueError):  # noqa: PT011 - in pydantic's words
        from_json(Drawing, data)
