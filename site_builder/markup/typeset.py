"""Text with TeX, code spans and placeholders -> HTML and plain text: titles, summaries, captions, cells."""

import re
from html import escape, unescape

from site_builder.errors import Place, SiteError
from site_builder.markup.placeholders import FormattedText, Inline, Placeholders
from site_builder.markup.segments import segments
from site_builder.markup.tex.definitions import written_out
from site_builder.markup.tex.mathml import TexError, convert
from site_builder.values import number_format
from site_builder.values.language import current
from site_builder.values.number_format import THIN

APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"
_LONGEST_SHOWN = 200  # of a formula, in a message
_ESCAPED = re.compile("&(?:amp|lt|gt);")


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
        raise SiteError(
            place, f"in the formula {filled.strip()[:_LONGEST_SHOWN]}: {error.message}", error.cure
        ) from error
    if made is None:  # it has definitions alone
        return Inline("", "")
    mathml = made.mathml.replace("<math", '<math tabindex="0"', 1) if display else made.mathml  # wide ones scroll
    return Inline(mathml, made.text)


def bare_tex(segment: str) -> str:
    """Return the TeX between the signs of a segment: $...$, $$...$$, \\(...\\) or \\[...\\].

    Editors of HTML write its & and < as &amp; and &lt;.
    """
    segment = _ESCAPED.sub(lambda found: unescape(found[0]), segment)
    return segment[2:-2] if segment.startswith(("$$", "\\")) else segment[1:-1]


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
    html = placeholders.html(escape(text, quote=False))
    return Inline(html, placeholders.fill(text, str))


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
