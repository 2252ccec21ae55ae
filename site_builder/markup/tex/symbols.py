"""The names of TeX's symbols: which character each one is, and how it behaves in a row; letters in other alphabets.

Sources: D. E. Knuth, The TeXbook, appendix F, for the symbols of plain TeX and their kinds; American Mathematical
Society, User's Guide to AMSFonts, for those of amssymb. Browsers no longer read `mathvariant`, so that each letter is
written as the character of its alphabet: The Unicode Standard, blocks Mathematical Alphanumeric Symbols and, for those
that were there before, Letterlike Symbols.
"""

import unicodedata
from functools import cache
from typing import Literal, NamedTuple

# How an atom behaves beside its neighbours (The TeXbook, chapter 18); "space" takes no part.
Kind = Literal["ord", "op", "bin", "rel", "open", "close", "punct", "inner", "space"]


class Symbol(NamedTuple):
    character: str
    kind: Kind


def _pairs(text: str) -> dict[str, str]:
    words = text.split()
    return {"\\" + name: character for name, character in zip(words[::2], words[1::2], strict=True)}


def _names(text: str) -> dict[str, str]:
    return {"\\" + name: name for name in text.split()}


GREEK = _pairs("""
alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ varkappa ϰ
lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ
chi χ psi ψ omega ω digamma ϝ varGamma Γ varDelta Δ varTheta Θ varLambda Λ varXi Ξ varPi Π varSigma Σ varUpsilon Υ
varPhi Φ varPsi Ψ varOmega Ω
""")

# Letters and signs that stand upright: a browser would slant them.
UPRIGHT = _pairs("""
Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω nabla ∇
""")

PLAIN = _pairs("""
infty ∞ emptyset ∅ varnothing ∅ partial ∂ forall ∀ exists ∃ nexists ∄ ell ℓ hbar ℏ hslash ℏ Re ℜ Im ℑ wp ℘ aleph ℵ
beth ℶ gimel ℷ daleth ℸ imath ı jmath ȷ angle ∠ measuredangle ∡ sphericalangle ∢ triangle △ triangledown ▽ square □
Box □ blacksquare ■ lozenge ◊ Diamond ◇ blacklozenge ⧫ bigstar ★ clubsuit ♣ diamondsuit ♢ heartsuit ♡ spadesuit ♠
flat ♭ natural ♮ sharp ♯ checkmark ✓ maltese ✠ dag † ddag ‡ S § P ¶ copyright © pounds £ yen ¥ degree ° top ⊤ bot ⊥
neg ¬ lnot ¬ surd √ complement ∁ eth ð mho ℧ Finv Ⅎ Game ⅁ Bbbk 𝕜 circledS Ⓢ circledR ® diagup ╱ diagdown ╲
blacktriangle ▲ blacktriangledown ▼ backprime ‵ prime ′ dprime ″ % % # # & & $ $ _ _ vdots ⋮
""")

BINARY = _pairs("""
pm ± mp ∓ times × div ÷ ast ∗ star ⋆ circ ∘ bullet ∙ cdot ⋅ cap ∩ cup ∪ uplus ⊎ sqcap ⊓ sqcup ⊔ vee ∨ lor ∨ wedge ∧
land ∧ setminus ∖ smallsetminus ∖ wr ≀ diamond ⋄ bigtriangleup △ bigtriangledown ▽ triangleleft ◃ triangleright ▹
lhd ⊲ rhd ⊳ unlhd ⊴ unrhd ⊵ oplus ⊕ ominus ⊖ otimes ⊗ oslash ⊘ odot ⊙ bigcirc ◯ dagger † ddagger ‡ amalg ⨿ ltimes ⋉
rtimes ⋊ Cap ⋒ Cup ⋓ boxplus ⊞ boxminus ⊟ boxtimes ⊠ boxdot ⊡ centerdot ⋅ intercal ⊺ veebar ⊻ barwedge ⊼
doublebarwedge ⩞ curlyvee ⋎ curlywedge ⋏ divideontimes ⋇ dotplus ∔ leftthreetimes ⋋ rightthreetimes ⋌ circledast ⊛
circledcirc ⊚ circleddash ⊝
""")

RELATIONS = _pairs("""
lt < gt > leq ≤ le ≤ geq ≥ ge ≥ leqslant ⩽ geqslant ⩾ leqq ≦ geqq ≧ neq ≠ ne ≠ equiv ≡ sim ∼ simeq ≃ approx ≈
approxeq ≊ cong ≅ propto ∝ varpropto ∝ ll ≪ gg ≫ lll ⋘ ggg ⋙ prec ≺ succ ≻ preceq ⪯ succeq ⪰ preccurlyeq ≼
succcurlyeq ≽ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ subseteqq ⫅ supseteqq ⫆ subsetneq ⊊ supsetneq ⊋ subsetneqq ⫋
supsetneqq ⫌ Subset ⋐ Supset ⋑ sqsubset ⊏ sqsupset ⊐ sqsubseteq ⊑ sqsupseteq ⊒ in ∈ ni ∋ owns ∋ notin ∉ mid ∣ nmid ∤
shortmid ∣ parallel ∥ nparallel ∦ shortparallel ∥ perp ⟂ models ⊧ vdash ⊢ dashv ⊣ vDash ⊨ Vdash ⊩ Vvdash ⊪ nvdash ⊬
nvDash ⊭ nVdash ⊮ nVDash ⊯ asymp ≍ bowtie ⋈ Join ⨝ doteq ≐ doteqdot ≑ risingdotseq ≓ fallingdotseq ≒ frown ⌢ smile ⌣
circeq ≗ eqcirc ≖ triangleq ≜ coloneqq ≔ eqqcolon ≕
bumpeq ≏ Bumpeq ≎ thicksim ∼ thickapprox ≈ backsim ∽ backsimeq ⋍ lesssim ≲ gtrsim ≳
lessapprox ⪅ gtrapprox ⪆ lessgtr ≶ gtrless ≷ lesseqgtr ⋚ gtreqless ⋛ lessdot ⋖ gtrdot ⋗ eqslantless ⪕ eqslantgtr ⪖
precsim ≾ succsim ≿ precapprox ⪷ succapprox ⪸ curlyeqprec ⋞ curlyeqsucc ⋟ trianglelefteq ⊴ trianglerighteq ⊵
vartriangleleft ⊲ vartriangleright ⊳ vartriangle △ blacktriangleleft ◀ blacktriangleright ▶ between ≬ pitchfork ⋔
therefore ∴ because ∵ backepsilon ϶ multimap ⊸ nless ≮ ngtr ≯ nleq ≰ ngeq ≱ lneq ⪇ gneq ⪈ lneqq ≨ gneqq ≩ lnsim ⋦
gnsim ⋧ nprec ⊀ nsucc ⊁ npreceq ⋠ nsucceq ⋡ precnsim ⋨ succnsim ⋩ nsim ≁ ncong ≇ nsubseteq ⊈ nsupseteq ⊉
ntriangleleft ⋪ ntriangleright ⋫ ntrianglelefteq ⋬ ntrianglerighteq ⋭
to → gets ← leftarrow ← rightarrow → leftrightarrow ↔ uparrow ↑ downarrow ↓ updownarrow ↕ Leftarrow ⇐ Rightarrow ⇒
Leftrightarrow ⇔ Uparrow ⇑ Downarrow ⇓ Updownarrow ⇕ mapsto ↦ longmapsto ⟼ longleftarrow ⟵ longrightarrow ⟶
longleftrightarrow ⟷ Longleftarrow ⟸ Longrightarrow ⟹ Longleftrightarrow ⟺ implies ⟹ impliedby ⟸ iff ⟺ nearrow ↗
searrow ↘ swarrow ↙ nwarrow ↖ hookleftarrow ↩ hookrightarrow ↪ leftharpoonup ↼ leftharpoondown ↽ rightharpoonup ⇀
rightharpoondown ⇁ rightleftharpoons ⇌ leftrightharpoons ⇋ upharpoonleft ↿ upharpoonright ↾ restriction ↾
downharpoonleft ⇃ downharpoonright ⇂ leadsto ⇝ rightsquigarrow ⇝ leftrightsquigarrow ↭ nleftarrow ↚ nrightarrow ↛
nleftrightarrow ↮ nLeftarrow ⇍ nRightarrow ⇏ nLeftrightarrow ⇎ twoheadleftarrow ↞ twoheadrightarrow ↠ leftarrowtail ↢
rightarrowtail ↣ looparrowleft ↫ looparrowright ↬ curvearrowleft ↶ curvearrowright ↷ circlearrowleft ↺
circlearrowright ↻ Lsh ↰ Rsh ↱ leftleftarrows ⇇ rightrightarrows ⇉ upuparrows ⇈ downdownarrows ⇊ leftrightarrows ⇆
rightleftarrows ⇄ Lleftarrow ⇚ Rrightarrow ⇛ dashleftarrow ⇠ dashrightarrow ⇢
""")

OPENING = _pairs("{ { lbrace { lbrack [ lparen ( langle ⟨ lceil ⌈ lfloor ⌊ lgroup ⟮ lmoustache ⎰ ulcorner ⌜ llcorner ⌞")
CLOSING = _pairs("} } rbrace } rbrack ] rparen ) rangle ⟩ rceil ⌉ rfloor ⌋ rgroup ⟯ rmoustache ⎱ urcorner ⌝ lrcorner ⌟")
BARS = _pairs("| ‖ Vert ‖ vert | backslash \\")

SUMS = _pairs("""
sum ∑ prod ∏ coprod ∐ bigcup ⋃ bigcap ⋂ bigvee ⋁ bigwedge ⋀ bigoplus ⨁ bigotimes ⨂ bigodot ⨀ biguplus ⨄ bigsqcup ⨆
""")
INTEGRALS = _pairs("int ∫ iint ∬ iiint ∭ iiiint ⨌ oint ∮ oiint ∯ oiiint ∰ smallint ∫")

# Words set upright; the second row takes its limits below in display.
FUNCTIONS = _names("arccos arcsin arctan arg cos cosh cot coth csc deg dim exp hom ker lg ln log sec sin sinh tan tanh")
LIMIT_FUNCTIONS = {
    **_names("det gcd inf lim max min sup Pr"),
    **{"\\liminf": "lim inf", "\\limsup": "lim sup", "\\argmax": "arg max", "\\argmin": "arg min"},
    **{"\\injlim": "inj lim", "\\projlim": "proj lim"},
}

DOTS = {"\\ldots": "…", "\\cdots": "⋯", "\\dots": "…", "\\dotsc": "…", "\\dotso": "…", "\\dotsb": "⋯", "\\dotsm": "⋯"}
DOTS |= {"\\dotsi": "⋯", "\\ddots": "⋱"}

# Widths in em; one mu is an eighteenth of it (The TeXbook, chapter 18).
SPACES = {
    "\\,": 3 / 18, "\\thinspace": 3 / 18, "\\:": 4 / 18, "\\>": 4 / 18, "\\medspace": 4 / 18, "\\;": 5 / 18,
    "\\thickspace": 5 / 18, "\\!": -3 / 18, "\\negthinspace": -3 / 18, "\\negmedspace": -4 / 18,
    "\\negthickspace": -5 / 18, "\\enspace": 0.5, "\\quad": 1.0, "\\qquad": 2.0,
    "\\ ": 0.25, "\\\n": 0.25, "\\\t": 0.25, "\\space": 0.25, "\\nobreakspace": 0.25, "~": 0.25,
}  # fmt: skip

# What a character on the keyboard is in a formula; letters and digits aside.
KEYS: dict[str, Symbol] = {
    **{key: Symbol(key, "rel") for key in "=<>:"},
    **{key: Symbol(character, "bin") for key, character in (("+", "+"), ("-", "−"), ("*", "∗"))},
    **{key: Symbol(key, "open") for key in "(["},
    **{key: Symbol(key, "close") for key in ")]!?"},
    **{key: Symbol(key, "punct") for key in ",;"},
    **{key: Symbol(key, "ord") for key in "/|.@"},
}


_TABLES: tuple[tuple[Kind, dict[str, str]], ...] = (
    ("ord", {**GREEK, **UPRIGHT, **PLAIN, **BARS}),
    ("bin", BINARY),
    ("rel", RELATIONS),
    ("open", {**OPENING, "\\lvert": "|", "\\lVert": "‖"}),
    ("close", {**CLOSING, "\\rvert": "|", "\\rVert": "‖"}),
    ("punct", {"\\colon": ":", "\\ldotp": "."}),
)
SYMBOLS = {name: Symbol(character, kind) for kind, table in _TABLES for name, character in table.items()}

# Kinds of characters that an author typed as themselves, such as ≤ or ×.
KINDS: dict[str, Kind] = {symbol.character: symbol.kind for symbol in reversed([*SYMBOLS.values(), *KEYS.values()])}

UPRIGHT_CHARACTERS = frozenset(UPRIGHT.values())
SUM_CHARACTERS = frozenset(SUMS.values())
INTEGRAL_CHARACTERS = frozenset(INTEGRALS.values())

# After \left, \right, \middle and \big; None is the invisible one.
DELIMITERS: dict[str, str | None] = {
    **{key: key for key in "()[]|/"},
    **{"<": "⟨", ">": "⟩", ".": None},
    **OPENING,
    **CLOSING,
    **BARS,
    **{"\\lvert": "|", "\\rvert": "|", "\\lVert": "‖", "\\rVert": "‖"},
    **{name: RELATIONS[name] for name in RELATIONS if name[1:] in {
        "uparrow", "downarrow", "updownarrow", "Uparrow", "Downarrow", "Updownarrow"
    }},
}  # fmt: skip


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
