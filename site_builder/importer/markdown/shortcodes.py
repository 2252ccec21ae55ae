"""Expands the shortcodes of Hugo and Quarto whose output is known; others are left out and reported."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from site_builder.importer.markdown import shortcode_outputs as outputs
from site_builder.importer.markdown.conversion import (
    ConversionContext,
    SourceLine,
    join_lines,
    number_at,
    number_lines,
    without_blank_ends,
)

_TAG = re.compile(
    r"\{(?P<shown>\{\{<[^{}]*>\}\})\}|"
    r"\{\{(?P<sign>[<%])(?P<comment>/\*)?\s*(?P<close>/?)\s*(?P<name>\w[\w./-]*)"
    r"(?P<words>(?:\"(?:\\.|[^\"\\])*\"|`[^`]*`|[^\"`{}])*?)(?P<end>\*/)?[>%]\}\}"
    r"|\{\{/\*.*?\*/\}\}",
    re.DOTALL,
)
_ARGUMENT = re.compile(
    r"(?:(?P<key>[\w-]+)\s*=\s*)?(?:\"(?P<quoted>(?:\\.|[^\"\\])*)\"|`(?P<raw>[^`]*)`|(?P<bare>[^\s\"`]+))"
)
_INLINE = {**dict.fromkeys(("ref", "relref"), "reference"), **dict.fromkeys(("param", "meta", "var"), "parameter")}


@dataclass(frozen=True)
class ShortcodeScope:
    """The links and parameters that shortcodes refer to. reference: argument of ref or relref -> link or None.

    parameters: of the page and the site, by names in small letters.
    """

    reference: Callable[[str], str | None]
    parameters: Mapping[str, Any]


def has_shortcode(text: str) -> bool:
    """True when there is a shortcode in a text."""
    return "{{" in text and any(found["sign"] for found in _TAG.finditer(text))


def expand_shortcodes(
    lines: Sequence[SourceLine], scope: ShortcodeScope, context: ConversionContext
) -> list[SourceLine]:
    """Replace shortcodes by Markdown; folds and notices become quotations that begin with `[!note]`."""
    return _Expander(lines, scope, context).lines() if "{{" in join_lines(lines) else list(lines)


class _Expander:
    """Copies a text and expands its shortcodes. out: the lines written so far."""

    def __init__(self, lines: Sequence[SourceLine], scope: ShortcodeScope, context: ConversionContext) -> None:
        self.text, self.numbers = join_lines(lines), [line.number for line in lines]
        self.scope, self.context = scope, context
        self.out = [SourceLine("", self.numbers[0] if self.numbers else 1)]

    def lines(self) -> list[SourceLine]:
        """Return the text with its shortcodes expanded."""
        at = 0
        while found := _TAG.search(self.text, at):
            self._copy(at, found.start())
            at = self._expand(found)
        self._copy(at, len(self.text))
        return self.out

    def _lines_between(self, start: int, end: int) -> list[SourceLine]:
        return number_lines(self.text[start:end], self.numbers[self.text.count("\n", 0, start) :])

    def _copy(self, start: int, end: int) -> None:
        first, *rest = self._lines_between(start, end)
        self._write(first.text, first.number)
        self.out += rest

    def _write(self, text: str, number: int) -> None:
        last = self.out[-1]
        self.out[-1] = SourceLine(last.text + text, last.number if last.text else number)

    def _write_block(self, block: Sequence[SourceLine], end: int) -> None:
        """Write lines apart from the text around them, as far to the right as the line with the shortcode.

        end: the index at which the text goes on.
        """
        front, last = re.match(r"[ \t]*", self.out[-1].text)[0], block[-1].number  # type: ignore[index]
        if self.out[-1].text.strip():
            self.out.append(SourceLine("", last))
        self.out[-1] = SourceLine("", last)
        while len(self.out) > 1 and not self.out[-2].text.strip():
            self.out.pop()
        self.out += [SourceLine(f"{front}{line.text}" if line.text else "", line.number) for line in block]
        self.out.append(SourceLine("", last))
        if self.text[end:].partition("\n")[0].strip():
            self.out.append(SourceLine(front, last))

    def _expand(self, found: re.Match[str]) -> int:
        """Write what a shortcode becomes; return the index at which the text goes on."""
        number, name = number_at(self.text, self.numbers, found.start()), found["name"]
        if found["shown"]:  # in Quarto {{{< name >}}} shows {{< name >}}
            self._write(found["shown"], number)
            return found.end()
        if name is None:
            self.context.report(number, "a comment of Hugo", "left out")
            return found.end()
        if found["comment"]:  # {{</* name */>}} shows {{< name >}}
            self._write(found[0].replace("/*", "", 1).replace("*/", "", 1), number)
            return found.end()
        if found["close"]:
            return found.end()  # reported where it opens
        call = outputs.Call(name, *self._arguments(found["words"]), number)
        if (kind := _INLINE.get(name)) is not None:
            self._write(self._reference(call) if kind == "reference" else self._parameter(call), number)
            return found.end()
        closing = None if found["words"].rstrip().endswith("/") else self._closing(name, found.end())
        if closing is None:
            output = outputs.of_single(call, self.context)
            end = found.end()
        else:
            inside = self._lines_between(found.end(), closing.start())
            if name not in outputs.LITERAL:
                inside = _Expander(inside, self.scope, self.context).lines()
            output = outputs.of_pair(call, without_blank_ends(inside), self.context)
            end = closing.end()
        if isinstance(output, str):
            self._write(output, number)
        elif output:
            self._write_block(output, end)
        return end

    def _closing(self, name: str, at: int) -> re.Match[str] | None:
        """The tag that closes a shortcode which was opened before an index."""
        depth = 1
        for found in _TAG.finditer(self.text, at):
            if found["name"] == name and not found["comment"]:
                depth += -1 if found["close"] else 1
                if depth == 0:
                    return found
        return None if depth == 1 else self._first_closing(name, at)

    def _first_closing(self, name: str, at: int) -> re.Match[str] | None:
        tags = _TAG.finditer(self.text, at)
        return next((found for found in tags if found["name"] == name and found["close"]), None)

    def _arguments(self, words: str) -> tuple[tuple[str, ...], dict[str, str]]:
        """The arguments without and with names."""
        alone, named = [], {}
        for each in _ARGUMENT.finditer(words.strip().removesuffix("/")):
            value = next(each[kind] for kind in ("quoted", "raw", "bare") if each[kind] is not None)
            value = re.sub(r"\\(.)", r"\1", value) if each["quoted"] else value
            if each["key"]:
                named[each["key"].lower()] = value
            else:
                alone.append(value)
        return tuple(alone), named

    def _reference(self, call: outputs.Call) -> str:
        written = call.named.get("path") or call.first
        path, sign, anchor = written.partition("#")
        link = self.scope.reference(path) if path else ""
        if link is None:  # reported where the link is resolved
            link = f"/{path.lstrip('/')}"
        return f"{link}{sign}{anchor}".replace(" ", "%20")

    def _parameter(self, call: outputs.Call) -> str:
        value = self.scope.parameters.get(call.first.lower())
        if value is None or isinstance(value, (list, dict)):
            self.context.report(call.number, f"the parameter {call.first} is not known", "left out; write its value")
            return ""
        return str(value)
