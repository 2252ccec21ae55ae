"""Letters in the alphabets of mathematics: bold, blackboard, calligraphic and so on.

Browsers no longer read `mathvariant`, so that each letter is written as the character of its alphabet. Source: The
Unicode Standard, blocks Mathematical Alphanumeric Symbols and, for those that were there before, Letterlike Symbols.
"""

import unicodedata
from functools import cache

# The names of alphabets in Unicode; two in a row where the first has no digits or no Greek.
ALPHABETS: dict[str, tuple[str, ...]] = {
    "bold": ("MATHEMATICAL BOLD",),
    "italic": ("MATHEMATICAL ITALIC",),
    "bold italic": ("MATHEMATICAL BOLD ITALIC", "MATHEMATICAL BOLD"),
    "blackboard": ("MATHEMATICAL DOUBLE-STRUCK", "DOUBLE-STRUCK"),
    "script": ("MATHEMATICAL SCRIPT", "SCRIPT"),
    "fraktur": ("MATHEMATICAL FRAKTUR", "BLACK-LETTER"),
    "sans": ("MATHEMATICAL SANS-SERIF",),
    "monospace": ("MATHEMATICAL MONOSPACE",),
}

FONT_COMMANDS = {
    "\\mathrm": "upright", "\\mathnormal": "", "\\mathup": "upright", "\\mathit": "italic", "\\mathbf": "bold",
    "\\boldsymbol": "bold italic", "\\bm": "bold italic", "\\pmb": "bold italic", "\\bold": "bold",
    "\\mathbb": "blackboard", "\\Bbb": "blackboard", "\\mathcal": "script", "\\mathscr": "script",
    "\\mathfrak": "fraktur", "\\mathsf": "sans", "\\mathtt": "monospace",
}  # fmt: skip
FONT_SWITCHES = {
    "\\rm": "upright", "\\bf": "bold", "\\it": "italic", "\\cal": "script", "\\frak": "fraktur", "\\sf": "sans",
    "\\tt": "monospace",
}  # fmt: skip
TEXT_FONTS = {
    "\\text": "", "\\textrm": "", "\\textnormal": "", "\\textup": "", "\\textmd": "", "\\mbox": "", "\\hbox": "",
    "\\textbf": "bold", "\\textit": "italic", "\\emph": "italic", "\\textsf": "sans", "\\texttt": "monospace",
}  # fmt: skip


@cache
def in_alphabet(character: str, font: str) -> str:
    """The character in an alphabet, or itself when the alphabet does not have it."""
    name = unicodedata.name(character, "").removeprefix("LATIN ").removeprefix("GREEK ").replace(" LETTER", "")
    for alphabet in ALPHABETS.get(font, ()):
        try:
            return unicodedata.lookup(f"{alphabet} {name}")
        except KeyError:
            continue
    return "ℎ" if (character, font) == ("h", "italic") else character


def word_in_alphabet(word: str, font: str) -> str:
    return "".join(in_alphabet(character, font) for character in word)


@cache
def plain_letter(character: str) -> str:
    """A slanted, bold, sans-serif or monospaced letter as the letter that it is; others stay (ℝ means more than R)."""
    name = unicodedata.name(character, "")
    if not name.startswith("MATHEMATICAL ") or any(style in name for style in ("DOUBLE", "SCRIPT", "FRAKTUR")):
        return "h" if character == "ℎ" else character
    return unicodedata.normalize("NFKC", character)
