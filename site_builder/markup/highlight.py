"""Code -> HTML with a span for each kind of word, byte for byte as Pygments' HtmlFormatter writes it.

Pygments tries the rules of a state one after the other at every word, half a hundred of them in Python. Here only those
are tried, in the same order, that may match where such a character stands. To find out which costs as much as some
blocks take, so that is done only for a language that comes up often.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_FEW = 8  # blocks of one language

# How it matches, the kind of word it gives, or else what to call for its words, and the states after it.
Rule = tuple[Callable[[str, int], "re.Match[str] | None"], Any, Any, Any]
Word = tuple[Any, str]  # the kind of a word, and the word


@lru_cache(maxsize=512)
def highlighted(code: str, language: str) -> str:
    """The code in a <div class="highlight">; without spans in a language that nobody knows."""
    return (
        f'<div class="highlight"><pre><span></span><code>{_spans(_language(language).words(code))}</code></pre></div>'
    )


class Words:
    """The words of code in one language."""

    def __init__(self, lexer: "Lexer") -> None:
        from pygments.lexer import RegexLexer

        self._lexer: Any = lexer
        self._rules: dict[str, _Rules] = {}
        self._blocks = 0
        self.has_rules = type(lexer).get_tokens_unprocessed is RegexLexer.get_tokens_unprocessed

    def words(self, code: str) -> Iterable[Word]:
        """The words with their kinds, as the lexer gives them."""
        self._blocks += 1
        if self.has_rules and self._blocks > _FEW:
            return self.by_rules(code)
        return self._lexer.get_tokens(code)  # type: ignore[no-any-return]

    def by_rules(self, code: str) -> Iterator[Word]:
        """The same, as RegexLexer.get_tokens_unprocessed finds them, but for the rules that are not tried."""
        from pygments.token import Error, Whitespace

        text = self._lexer._preprocess_lexer_input(code)
        at, stack = 0, ["root"]
        rules = self._rules_of("root")
        while True:
            for match, kind, action, change in rules[text[at - 1 : at + 1] if at else f"\n{text[:1]}"]:
                if found := match(text, at):
                    if kind is not None:
                        yield kind, found.group()
                    elif action is not None:
                        yield from ((kind, word) for _, kind, word in action(self._lexer, found))
                    at = found.end()
                    if change is not None:
                        _change(stack, change)
                        rules = self._rules_of(stack[-1])
                    break
            else:
                character = text[at : at + 1]
                if not character:
                    return
                yield (Whitespace if character == "\n" else Error), character
                at += 1
                if character == "\n":  # the end of a line leads out of a state that has no rule for it
                    stack = ["root"]
                    rules = self._rules_of("root")

    def _rules_of(self, state: str) -> "_Rules":
        if state not in self._rules:
            self._rules[state] = _Rules(self._lexer._tokens[state])
        return self._rules[state]


class _Rules(dict[str, Sequence[Rule]]):
    """The rules of a state by two characters: the one before the place where they are tried, and the one there.

    At the beginning of the text the first is the end of a line, at its end there is no second.
    """

    def __init__(self, rules: Sequence[tuple[Any, Any, Any]]) -> None:
        from pygments.token import _TokenType

        super().__init__()
        self._rules: list[Rule] = [
            (match, action, None, change) if type(action) is _TokenType else (match, None, action, change)
            for match, action, change in rules
        ]

    def __missing__(self, around: str) -> Sequence[Rule]:
        before, character = around[:1], around[1:]
        self[around] = [rule for rule in self._rules if _may_match(rule, before, character)]
        return self[around]


def _may_match(rule: Rule, before: str, character: str) -> bool:
    from site_builder.markup.regex_first_chars import ASCII, beginnings, begins_a_line

    pattern = getattr(rule[0], "__self__", None)
    if not isinstance(pattern, re.Pattern):
        return True
    if before != "\n" and begins_a_line(pattern):
        return False
    return character not in ASCII or character in beginnings(pattern)


@cache
def _language(name: str) -> Words:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return Words(get_lexer_by_name(name))
    except ClassNotFound:
        return Words(get_lexer_by_name("text"))


def _change(stack: list[str], change: Any) -> None:
    """Change the states that the lexer is in as a rule says: a number of states to leave, or names to enter."""
    if isinstance(change, int):
        del stack[max(1, len(stack) + change) :]
        return
    for state in change if isinstance(change, tuple) else (change,):
        if state == "#pop":
            del stack[max(1, len(stack) - 1) :]
        else:
            stack.append(stack[-1] if state == "#push" else state)


def _spans(words: Iterable[Word]) -> str:
    """The words as HTML, those of one kind in one span; no span reaches over the end of a line."""
    pieces: list[str] = []
    opened, is_begun = "", False
    for kind, word in words:
        opening, lines = _opening(kind), _lines(word)
        last = lines[-1]
        if len(lines) > 1:
            for part in lines[:-1]:
                if part and opening != opened:
                    pieces += ("</span>" if opened else "", opening, part, "</span>" if opening else "", "\n")
                else:
                    pieces += (part, "</span>" if opened else "", "\n")
                opened, is_begun = "", False
        if last:
            if opening != opened:
                pieces += ("</span>" if opened else "", opening)
                opened = opening
            pieces.append(last)
            is_begun = True
    if is_begun:
        pieces += ("</span>" if opened else "", "\n")
    return "".join(pieces)


@lru_cache(maxsize=4096)
def _lines(word: str) -> tuple[str, ...]:
    return tuple(escape(word, quote=False).split("\n"))


@cache
def _opening(kind: Any) -> str:
    """The tag of a span for a kind of word; empty for plain text."""
    from pygments.formatters import HtmlFormatter

    classes = HtmlFormatter()._get_css_classes(kind)  # type: ignore[attr-defined]
    return f'<span class="{classes}">' if classes else ""
