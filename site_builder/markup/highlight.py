"""Code -> HTML with a span for each token, byte for byte as Pygments writes it.

A lexer of Pygments tries the rules of its state one after the other, dozens of calls for each token. Here one regular
expression per state finds the rule that matches first. To compile it takes as long as some thirty blocks save, so that
is done only for a language that occurs often.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from io import StringIO
from types import new_class
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pygments.formatter import Formatter
    from pygments.lexer import Lexer

_BLOCKS_BEFORE_COMPILING = 16  # of one language in one process

Rule = tuple[Any, Any, Any]  # the match method of a pattern, a token type or callback, the states that follow
State = tuple[Any, Sequence[Rule]]  # the match method of its combined pattern; rule n is that of lastindex n + 1

_blocks: Counter[str] = Counter()  # by language
_FLAGS = re.compile(r"\(\?([aimsu]+)\)(.*)", re.DOTALL)
# Parts of a pattern. First: what depends on the numbers of groups, and other kinds of groups and comments; then escapes
# and sets of characters, in which a bracket opens no group; last: the beginning of a group.
_PATTERN_PART = re.compile(r"(\\[1-9]|\(\?[(P#])|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(\((?!\?))", re.DOTALL)


@lru_cache(maxsize=512)
def highlighted(code: str, language: str) -> str:
    """Return the code as a <div class="highlight">; without spans when the language is unknown."""
    html = StringIO()
    _blocks[language] += 1
    lexer = _lexer(language, _blocks[language] >= _BLOCKS_BEFORE_COMPILING)
    _formatter().format(lexer.get_tokens(code), html)
    return html.getvalue().strip()


@cache
def _lexer(language: str, is_frequent: bool) -> "Lexer":
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    if is_frequent:
        lexer = _lexer(language, False)
        return fast_lexer(lexer) or lexer
    try:
        return get_lexer_by_name(language)
    except ClassNotFound:
        return get_lexer_by_name("text")


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

    @cache  # a pattern is compiled when a lexer enters its state for the first time
    def state(name: str) -> State:
        return re.compile(patterns[name] or "", plain.flags).match, rules[name]

    faster: Any = new_class(plain.__name__, (_CombinedRules, plain))
    faster.state = staticmethod(state)
    return faster(**lexer.options)  # type: ignore[no-any-return]


class _CombinedRules:
    """RegexLexer with one regular expression for all rules of a state."""

    state: Callable[[str], State]

    def get_tokens_unprocessed(self, text: str, stack: Iterable[str] = ("root",)) -> Iterator[tuple[int, Any, str]]:
        """Yield position, type and text of each token, as RegexLexer does."""
        from pygments.token import Error, Token, Whitespace

        token_type = type(Token)
        at, open_states = 0, list(stack)
        first_match, rules = self.state(open_states[-1])
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
                    first_match, rules = self.state("root")
                continue
            rule_match, action, change = rules[match.lastindex - 1]
            if type(action) is token_type:
                yield at, action, match.group()
            elif action is not None:
                yield from action(self, rule_match(text, at))  # a callback reads the groups of its own pattern
            at = match.end()
            if change is not None:
                _change(open_states, change)
                first_match, rules = self.state(open_states[-1])


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
def _formatter() -> "Formatter[str]":
    from pygments.formatters import HtmlFormatter

    return HtmlFormatter(cssclass="highlight", wrapcode=True)
