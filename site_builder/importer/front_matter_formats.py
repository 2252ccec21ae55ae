"""Splits the front matter of a source from its text: YAML as it is, TOML and JSON as YAML with their line numbers."""

import json
import math
import re
import tomllib
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any, NamedTuple

from site_builder.errors import Place, SiteError
from site_builder.importer.front_matter import yaml_scalar
from site_builder.importer.long_numbers import long_number_error
from site_builder.importer.markdown.conversion import SourceLine, split_lines
from site_builder.project.posts import split_front_matter

_YAML_START = re.compile(r"---[ \t]*\n")
_TOML_START = re.compile(r"\+\+\+[ \t]*\n")
_JSON_START = re.compile(r"\{\s*\"")
_TOML_END = re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE)
_TOML_KEY = re.compile(r"[ \t]*\[{0,2}[ \t]*(?P<quote>[\"']?)(?P<key>[^\"'\s.=\[\]]+)(?P=quote)")
_TOML_TABLE = re.compile(r"[ \t]*\[")
_ERROR_LINE = re.compile(r"\s*\(at line (?P<line>\d+), column \d+\)$")
_PLAIN_KEY = re.compile(r"[A-Za-z_][\w-]*$")


class SplitSource(NamedTuple):
    """A source in two parts. format: yaml, toml, json, or empty without front matter; settings: as lines of YAML."""

    format: str
    settings: list[SourceLine]
    body: list[SourceLine]


def split_source(raw: str, source: str) -> SplitSource:
    """Split a text. source: its path for messages. Raises SiteError if its front matter cannot be read."""
    if _YAML_START.match(raw):
        front, text, first = split_front_matter(raw, source)
        return SplitSource("yaml", split_lines(front, 2), split_lines(text, first))
    if opening := _TOML_START.match(raw):
        return _split_toml(raw, opening.end(), source)
    if _JSON_START.match(raw):
        return _split_json(raw, source)
    return SplitSource("", [], split_lines(raw, 1))


def _split_toml(raw: str, start: int, source: str) -> SplitSource:
    end = _TOML_END.search(raw, start)
    if end is None:
        raise SiteError(Place(source, 1), "the front matter does not end", "close it with a line +++")
    front = raw[start : end.start()]
    try:
        data = tomllib.loads(front)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found = _ERROR_LINE.search(str(error))
        place = Place(source, int(found["line"]) + 1 if found else 1)
        message = f"this is not TOML: {_ERROR_LINE.sub('', str(error))}"
        raise SiteError(place, message, "write key = value; text needs quotes") from error
    except ValueError as error:
        raise long_number_error(front, source, 2) from error
    numbers: dict[str, int] = {}
    comments = []
    in_table = False
    for line in split_lines(front, 2):
        is_table = bool(_TOML_TABLE.match(line.text))
        if line.text.startswith("#"):
            comments.append(line)
        elif (found := _TOML_KEY.match(line.text)) and (is_table or not in_table):
            numbers.setdefault(found["key"], line.number)
        in_table = in_table or (is_table and "=" not in line.text)
    body = split_lines(raw[end.end() + 1 :], raw.count("\n", 0, end.start()) + 2)
    lines = [*comments, *_yaml_lines(data, numbers, 2, source)]
    return SplitSource("toml", sorted(lines, key=lambda line: line.number), body)


def _split_json(raw: str, source: str) -> SplitSource:
    try:
        data, end = json.JSONDecoder().raw_decode(raw)
    except json.JSONDecodeError as error:
        message = f"this front matter is not JSON: {error.msg}"
        raise SiteError(Place(source, error.lineno), message, 'write it as {"title": "A title"}') from error
    except RecursionError as error:
        raise SiteError(Place(source, 1), "this front matter is nested too deeply", "remove a level") from error
    except ValueError as error:
        raise long_number_error(raw, source, 1) from error
    numbers = {
        key: raw.count("\n", 0, found.start()) + 1
        for key in data
        if (found := re.search(rf"{re.escape(json.dumps(key, ensure_ascii=False))}\s*:", raw[:end]))
    }
    _, _, text = raw[end:].partition("\n")
    return SplitSource("json", _yaml_lines(data, numbers, 1, source), split_lines(text, raw.count("\n", 0, end) + 2))


def _yaml_lines(data: Mapping[str, Any], numbers: Mapping[str, int], first: int, source: str) -> list[SourceLine]:
    """One line of YAML for each key, in the order of their lines in the source.

    numbers: key -> line; first: the line of other keys.
    """
    lines = []
    for key, value in data.items():
        name = key if _PLAIN_KEY.match(key) else json.dumps(key, ensure_ascii=False)
        number = numbers.get(key, first)
        try:
            lines.append(SourceLine(f"{name}: {_yaml_value(value)}", number))
        except ValueError as error:  # Python reads a number of any length in hexadecimal, but does not write it
            raise long_number_error("", source, number) from error
    return sorted(lines, key=lambda line: line.number)


def _yaml_value(value: Any) -> str:
    if isinstance(value, str):
        return yaml_scalar(value) if value.isprintable() else json.dumps(value, ensure_ascii=False)
    if isinstance(value, (datetime, date)):
        return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    if isinstance(value, list):
        return f"[{', '.join(_yaml_value(each) for each in value)}]"
    if isinstance(value, dict):
        inside = ", ".join(f"{json.dumps(key, ensure_ascii=False)}: {_yaml_value(each)}" for key, each in value.items())
        return f"{{{inside}}}"
    if isinstance(value, float) and not math.isfinite(value):
        return f"'{value}'"
    return f"'{value.isoformat()}'" if isinstance(value, time) else json.dumps(value)
