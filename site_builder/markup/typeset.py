"""Text with TeX, code spans and placeholders -> HTML and plain text: titles, summaries, captions, cells."""

import re
from html import escape, unescape

from site_builder.errors import Place, SiteError
from site_builder.markup.placeholders import Inline, Placeholder, Placeholders
from site_builder.markup.segments import segments
from site_builder.markup.tex.definitions import written_out
from site_builder.markup.tex.mathml import TexError, convert
from site_builder.values import number_format
from site_builder.values.language import current
from site_builder.values.number_format import THIN

APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"
_LONGEST_SHOWN = 200  # of a formula, in a message
_TEX_SIGNS = {number_format.MINUS: "-", number_format.THIN: r"\,", number_format.NO_BREAK: " ", "%": r"\%"}
_ESCAPED = re.compile("&(?:amp|lt|gt);")
_NUMERIC = set("0123456789.,()/ +-") | set(_TEX_SIGNS)
_TEX_ESCAPES = str.maketrans({c: f"\\{c}" for c in "{}$&#_%"} | {"\\": r"\backslash ", "^": r"\^{}", "~": r"\~{}"})


class FormattedText(str):
    """Text that a filter wrote, with its forms on a page and inside TeX.

    is_html: whether an extension wrote its form on a page, with links and ids.
    """

    html: str
    tex: str
    is_html: bool

    def __new__(cls, text: str, html: str = "", tex: str = "", is_html: bool = False) -> "FormattedText":
        written = super().__new__(cls, text)
        written.is_html = is_html
        written.html = html or escape(text, quote=False)
        written.tex = tex or tex_of(text)
        return written


def written(value: object, form: str = "") -> FormattedText:
    """Return a value as the named filter writes it. Raises ValueError where it cannot be written exactly."""
    if isinstance(value, FormattedText):
        return value
    return fraction(value) if form == "fraction" else FormattedText(number_format.write(value, form))


def fraction(value: object) -> FormattedText:
    """An exact fraction: mathematics on the page, `3/5` in plain text."""
    text = number_format.fraction(value)
    above, slash, below = text.replace(number_format.MINUS, "").partition("/")
    if not slash:
        return FormattedText(text)
    tex = ("-" if text.startswith(number_format.MINUS) else "") + rf"\frac{{{above}}}{{{below}}}"
    return FormattedText(text, convert(tex, False).mathml, tex)


def placeholder_of(text: str) -> Placeholder:
    """Return the placeholder of something that Jinja wrote."""
    done = text if isinstance(text, FormattedText) else FormattedText(text)
    return Placeholder(Inline(done.html, str(done)), done.tex, is_html=done.is_html)


def typeset(text: str, place: Place, placeholders: Placeholders | None = None) -> Inline:
    """The text with its TeX as mathematics and its code spans as code. Raises SiteError for TeX that is broken."""
    placeholders = placeholders or Placeholders()
    pieces = [_piece(segment.kind, segment.text, place, placeholders) for segment in segments(text, jinja=False)]
    return Inline("".join(piece.html for piece in pieces), "".join(piece.text for piece in pieces))


def formula(tex: str, display: bool, place: Place, placeholders: Placeholders) -> Inline:
    """One formula; its placeholders are filled in as TeX. Raises SiteError when it is broken."""
    filled = placeholders.fill(tex, lambda each: each.tex)
    try:
        tex = written_out(filled)
        made = convert(tex, display) if tex.strip() or tex == filled else None
    except TexError as error:
        place = Place(place.path, place.line + filled.count("\n", 0, error.position))
        raise SiteError(place, f"in the formula {_shortened(filled.strip())}: {error.message}", error.cure) from error
    if made is None:  # it has definitions alone
        return Inline("", "")
    mathml = made.mathml.replace("<math", '<math tabindex="0"', 1) if display else made.mathml  # wide ones scroll
    return Inline(mathml, made.text)


def _shortened(tex: str) -> str:
    return tex if len(tex) <= _LONGEST_SHOWN else tex[:_LONGEST_SHOWN] + " …"


def bare_tex(segment: str) -> str:
    """Return the TeX between the signs of a segment: $...$, $$...$$, \\(...\\) or \\[...\\].

    Editors of HTML write its & and < as &amp; and &lt;.
    """
    segment = _ESCAPED.sub(lambda found: unescape(found[0]), segment)
    return segment[2:-2] if segment.startswith(("$$", "\\")) else segment[1:-1]


def tex_of(text: str) -> str:
    """Return plain text as TeX: a number as a number, words as words."""
    if set(text) <= _NUMERIC:
        comma = r"(?<=\d),(?=\d)" if current().decimal == "," else r"(?<=\d),(?=\d{3})"
        text = re.sub(comma, "{,}", text)  # TeX would put a space after it
        return "".join(_TEX_SIGNS.get(character, character) for character in text)
    return rf"\text{{{text.translate(_TEX_ESCAPES)}}}"


def curled(text: str) -> str:
    """The text with the quotation marks of its language and apostrophes, as Markdown writes them in the body."""
    text = re.sub(r"(?<=\w)'", APOSTROPHE, text)
    before, after, *_ = current().quotes
    return re.sub(r'"([^"]*)"', rf"{before}\1{after}", text)


def _piece(kind: str, text: str, place: Place, placeholders: Placeholders) -> Inline:
    if kind in ("tex", "display"):
        return formula(bare_tex(text), False, place, placeholders)
    if kind == "code":
        code = text.strip("`").strip()
        return Inline(f"<code>{escape(code, quote=False)}</code>", code)
    text = curled(text.replace("\\$", "$").replace("\\`", "`"))
    html = placeholders.fill(escape(text, quote=False), lambda each: each.inline.html)
    return Inline(html, placeholders.fill(text, lambda each: each.inline.text))


def spoken(text: str) -> str:
    """The text with its formulas in plain letters: `$\\frac{1}{2}$` is 1/2. Broken TeX stays as it is written."""
    text = "".join(_formula_text(piece) if kind == "tex" else piece for kind, piece in tex_pieces(text))
    return re.sub(r"\s+", lambda space: space[0] if space[0] == THIN else " ", text).strip()


def tex_pieces(text: str) -> list[tuple[str, str]]:
    """The text as pieces: ("text", plain text) and ("tex", a formula without its dollar signs)."""
    if "$" not in text and "`" not in text:
        return [("text", text)]
    found = []
    for segment in segments(text, jinja=False):
        plain = segment.text.strip("`") if segment.kind == "code" else segment.text.replace("\\$", "$")
        found.append(("tex", bare_tex(segment.text)) if segment.kind in ("tex", "display") else ("text", plain))
    return found


def _formula_text(tex: str) -> str:
    try:
        return convert(written_out(tex), False).text
    except TexError:
        return tex
