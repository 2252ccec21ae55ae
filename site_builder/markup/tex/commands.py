"""Handlers of the commands of TeX, in the table in which the parser looks their names up."""

import re
import unicodedata
from typing import NoReturn
from xml.etree.ElementTree import Element

from site_builder.markup.tex.atoms import (
    NO_SPACE,
    THIN_SPACE,
    Atom,
    as_row,
    element,
    fenced,
    large_operator,
    leaf,
    ordinary,
    sign,
    space,
    spaced,
    with_scripts,
    word,
)
from site_builder.markup.tex.environments import begin, substack
from site_builder.markup.tex.parser import INFIXES, Handler, Opening, Parser, fraction
from site_builder.markup.tex.symbols import (
    DOTS,
    FONT_COMMANDS,
    FUNCTIONS,
    INTEGRALS,
    LIMIT_FUNCTIONS,
    SPACES,
    SUMS,
    SYMBOLS,
    TEXT_FONTS,
    Kind,
    word_in_alphabet,
)
from site_builder.markup.tex.text_mode import text

# The mark, and whether it grows with what stands under or above it.
ACCENTS = {
    "\\hat": ("^", False), "\\widehat": ("^", True), "\\check": ("ˇ", False), "\\widecheck": ("ˇ", True),
    "\\tilde": ("~", False), "\\widetilde": ("~", True), "\\acute": ("´", False), "\\grave": ("`", False),
    "\\dot": ("˙", False), "\\ddot": ("¨", False), "\\breve": ("˘", False), "\\bar": ("¯", False),
    "\\overline": ("‾", True), "\\underline": ("_", True), "\\vec": ("→", False), "\\mathring": ("˚", False),
    "\\overrightarrow": ("→", True), "\\overleftarrow": ("←", True),
}  # fmt: skip
BRACES = {"\\overbrace": "⏞", "\\underbrace": "⏟", "\\overbracket": "⎴", "\\underbracket": "⎵"}
ARROWS = {
    "\\xleftarrow": "←", "\\xrightarrow": "→", "\\xleftrightarrow": "↔", "\\xLeftarrow": "⇐", "\\xRightarrow": "⇒",
    "\\xLeftrightarrow": "⇔", "\\xmapsto": "↦", "\\xhookleftarrow": "↩", "\\xhookrightarrow": "↪",
    "\\xrightleftharpoons": "⇌",
}  # fmt: skip
BIG = {"\\big": "1.2em", "\\Big": "1.623em", "\\bigg": "2.047em", "\\Bigg": "2.47em"}
FRACTIONS = {
    "\\frac": "", "\\cfrac": "true", "\\dfrac": "true", "\\tfrac": "false",
    "\\binom": "", "\\dbinom": "true", "\\tbinom": "false",
}  # fmt: skip
GENERAL_FRACTION = re.compile(r"\s*" + r"(\{[^{}]*\}|[^{}\s\\])\s*" * 4)
GENERAL_STYLES = {"": "", "0": "true", "1": "false"}
# Elements around an argument, from the outside in.
_FLAT, _NARROW = {"height": "0", "depth": "0"}, {"width": "0"}
WRAPPINGS: dict[str, tuple[tuple[str, dict[str, str]], ...]] = {
    "\\boxed": (("menclose", {"notation": "box"}),), "\\cancel": (("menclose", {"notation": "updiagonalstrike"}),),
    "\\bcancel": (("menclose", {"notation": "downdiagonalstrike"}),),
    "\\xcancel": (("menclose", {"notation": "updiagonalstrike downdiagonalstrike"}),),
    "\\phantom": (("mphantom", {}),), "\\smash": (("mpadded", _FLAT),),
    "\\hphantom": (("mpadded", _FLAT), ("mphantom", {})), "\\vphantom": (("mpadded", _NARROW), ("mphantom", {})),
}  # fmt: skip
LARGE_OPERATORS = SUMS | INTEGRALS
IGNORED = frozenset({"\\nonumber", "\\notag", "\\relax", "\\strut", "\\mathstrut"})
LENGTH = re.compile(r"\s*(\{)?\s*(-?(?:[0-9]+\.?[0-9]*|\.[0-9]+))\s*(em|ex|mu|pt|px|cm|mm|in|pc)(?(1)\s*\})")

_DEFINING = ("this definition is not read", "write \\newcommand{\\E}{\\mathbb{E}}, or \\newcommand{\\abs}[1]{|#1|}")
_NUMBERING = (
    "only displayed formulas in the text of a post have a number, with one \\label and one \\tag each",
    "write \\label{eq:x} in $$...$$ in the text and \\eqref{eq:x} beside it, both with their braces",
)
_UNSUPPORTED = r"""
\colorbox \fcolorbox \mathop \mathbin \mathrel \href \verb \intertext \require \sideset
\unicode \char \raise \raisebox \rule
"""
REFUSED = {
    **{name: (f"{name} is not supported", "write the formula without it") for name in _UNSUPPORTED.split()},
    **dict.fromkeys(("\\newcommand", "\\renewcommand", "\\def", "\\let", "\\DeclareMathOperator"), _DEFINING),
    **dict.fromkeys(("\\tag", "\\label", "\\ref", "\\eqref"), _NUMBERING),
    "\\hline": ("\\hline within a row", "it stands at the beginning of a row of an array"),
    "\\ce": ("formulas of chemistry are not supported", "write H~2~O in text, or \\mathrm{H_2O}"),
    "\\genfrac": ("this \\genfrac is not supported", "write \\genfrac{(}{)}{0pt}{}{n}{k}, \\frac or {a \\atop b}"),
}


def _constant(parser: Parser, name: str, position: int) -> Atom:
    """The atom of a command without arguments."""
    if name in SYMBOLS:
        character, kind = SYMBOLS[name]
        in_font = word_in_alphabet(character, parser.font) if parser.font and kind == "ord" else character
        return sign(character, kind) if in_font == character else Atom(leaf("mi", in_font))
    if name in LARGE_OPERATORS:
        return large_operator(LARGE_OPERATORS[name])
    if name in FUNCTIONS:
        return Atom(leaf("mi", name[1:]), "op")
    if name in LIMIT_FUNCTIONS:
        return _with_limits(LIMIT_FUNCTIONS[name].replace(" ", THIN_SPACE))
    if name in DOTS:
        return Atom(leaf("mi", DOTS[name]), "inner", is_dots=name == "\\dots")
    if name in SPACES:
        return Atom(space(f"{round(SPACES[name], 3):g}em"), "space")
    return Atom(element("mrow"), "space")


def _with_limits(name: str) -> Atom:
    return Atom(leaf("mo", name, movablelimits="true", **NO_SPACE), "op", limits=True)


def _font(parser: Parser, name: str, position: int) -> Atom:
    outer, parser.font = parser.font, FONT_COMMANDS[name]
    made = ordinary(parser.argument(name))
    parser.font = outer
    return Atom(made)


def _fraction(parser: Parser, name: str, position: int) -> Atom:
    upper, lower = parser.arguments(name, 2)
    return _in_style(fraction(upper, lower, "\\choose" if name.endswith("binom") else "\\over"), FRACTIONS[name])


def _in_style(made: Atom, display: str) -> Atom:
    return Atom(element("mstyle", made.nucleus, displaystyle=display, scriptlevel="0")) if display else made


def _general_fraction(parser: Parser, name: str, position: int) -> Atom:
    """\\genfrac{(}{)}{0pt}{}{n}{k}: delimiters, with a line or without, the style, above and below."""
    found = GENERAL_FRACTION.match(parser.tex, parser.at)
    left, right, line, style = (each.strip("{}") for each in found.groups()) if found else ("", "", "?", "")
    wanted = {"linethickness": "0"} if line == "0pt" else {}
    infix = next((each for each, parts in INFIXES.items() if parts == (wanted, left, right)), "")
    if found is None or not infix or line not in ("", "0pt") or style not in GENERAL_STYLES:
        _refused(parser, name, position)
    parser.at = found.end()
    upper, lower = parser.arguments(name, 2)
    return _in_style(fraction(upper, lower, infix), GENERAL_STYLES[style])


def _root(parser: Parser, name: str, position: int) -> Atom:
    degree = parser.bracket(name)
    (radicand,) = parser.arguments(name, 1)
    return Atom(element("mroot", radicand, ordinary(degree)) if degree else element("msqrt", radicand))


def _accent(parser: Parser, name: str, position: int) -> Atom:
    mark, grows = ACCENTS[name]
    tag, attribute = ("munder", "accentunder") if name.startswith("\\under") else ("mover", "accent")
    (inner,) = parser.arguments(name, 1)
    made = element(tag, inner, leaf("mo", mark, stretchy="true" if grows else "false"), **{attribute: "true"})
    if name in ("\\overline", "\\underline"):  # the stylesheet draws the line, since hardly a font has one that grows
        made.set("class", f"tex-{name[1:]}")
    return Atom(made)


def _brace(parser: Parser, name: str, position: int) -> Atom:
    (inner,) = parser.arguments(name, 1)
    tag = "mover" if name.startswith("\\over") else "munder"
    return Atom(element(tag, inner, leaf("mo", BRACES[name], stretchy="true")), "op", limits=True)


def _arrow(parser: Parser, name: str, position: int) -> Atom:
    below = parser.bracket(name)
    (above,) = parser.arguments(name, 1)
    # Chromium draws the arrow wider than its box and over the space of an operator, so the space stands beside it.
    arrow = leaf("mo", ARROWS[name], stretchy="true", lspace="0", rspace="0")
    if not below:
        return Atom(_padded(element("mover", arrow, _padded(above))), "rel")
    return Atom(_padded(element("munderover", arrow, _padded(ordinary(below)), _padded(above))), "rel")


def _padded(inner: Element) -> Element:
    return element("mrow", space("0.5em"), inner, space("0.5em"))


def _stacked(parser: Parser, name: str, position: int) -> Atom:
    script = ordinary(parser.argument(name, is_last=False))
    base = parser.argument(name)
    kind: Kind = base[0].kind if len(base) == 1 else "ord"
    nucleus = with_scripts(base[0]) if len(base) == 1 else as_row(base)
    return Atom(element("munder" if name == "\\underset" else "mover", nucleus, script), kind)


def _left(parser: Parser, name: str, position: int) -> Atom:
    opening = Opening("left", position)
    left = parser.delimiter("\\left")
    parts = spaced(parser.row(opening))
    while parser.peek() == "\\middle":
        parser.take("\\middle")
        middle = parser.delimiter("\\middle")
        parts += [] if middle is None else [leaf("mo", middle, stretchy="true", **NO_SPACE)]
        parts += spaced(parser.row(opening))
    parser.close(opening, "\\right")
    return Atom(fenced(left, parts, parser.delimiter("\\right")))


def _big(parser: Parser, name: str, position: int) -> Atom:
    size = BIG[name.rstrip("lrm")]
    delimiter = parser.delimiter(name)
    if delimiter is None:
        return Atom(element("mrow"), "space")
    kinds: dict[str, Kind] = {"l": "open", "r": "close", "m": "rel"}
    kind = kinds.get(name[-1], "ord")
    forms = {"open": {"form": "prefix"}, "close": {"form": "postfix"}}
    made = leaf("mo", delimiter, stretchy="true", symmetric="true", minsize=size, maxsize=size, **forms.get(kind, {}))
    made.attrib.update({} if kind in forms else NO_SPACE if kind == "ord" else dict.fromkeys(NO_SPACE, "0.278em"))
    return Atom(made, kind)


def _operator_name(parser: Parser, name: str, position: int) -> Atom:
    outer, parser.font = parser.font, "upright"
    parts = list(ordinary(parser.argument(name)).iter())
    parser.font = outer
    letters = "".join(THIN_SPACE if part.tag == "mspace" else part.text or "" for part in parts).replace("−", "-")
    if not letters.strip() or any(part.tag not in ("mrow", "mi", "mn", "mo", "mspace", "mtext") for part in parts):
        parser.fail(f"{name} takes letters alone", f"write scripts after it: {name}{{log}}_2", position)
    return _with_limits(letters) if name.endswith("*") else Atom(word(letters), "op")


def _modulo(parser: Parser, name: str, position: int) -> Atom:
    if name == "\\bmod":
        return Atom(leaf("mo", "mod", lspace="0.222em", rspace="0.222em"), "bin")
    (modulus,) = parser.arguments(name, 1)
    word = [] if name == "\\pod" else [leaf("mi", "mod"), space("0.333em")]
    brackets = [[sign("(", "open").nucleus], [sign(")", "close").nucleus]] if name != "\\mod" else [[], []]
    return Atom(
        element("mrow", space("1em" if parser.display else "0.444em"), *brackets[0], *word, modulus, *brackets[1])
    )


def _negated(parser: Parser, name: str, position: int) -> Atom:
    atoms = parser.argument(name)
    if len(atoms) != 1 or not (struck := atoms[0].nucleus).text:
        parser.fail("\\not takes a single sign", "write \\not= or \\not\\in", position)
    struck.text = unicodedata.normalize("NFC", struck.text + "\u0338")
    return atoms[0]


def _wrapped(parser: Parser, name: str, position: int) -> Atom:
    (made,) = parser.arguments(name, 1)
    for tag, attributes in reversed(WRAPPINGS[name]):
        made = element(tag, made, **attributes)
    return Atom(made)


def _framed(parser: Parser, name: str, position: int) -> Atom:
    """\\fbox{…}: words in a box."""
    return Atom(element("menclose", text(parser, "\\text", position).nucleus, notation="box"))


def _coloured(parser: Parser, name: str, position: int) -> Atom:
    """\\textcolor{red}{…}, in a colour of figures; a sign alone keeps its space."""
    colour, inner = parser.colour(name), parser.argument(name)
    is_single = len(inner) == 1
    parts = [with_scripts(inner[0])] if is_single else spaced(inner)
    return Atom(element("mstyle", *parts, **{"class": colour}), inner[0].kind if is_single else "ord")


def _length(parser: Parser, name: str, position: int) -> Atom:
    """\\hspace{1em}, \\mspace{18mu}, \\kern 1em and their like."""
    found = parser.matched(LENGTH)
    if found is None:
        parser.fail(f"{name} takes a length", f"write {name}{{1em}}; units are em, ex, mu, pt, px, cm, mm, in, pc")
    _, amount, unit = found.groups()
    return Atom(space(f"{round(float(amount) / 18, 3):g}em" if unit == "mu" else f"{float(amount):g}{unit}"), "space")


def _refused(parser: Parser, name: str, position: int) -> NoReturn:
    message, cure = REFUSED[name]
    parser.fail(message, cure, position)


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(REFUSED, _refused),
    **dict.fromkeys((*SYMBOLS, *LARGE_OPERATORS, *FUNCTIONS, *LIMIT_FUNCTIONS, *DOTS, *SPACES, *IGNORED), _constant),
    **dict.fromkeys(FONT_COMMANDS, _font),
    **dict.fromkeys(TEXT_FONTS, text),
    **dict.fromkeys(FRACTIONS, _fraction),
    **dict.fromkeys(ACCENTS, _accent),
    **dict.fromkeys(BRACES, _brace),
    **dict.fromkeys(ARROWS, _arrow),
    **dict.fromkeys(("\\overset", "\\underset", "\\stackrel"), _stacked),
    **{name + side: _big for name in BIG for side in ("", "l", "m", "r")},
    **dict.fromkeys(("\\operatorname", "\\operatorname*", "\\operatornamewithlimits"), _operator_name),
    **dict.fromkeys(("\\mod", "\\bmod", "\\pmod", "\\pod"), _modulo),
    **dict.fromkeys(WRAPPINGS, _wrapped),
    **dict.fromkeys(("\\hspace", "\\hspace*", "\\mspace", "\\kern", "\\mkern", "\\hskip", "\\mskip"), _length),
    **{"\\genfrac": _general_fraction, "\\sqrt": _root, "\\fbox": _framed, "\\left": _left, "\\not": _negated},
    **{"\\textcolor": _coloured, "\\begin": begin, "\\substack": substack},
}
