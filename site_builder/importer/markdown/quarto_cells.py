"""Reads the options of Quarto's cells: in the first line as in R Markdown, and in lines that begin with #|."""

import re
from collections.abc import Sequence

from site_builder.importer.markdown.conversion import SourceLine
from site_builder.importer.markdown.pandoc_attributes import Attributes

CAPTIONS = ("fig-cap", "tbl-cap", "lst-cap")
READ_OPTIONS = ("label", "lst-label", "code-fold", "code-summary", "echo", "include", "eval", *CAPTIONS)
_IN_FIRST_LINE = re.compile(r"(?P<key>[\w.-]+)\s*=\s*(?P<value>\"[^\"]*\"|'[^']*'|[^,]*)|(?P<label>[^\s,=]+)")
_OPTION = re.compile(r"[ \t]*(?:#|//|--|%%|%)\|[ ]?(?P<text>.*)$")
_KEY = re.compile(r"(?P<key>[\w.-]+):(?:[ \t]+(?P<value>.*))?$")
_QUOTED = re.compile(r"(?P<sign>[\"'])(?P<text>.*)(?P=sign)$")
_MULTILINE = ("|", ">", "|-", ">-")
_OF_R = {"TRUE": "true", "FALSE": "false"}


def read_options(first: str, rows: Sequence[SourceLine]) -> tuple[Attributes, int]:
    """Return the options of a cell, and how many of its lines hold some.

    first: those in the line that opens it; rows: its other lines.
    """
    named = {}
    for each in _IN_FIRST_LINE.finditer(first):
        key = each["key"].replace(".", "-") if each["key"] else "label"
        value = _unquoted(each["value"] or each["label"] or "")
        named[key] = _OF_R.get(value, value)
    count = next((at for at, row in enumerate(rows) if not _OPTION.match(row.text)), len(rows))
    named |= _option_values([_OPTION.sub(r"\g<text>", row.text) for row in rows[:count]])
    return Attributes("", (), named), count


def _option_values(rows: Sequence[str]) -> dict[str, str]:
    """Options in YAML; values over several lines and lists as one text."""
    found: dict[str, str] = {}
    key = ""
    for row in rows:
        if start := _KEY.match(row):
            key, value = start["key"], (start["value"] or "").strip()
            found[key] = "" if value in _MULTILINE else value
        elif key:
            found[key] = f"{found[key]} {row.strip()}".strip()
    return {key: _unquoted(value) for key, value in found.items()}


def _unquoted(value: str) -> str:
    return _QUOTED.sub(r"\g<text>", value.strip())
