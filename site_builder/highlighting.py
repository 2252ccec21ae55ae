"""Code -> HTML with a span for each kind of word, byte for byte as Pygments' HtmlFormatter writes it.

Pygments tries the rules of a state one after the other at every word. Here they are the alternatives of one expression,
which tries them in the same order and so finds the same rule, in one call. To compile it costs as much as some blocks
take, so that is done only for a language that comes up often.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pygments.lexer import Lexer

Rule = tuple[Callable[[str, int], "re.Match[str] | None"], Any, Any]  # how it matches, what it gives, the states after
Find = Callable[[str, int], tuple[int, Rule] | None]  # the end of the match, and the rule that matched
Word = tuple[Any, str]  # the kind of a word, and the word

_FEW = 12  # blocks of one language whose rules are not worth an expression
_FLAGS = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "x": re.VERBOSE}
_GLOBAL_FLAGS = re.compile(r"^\(\?[aimsux]+\)")
_REFERENCE = re.compile(r"\\[1-9]|\(\?P=|\(\?\(")  # to a group, by its number or name


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
        self._states: dict[str, Find] = {}
        self._blocks = 0
        self.has_rules = type(lexer).get_tokens_unprocessed is RegexLexer.get_tokens_unprocessed

    def words(self, code: str) -> Iterable[Word]:
        """The words with their kinds, as the lexer gives them."""
        self._blocks += 1
        if self.has_rules and self._blocks > _FEW:
            return self.found_at_once(code)
        return self._lexer.get_tokens(code)  # type: ignore[no-any-return]

    def found_at_once(self, code: str) -> Iterator[Word]:
        """The same, with one expression for each state, as RegexLexer.get_tokens_unprocessed finds them one by one."""
        from pygments.token import Error, Whitespace, _TokenType

        text = self._lexer._preprocess_lexer_input(code)
        at, stack = 0, ["root"]
        find = self._find("root")
        while True:
            if (found := find(text, at)) is not None:
                end, (match, action, change) = found
                if type(action) is _TokenType:
                    yield action, text[at:end]
                elif action is not None:
                    yield from ((kind, word) for _, kind, word in action(self._lexer, match(text, at)))
                at = end
                if change is not None:
                    _change(stack, change)
                    find = self._find(stack[-1])
            elif at >= len(text):
                return
            else:  # the end of a line leads out of a state that has no rule for it
                is_end = text[at] == "\n"
                yield (Whitespace if is_end else Error), text[at]
                at += 1
                if is_end:
                    stack = ["root"]
                    find = self._find("root")

    def _find(self, state: str) -> Find:
        if state not in self._states:
            self._states[state] = _finder(self._lexer._tokens[state])
        return self._states[state]


@cache
def _language(name: str) -> Words:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return Words(get_lexer_by_name(name))
    except ClassNotFound:
        return Words(get_lexer_by_name("text"))


def _finder(rules: Sequence[Rule]) -> Find:
    """What finds the first of the rules that matches: by one expression, or one by one where they do not go together.

    In the expression an empty group after each rule tells which one matched.
    """
    patterns = [getattr(match, "__self__", None) for match, _, _ in rules]
    expression, owner, group = [], {}, 0
    for pattern, rule in zip(patterns, rules, strict=True):
        if not isinstance(pattern, re.Pattern) or _REFERENCE.search(pattern.pattern):
            return _one_by_one(rules)
        expression.append(f"{_scoped(pattern)}()")
        group += pattern.groups + 1
        owner[group] = rule
    try:
        match_any = re.compile("|".join(expression)).match
    except re.error:  # such as two groups of one name
        return _one_by_one(rules)

    def at_once(text: str, at: int) -> tuple[int, Rule] | None:
        match = match_any(text, at)
        return (match.end(), owner[match.lastindex or 0]) if match else None

    return at_once


def _scoped(pattern: "re.Pattern[str]") -> str:
    """A pattern as a part of another, with flags of its own."""
    letters = "".join(letter for letter, flag in _FLAGS.items() if pattern.flags & flag)
    end = "\n" if pattern.flags & re.VERBOSE else ""  # a comment may end it
    return f"(?{letters}:{_GLOBAL_FLAGS.sub('', pattern.pattern)}{end})"


def _one_by_one(rules: Sequence[Rule]) -> Find:
    def one_by_one(text: str, at: int) -> tuple[int, Rule] | None:
        for rule in rules:
            if match := rule[0](text, at):
                return match.end(), rule
        return None

    return one_by_one


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
        opening = _opening(kind)
        *whole, last = escape(word, quote=False).split("\n")
        for part in whole:
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


@cache
def _opening(kind: Any) -> str:
    """The tag of a span for a kind of word; empty for plain text."""
    from pygments.formatters import HtmlFormatter

    classes = HtmlFormatter()._get_css_classes(kind)  # type: ignore[attr-defined]
    return f'<span class="{classes}">' if classes else ""
