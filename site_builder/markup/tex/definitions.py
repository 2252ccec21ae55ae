"""Commands that authors define: `\\newcommand` and its kin in formulas, `macros:` in front matter and config.yaml.

They are written out before a formula is parsed. What a formula defines, the later ones of the same text know too.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from site_builder.markup.tex.parser import DEEPEST, SPACE, TOKEN, TexError

_DEFINITION = re.compile(
    r"\\(?:(?P<new>(?:re)?newcommand|providecommand)\*?\s*\{?\s*(?P<name>\\[A-Za-z]+)\s*\}?\s*(?:\[(?P<number>[1-9])\]\s*)?"
    r"|def\s*(?P<defined>\\[A-Za-z]+)(?P<parameters>(?:#[1-9])*)\s*"
    r"|DeclareMathOperator(?P<star>\*?)\s*\{?\s*(?P<operator>\\[A-Za-z]+)\s*\}?\s*)(?=\{)"
)
_PARAMETER = re.compile(r"#([1-9])")
_LONGEST = 10_000  # characters of a formula that is written out


class Macro(NamedTuple):
    """A command of an author. arguments: how many it takes; body: with #1 for the first."""

    arguments: int
    body: str


_known: ContextVar[dict[str, Macro] | None] = ContextVar("macros", default=None)


@contextmanager
def defining(macros: Mapping[str, str]) -> Iterator[None]:
    """Know these commands, and those that formulas define, in the block. macros: bodies by name, with \\ or without."""
    known = {
        f"\\{name.lstrip(chr(92))}": Macro(max(map(int, _PARAMETER.findall(body)), default=0), body)
        for name, body in macros.items()
    }
    token = _known.set(known)
    try:
        yield
    finally:
        _known.reset(token)


def written_out(tex: str) -> str:
    """The TeX with the commands of authors written out and without definitions. Raises TexError."""
    known = _known.get()
    if known is None or not (known or _DEFINITION.search(tex)):
        return tex
    return _Expansion(tex, known).text(0)


class _Expansion:
    """Writes out one text; what it defines is known from there on."""

    def __init__(self, tex: str, known: dict[str, Macro]) -> None:
        self._tex, self._known, self._at = tex, known, 0

    def text(self, depth: int) -> str:
        out: list[str] = []
        while found := TOKEN.match(self._tex, self._at):
            start, name = self._at, found[0].rstrip("*") if found[0][1:] != "*" else found[0]
            if definition := _DEFINITION.match(self._tex, start):
                self._at = definition.end()
                self._define(definition, self._argument("a definition"))
                out.append("\n" * self._tex.count("\n", start, self._at))  # lines keep their numbers
            elif name in self._known and len(name) > 1:
                self._at = start + len(name)
                out.append(self._expanded(name, start, depth))
            else:
                out.append(found[0])
                self._at = found.end()
        made = "".join(out)
        if len(made) > _LONGEST:
            raise TexError("the commands that it uses make it too long", "define them by shorter ones", 0)
        return made

    def _define(self, found: re.Match[str], body: str) -> None:
        name = found["name"] or found["defined"] or found["operator"]
        number = int(found["number"] or 0) or len(_PARAMETER.findall(found["parameters"] or ""))
        if found["operator"]:
            body = f"\\operatorname{found['star']}{{{body}}}"
        self._known[name] = Macro(number, " ".join(body.split("\n")))

    def _expanded(self, name: str, position: int, depth: int) -> str:
        """What a command stands for, the commands in it written out."""
        if depth == DEEPEST:
            raise TexError(f"{name} is defined by itself", "define it by other commands", position)
        macro = self._known[name]
        given = [self._argument(name) for _ in range(macro.arguments)]

        def argument(found: re.Match[str]) -> str:
            number = int(found[1])
            return given[number - 1] if number <= len(given) else found[0]

        return _Expansion(_PARAMETER.sub(argument, macro.body), self._known).text(depth + 1)

    def _argument(self, name: str) -> str:
        """The next group without its braces, or the next token."""
        self._at = SPACE.match(self._tex, self._at).end()  # type: ignore[union-attr]  # it matches the empty text
        start, depth = self._at, 0
        while found := TOKEN.match(self._tex, self._at):
            self._at = found.end()
            depth += (found[0] == "{") - (found[0] == "}")
            if not depth:
                inside = self._tex[start : self._at]
                return inside[1:-1] if inside[0] == "{" else inside
        raise TexError(f"an argument of {name} is missing or not closed", f"write {name}{{…}}", start)
