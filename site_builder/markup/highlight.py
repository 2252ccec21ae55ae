"""Code -> HTML with a span for each token, byte for byte as Pygments writes it.

A lexer of Pygments tries the rules of its state one after the other, dozens of calls for each token. Here one regular
expression per state finds the rule that matches first. To compile it takes as long as some thirty blocks save, so that
is done only for a language that occurs often.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from io import StringIO
from types import new_class
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pygments.formatter import Formatter
    from pygments.lexer import Lexer

_BLOCKS_BEFORE_COMPILING = 16  # of one language in one process

Rule = tuple[Any, Any, Any]  # the match method of a pattern, a token type or callback, the states that follow
Token = tuple[Any, str]  # type and text

_FLAGS = re.compile(r"\(\?([aimsu]+)\)(.*)", re.DOTALL)
# Parts of a pattern. First: what depends on the numbers of groups, and other kinds of groups and comments; then escapes
# and sets of characters, in which a bracket opens no group; last: the beginning of a group.
_PATTERN_PART = re.compile(r"(\\[1-9]|\(\?[(P#])|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(\((?!\?))", re.DOTALL)


@lru_cache(maxsize=512)
def highlighted(code: str, language: str) -> str:
    """Return the code as a <div class="highlight">; without spans when the language is unknown."""
    html = StringIO()
    _formatter().format(_code_lexer(language).tokens(code), html)
    return html.getvalue().strip()


class CodeLexer:
    """The lexer of a language, replaced by a faster one after some blocks."""

    def __init__(self, lexer: "Lexer") -> None:
        self._lexer = lexer
        self._blocks = 0

    def tokens(self, code: str) -> Iterable[Token]:
        """Return the tokens of a block of code."""
        self._blocks += 1
        if self._blocks == _BLOCKS_BEFORE_COMPILING:
            self._lexer = fast_lexer(self._lexer) or self._lexer
        return self._lexer.get_tokens(code)


def fast_lexer(lexer: "Lexer") -> "Lexer | None":
    """Return a lexer that finds the same tokens faster; None when its rules cannot be combined."""
    from pygments.lexer import RegexLexer

    plain: Any = type(lexer)
    if plain.get_tokens_unprocessed is not RegexLexer.get_tokens_unprocessed or hasattr(plain, "token_variants"):
        return None
    rules: Mapping[str, Sequence[Rule]] = plain.process_tokendef("", plain.get_tokendefs())
    patterns = {state: _any_of(rules[state]) for state in rules}
    if None in patterns.values():
        return None
    faster: Any = new_class(plain.__name__, (_CombinedRules, plain))
    faster.states = _States(patterns, rules, plain.flags)
    return faster(**lexer.options)  # type: ignore[no-any-return]


class _CombinedRules:
    """RegexLexer with one regular expression for all rules of a state."""

    states: "_States"

    def get_tokens_unprocessed(self, text: str, stack: Iterable[str] = ("root",)) -> Iterator[tuple[int, Any, str]]:
        """Yield position, type and text of each token, as RegexLexer does."""
        from pygments.token import Error, Token, Whitespace

        token_type = type(Token)
        at, open_states = 0, list(stack)
        first_match, rules = self.states[open_states[-1]]
        while True:
            match = first_match(text, at)
            if match is None:
                if at >= len(text):
                    return
                character = text[at]
                yield at, Whitespace if character == "\n" else Error, character
                at += 1
                if character == "\n":  # the end of a line leads out of a state that has no rule for it
                    open_states = ["root"]
                    first_match, rules = self.states["root"]
                continue
            rule_match, action, change = rules[match.lastindex - 1]
            if type(action) is token_type:
                yield at, action, match.group()
            elif action is not None:
                yield from action(self, rule_match(text, at))  # a callback reads the groups of its own pattern
            at = match.end()
            if change is not None:
                _change(open_states, change)
                first_match, rules = self.states[open_states[-1]]


class _States(dict[str, tuple[Any, Sequence[Rule]]]):
    """For each state the match method of its combined pattern, and its rules: rule number n is that of lastindex n + 1.

    A pattern is compiled when a lexer enters its state for the first time.
    """

    def __init__(self, patterns: Mapping[str, str | None], rules: Mapping[str, Sequence[Rule]], flags: int) -> None:
        super().__init__()
        self._patterns, self._rules, self._flags = patterns, rules, flags

    def __missing__(self, state: str) -> tuple[Any, Sequence[Rule]]:
        self[state] = re.compile(self._patterns[state] or "", self._flags).match, self._rules[state]
        return self[state]


def _any_of(rules: Sequence[Rule]) -> str | None:
    """Return a pattern that tries those of the rules in turn, each with one empty group at its end.

    Their own groups become groups without a number: the pattern is much faster without them.
    """
    patterns = []
    for match, _, _ in rules:
        pattern = getattr(match, "__self__", None)
        if not isinstance(pattern, re.Pattern) or pattern.flags & re.VERBOSE:
            return None
        flags, source = found.groups() if (found := _FLAGS.fullmatch(pattern.pattern)) else ("", pattern.pattern)
        if any(part[1] for part in _PATTERN_PART.finditer(source)):
            return None
        source = _PATTERN_PART.sub(lambda part: "(?:" if part[2] else part[0], source)
        patterns.append(f"(?{flags}:{source})()")
    return "|".join(patterns) or "(?!)"


def _change(states: list[str], change: Any) -> None:
    """Leave and enter states as a rule says: a number of states to leave, or names to enter."""
    if isinstance(change, int):
        del states[max(1, len(states) + change) :]
        return
    for state in change if isinstance(change, tuple) else (change,):
        if state == "#pop":
            del states[max(1, len(states) - 1) :]
        else:
            states.append(states[-1] if state == "#push" else state)


@cache
def _code_lexer(language: str) -> CodeLexer:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return CodeLexer(get_lexer_by_name(language))
    except ClassNotFound:
        return CodeLexer(get_lexer_by_name("text"))


@cache
def _formatter() -> "Formatter[str]":
    from pygments.formatters import HtmlFormatter

    return HtmlFormatter(cssclass="highlight", wrapcode=True)
