"""Records: the fields of results, noted as they are read."""

import pytest

from site_builder.values.records import Record, fields_of


def test_a_record_has_its_fields():
    record = Record({"chance": 0.5, "names": ("a",)})

    assert (record.chance, record.names) == (0.5, ("a",))
    assert dict(fields_of(record)) == {"chance": 0.5, "names": ("a",)}
    assert dir(record) == ["chance", "names"]


def test_each_field_that_is_asked_for_is_noted_whether_or_not_it_is_there():
    noted: list[str] = []
    record = Record({"chance": 0.5}, on_read=noted.append)

    assert record.chance == 0.5
    assert not hasattr(record, "gone")
    assert noted == ["chance", "gone"]


def test_the_error_for_a_missing_field_lists_those_that_exist():
    with pytest.raises(AttributeError, match="there is no 'chances'; there is: chance, names"):
        Record({"chance": 0.5, "names": ()}).chances  # noqa: B018


def test_what_python_itself_asks_for_is_not_noted():
    noted: list[str] = []
    record = Record({"chance": 0.5}, on_read=noted.append)

    assert not hasattr(record, "__html__")
    assert repr(record) == "Record(chance)"
    assert noted == []


def test_the_fields_of_a_record_cannot_be_changed_from_outside():
    fields = {"chance": 0.5}
    record = Record(fields)

    fields["chance"] = 0.6
    with pytest.raises(TypeError):
        fields_of(record)["chance"] = 0.7  # type: ignore[index]

    assert record.chance == 0.5


@pytest.mark.parametrize("name", ["_fields", "_kind", "_on_read", "chance"])
def test_a_record_takes_fields_whatever_they_are_called(name):
    assert fields_of(Record({name: 1}))[name] == 1
