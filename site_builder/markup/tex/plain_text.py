"""MathML -> one line of plain text, for titles, alternative texts and feeds.

It is made from the structure, so that no power, index or fraction line is lost: x^2, a_1, (a + b)/2, √(x).
"""

import unicodedata
from xml.etree.ElementTree import Element

from site_builder.markup.tex.atoms import PRIMES, WITH_OWN_SPACE
from site_builder.markup.tex.symbols import BINARY, CLOSING, OPENING, RELATIONS, plain_letter

_SPACED = frozenset({*BINARY.values(), *RELATIONS.values(), "+", "−", "=", "<", ">", ":", "mod"})
_OPEN = frozenset({*OPENING.values(), "(", "["})
_CLOSE = frozenset({*CLOSING.values(), ")", "]"})
_PUNCTUATION = frozenset(",;")
_BARE = frozenset({"°", "†", "‡", "∗", "+", "−", "?"})  # as an exponent they need no parentheses
_RAISED = {"∘": "°", **{prime: prime for prime in PRIMES.values()}}  # they need no ^
_BESIDE = frozenset({"msub", "msup", "msubsup"})
_SCRIPTS = _BESIDE | {"munder", "mover", "munderover"}
# Accents as characters that combine with a single letter, and their names over longer parts.
_MARKS = {"^": "\u0302", "ˇ": "\u030c", "~": "\u0303", "´": "\u0301", "`": "\u0300", "˙": "\u0307", "¨": "\u0308"}
_MARKS |= {"˘": "\u0306", "¯": "\u0304", "→": "\u20d7", "˚": "\u030a", "‾": "\u0305", "_": "\u0332"}
_NAMES = {"^": "hat", "~": "tilde", "¯": "bar", "‾": "overline", "_": "underline", "→": "arrow", "⏞": "overbrace"}
_NAMES |= {"⏟": "underbrace", "⎴": "overbracket", "⎵": "underbracket", "ˇ": "check", "˙": "dot", "¨": "ddot"}


def reading(tree: Element) -> str:
    """The formula as plain text; the tree is that of the MathML, without its annotation."""
    return " ".join(_read(tree).replace("\u00a0", " ").replace("\u2009", " ").split())


def _read(node: Element) -> str:
    tag = node.tag
    if tag in ("mi", "mn", "mtext"):
        return "".join(map(plain_letter, node.text or ""))
    if tag == "mo":
        return (node.text or "").replace("∗", "*")
    if tag == "mspace":
        return "" if node.get("width", "").startswith(("-", "0em")) else " "
    if tag == "mphantom":
        return ""
    if tag == "mfrac":
        return _fraction(node)
    if tag in ("msqrt", "mroot"):
        degree = f"[{_read(node[1])}]" if tag == "mroot" else ""
        return f"√{degree}({_read(node[0])})"
    if tag in _SCRIPTS:
        return _scripts(node)
    if tag == "menclose" and "strike" in node.get("notation", ""):
        return f"cancel({_row(list(node))})"
    if tag == "mtable":
        return _table(node)
    return _row(list(node))


def _core_of(node: Element) -> Element:
    """The content of a row or style of one element; any other node itself."""
    while node.tag in ("mrow", "mstyle", "mpadded") and len(node) == 1:
        node = node[0]
    return node


def _sign(node: Element) -> str:
    """The operator that a node is, with or without scripts; "" if it is none."""
    node = _core_of(node)
    while node.tag in _SCRIPTS and len(node):
        node = _core_of(node[0])
    return (node.text or "") if node.tag == "mo" else ""


def _is_fenced(node: Element) -> bool:
    if node.tag != "mrow" or len(node) < 2 or _sign(node[0]) not in _OPEN or node[-1].text not in _CLOSE:
        return False
    return not any(_sign(child) in _OPEN | _CLOSE for child in node[1:-1])


def _is_simple(node: Element) -> bool:
    """True when the reading of a node cannot fall apart beside ^, _ or /."""
    node = _core_of(node)
    if node.tag == "mtext":
        return (node.text or "").isalnum()
    if node.tag in ("mi", "mn"):
        return not any(character.isspace() for character in node.text or "")
    return node.tag in ("msqrt", "mroot") or node.get("accent") == "true" or _is_fenced(node)


def _grouped(node: Element) -> str:
    return _read(node) if _is_simple(node) else f"({_read(node).strip()})"


def _fraction(node: Element) -> str:
    if node.get("linethickness") == "0":
        return f"({_read(node[0])} above {_read(node[1])})"
    return "/".join(_read(part) if _core_of(part).tag in _BESIDE else _grouped(part) for part in node)


def _scripts(node: Element) -> str:
    base = node[0]
    mark = node[1].text or ""
    if node.tag in ("mover", "munder") and mark in _NAMES.keys() | _MARKS.keys():
        return _accented(_read(base).strip(), mark)
    text = _read(base) if _is_base(base) else f"({_read(base).strip()})"
    below = None if node.tag in ("msup", "mover") else node[1]
    above = None if node.tag in ("msub", "munder") else node[-1]
    text += f"_{_grouped(below)}" if below is not None else ""
    return text + (_superscript(above) if above is not None else "")


def _is_base(node: Element) -> bool:
    """True when a script after the reading of a node belongs to all of it."""
    core = _core_of(node)
    is_primed = core.tag == "mrow" and len(core) == 2 and core[1].text in PRIMES.values() and _is_simple(core[0])
    is_mark = core.tag in ("mo", "mover", "munder") or not _read(node)
    ends_in_bar = len(core) > 0 and core[-1].text == "|" and core[-1].get("form") == "postfix"
    return is_primed or is_mark or _is_simple(node) or ends_in_bar


def _superscript(node: Element) -> str:
    node = _core_of(node)
    sign = node.text or ""
    if node.tag in ("mo", "mi") and sign in _RAISED:
        return _RAISED[sign]
    return f"^{_read(node)}" if sign and sign in _BARE else f"^{_grouped(node)}"


def _accented(inner: str, mark: str) -> str:
    if len(inner) == 1 and mark in _MARKS:
        return unicodedata.normalize("NFC", inner + _MARKS[mark])
    return f"{_NAMES.get(mark, mark)}({inner})"


def _table(node: Element) -> str:
    if node.get("columnspacing", "").startswith("0em"):
        return "; ".join(_row([child for cell in line for child in cell]) for line in node)
    return "; ".join(", ".join(_row(list(cell)).strip() for cell in line) for line in node)


def _row(children: list[Element]) -> str:
    if len(children) == 3 and children[1].tag == "mfrac" and children[1].get("linethickness") == "0":
        word = "choose" if children[0].text == "(" else "above"
        inner = f"{_read(children[1][0])} {word} {_read(children[1][1])}"
        return f"{children[0].text}{inner}{children[2].text}"
    written = ""
    for index in range(len(children)):
        piece = _piece(children, index)
        written += _gap(children, index, written, piece) + piece
    return written


def _piece(children: list[Element], index: int) -> str:
    child = children[index]
    text, core, sign = _read(child), _core_of(child), _sign(child)
    if core.tag == "mfrac" and core.get("linethickness") != "0" and not _stands_free(children, index):
        return f"({text})"
    if sign in _PUNCTUATION:
        return text if child.get("lspace") == "0" else f"{text} "
    if sign in _SPACED and child.get("form") != "prefix" and child.get("lspace") != "0":
        return f" {text} "
    return f"{text} " if sign == ":" else text


def _stands_free(children: list[Element], index: int) -> bool:
    """True when the neighbours of a fraction leave no doubt about where it ends."""
    left = next((child for child in reversed(children[:index]) if child.tag != "mspace"), None)
    right = next((child for child in children[index + 1 :] if child.tag != "mspace"), None)
    neutral = _SPACED | _PUNCTUATION
    return (left is None or left.tag == "mtext" or _sign(left) in neutral | _OPEN) and (
        right is None or right.tag == "mtext" or _sign(right) in neutral | _CLOSE
    )


def _gap(children: list[Element], index: int, written: str, piece: str) -> str:
    """The space that keeps two neighbours apart which would read as one."""
    if index == 0 or not written or not piece or written[-1].isspace() or piece[0].isspace():
        return ""
    left, right = _core_of(children[index - 1]), _core_of(children[index])
    if _sign(left) in WITH_OWN_SPACE and piece[0] not in _CLOSE | _PUNCTUATION:
        return " "
    if not piece[0].isalnum() or not (written[-1].isalnum() or left.tag in _SCRIPTS):
        return ""
    if left.tag == "mn" and right.tag in _BESIDE | {"mi"} and not piece[0].isdecimal():
        return ""
    single = all(node.tag == "mi" and len(node.text or "") == 1 for node in (left, right))
    return "" if single or "mtext" in (left.tag, right.tag) else " "
