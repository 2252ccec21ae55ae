"""YAML text as plain data, with the line of every key; decimals stay exactly as they were written."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import yaml
from yaml.constructor import ConstructorError, SafeConstructor
from yaml.reader import ReaderError

from site_builder.errors import Place, SiteError
from site_builder.values.characters import code_of, forbidden_code

KeyPath = tuple[str | int, ...]

_PREFIX = "tag:yaml.org,2002:"
_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|0b[01_]+)$")
_DECIMAL = re.compile(r"[-+]?(\d[\d_]*)?\.?\d[\d_]*\.?([eE][-+]?\d+)?$")
_BEGINS_WITH_BRACE = re.compile(r"[^:#]*:\s+\{[{%]")
_BRACE, _QUOTE = "a value that begins with a brace is no text to YAML", 'put it in quotes: "{{ ... }}"'
_MOST_NODES = 200_000
_MOST_DIGITS = 3500  # Python writes no whole number of more than 4,300, and hexadecimal digits say more
_DEEPEST = 50
_constructor = SafeConstructor()


@dataclass(frozen=True)
class Reading:
    """A YAML text as mappings, lists and scalars (`data`), and the file's line of each key or entry (`lines`)."""

    path: str
    data: dict[str, Any]
    lines: Mapping[KeyPath, int]

    @property
    def keys_with_values(self) -> dict[str, Any]:
        """The top-level keys that have a value: `tags:` with nothing after it has none."""
        return {key: value for key, value in self.data.items() if value is not None}

    def place(self, *path: str | int) -> Place:
        """The place of a key, or of the nearest known key around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return Place(self.path, self.lines.get(path, 1))


def read_yaml(text: str, path: str, first_line: int = 1) -> Reading:
    """The mapping in a YAML text that starts at line `first_line` of the file at `path`; 0.1 is read as a Decimal.

    Raises SiteError for what is not YAML, for a key that is set twice, and where the text is no mapping.
    """
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        raise _broken(error, text, path, first_line) from error
    except ReaderError as error:
        refused = chr(error.character) if isinstance(error.character, int) else error.character
        line = text.count("\n", 0, text.index(refused)) + first_line  # the position is one of bytes, or of characters
        message = f"the character {code_of(refused)} cannot stand here"
        raise SiteError(Place(path, line), message, "delete it") from error
    if node is None:
        return Reading(path, {}, {(): first_line})
    if not isinstance(node, yaml.MappingNode):
        raise SiteError(Place(path, first_line), "this should be a list of settings", "write `key: value` lines")
    builder = _Builder(path, first_line)
    return Reading(path, builder.value(node, ()), builder.lines)


def read_scalar(text: str) -> Any:
    """One value as YAML reads it, for the command line: `0.6`, `rush`, `[2, 4, 8]`. Raises ValueError."""
    try:
        return read_yaml(f"value: {text}", "", 1).data["value"]
    except SiteError as error:
        raise ValueError(error.message) from error


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The C loader where it was built. What looks like a whole number to YAML 1.1 alone is text: 12:30 and 010."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - as PyYAML declares it
        sign: [(tag, _WHOLE if tag == f"{_PREFIX}int" else pattern) for tag, pattern in known]
        for sign, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


class _Builder:
    """Data from composed nodes, noting lines on the way."""

    def __init__(self, path: str, first_line: int) -> None:
        self.path = path
        self.first_line = first_line
        self.lines: dict[KeyPath, int] = {}
        self.nodes = 0

    def value(self, node: yaml.Node, at: KeyPath) -> Any:
        if len(at) > _DEEPEST:  # such as an alias within what it stands for
            raise SiteError(self._place(node), f"this YAML is nested more than {_DEEPEST} levels deep")
        self.lines.setdefault(at, self._line(node))
        self.nodes += 1
        if self.nodes > _MOST_NODES:
            raise SiteError(self._place(node), f"this YAML has more than {_MOST_NODES:,} entries")
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, at)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(entry, (*at, i)) for i, entry in enumerate(node.value)]
        return self._scalar(node)

    def _mapping(self, node: yaml.MappingNode, at: KeyPath) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = key_node.value if isinstance(key_node, yaml.ScalarNode) else ""
            if not key:
                if isinstance(key_node, yaml.MappingNode):  # {{ ... }} without quotes
                    raise SiteError(self._place(key_node), _BRACE, _QUOTE)
                raise SiteError(self._place(key_node), "a key must be a word", "write `key: value`")
            if key in found:
                raise SiteError(self._place(key_node), f"{key!r} is set twice", "keep one of the two")
            self.lines[(*at, key)] = self._line(key_node)
            found[key] = self.value(value_node, (*at, key))
        return found

    def _scalar(self, node: yaml.Node) -> Any:
        kind, construct = node.tag.removeprefix(_PREFIX), SafeConstructor.yaml_constructors.get(node.tag)
        if construct is None or not isinstance(node, yaml.ScalarNode):
            raise SiteError(self._place(node), f"the tag {node.tag} is not known here")
        if kind == "str" and (code := forbidden_code(node.value)):
            raise SiteError(self._place(node), f"the character {code} cannot stand in a text", "delete it")
        if kind == "int" and len(node.value) > _MOST_DIGITS:
            message = f"a number of {len(node.value):,} digits; it may have {_MOST_DIGITS:,}"
            raise SiteError(self._place(node), message)
        if kind == "float" and _DECIMAL.match(node.value):
            return Decimal(node.value.replace("_", ""))
        try:
            return construct(_constructor, node)
        except (ValueError, ConstructorError) as error:  # mostly a date with parts that are out of range
            message, cure = f"{node.value!r} is not a date: {error}", "write a date such as 2026-11-20"
            if kind != "timestamp":
                message, cure = f"{node.value!r} cannot be read: {error}", ""
            raise SiteError(self._place(node), message, cure) from error

    def _line(self, node: yaml.Node) -> int:
        return int(node.start_mark.line) + self.first_line

    def _place(self, node: yaml.Node) -> Place:
        return Place(self.path, self._line(node))


def _broken(error: yaml.MarkedYAMLError, text: str, path: str, first_line: int) -> SiteError:
    mark = error.problem_mark or error.context_mark
    line = (mark.line if mark else 0) + first_line
    lines = text.split("\n")
    for near in [each.line for each in (error.problem_mark, error.context_mark) if each and each.line < len(lines)]:
        if _BEGINS_WITH_BRACE.match(lines[near]):
            return SiteError(Place(path, near + first_line), _BRACE, _QUOTE)
    problem = error.problem or "it cannot be read"
    if "cannot start any token" in problem:
        cure = "indent with spaces, not with tabs; put a text that begins with a sign such as @ or % into quotes"
    elif "mapping values are not allowed" in problem:
        cure = "put a text that holds a colon into quotes"
    elif "found unexpected end of stream" in problem or "while scanning a quoted" in (error.context or ""):
        cure = "close the quotes"
    else:
        cure = "look for a missing quote, bracket or space after a colon, here or just above"
    return SiteError(Place(path, line), f"this is not YAML: {problem}", cure)
