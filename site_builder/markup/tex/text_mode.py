"""Words within a formula: the argument of \\text and its like."""

import re
import unicodedata
from xml.etree.ElementTree import Element

from site_builder.markup.tex.atoms import THIN_SPACE, THIN_SPACES, Atom, leaf, row, spaced
from site_builder.markup.tex.parser import INVISIBLE, Opening, Parser, misplaced_key, wrong_end
from site_builder.markup.tex.symbols import SPACES, TEXT_FONTS, word_in_alphabet

NO_BREAK_SPACE = "\u00a0"  # a browser drops other spaces at the ends of <mtext>
PIECE = re.compile(r"\\(?:[A-Za-z]+[ \t\r\n]*|.)|---?|``|''|[ \t\r\n]+|[^\\]", re.DOTALL)
LETTERING = {"---": "—", "--": "–", "``": "“", "''": "”", "`": "‘", "'": "’", "~": NO_BREAK_SPACE}
ESCAPES = {
    **{f"\\{sign}": sign for sign in "{}$%&#_"},
    "\\ldots": "…", "\\dots": "…", "\\S": "§", "\\textbackslash": "\\", "\\backslash": "\\",
    "\\^": "^", "\\~": "~", "\\textasciicircum": "^", "\\textasciitilde": "~",
}  # fmt: skip


def text(parser: Parser, name: str, position: int) -> Atom:
    """The atom of \\text{…}: upright words, in which formulas may stand between dollar signs."""
    if parser.peek() != "{":
        parser.fail(f"{name} lacks its argument", f"put the words in braces: {name}{{…}}", position)
    opening = Opening("brace", parser.at)
    parser.take("{")
    with parser.deeper():
        return Atom(row(_parts(parser, TEXT_FONTS[name], opening)))


def _parts(parser: Parser, font: str, opening: Opening) -> list[Element]:
    """The words, and what stands between them, up to the brace that closes them, which is taken."""
    parts: list[Element] = []
    letters = ""
    while True:
        position, piece = parser.at, _piece(parser, opening)
        words, command = _words(parser, piece), _command(piece)
        parser.take(piece)
        if words is not None:
            letters += words
            continue
        parts += [leaf("mtext", word_in_alphabet(letters, font))] if letters else []
        letters = ""
        if piece == "}":
            return parts
        if piece == "$":
            parts += _formula(parser, position)
        elif piece == "{":
            parts += _parts(parser, font, Opening("brace", position))
        elif command in TEXT_FONTS:
            parts.append(text(parser, command, position).nucleus)
        elif len(command) == 1:
            misplaced_key(parser, command, position)
        else:
            cure = f"put it between dollar signs: \\text{{… ${command}$ …}}"
            parser.fail(f"{command} within words", cure, position)


def _piece(parser: Parser, opening: Opening) -> str:
    found = PIECE.match(parser.tex, parser.at)
    if found is None:
        wrong_end(parser, "", opening)
    return found.group()


def _command(piece: str) -> str:
    """A command without the white space after its name, which TeX passes over."""
    return piece.rstrip() if piece[1:2].isalpha() else piece


def _words(parser: Parser, piece: str) -> str | None:
    """The characters that a piece of text shows; None where something else than words begins."""
    if piece.isspace():
        return THIN_SPACE if piece in THIN_SPACES else NO_BREAK_SPACE
    command = _command(piece)
    if command in SPACES and command != "~":
        return THIN_SPACE if SPACES[command] < 0.2 else NO_BREAK_SPACE
    if command in LETTERING or command in ESCAPES:
        return LETTERING.get(command) or ESCAPES[command]
    if len(piece) > 1 or piece in "{}$%&#_^":
        return None
    if unicodedata.category(piece) in INVISIBLE:
        parser.fail(f"the invisible character U+{ord(piece):04X}", "delete it")
    return piece


def _formula(parser: Parser, position: int) -> list[Element]:
    opening = Opening("dollar", position)
    parser.font = ""
    atoms = parser.row(opening)
    parser.close(opening, "$")
    return spaced(atoms)
