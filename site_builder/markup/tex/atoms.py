"""A row of atoms: what stands beside what, and the space between (The TeXbook, chapter 18)."""

from dataclasses import dataclass
from itertools import pairwise
from xml.etree.ElementTree import Element

from site_builder.markup.tex.symbols import INTEGRAL_CHARACTERS, SUM_CHARACTERS, UPRIGHT_CHARACTERS, Kind

THIN = "0.167em"
THIN_SPACE = "\u2009"
THIN_SPACES = frozenset({THIN_SPACE, "\u202f"})
WITH_OWN_SPACE = SUM_CHARACTERS | INTEGRAL_CHARACTERS  # the operator dictionary gives them a thin space on both sides
NO_SPACE = {"lspace": "0", "rspace": "0"}
PRIMES = {1: "′", 2: "″", 3: "‴", 4: "⁗"}
# Pairs of kinds between which TeX sets a thin space that no operator dictionary knows of.
THIN_PAIRS = frozenset(
    {("ord", "op"), ("op", "ord"), ("op", "op"), ("close", "op"), ("op", "inner")}
    | {("ord", "inner"), ("inner", "ord"), ("close", "inner"), ("inner", "open"), ("inner", "op"), ("inner", "inner")}
)


@dataclass(slots=True)
class Atom:
    """One piece of a row: a nucleus with what hangs on it."""

    nucleus: Element
    kind: Kind = "ord"
    limits: bool = False  # scripts go above and below
    subscript: Element | None = None
    superscript: Element | None = None
    primes: int = 0
    is_dots: bool = False


def element(tag: str, *children: Element, **attributes: str) -> Element:
    made = Element(tag, attributes)
    made.extend(children)
    return made


def leaf(tag: str, text: str, **attributes: str) -> Element:
    made = Element(tag, attributes)
    made.text = text
    return made


def word(letters: str) -> Element:
    """Letters as one upright name; a browser would slant a single one."""
    return leaf("mi", letters, **({"mathvariant": "normal"} if len(letters) == 1 and letters.isascii() else {}))


def space(width: str) -> Element:
    return Element("mspace", {"width": width})


def operator(character: str, kind: Kind) -> Element:
    """A sign as <mo>, with what the operator dictionary would get wrong put right."""
    if kind in ("open", "close") and character not in "!?":
        form = {"form": "prefix" if kind == "open" else "postfix"} if character in "|‖" else {}
        return leaf("mo", character, stretchy="false", **form)
    if character in "|‖/\\.?@!":
        return leaf("mo", character, stretchy="false", **NO_SPACE)
    if character in "∣∥∤∦↑↓↕⇑⇓⇕":
        return leaf("mo", character, stretchy="false")
    if kind == "punct" and character == ":":
        return leaf("mo", character, lspace="0", rspace=THIN)
    return leaf("mo", character)


def sign(character: str, kind: Kind) -> Atom:
    """The atom of a symbol."""
    if kind != "ord" or character in "|‖/\\.@":
        return Atom(operator(character, kind), kind)
    if character in UPRIGHT_CHARACTERS:
        return Atom(leaf("mi", character, mathvariant="normal"))
    return Atom(leaf("mi", character))


def large_operator(character: str) -> Atom:
    return Atom(leaf("mo", character), "op", limits=character in SUM_CHARACTERS)


def row(children: list[Element]) -> Element:
    return children[0] if len(children) == 1 else element("mrow", *children)


def fenced(left: str | None, parts: list[Element], right: str | None) -> Element:
    """A row in delimiters that grow with it."""
    opening = [leaf("mo", left, form="prefix", stretchy="true")] if left else []
    closing = [leaf("mo", right, form="postfix", stretchy="true")] if right else []
    return element("mrow", *opening, *parts, *closing)


def with_scripts(atom: Atom) -> Element:
    """The atom as one element, its scripts and primes in place.

    A prime stands beside its base, not in a superscript: the character is small and raised in every font already.
    """
    below, above = atom.subscript, atom.superscript
    under, over, both = ("munder", "mover", "munderover") if atom.limits else ("msub", "msup", "msubsup")
    if atom.primes:
        inner = atom.nucleus if below is None else element(under, atom.nucleus, below)
        primed = element("mrow", inner, leaf("mo", PRIMES.get(atom.primes, "′" * atom.primes), **NO_SPACE))
        return primed if above is None else element(over, primed, above)
    if below is not None and above is not None:
        return element(both, atom.nucleus, below, above)
    if below is not None:
        return element(under, atom.nucleus, below)
    return atom.nucleus if above is None else element(over, atom.nucleus, above)


def _settle_binaries(atoms: list[Atom]) -> None:
    """A binary sign without two neighbours to join is an ordinary one: the minus in (-1) or the star in p^*."""
    before: Kind | None = None
    for index, atom in enumerate(atoms):
        after = atoms[index + 1].kind if index + 1 < len(atoms) else None
        if atom.kind == "bin" and (
            before in (None, "bin", "op", "rel", "open", "punct") or after in (None, "rel", "close", "punct")
        ):
            atom.kind = "ord"
            is_prefix = after is not None and atom.nucleus.text in ("−", "+", "±", "∓")
            if atom.nucleus.tag == "mo":
                atom.nucleus.attrib.update({"form": "prefix"} if is_prefix else NO_SPACE)
        before = atom.kind


def ordinary(children: list[Atom]) -> Element:
    """A row in braces: a sign alone in it loses its space, as in 1{,}5 or a{=}b."""
    made = as_row(children)
    if made.tag == "mo" and made.text not in WITH_OWN_SPACE:
        made.attrib.update(NO_SPACE)
    return made


def spaced(atoms: list[Atom]) -> list[Element]:
    """The elements of a row, with the thin spaces of TeX between them; changes the kinds of the atoms."""
    visible = [atom for atom in atoms if atom.kind != "space"]
    _settle_binaries(visible)
    for atom, after in pairwise(visible):
        if atom.is_dots and after.kind in ("bin", "rel"):
            atom.nucleus.text = "⋯"
    made: list[Element] = []
    before: Atom | None = None
    for atom in atoms:
        if atom.kind != "space":
            if before is not None and (before.kind, atom.kind) in THIN_PAIRS:
                has_own_space = WITH_OWN_SPACE & {before.nucleus.text, atom.nucleus.text}
                made += [] if has_own_space else [space(THIN)]
            before = atom
        made.append(with_scripts(atom))
    return made


def as_row(atoms: list[Atom]) -> Element:
    return row(spaced(atoms))
