"""Where the texts of a notebook stand in its file."""

import re
from collections.abc import Mapping

_SIGN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]:,\n]')

Path = tuple[str | int, ...]


def lines_of_sources(raw: str) -> Mapping[Path, int]:
    """The line of each text of a cell's source, of whole JSON: ("cells", 3, "source", 0) and so on.

    A source in one piece is ("cells", 3, "source"); ("cells", 3) is the line at which the cell begins.
    """
    found: dict[Path, int] = {}
    stack: list[list[str | int]] = []  # the kind of each thing that is open, and the key or place in it
    line, key = 1, ""
    for match in _SIGN.finditer(raw):
        sign = match[0]
        if sign == "\n":
            line += 1
        elif sign in "{[":
            if len(stack) == 2:
                found[_path(stack)] = line
            stack.append([sign, key if sign == "{" else 0])
        elif sign in "}]":
            stack.pop()
        elif sign == ":":
            stack[-1][1] = key
        elif sign == ",":
            if stack[-1][0] == "[":
                stack[-1][1] = int(stack[-1][1]) + 1
        else:
            key = sign[1:-1] if len(sign) < 100 else ""
            if 3 <= len(stack) <= 4 and stack[0][1] == "cells" and stack[2][1] == "source":
                found[_path(stack)] = line
    return found


def _path(stack: list[list[str | int]]) -> Path:
    return tuple(place for _, place in stack)
