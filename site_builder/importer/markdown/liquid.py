"""Liquid in the text of a Jekyll post -> what it writes, as far as that is known without running Jekyll."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from site_builder.importer.markdown.lines import Line, Text, joined

_TAG = re.compile(r"\{%-?\s*(?P<name>\w+)(?P<words>.*?)-?%\}|\{\{-?(?P<value>.*?)-?\}\}", re.DOTALL)
_QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_PIPES = re.compile(r"""\|(?=(?:[^"']|"[^"]*"|'[^']*')*$)""")
_ASSIGNED = re.compile(r"(\w+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([\w.]+))")
_FOR_FORMULAS = re.compile(r"mathjax|katex|latex|math", re.IGNORECASE)
_DEEPEST = 5  # files that include one another

Include = Callable[[str], str | None]


@dataclass(frozen=True)
class Names:
    """What Liquid knows in a post: `site.x`, `page.x` and, in an included file, `include.x`.

    include: the text of a file in _includes/; post: the file of the post that post_url names, such as _posts/x.md.
    """

    site: Mapping[str, Any]
    page: Mapping[str, Any]
    include: Include
    post: Callable[[str], str]
    given: Mapping[str, Any] = field(default_factory=dict)
    depth: int = 0


def without_liquid(lines: Sequence[Line], names: Names, text: Text) -> list[Line]:
    """The lines with Liquid's tags as what they write; those that are not understood stay, and are noted."""
    said = joined(lines)
    if "{%" not in said and "{{" not in said:
        return list(lines)
    return _Liquid(said, [line.number for line in lines], names, text).lines()


class _Liquid:
    def __init__(self, said: str, numbers: list[int], names: Names, text: Text) -> None:
        self.said, self.numbers, self.names, self.text = said, numbers, names, text
        self.made: list[tuple[str, int]] = []

    def lines(self) -> list[Line]:
        at = 0
        while found := _TAG.search(self.said, at):
            self._keep(at, found.start())
            at = self._tag(found)
        self._keep(at, len(self.said))
        out: list[Line] = [Line("", self.made[0][1] if self.made else 1)]
        for piece, number in self.made:
            first, *rest = piece.split("\n")
            out[-1] = Line(out[-1].text + first, out[-1].number if out[-1].text else number)
            out += [Line(line, number) for line in rest]
        return out

    def _keep(self, start: int, end: int) -> None:
        """The text between two places as it is, each line with its own number."""
        at = start
        while at < end:
            line_end = self.said.find("\n", at, end)
            line_end = end if line_end < 0 else line_end + 1
            self.made.append((self.said[at:line_end], self._number(at)))
            at = line_end

    def _number(self, at: int) -> int:
        return self.numbers[min(self.said.count("\n", 0, at), len(self.numbers) - 1)]

    def _put(self, piece: str, at: int) -> None:
        self.made.append((piece, self._number(at)))

    def _tag(self, found: re.Match[str]) -> int:
        """Write what a tag stands for; where the text goes on."""
        number = self._number(found.start())
        if found["value"] is not None:
            value = self._value(found["value"].strip())
            if value is None:
                self._unknown(found)
            else:
                self._put(value, found.start())
            return found.end()
        name, words = found["name"], found["words"].strip()
        if name in ("raw", "comment", "highlight"):
            closing = re.compile(rf"\{{%-?\s*end{name}\s*-?%\}}").search(self.said, found.end())
            if closing:
                self._block(name, words, found.end(), closing.start(), number)
                return closing.end()
        if not self._single(name, words, found.start()):
            self._unknown(found)
        return found.end()

    def _unknown(self, found: re.Match[str]) -> None:
        tag = " ".join(found[0].split())
        shown = tag if len(tag) <= 60 else tag[:58] + " …"
        self.text.note(
            self._number(found.start()), f"Liquid is not run here: {shown}", "it stands in the text as it is"
        )
        self._keep(found.start(), found.end())

    def _block(self, name: str, words: str, start: int, end: int, number: int) -> None:
        if name == "raw":
            self._keep(start, end)
        elif name == "comment":
            self.text.note(number, "a comment of Liquid", "left out")
        else:
            self._highlight(words, start, end, number)

    def _highlight(self, words: str, start: int, end: int, number: int) -> None:
        language, *options = words.split()
        if options:
            self.text.note(number, f"{' '.join(options)} of highlight is not known here", "left out")
        while self.said[start:end][:1] == "\n":
            start += 1
        inner = replace(self.names)
        code = _Liquid(self.said[start:end].rstrip(), self.numbers[self.said.count("\n", 0, start) :], inner, self.text)
        lines = code.lines()
        longest = max((len(run) for line in lines for run in re.findall("`{3,}", line.text)), default=2)
        signs = "`" * (longest + 1)
        self.made.append((f"{signs}{language}\n", number))
        self.made += [(f"{line.text}\n", line.number) for line in lines]
        self.made.append((signs, lines[-1].number))

    def _single(self, name: str, words: str, at: int) -> bool:
        """Write a tag without an end of its own; False where it is not understood."""
        if name == "post_url":
            self._put(self.names.post(words), at)
        elif name == "link":
            self._put("/" + (self._filled(words) or words).lstrip("/"), at)
        elif name == "gist" and words:
            self._put(f"<https://gist.github.com/{words.split()[0]}>", at)
            self.text.note(self._number(at), f"the gist {words.split()[0]} is not shown", "a link leads to it")
        elif name in ("include", "include_relative", "include_cached"):
            return self._include(words, at)
        else:
            return False
        return True

    def _filled(self, words: str) -> str | None:
        return words if "{{" not in words else None

    def _include(self, words: str, at: int) -> bool:
        file, *_ = words.split() or [""]
        if _FOR_FORMULAS.search(file):
            self.text.note(self._number(at), f"include {file}", "left out: formulas need no script here")
            return True
        text = self.names.include(file) if self.names.depth < _DEEPEST else None
        if text is None:
            return False
        given = {name: a or b or self._value(c) or c for name, a, b, c in _ASSIGNED.findall(words[len(file) :])}
        names = replace(self.names, given=given, depth=self.names.depth + 1)
        trial = replace(self.text, notes=[])
        number = self._number(at)
        written = joined(_Liquid(text.strip(), [number], names, trial).lines())
        if trial.notes:  # the file does more than to fill in what it was given
            return False
        self._put(written, at)
        return True

    def _value(self, said: str) -> str | None:
        """What an expression writes; None where that is not known."""
        base, *filters = [part.strip() for part in _PIPES.split(said)]
        value = self._named(base)
        for each in filters:
            if value is None:
                return None
            value = self._filtered(value, each)
        return None if value is None or isinstance(value, (dict, list)) else _written(value)

    def _named(self, base: str) -> Any:
        if quoted := _QUOTED.fullmatch(base):
            return quoted[1] if quoted[1] is not None else quoted[2]
        owner, _, name = base.partition(".")
        if base in ("site.baseurl", "site.url", "site.github.url"):
            return ""
        known = {"site": self.names.site, "page": self.names.page, "include": self.names.given}.get(owner)
        if known is None or "." in name:
            return None
        value = known.get(name)
        return "" if value is None and owner == "include" else value

    def _filtered(self, value: Any, said: str) -> Any:
        name, _, argument = said.partition(":")
        name, argument = name.strip(), argument.strip()
        if name in ("relative_url", "absolute_url"):
            return "/" + str(value).lstrip("/")
        if name in ("prepend", "append"):
            more = self._named(argument)
            return None if more is None else f"{more}{value}" if name == "prepend" else f"{value}{more}"
        if name == "date" and (quoted := _QUOTED.fullmatch(argument)) and isinstance(value, date):
            return value.strftime(quoted[1] or quoted[2])
        simple: dict[str, Callable[[str], str]] = {
            "upcase": str.upper,
            "downcase": str.lower,
            "strip": str.strip,
            "escape": str,
            "xml_escape": str,
            "markdownify": str,
        }
        return simple[name](_written(value)) if name in simple else None


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return json.dumps(value)
    return value.isoformat() if isinstance(value, (date, datetime)) else str(value)
