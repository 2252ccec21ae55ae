"""Settings to which readers can turn a post: `turn:` in front matter, in its short and its long form."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from site_builder.project.validation import shown

_MOST = 24
_KEY = r"[a-z0-9]([a-z0-9._-]*[a-z0-9])?"
_NAME = re.compile(r"[a-z_][A-Za-z0-9_]*\.[A-Za-z_][A-Za-z0-9_]*")
_KEYS = ("key", "label", "set")


@dataclass(frozen=True)
class TurnSetting:
    """One setting: its key in addresses, its label, and the values of parameters, each named solver.name."""

    key: str
    label: str
    values: Mapping[str, Any]


def _settings(value: object) -> list[TurnSetting]:
    """The settings of either form. Raises ValueError."""
    found = _short(value) if isinstance(value, dict) else _long(value)
    if not 1 <= len(found) <= _MOST:
        raise ValueError(f"it has {len(found)} settings; write from 1 to {_MOST}")
    for place, each in enumerate(found):
        if not re.fullmatch(_KEY, each.key):
            raise ValueError(f"{each.key!r} cannot be part of an address; write key: with small letters, digits and -")
        if each.key in [other.key for other in found[:place]]:
            raise ValueError(f"two settings have the key {each.key}; give one of them another")
        for name in each.values:
            if not _NAME.fullmatch(name):
                raise ValueError(f"{name!r} is no parameter; write solver.name, such as coin_game.flips")
    return found


def _short(value: Mapping[str, Any]) -> list[TurnSetting]:
    if len(value) != 1 or not isinstance(next(iter(value.values())), list):
        raise ValueError(f"{shown(value)} is not one parameter with a list, such as {{coin_game.flips: [10, 50]}}")
    ((name, values),) = value.items()
    return [TurnSetting(_key_of(each), _words(each), {name: each}) for each in values]


def _long(value: object) -> list[TurnSetting]:
    if not isinstance(value, list):
        raise ValueError(f"{shown(value)} is neither like {{coin_game.flips: [10, 50]}} nor a list of settings")
    found = []
    for each in value:
        if not isinstance(each, dict) or not isinstance(each.get("set"), dict) or not each["set"]:
            raise ValueError(
                f"{shown(each)} is not like {{key: long, label: a long game, set: {{coin_game.flips: 200}}}}"
            )
        if more := [name for name in each if name not in _KEYS]:
            raise ValueError(f"{more[0]!r} is not known here; a setting has key, label and set")
        values = [_words(value) for value in each["set"].values()]
        label = str(each.get("label") or ", ".join(values))
        found.append(TurnSetting(str(each.get("key") or _key_of(label)), label, each["set"]))
    return found


def _key_of(value: object) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", _words(value).lower()).strip("-.")


def _words(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


TurnSettings = Annotated[list[TurnSetting], BeforeValidator(_settings), WithJsonSchema({"type": ["object", "array"]})]
