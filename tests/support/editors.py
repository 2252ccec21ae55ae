"""YAML with the eyes of an editor: what JSON Schemas say against it."""

from datetime import date, datetime
from decimal import Decimal
from functools import cache

import jsonschema

from site_builder.cli.json_schema import config_schema, front_matter_schema


def seen(data):
    """Data as JSON has it: a date is text, a decimal a number."""
    if isinstance(data, dict):
        return {key: seen(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [seen(value) for value in data]
    if isinstance(data, (date, datetime)):
        return str(data)
    return float(data) if isinstance(data, Decimal) else data


@cache
def _checkers(of):
    schema = {"config": config_schema, "front matter": front_matter_schema}[of]()
    return jsonschema.Draft7Validator(schema), jsonschema.Draft202012Validator(schema)


def complaints(of, data):
    """What the schema of config.yaml or of front matter says against some data, in either dialect."""
    found = [f"{error.json_path}: {error.message}" for error in _checkers(of)[0].iter_errors(seen(data))]
    assert _checkers(of)[1].is_valid(seen(data)) == (not found)
    return found
