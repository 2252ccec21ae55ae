"""Expands the Liquid tags of Jekyll posts, as far as their output is known without running Jekyll."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from site_builder.importer.markdown.conversion import ConversionContext, SourceLine, fence_for, join_lines, number_at

_TAG = re.compile(r"\{%-?\s*(?P<name>\w+)(?P<words>.*?)-?%\}|\{\{-?(?P<value>.*?)-?\}\}", re.DOTALL)
_BLOCK = re.compile(
    r"\{%-?\s*(?P<name>raw|comment|highlight)\b(?P<words>.*?)-?%\}(?P<inside>.*?)\{%-?\s*end(?P=name)\s*-?%\}",
    re.DOTALL,
)
_PART_OF_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_PIPES = re.compile(r"""\|(?=(?:[^"']|"[^"]*"|'[^']*')*$)""")
_ARGUMENT = re.compile(r"(\w+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([\w.]+))")
_MATH_INCLUDE = re.compile(r"mathjax|katex|latex|math", re.IGNORECASE)
_MAX_DEPTH = 5  # of nested includes
_TEXT_FILTERS: Mapping[str, Callable[[str], str]] = {
    **{"upcase": str.upper, "downcase": str.lower, "strip": str.strip},
    **dict.fromkeys(("escape", "xml_escape", "markdownify"), str),
}


@dataclass(frozen=True)
class LiquidScope:
    """The variables of Liquid in a post: `site.x`, `page.x` and, in an included file, `include.x`.

    include: returns the text of a file in _includes/; post_url: returns the link for an argument of post_url.
    """

    site: Mapping[str, Any]
    page: Mapping[str, Any]
    include: Callable[[str], str | None]
    post_url: Callable[[str], str]
    arguments: Mapping[str, Any] = field(default_factory=dict)
    depth: int = 0


def expand_liquid(lines: Sequence[SourceLine], scope: LiquidScope, context: ConversionContext) -> list[SourceLine]:
    """Replace Liquid tags by their output; unknown ones stay and are reported."""
    source = join_lines(lines)
    if "{%" not in source and "{{" not in source:
        return list(lines)
    return _LiquidExpander(source, [line.number for line in lines], scope, context).lines()


class _LiquidExpander:
    """Copies a text and expands its tags. pieces: the parts written so far, each with its line number."""

    def __init__(self, source: str, numbers: list[int], scope: LiquidScope, context: ConversionContext) -> None:
        self.source, self.numbers, self.scope, self.context = source, numbers, scope, context
        self.pieces: list[tuple[str, int]] = []

    def lines(self) -> list[SourceLine]:
        """Return the text with its tags expanded."""
        at = 0
        while found := _TAG.search(self.source, at):
            start, end = found.span()
            number = number_at(self.source, self.numbers, start)
            self._copy(at, start)
            at = end
            if block := _BLOCK.match(self.source, start):
                self._expand_block(block, number)
                at = block.end()
                continue
            if found["value"] is not None:
                output = self._evaluate(found["value"].strip())
            else:
                output = self._tag_output(found["name"], found["words"].strip(), number)
            if output is None:
                tag = " ".join(found[0].split())
                shown = tag if len(tag) <= 60 else tag[:58] + " …"
                self.context.report(number, f"Liquid is not run here: {shown}", "it stands in the text as it is")
                self._copy(start, end)
            else:
                self.pieces.append((output, number))
        self._copy(at, len(self.source))
        lines: list[SourceLine] = [SourceLine("", self.pieces[0][1] if self.pieces else 1)]
        for piece, number in self.pieces:
            first, *rest = piece.split("\n")
            lines[-1] = SourceLine(lines[-1].text + first, lines[-1].number if lines[-1].text else number)
            lines += [SourceLine(line, number) for line in rest]
        return lines

    def _copy(self, start: int, end: int) -> None:
        """Copy a part of the source, each line with its own number."""
        for part in _PART_OF_LINE.finditer(self.source, start, end):
            self.pieces.append((part[0], number_at(self.source, self.numbers, part.start())))

    def _expand_block(self, found: re.Match[str], number: int) -> None:
        """Write the output of a tag with an end tag."""
        start, end = found.span("inside")
        if found["name"] == "raw":
            self._copy(start, end)
            return
        if found["name"] == "comment":
            self.context.report(number, "a comment of Liquid", "left out")
            return
        language, *options = found["words"].split() or [""]
        if options:
            self.context.report(number, f"{' '.join(options)} of highlight is not known here", "left out")
        start = end - len(found["inside"].lstrip("\n"))
        first = min(self.source.count("\n", 0, start), len(self.numbers) - 1)  # an included text has one number
        code = _LiquidExpander(self.source[start:end].rstrip(), self.numbers[first:], self.scope, self.context).lines()
        fence = fence_for(code)
        self.pieces.append((f"{fence}{language}\n", number))
        self.pieces += [(f"{line.text}\n", line.number) for line in code]
        self.pieces.append((fence, code[-1].number))

    def _tag_output(self, name: str, words: str, number: int) -> str | None:
        """The output of a tag without an end tag; None if it is unknown."""
        if name == "post_url":
            return self.scope.post_url(words)
        if name == "link":
            return "/" + words.lstrip("/")
        if name == "gist" and words:
            self.context.report(number, f"the gist {words.split()[0]} is not shown", "a link leads to it")
            return f"<https://gist.github.com/{words.split()[0]}>"
        return self._included(words, number) if name in ("include", "include_relative", "include_cached") else None

    def _included(self, words: str, number: int) -> str | None:
        """The text of a file in _includes/; None if it is unknown or uses more than its arguments."""
        file, *_ = words.split() or [""]
        if _MATH_INCLUDE.search(file):
            self.context.report(number, f"include {file}", "left out: formulas need no script here")
            return ""
        text = self.scope.include(file) if self.scope.depth < _MAX_DEPTH else None
        if text is None:
            return None
        arguments = {name: a or b or self._evaluate(c) or c for name, a, b, c in _ARGUMENT.findall(words[len(file) :])}
        scope = replace(self.scope, arguments=arguments, depth=self.scope.depth + 1)
        trial = replace(self.context, notes=[])
        output = join_lines(_LiquidExpander(text.strip(), [number], scope, trial).lines())
        return None if trial.notes else output

    def _evaluate(self, expression: str) -> str | None:
        """The output of an expression; None if it is unknown."""
        base, *filters = [part.strip() for part in _PIPES.split(expression)]
        value = self._lookup(base)
        for each in filters:
            if value is None:
                return None
            value = self._apply_filter(value, each)
        return None if value is None or isinstance(value, (dict, list)) else _as_text(value)

    def _lookup(self, base: str) -> Any:
        if (text := _unquoted(base)) is not None:
            return text
        owner, _, name = base.partition(".")
        if base in ("site.baseurl", "site.url", "site.github.url"):
            return ""
        known = {"site": self.scope.site, "page": self.scope.page, "include": self.scope.arguments}.get(owner)
        if known is None or "." in name:
            return None
        value = known.get(name)
        return "" if value is None and owner == "include" else value

    def _apply_filter(self, value: Any, filter_call: str) -> Any:
        name, _, argument = filter_call.partition(":")
        name, argument = name.strip(), argument.strip()
        if name in ("relative_url", "absolute_url"):
            return "/" + str(value).lstrip("/")
        if name in ("prepend", "append"):
            more = self._lookup(argument)
            return None if more is None else f"{more}{value}" if name == "prepend" else f"{value}{more}"
        if name == "date" and (form := _unquoted(argument)) is not None and isinstance(value, date):
            return value.strftime(form)
        return _TEXT_FILTERS[name](_as_text(value)) if name in _TEXT_FILTERS else None


def _unquoted(written: str) -> str | None:
    """The text between two quotes; None for anything else."""
    quoted = _QUOTED.fullmatch(written)
    return quoted and (quoted[1] if quoted[1] is not None else quoted[2])


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return json.dumps(value)
    return value.isoformat() if isinstance(value, (date, datetime)) else str(value)
