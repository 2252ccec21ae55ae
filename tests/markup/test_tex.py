"""TeX -> MathML: what good formulas become, and what is said about broken ones.

The expected MathML is written by hand: the elements after W3C, MathML Core, chapter 3, what stands beside what after
D. E. Knuth, The TeXbook, chapters 16 to 18. Code points are those of The Unicode Standard, charts U1D400 and U2100.
"""

import re
from html import unescape
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib._mathtext_data import tex2uni

from site_builder.figures.palette import HUES
from site_builder.markup.tex.commands import HANDLERS
from site_builder.markup.tex.mathml import TexError, convert, with_plain_formulas
from site_builder.markup.tex.parser import COLOURS
from site_builder.markup.tex.symbols import INTEGRALS, SUMS, SYMBOLS

STYLESHEET = Path(__file__).resolve().parents[2] / "templates" / "assets" / "style.css"


def body(tex: str, display: bool = False) -> str:
    """The MathML in <math>, without the TeX that a displayed formula carries."""
    around = r"<semantics>(.*)<annotation.*</semantics>" if display else "(.*)"
    found = re.fullmatch(rf'<math(?: [a-z]+="[^"]*")*>{around}</math>', convert(tex, display).mathml, re.S)
    assert found is not None
    return found.group(1)


def error_in(tex: str, display: bool = False) -> TexError:
    with pytest.raises(TexError) as caught:
        convert(tex, display)
    return caught.value


A, B, X, N1, N2 = "<mi>a</mi>", "<mi>b</mi>", "<mi>x</mi>", "<mn>1</mn>", "<mn>2</mn>"
EQUALS = "<mo>=</mo>"
LEFT, RIGHT = '<mo stretchy="false">(</mo>', '<mo stretchy="false">)</mo>'
THIN = '<mspace width="0.167em"></mspace>'


def row(*parts: str) -> str:
    return f"<mrow>{''.join(parts)}</mrow>"


BINOMIAL = row('<mo form="prefix">(</mo>', f'<mfrac linethickness="0">{A}{B}</mfrac>', '<mo form="postfix">)</mo>')
STRUCTURES = [
    ("x", X),
    ("12.5", "<mn>12.5</mn>"),
    (".5", "<mn>.5</mn>"),
    ("1{,}000{,}000", "<mn>1,000,000</mn>"),
    (r"1\,048\,576", "<mn>1\u2009048\u2009576</mn>"),
    ("2ex", row(N2, "<mi>e</mi>", X)),
    ("x < 1", row(X, "<mo>&lt;</mo>", N1)),
    ("-1", row('<mo form="prefix">−</mo>', N1)),
    ("a = -1", row(A, EQUALS, '<mo form="prefix">−</mo>', N1)),
    ("a - 1", row(A, "<mo>−</mo>", N1)),
    ("a^*", f'<msup>{A}<mo lspace="0" rspace="0">∗</mo></msup>'),
    ("a/b", row(A, '<mo stretchy="false" lspace="0" rspace="0">/</mo>', B)),
    ("x^2", f"<msup>{X}{N2}</msup>"),
    ("x_1", f"<msub>{X}{N1}</msub>"),
    ("x_1^2", f"<msubsup>{X}{N1}{N2}</msubsup>"),
    ("x^2_1", f"<msubsup>{X}{N1}{N2}</msubsup>"),
    ("x^{10}", f"<msup>{X}<mn>10</mn></msup>"),
    ("x^{a b}", f"<msup>{X}{row(A, B)}</msup>"),
    ("{x^a}^b", f"<msup><msup>{X}{A}</msup>{B}</msup>"),
    ("^2", f"<msup><mrow></mrow>{N2}</msup>"),
    ("f'", row("<mi>f</mi>", '<mo lspace="0" rspace="0">′</mo>')),
    ("f''^2", "<msup>" + row("<mi>f</mi>", '<mo lspace="0" rspace="0">″</mo>') + f"{N2}</msup>"),
    ("f'_1", row(f"<msub><mi>f</mi>{N1}</msub>", '<mo lspace="0" rspace="0">′</mo>')),
    (r"\frac{a}{b}", f"<mfrac>{A}{B}</mfrac>"),
    (r"\frac12", f"<mfrac>{N1}{N2}</mfrac>"),
    (r"\frac{\frac12}{x}", f"<mfrac><mfrac>{N1}{N2}</mfrac>{X}</mfrac>"),
    (r"a \over b", f"<mfrac>{A}{B}</mfrac>"),
    (r"\sqrt{x}", f"<msqrt>{X}</msqrt>"),
    (r"\sqrt[a]{x}", f"<mroot>{X}{A}</mroot>"),
    (r"\binom{a}{b}", BINOMIAL),
    (r"{a \choose b}", BINOMIAL),
    (r"\lfloor x \rfloor", row('<mo stretchy="false">⌊</mo>', X, '<mo stretchy="false">⌋</mo>')),
    (r"\left( x \right]",
     row('<mo form="prefix" stretchy="true">(</mo>', X, '<mo form="postfix" stretchy="true">]</mo>')),
    (r"\left. x \right|", row(X, '<mo form="postfix" stretchy="true">|</mo>')),
    (r"\phi \varphi", row("<mi>ϕ</mi>", "<mi>φ</mi>")),
    (r"\Gamma", '<mi mathvariant="normal">Γ</mi>'),
    (r"\mathbb{R}", "<mi>\u211d</mi>"),
    (r"\mathbf{x1}", row("<mi>\U0001d431</mi>", "<mn>\U0001d7cf</mn>")),
    (r"\mathcal{LO}", "<mi>\u2112\U0001d4aa</mi>"),
    (r"\mathfrak{g}", "<mi>\U0001d524</mi>"),
    (r"\boldsymbol{\alpha}", "<mi>\U0001d736</mi>"),
    (r"\mathit{hi}", "<mi>\u210e\U0001d456</mi>"),
    (r"\mathrm{win}", "<mi>win</mi>"),
    (r"\mathrm d x", row('<mi mathvariant="normal">d</mi>', X)),
    (r"{\rm ab} a", row("<mi>ab</mi>", A)),
    (r"\text{if } x", row("<mtext>if\u00a0</mtext>", X)),
    (r"\text{an {odd} 5\% \& $x$}",
     row("<mtext>an\u00a0</mtext>", "<mtext>odd</mtext>", "<mtext>\u00a05%\u00a0&amp;\u00a0</mtext>", X)),
    (r"\textbf{no}", "<mtext>\U0001d427\U0001d428</mtext>"),
    (r"\operatorname{lcm}(a)", row("<mi>lcm</mi>", LEFT, A, RIGHT)),
    (r"\operatorname*{arg\,max}_x",
     f'<munder><mo movablelimits="true" lspace="0" rspace="0">arg\u2009max</mo>{X}</munder>'),
    (r"a \log b", row(A, THIN, "<mi>log</mi>", THIN, B)),
    (r"\sin^2 x", row(f"<msup><mi>sin</mi>{N2}</msup>", THIN, X)),
    (r"\sum_1^2 x", row(f"<munderover><mo>∑</mo>{N1}{N2}</munderover>", X)),
    (r"\int_1^2 x", row(f"<msubsup><mo>∫</mo>{N1}{N2}</msubsup>", X)),
    (r"\int\limits_1", f'<munder><mo movablelimits="false">∫</mo>{N1}</munder>'),
    (r"\max_a b", row(f'<munder><mo movablelimits="true" lspace="0" rspace="0">max</mo>{A}</munder>', THIN, B)),
    (r"a \mid b", row(A, '<mo stretchy="false">∣</mo>', B)),
    (r"a \not= b", row(A, "<mo>≠</mo>", B)),
    (r"a \not\in b", row(A, "<mo>∉</mo>", B)),
    (r"a \bmod b", row(A, '<mo lspace="0.222em" rspace="0.222em">mod</mo>', B)),
    (r"1, \dots, a", row(N1, "<mo>,</mo>", "<mi>…</mi>", "<mo>,</mo>", A)),
    (r"1 + \dots + a", row(N1, "<mo>+</mo>", "<mi>⋯</mi>", "<mo>+</mo>", A)),
    (r"\overline{ab}", f'<mover accent="true" class="tex-overline">{row(A, B)}<mo stretchy="true">‾</mo></mover>'),
    (r"\hat x", f'<mover accent="true">{X}<mo stretchy="false">^</mo></mover>'),
    (r"\overset{x}{=}", f"<mover>{EQUALS}{X}</mover>"),
    (r"\underbrace{x}_{1}", f'<munder><munder>{X}<mo stretchy="true">⏟</mo></munder>{N1}</munder>'),
    (r"\bigl( x \bigr)", row(*(
        f'<mo stretchy="true" symmetric="true" minsize="1.2em" maxsize="1.2em" form="{form}">{sign}</mo>{between}'
        for form, sign, between in (("prefix", "(", X), ("postfix", ")", ""))
    ))),
    (r"\begin{pmatrix} a & b \\ 1 & 2 \end{pmatrix}", row(
        '<mo form="prefix" stretchy="true">(</mo>',
        f"<mtable><mtr><mtd>{A}</mtd><mtd>{B}</mtd></mtr><mtr><mtd>{N1}</mtd><mtd>{N2}</mtd></mtr></mtable>",
        '<mo form="postfix" stretchy="true">)</mo>',
    )),
    (r"\begin{cases} 1 & a \\ 2 & b \end{cases}", row(
        '<mo form="prefix" stretchy="true">{</mo>',
        "<mtable>", *(
            f'<mtr><mtd columnalign="left">{left}</mtd><mtd columnalign="left">{right}</mtd></mtr>'
            for left, right in ((N1, A), (N2, B))
        ), "</mtable>",
    )),
    (r"\begin{aligned} a &= b \\ &= 1 \end{aligned}", '<mtable displaystyle="true" columnspacing="0em 2em">' + "".join(
        f'<mtr><mtd columnalign="right">{left}</mtd><mtd columnalign="left"><mrow></mrow>{EQUALS}{right}</mtd></mtr>'
        for left, right in ((A, B), ("", N1))
    ) + "</mtable>"),
    (r"\begin{array}{r|l} a & b \end{array}",
     f'<mtable><mtr><mtd columnalign="right">{A}</mtd><mtd columnalign="left" class="tex-line-left">{B}</mtd>'
     "</mtr></mtable>"),
    (r"\cancel{x}", f'<menclose notation="updiagonalstrike">{X}</menclose>'),
    (r"\text{a\dots b\backslash c \^{}}", "<mtext>a…b\\c\u00a0^</mtext>"),
    ("1\u2009a", row(N1, THIN, A)),
    (r"a\hspace{9mu}b", row(A, '<mspace width="0.5em"></mspace>', B)),
    ("≤", "<mo>≤</mo>"),
    ("é", "<mi>é</mi>"),
]  # fmt: skip


@pytest.mark.parametrize(("tex", "mathml"), STRUCTURES, ids=[tex for tex, _ in STRUCTURES])
def test_a_formula_has_the_structure_that_its_tex_says(tex, mathml):
    assert body(tex) == mathml


READINGS = [
    ("x^2", "x^2"), ("x_1", "x_1"), ("x^{n-1}", "x^(n − 1)"), ("{a^b}^c", "(a^b)^c"), ("a^{b^c}", "a^(b^c)"),
    (r"\frac{a}{b}", "a/b"), (r"\frac{a+1}{2}", "(a + 1)/2"), (r"\frac{1}{2n}", "1/(2n)"), (r"2\frac12", "2(1/2)"),
    (r"2\,\frac12", "2 (1/2)"), (r"-\frac12", "−1/2"), (r"(\frac12)^n", "(1/2)^n"), (r"\frac12^n", "(1/2)^n"),
    (r"\sqrt{x}", "√(x)"), (r"\sqrt[3]{x+1}", "√[3](x + 1)"), (r"\binom{n}{k}", "(n choose k)"), ("x^2 3", "x^2 3"),
    ("a_1 b", "a_1 b"), ("f'(x)", "f′(x)"), (r"90^\circ", "90°"), ("p^*", "p^*"), (r"\hat{p}", "p\u0302"),
    (r"\overline{AB}", "overline(AB)"), (r"\sum_{k=0}^n k", "∑_(k = 0)^n k"), (r"\lim_{n \to \infty}", "lim_(n → ∞)"),
    (r"O(n \log n)", "O(n log n)"), (r"a \equiv b \pmod{m}", "a ≡ b (mod m)"), (r"\{1, 2, \dots, n\}", "{1, 2, …, n}"),
    (r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}", "(a, b; c, d)"), (r"x \text{ if } y > 0", "x if y > 0"),
    (r"f = \begin{cases} 1 & x > 0 \\ 0 & x = 0 \end{cases}", "f = {1, x > 0; 0, x = 0"), (r"\mathbf{x}", "x"),
    (r"\begin{aligned} a &= b \\ &= c \end{aligned}", "a = b; = c"), (r"\mathbb{R}", "ℝ"),
    (r"f\colon A \to B", "f: A → B"), (r"\overset{?}{=}", "=^?"), (r"\frac{\text{a+b}}{2}", "(a+b)/2"),
    (r"1\,000", "1 000"), (r"50\%", "50%"), (r"\begin{matrix}[c] & d \end{matrix}", "[c], d"),
    (r"\begin{aligned}[c] a &= b \end{aligned}", "a = b"), (r"\cancel{x}", "cancel(x)"),
]  # fmt: skip


@pytest.mark.parametrize(("tex", "text"), READINGS, ids=[tex for tex, _ in READINGS])
def test_the_plain_text_keeps_the_structure(tex, text):
    assert convert(tex, False).text == text


def _expressions() -> list[str]:
    """All small expressions of a grammar, two levels deep."""
    ones = ["a", "2"]
    for _ in range(2):
        pairs = list(product(ones, ["a", "2"])) + list(product(["a", "2"], ones))
        twos = [form % pair for pair in pairs for form in (r"\frac{%s}{%s}", "{%s}^{%s}", "{%s}_{%s}", "{%s} - {%s}")]
        ones = [*ones, *twos, *(form % one for one in ones for form in (r"\sqrt{%s}", "-{%s}", "{%s}'", "(%s)"))]
    return list(dict.fromkeys(ones))


def test_no_two_different_formulas_read_alike():
    read: dict[str, set[str]] = {}
    for tex in _expressions():
        shape = body(tex).replace("<mrow>", "").replace("</mrow>", "")
        read.setdefault(convert(tex, False).text, set()).add(shape)

    assert len(read) > 400
    assert [text for text, shapes in read.items() if len(shapes) > 1] == []


# every formula of the corpus that site generators are compared with
CORPUS = [
    r"a_{i,j} = \sum_{k=1}^{n} b_{i,k} c_{k,j}", r"O(n \log n)", r"x_{3} \equiv 5 \pmod{7}",
    r"\lfloor \sqrt{n} \rfloor + 2", r"f(x) = \frac{x^2 + 3}{x - 1}", r"\{1, 2, \dots, 17\}", r"\phi(n) \le n - 4",
    r"\sum_{k=0}^{n} \binom{n}{k} x^k y^{n-k} = (x + y)^n",
    r"\int_0^1 \frac{x^{8}}{1 + x^2} \, dx = \frac{\pi}{4} - \epsilon",
    r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}^{9} = \prod_{i=1}^{n} \lambda_i",
    r"T(n) = 2 T(n/2) + 5 n = \Theta(n \log n)",
]  # fmt: skip
PUZZLES = [
    r"f(i, j) = \max\bigl(v_i + \min(f(i+2, j), f(i+1, j-1)),\, v_j + \min(f(i+1, j-1), f(i, j-2))\bigr)",
    r"f(i, i) = v_i, \quad f(i, i+1) = \max(v_i, v_{i+1})", r"p_k \cdot \min + (1 - p_k) \cdot \max",
    r"\left[\tfrac{v}{2} - 1, \tfrac{v}{2} - 1, \tfrac{3v}{4}, \tfrac{v}{2} + 1\right]",
    r"\frac{5v}{4} - 1, \quad v > 4", r"\lfloor k\varphi \rfloor \text{ and } \lfloor k\varphi \rfloor + k",
    r"\varphi = \frac{1 + \sqrt{5}}{2}", r"n(n+1)/2 = O(n^2)", r"2^{k-1} + 1 : 2^{k-2} + 1", r"\binom{52}{26} < 2^{53}",
    r"52 - 2k,\ 1 \le k \le 26", r"V_t(s) = \max_{c \in \{A, B\}} \sum_{x} \Pr(X_c = x)\, V_{t+1}(s + x)",
    r"0.6403174472759772", r"2^{-100}",
    r"\Pr\left(\text{at least } 51 \text{ heads}\right) = 2^{-100} \sum_{h=51}^{100} \binom{100}{h}",
    r"V_{100}(s) = \begin{cases} 1 & \text{if } s > 0, \\ 0 & \text{otherwise.} \end{cases}",
    r"(a, b) \mapsto (a - m, b - m)", r"\operatorname{mex}\{0, 1, 3\} = 2", r"2k + 1 \ll 2^k",
    r"\mathrm{RRB} \succ \mathrm{BBR} \succ \mathrm{RRB}",
]  # fmt: skip
EVERYDAY = [
    r"\displaystyle\sum_{\substack{i < n \\ i \ne j}} a_i", r"\left\{ x \in \mathbb{N} \,\middle|\, x^2 < 10 \right\}",
    r"\begin{aligned} (a+b)^2 &= a^2 + 2ab + b^2 \\[1ex] &\ge 4ab \end{aligned}",
    r"\begin{align*} x &= 1 & y &= 2 \\ \end{align*}", r"\begin{array}{|c|c|} \hline 1 & 2 \\ \hline \end{array}",
    r"\begin{gather*} a \\ b \end{gather*}", r"A^{\mathsf{T}} A",
    r"\begin{bmatrix} 1 & \cdots & n \\ \vdots & \ddots & \vdots \end{bmatrix}",
    r"\begin{vmatrix} a & b \\ c & d \end{vmatrix}",
    r"\begin{equation} \begin{split} a &= b \end{split} \end{equation}",
    r"\left.\frac{dy}{dx}\right|_{x=0}", r"\frac{\partial^2 u}{\partial x^2} + \nabla f = 0",
    r"\oint_C \vec{F} \cdot d\vec{r}", r"\forall x \exists y: x \le y \implies \neg(y < x)",
    r"A \cup B \cap C \setminus \emptyset \subseteq \Omega",
    r"\underbrace{1 + \cdots + 1}_{n} \overbrace{x}^{\text{one}}", r"x \xrightarrow[n]{\text{flip}} y",
    r"\boxed{\frac{2}{3}}", r"\lvert x \rvert + \lVert y \rVert + \|z\| + |w|", r"\langle a, b \rangle \lceil x \rceil",
    r"\Bigl(\frac ab\Bigr)^{\!2}", r"a \stackrel{\text{def}}{=} b \overset{d}{\to} c \underset{n}{\sim} e", r"{}_n C_k",
    r"10^{-3}\,\text{m}", r"90^\circ", r"\hat\mu, \bar{x}, \tilde{y}, \dot z, \ddot{w}, \widehat{abc}",
    r"e^{i\pi} + 1 = 0", r"x'' + x' = 0", r"5! = 120",
    r"\mathcal{F}, \mathfrak{S}_n, \mathscr{L}, \mathtt{code}, \bm{v}, \pmb{w}", r"{\bf x} + {\it y}",
    r"a \; b \quad c \! d~e", r"\text{win rate (\%)} = 100 \times \frac{w}{n}",
    r"\text{where $n \ge 1$ and $\text{odd}$}", r"\$5 + \#3 \& \_", r"x \in \left]0, 1\right[",
    r"\left( \begin{smallmatrix} 1 & 2 \end{smallmatrix} \right)", r"n \equiv 3 \bmod 4",
    r"\operatorname*{argmin}_{x} f", r"\liminf_{n} a_n \le \limsup_n a_n", r"\sum\nolimits_i x_i",
    r"\phantom{0}1 \hphantom{x}", r"\sqrt{1 + \sqrt{1 + \sqrt{1 + x}}}", r"\cfrac{1}{1 + \cfrac{1}{x}}",
    r"a^{b_{c^{d}}}", r"\#\{k : p_k > 0\}", r"x^\prime", "x\n  + y", "α ≤ β × 2", r"\overline{\overline{A}}",
    r"\not\subset", r"\%", r"\bigcup_{i=1}^\infty A_i", r"f^{-1}(x)", r"\textstyle\frac{1}{2}", r"\text{``so''} -- x",
    r"P(A \mid B) = \dfrac{P(A \cap B)}{P(B)}", r"\begin{cases} a \end{cases}", r"\begin{cases} a \\ [b] c \end{cases}",
]  # fmt: skip


GOOD = [*CORPUS, *PUZZLES, *EVERYDAY]


@pytest.mark.parametrize("display", [False, True], ids=["inline", "display"])
@pytest.mark.parametrize("tex", GOOD)
def test_a_good_formula_is_accepted_as_well_formed_markup(tex, display):
    formula = convert(tex, display)

    tree = ElementTree.fromstring(formula.mathml)
    shown = [part for part in tree.iter() if part.tag != "annotation"]
    assert tree.get("alttext") == formula.text
    assert not any("\\" in (part.text or "") for part in shown)
    assert "\n" not in formula.text
    assert formula.text


BROKEN = [
    ("", "an empty formula", 0), ("  ", "an empty formula", 0), (r"\frac{1}{2", "{ without }", 8),
    ("{x", "{ without }", 0), (r"\text{if x", "{ without }", 5),
    ("x}", "} without {", 1), (r"\left( x }", r"\left without \right", 0),
    (r"\alhpa", r"unknown command \alhpa", 0), (r"x + \fraction{1}{2}", r"unknown command \fraction", 4),
    (r"\R", r"unknown command \R", 0), (r"\begin{alinged} x \end{alinged}", "unknown environment alinged", 0),
    (r"\begin x", r"\begin without the name", 0), (r"\frac{1}", r"\frac lacks an argument", 8),
    (r"\frac", r"\frac lacks an argument", 5), (r"\sqrt", r"\sqrt lacks an argument", 5),
    (r"\sqrt[3]", r"\sqrt lacks an argument", 8), (r"{\hat}", r"\hat lacks an argument", 5),
    (r"\mathbb", r"\mathbb lacks an argument", 7), (r"\text x", r"\text lacks its argument", 0),
    (r"\operatorname{a_b}", r"\operatorname takes letters alone", 0), (r"\binom{n} + k}", "} without {", 13),
    (r"\sqrt[3{x}", "[ without ]", 5), ("x^", "^ lacks an argument", 2),
    ("x_}", "_ lacks an argument", 2), ("x^_2", "^ lacks an argument", 2), ("x^a^b", "a second superscript", 3),
    ("x_a_b", "a second subscript", 3), ("x^2'", "a prime after a superscript", 3),
    ("x_1^2_3", "a second subscript", 5), ("x^10", "^ takes the digit 1 alone", 2), ("x_12", "_ takes the digit 1", 2),
    (r"\sqrt25", r"\sqrt takes the digit 2 alone", 5), ("a & b", "a stray &", 2), ("{a & b}", "a stray &", 3),
    (r"\begin{cases} 1 & 2 & 3 \end{cases}", "a stray &", 20), (r"\begin{array}{c} 1 & 2 \end{array}", "a stray &", 19),
    (r"\begin{gather} a & b \end{gather}", "a stray &", 17),
    (r"\begin{pmatrix} {a & b} \end{pmatrix}", "a stray &", 19), (r"\left( x", r"\left without \right", 0),
    (r"x \right)", r"\right without \left", 2), (r"\left x \right)", "no delimiter", 6),
    (r"\left( x \right", r"\right is followed by no delimiter", 15),
    (r"\bigl x", r"\bigl is followed by no delimiter", 6),
    (r"\begin{cases} \left( 1 & 2 \right) \end{cases}", r"\left without \right", 14),
    (r"a \middle| b", r"\middle without \left", 2), (r"\begin{cases} 1", r"\begin{cases} without \end{cases}", 0),
    (r"x \end{cases}", r"\end without \begin", 2),
    (r"\begin{cases} 1 \end{matrix}", r"\begin{cases} is ended by \end{matrix}", 16),
    (r"\begin{cases} \end{cases}", "nothing", 0),
    (r"\begin{cases} {1 \end{cases}}", "{ without }", 14),
    (r"\begin{array} 1 \end{array}", "lacks its columns", 13), ("x \\", "a backslash at the end", 2),
    ("a $b$ c", "the character $ has no meaning here", 2), (r"\text{a $b}", "$ without $", 8),
    ("50%", "the character % has no meaning here", 2),
    ("#1", "the character # has no meaning here", 0), ('"x"', 'the character " has no meaning here', 0),
    (r"\text{a_b}", "the character _ has no meaning here", 7),
    (r"\text{\frac12}", r"\frac within words", 6), (r"a \\ b", "a line break outside an environment", 2),
    (r"a \over b \over c", r"a second fraction by \over", 10), (r"\over b", r"\over needs something on both sides", 0),
    (r"x\limits_1", r"\limits follows no operator", 1), (r"\not", r"\not lacks", 4),
    (r"\hspace{1}", r"\hspace takes a length", 7),
    ("a\u200bb", "the invisible character U+200B", 1), (r"\newcommand{\R}{x}", "this definition is not read", 0),
    (r"x \tag{1}", "only displayed formulas in the text", 2), (r"\colorbox{red}{x}", r"\colorbox is not supported", 0),
    (r"\color{cyan} x", "the colour cyan is not known", 6), (r"\textcolor x", r"\textcolor lacks its colour", 10),
    (r"\require{cancel}", r"\require is not supported", 0), (r"\unicode{x2660}", r"\unicode is not supported", 0),
    (r"\ce{H2O}", "formulas of chemistry are not supported", 0),
    ("{" * 50 + "}" * 50, "levels within one another", 40),
    (r"\not" * 2000, "levels within one another", 160),
]  # fmt: skip


@pytest.mark.parametrize(("tex", "message", "position"), BROKEN, ids=[tex[:40] for tex, _, _ in BROKEN])
def test_a_broken_formula_is_refused_where_it_breaks(tex, message, position):
    refused = error_in(tex)

    assert message in refused.message
    assert refused.position == position
    assert refused.cure


@pytest.mark.parametrize(
    ("tex", "cure"),
    [
        (r"\alhpa", r"did you mean \alpha?"),
        (r"a \cdotb", r"did you mean \cdot?"),
        (r"\fraction{1}{2}", r"did you mean \frac?"),
        (r"\PP x", r"define it: \newcommand{\PP}{…}"),
        (r"\foo x", r"define it: \newcommand{\foo}{…} in the first formula, or macros: in the front matter"),
        (r"\begin{alinged} x \end{alinged}", "did you mean 'aligned'?"),
        ("50%", r"write \%"),
    ],
)
def test_the_cure_says_what_was_probably_meant(tex, cure):
    assert cure in error_in(tex).cure


def test_a_line_break_in_display_begins_a_new_line():
    assert body(r"a \\ b", display=True).count("<mtr>") == 2


def test_display_is_marked_on_the_element_and_inline_is_not():
    assert convert("x", True).mathml.startswith('<math display="block" ')
    assert convert("x", False).mathml == '<math alttext="x"><mi>x</mi></math>'


def test_every_formula_has_its_plain_text_for_who_cannot_show_it():
    assert convert(r"\frac{a}{b} < 1", False).mathml.startswith('<math alttext="a/b &lt; 1">')


@pytest.mark.parametrize("tex", GOOD)
def test_the_tex_of_a_displayed_formula_goes_along_for_readers_who_copy_it(tex):
    # MathML Core, section 6.2.2: of <semantics> the first child is shown, an annotation is not
    (semantics,) = ElementTree.fromstring(convert(f" {tex} ", True).mathml)

    assert [part.tag for part in semantics][1:] == ["annotation"]
    assert semantics[1].attrib == {"encoding": "application/x-tex"}
    assert semantics[1].text == tex.strip()


def test_a_colour_is_a_class_that_reaches_as_far_as_in_latex_or_mathjax():
    coloured = '<mstyle class="tex-red"><mi>x</mi></mstyle>'

    assert coloured + "<mo>+</mo>" in convert(r"\textcolor{red}{x} + y", False).mathml
    assert coloured + "<mo>+</mo>" in convert(r"\color{red}{x} + y", False).mathml
    assert convert(r"{\color{red} x + y} - z", False).mathml.count("<mo>+</mo><mi>y</mi></mstyle>") == 1
    assert '<mstyle class="tex-blue"><mo>=</mo></mstyle>' in convert(r"a \textcolor{blue}{=} b", False).mathml


def test_formulas_have_the_colours_of_figures_in_light_and_dark():
    style = STYLESHEET.read_text("utf-8")

    assert set(COLOURS) == set(HUES)
    for name, hue in HUES.items():
        assert f".tex-{name} {{ color: light-dark({hue.line.light}, {hue.line.dark}); }}" in style


def test_every_class_that_the_markup_uses_has_a_rule_in_the_style():
    everything = "".join(convert(tex, True).mathml for tex in [*GOOD, *(tex for tex, _ in STRUCTURES)])
    classes = {name for names in re.findall(r'class="([^"]*)"', everything) for name in names.split()}

    assert {"tex-line-above", "tex-overline"} <= classes
    assert classes <= set(re.findall(r"\.(tex-[a-z-]+)", STYLESHEET.read_text("utf-8")))


# Where our table and the independent one differ on purpose: ours follows unicode-math by W. Robertson.
OWN_CHOICES = {
    *("bigcirc", "blacktriangle", "blacktriangledown", "dashleftarrow", "dashrightarrow", "doublebarwedge", "epsilon"),
    *("hbar", "lhd", "rhd", "preceq", "succeq", "rightsquigarrow", "triangledown", "triangleleft", "triangleright"),
    "vartriangle",
}


def test_symbols_are_the_characters_that_another_table_has_for_them():
    # Source: the table of matplotlib's mathtext.
    ours = {name[1:]: symbol.character for name, symbol in SYMBOLS.items()}
    ours |= {name[1:]: character for name, character in (SUMS | INTEGRALS).items()}
    compared = ours.keys() & tex2uni.keys() - OWN_CHOICES

    assert len(compared) > 350
    assert {name for name in compared if ours[name] != chr(tex2uni[name])} == set()


def without_tags(mathml: str) -> str:
    """What a reader shows that knows no MathML: the text, its tags dropped."""
    return unescape(re.sub(r"<[^>]*>", "", mathml))


@pytest.mark.parametrize("tex", GOOD)
@pytest.mark.parametrize("display", [False, True], ids=["inline", "display"])
def test_in_a_feed_a_formula_is_its_plain_text(tex, display):
    formula = convert(tex, display)

    assert without_tags(with_plain_formulas(f"<p>So {formula.mathml}.</p>")) == f"So {formula.text}."


@pytest.mark.parametrize(
    "typed",
    [
        "<math><mi>x</math> so",
        '<math xmlns="http://www.w3.org/1998/Math/MathML" alttext="x"><mi>x</mi></math>',
        '<math alttext="x" display="block"><mi>x</mi></math>',
    ],
)
def test_a_formula_that_an_author_wrote_as_mathml_goes_to_feeds_as_it_is(typed):
    assert with_plain_formulas(typed) == typed


PIECES = st.sampled_from(
    [
        "x",
        "12",
        r"\alpha",
        "a_{i}",
        "b^{2}",
        "x_{3}^{45}",
        r"6{,}789.01",
        r"\text{so it is}",
        r"\{1\}",
        "(y)",
        r"\mathbb{R}",
        "-1",
        "<",
    ]
)
NESTED = st.recursive(
    PIECES,
    lambda inner: st.one_of(
        st.builds("{{{}}}".format, inner),
        st.builds(r"\frac{{{}}}{{{}}}".format, inner, inner),
        st.builds(r"\sqrt{{{}}}".format, inner),
        st.builds(r"{{{}}}^{{{}}}".format, inner, inner),
        st.builds(r"\left( {} \right)".format, inner),
        st.builds(r"\begin{{cases}} {} & {} \end{{cases}}".format, inner, inner),
        st.builds("{} + {}".format, inner, inner),
        st.builds(r"\overline{{{}}} = {}".format, inner, inner),
    ),
    max_leaves=8,
)


@given(NESTED)
def test_good_pieces_in_one_another_are_accepted(tex):
    assert ElementTree.fromstring(convert(tex, True).mathml).tag == "math"


@given(NESTED)
def test_no_digit_is_lost_or_moved_on_the_way(tex):
    formula = convert(tex, True)

    shown = "".join(ElementTree.fromstring(formula.mathml)[0][0].itertext())  # of <semantics> the first child
    assert re.findall("[0-9]", shown) == re.findall("[0-9]", tex)
    assert re.findall("[0-9]", formula.text) == re.findall("[0-9]", tex)


@given(NESTED, st.data())
def test_a_formula_that_lost_a_brace_is_refused(tex, data):
    braces = [found.start() for found in re.finditer(r"(?<!\\)[{}]", tex)]
    if braces:
        lost = data.draw(st.sampled_from(braces))

        assert error_in(tex[:lost] + tex[lost + 1 :]).message


WORDS = st.sampled_from(
    [*HANDLERS, "{", "}", "{a}", "^", "_", "&", "\\\\", "$", "%", "'", "[", "]", " ", "1", "a", "\\"]
)


@given(st.one_of(st.text(), st.lists(WORDS, max_size=12).map("".join)), st.booleans())
def test_any_text_is_converted_or_refused_with_a_place_in_it(tex, display):
    try:
        ElementTree.fromstring(convert(tex, display).mathml)
    except TexError as error:
        refused = error
    else:
        return

    assert 0 <= refused.position <= len(tex)
    assert refused.message
    assert refused.cure
