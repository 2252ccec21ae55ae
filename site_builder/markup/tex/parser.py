"""TeX -> rows of atoms: braces, arguments and scripts, with every error in them.

What a single command makes is not known here; `commands` and `environments` hold the tables.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import NoReturn
from xml.etree.ElementTree import Element

from site_builder.markup.tex.atoms import (
    THIN,
    THIN_SPACE,
    THIN_SPACES,
    WITH_OWN_SPACE,
    Atom,
    as_row,
    element,
    large_operator,
    leaf,
    ordinary,
    sign,
    space,
    spaced,
    word,
)
from site_builder.markup.tex.symbols import DELIMITERS, FONT_SWITCHES, KEYS, KINDS, word_in_alphabet

DEEPEST = 40  # braces, arguments and environments within one another

SPACE = re.compile(r"[ \t\r\n]*")
TOKEN = re.compile(r"\\(?:[A-Za-z]+\*?|.)|.", re.DOTALL)
# Digits with the groups that authors write as 1{,}000 or 1\,000, and decimals.
NUMBER = re.compile(r"[0-9]+(?:\{,\}[0-9]+|\\,[0-9]{3}(?![0-9]))*(?:\.[0-9]+(?:\\,[0-9]{3}(?![0-9]))*)?|\.[0-9]+")
LETTERS = re.compile(r"[A-Za-z]+")
DIGITS = frozenset("0123456789")
STARRED = frozenset({"\\operatorname*", "\\hspace*", "\\tag*"})  # whose star is part of the name
INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})  # categories of Unicode that no reader can see

LINE_BREAKS = frozenset({"\\\\", "\\cr"})
ROW_NUMBER = "\\tag*"
ROW_ENDS = frozenset({"", "}", "&", "\\right", "\\middle", "\\end", ROW_NUMBER}) | LINE_BREAKS
OWN_ENDS = {"bracket": "]", "dollar": "$"}
COLOUR = re.compile(r"\s*\{\s*([^{}]*?)\s*\}")
COLOURS = ("blue", "orange", "grey", "green", "pink", "yellow", "red", "violet")  # those of figures
STYLES = {
    "\\displaystyle": {"displaystyle": "true", "scriptlevel": "0"},
    "\\textstyle": {"displaystyle": "false", "scriptlevel": "0"},
    "\\scriptstyle": {"displaystyle": "false", "scriptlevel": "1"},
    "\\scriptscriptstyle": {"displaystyle": "false", "scriptlevel": "2"},
}
# Fractions written between their parts: the line's thickness and what stands around.
INFIXES: dict[str, tuple[dict[str, str], str, str]] = {
    "\\over": ({}, "", ""), "\\atop": ({"linethickness": "0"}, "", ""), "\\choose": ({"linethickness": "0"}, "(", ")"),
    "\\brace": ({"linethickness": "0"}, "{", "}"), "\\brack": ({"linethickness": "0"}, "[", "]"),
}  # fmt: skip
# What authors define most, with the definition.
USUAL = {
    **{f"\\{letter}": f"{{\\mathbb{{{letter}}}}}" for letter in "RNZQCEP"},
    **{f"\\{name}": f"{{\\operatorname{{{name}}}}}" for name in ("Var", "Cov", "Bin", "sgn", "argmax", "argmin")},
    "\\abs": "[1]{\\lvert #1 \\rvert}", "\\norm": "[1]{\\lVert #1 \\rVert}", "\\ceil": "[1]{\\lceil #1 \\rceil}",
    "\\floor": "[1]{\\lfloor #1 \\rfloor}", "\\set": "[1]{\\{#1\\}}",
}  # fmt: skip


class TexError(ValueError):
    """A formula that cannot be converted. cure: what to write instead; position: its offset in the TeX."""

    def __init__(self, message: str, cure: str, position: int) -> None:
        super().__init__(message, cure, position)
        self.message = message
        self.cure = cure
        self.position = position

    def __str__(self) -> str:
        return f"{self.message} ({self.cure})"


@dataclass(frozen=True)
class Opening:
    """The beginning of the group or formula in which a row stands."""

    kind: str  # formula, brace, bracket, dollar, left or environment
    position: int = 0
    name: str = ""
    is_divided: bool = False  # a \over or \choose stands in it already


Handler = Callable[["Parser", str, int], Atom]


class Parser:
    """Parses one formula. A handler gets the parser, the command's name and the command's position."""

    def __init__(self, tex: str, display: bool, handlers: Mapping[str, Handler]) -> None:
        self.tex = tex
        self.display = display
        self.at = 0
        self.font = ""
        self._handlers = handlers
        self._depth = 0

    def formula(self) -> list[list[Atom]]:
        """The rows of the whole formula; more than one in display only."""
        opening = Opening("formula")
        rows = [self.row(opening)]
        while self.display and self.peek() in LINE_BREAKS:
            self.take(self.peek())
            rows.append(self.row(opening))
        self.close(opening, "")
        return rows if rows[-1] or len(rows) == 1 else rows[:-1]

    def peek(self) -> str:
        """The next token after white space, which is passed over; "" at the end."""
        self.matched(SPACE)
        found = TOKEN.match(self.tex, self.at)
        if found is None:
            return ""
        token = found.group()
        return token[:-1] if token[-1] == "*" and len(token) > 2 and token not in STARRED else token

    def take(self, token: str) -> None:
        self.at += len(token)

    def matched(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What a pattern finds at this place, which is passed over."""
        found = pattern.match(self.tex, self.at)
        self.at = found.end() if found else self.at
        return found

    def fail(self, message: str, cure: str, position: int | None = None) -> NoReturn:
        raise TexError(message, cure, self.at if position is None else position)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """One level further within; the font that is set inside ends there."""
        if self._depth == DEEPEST:
            self.fail(f"more than {DEEPEST} levels within one another", "give a part of the formula a name of its own")
        font = self.font
        self._depth += 1
        yield
        self._depth -= 1
        self.font = font

    def row(self, opening: Opening) -> list[Atom]:
        """The atoms up to the token that ends the row; that token is not taken."""
        atoms: list[Atom] = []
        with self.deeper():
            ending = OWN_ENDS.get(opening.kind)
            while (token := self.peek()) not in ROW_ENDS and token != ending:
                self._step(token, atoms, opening)
        return atoms

    def _step(self, token: str, atoms: list[Atom], opening: Opening) -> None:
        if token in ("^", "_"):
            self._script(token, atoms)
        elif token == "'":
            self._prime(atoms)
        elif token in ("\\limits", "\\nolimits"):
            self._place_limits(token, atoms)
        elif token in FONT_SWITCHES:
            self.take(token)
            self.font = FONT_SWITCHES[token]
        elif token in STYLES:
            self.take(token)
            atoms.append(Atom(element("mstyle", *spaced(self.row(opening)), **STYLES[token])))
        elif token == "\\color":
            self._colour(atoms, opening)
        elif token in INFIXES:
            self._infix(token, atoms, opening)
        else:
            atoms.append(self.atom(token))

    def close(self, opening: Opening, wanted: str) -> None:
        """Takes the token that ends a row; another token there is an error."""
        token = self.peek()
        if token != wanted:
            wrong_end(self, token, opening)
        self.take(token)

    def atom(self, token: str) -> Atom:
        """The atom that a token begins; the token is the next one."""
        position = self.at
        if token == "{":
            return Atom(ordinary(self.group()))
        if number := self.matched(NUMBER):
            return self._number(number.group())
        if token[0] == "\\" or token == "~":
            self.take(token)
            handler = self._handlers.get("\\ " if token in ("\\\n", "\\\t") else token)
            return handler(self, token, position) if handler else self._unknown(token, position)
        if self.font and (letters := self.matched(LETTERS)):
            return self._word(letters.group())
        return self._character(token)

    def group(self) -> list[Atom]:
        """The atoms between the brace that comes next and its partner."""
        opening = Opening("brace", self.at)
        self.take("{")
        atoms = self.row(opening)
        self.close(opening, "}")
        return atoms

    def argument(self, owner: str, is_last: bool = True) -> list[Atom]:
        """The atoms of a command's next argument: a group, or a single token."""
        token = self.peek()
        if token == "{":
            return self.group()
        if token in ROW_ENDS or token in ("^", "_", "'", "\\left"):
            self.fail(f"{owner} lacks an argument", f"put each argument in braces: {owner}{{…}}")
        position = self.at
        with self.deeper():
            if token not in DIGITS:
                return [self._character(token) if token.isalpha() else self.atom(token)]
            self.take(token)
            if is_last and self.tex[self.at : self.at + 1] in DIGITS:
                self.fail(f"{owner} takes the digit {token} alone, not the whole number", "put it in braces", position)
            return [self._number(token)]

    def arguments(self, owner: str, count: int) -> list[Element]:
        """So many arguments, each as one element."""
        return [ordinary(self.argument(owner, is_last)) for is_last in [*(False,) * (count - 1), True]]

    def bracket(self, owner: str) -> list[Atom] | None:
        """The atoms of an optional argument in square brackets, if there is one."""
        if self.peek() != "[":
            return None
        opening = Opening("bracket", self.at, owner)
        self.take("[")
        atoms = self.row(opening)
        self.close(opening, "]")
        return atoms

    def delimiter(self, owner: str) -> str | None:
        """The delimiter after \\left and its like; None for the invisible one, written as a full stop."""
        token = self.peek()
        if token not in DELIMITERS:
            self.fail(f"{owner} is followed by no delimiter", f"write {owner}( or another bracket; {owner}. shows none")
        self.take(token)
        return DELIMITERS[token]

    def _script(self, token: str, atoms: list[Atom]) -> None:
        base = _base(atoms)
        name = "superscript" if token == "^" else "subscript"
        if (base.superscript if token == "^" else base.subscript) is not None:
            self.fail(f"a second {name} on the same base", f"put the first one and its base in braces: {{x{token}a}}")
        self.take(token)
        script = ordinary(self.argument(token))
        if token == "^":
            base.superscript = script
        else:
            base.subscript = script

    def _prime(self, atoms: list[Atom]) -> None:
        base = _base(atoms)
        if base.superscript is not None:
            self.fail("a prime after a superscript", "write the prime first: x'^{2}")
        self.take("'")
        base.primes += 1

    def _place_limits(self, token: str, atoms: list[Atom]) -> None:
        if not atoms or atoms[-1].kind != "op":
            self.fail(
                f"{token} follows no operator", f"it stands right after \\sum, \\int or \\operatorname: \\sum{token}_"
            )
        self.take(token)
        atoms[-1].limits = token == "\\limits"
        if atoms[-1].nucleus.tag == "mo":
            atoms[-1].nucleus.set("movablelimits", "false")

    def colour(self, owner: str) -> str:
        """The class of the stylesheet for the colour that comes next in braces."""
        start, found = self.at, self.matched(COLOUR)
        name = found[1] if found else ""
        if name not in COLOURS:
            message = f"the colour {name} is not known" if name else f"{owner} lacks its colour"
            self.fail(message, f"there are {', '.join(COLOURS)}, which a dark page has too: {owner}{{red}}", start)
        return f"tex-{name}"

    def _colour(self, atoms: list[Atom], opening: Opening) -> None:
        """\\color{red}, of the group that follows as in MathJax, else of the rest of the row as in LaTeX."""
        self.take("\\color")
        colour = self.colour("\\color")
        inner = spaced(self.group() if self.peek() == "{" else self.row(opening))
        atoms.append(Atom(element("mstyle", *inner, **{"class": colour})))

    def _infix(self, token: str, atoms: list[Atom], opening: Opening) -> None:
        position = self.at
        if opening.is_divided:
            self.fail(f"a second fraction by {token} in one group", "put the inner one in braces of its own")
        self.take(token)
        lower = self.row(replace(opening, is_divided=True))
        if not atoms or not lower:
            self.fail(f"{token} needs something on both sides", f"write {{a {token} b}}", position)
        atoms[:] = [fraction(as_row(list(atoms)), as_row(lower), token)]

    def _number(self, digits: str) -> Atom:
        text = digits.replace("{,}", ",").replace("\\,", THIN_SPACE)
        return Atom(leaf("mn", word_in_alphabet(text, self.font) if self.font else text))

    def _word(self, letters: str) -> Atom:
        if self.font == "italic" and len(letters) == 1:
            return Atom(leaf("mi", letters))
        return Atom(word(word_in_alphabet(letters, self.font)))

    def _character(self, token: str) -> Atom:
        """A character that stands for itself; marks that combine with it go along."""
        position = self.at
        self.take(token)
        if token in KEYS:
            return sign(*KEYS[token])
        if token.isascii():
            if not token.isalpha():
                misplaced_key(self, token, position)
            return self._word(token) if self.font else Atom(leaf("mi", token))
        if unicodedata.category(token) in INVISIBLE:
            self.fail(f"the invisible character U+{ord(token):04X}", "delete it", position)
        if token.isspace():
            return Atom(space(THIN if token in THIN_SPACES else "0.25em"), "space")
        while unicodedata.category(self.tex[self.at : self.at + 1] or " ").startswith("M"):
            token += self.tex[self.at]
            self.at += 1
        return large_operator(token) if token in WITH_OWN_SPACE else sign(token, KINDS.get(token, "ord"))

    def _unknown(self, token: str, position: int) -> NoReturn:
        from difflib import get_close_matches  # imported for errors only

        if token == "\\":
            self.fail("a backslash at the end", "write the command's name after it, or delete it", position)
        words = [name[1:] for name in self._handlers if name[1:].isalpha() and len(name) > 3]
        near = get_close_matches(token[1:], words, n=1, cutoff=0.7)
        near = near or [each for each in words if len(each) > 3 and token[1:].startswith(each)][:1]
        body = USUAL.get(token, "" if near else "{…}")
        cure = f"did you mean \\{''.join(near)}?"
        if body:
            cure = f"define it: \\newcommand{{{token}}}{body} in the first formula, or macros: in the front matter"
        self.fail(f"unknown command {token}", cure, position)


def _base(atoms: list[Atom]) -> Atom:
    """The atom that a script hangs on: the last one, or an empty one."""
    if not atoms or atoms[-1].kind == "space":
        atoms.append(Atom(element("mrow")))
    return atoms[-1]


def fraction(upper: Element, lower: Element, infix: str) -> Atom:
    """A fraction as that of an infix command, in stretched delimiters if it has any."""
    attributes, left, right = INFIXES[infix]
    made = element("mfrac", upper, lower, **attributes)
    if not left:
        return Atom(made)
    return Atom(element("mrow", leaf("mo", left, form="prefix"), made, leaf("mo", right, form="postfix")))


def misplaced_key(parser: Parser, key: str, position: int) -> NoReturn:
    """Says that a character of the keyboard has no meaning in a formula."""
    cures = {"]": "write \\rbrack", **{sign: f"write \\{sign} for the sign" for sign in "%#_^&"}}
    cures["$"] = "write \\$ for the sign, or close the braces in front of it"
    message = f"the character {key} has no meaning here"
    parser.fail(message, cures.get(key, "words go into \\text{…}"), position)


def wrong_end(parser: Parser, token: str, opening: Opening) -> NoReturn:
    """Says what is wrong when a row ends with a token that does not fit what opened it."""
    names = (f"\\begin{{{opening.name}}}", f"\\end{{{opening.name}}}")
    pairs = {"brace": "{}", "bracket": "[]", "dollar": "$$", "left": ("\\left", "\\right"), "environment": names}
    openings = {"}": "{", "\\right": "\\left", "\\middle": "\\left", "\\end": "\\begin"}
    where = "within the same braces and the same cell"
    if opening.kind == "left" or (token in ("", "}", "\\end") and opening.kind in pairs):
        left, right = pairs[opening.kind]
        parser.fail(f"{left} without {right}", f"add {right} {where}", opening.position)
    if token in openings:
        parser.fail(f"{token} without {openings[token]}", f"delete it, or add {openings[token]} before it {where}")
    reasons = {
        ROW_NUMBER: (
            "\\tag outside of the rows of align or gather",
            "put the rows into \\begin{gather} … \\end{gather}",
        ),
        "&": ("a stray &", "columns stand in an environment such as aligned, outside of braces; the sign is \\&"),
    }
    line_break = ("a line break outside an environment", "put the lines into \\begin{aligned} … \\end{aligned}")
    parser.fail(*reasons.get(token, line_break))
