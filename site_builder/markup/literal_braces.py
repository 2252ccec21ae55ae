"""Braces that are literal, in code and in TeX, kept from Jinja; noncharacters stand for them, which no author types."""

import re

from site_builder.markup.segments import segments, tag_in_tex_end

_STAND_INS = {"{{": "\ufdd4", "{%": "\ufdd5", "{#": "\ufdd6", "{": "\ufdd7"}
_BRACES = {stand_in: braces for braces, stand_in in _STAND_INS.items()}
_OPENING = re.compile(r"\{[{%#]")
_STAND_IN = re.compile(f"[{''.join(_BRACES)}]")


def protect(text: str) -> str:
    """The text with the braces that are literal written so that Jinja leaves them alone; its lines stay."""
    if not _OPENING.search(text):
        return text
    return "".join(
        segment.text
        if segment.kind in ("text", "jinja")
        else _literal(segment.text, segment.kind in ("tex", "display"))
        for segment in segments(text, jinja=True)
    )


def restore(text: str) -> str:
    """The text as it was before `protect`."""
    return _STAND_IN.sub(lambda found: _BRACES[found.group()], text)


def _literal(text: str, is_tex: bool) -> str:
    """The text of code or TeX with stand-ins, but for the Jinja in TeX."""
    pieces, at = [], 0
    while found := _OPENING.search(text, at):
        start = found.start()
        pieces.append(text[at:start])
        if is_tex and (end := tag_in_tex_end(text, start)):
            pieces.append(text[start:end])
            at = end
        elif is_tex and tag_in_tex_end(text, start + 1):  # {{{ x }}}: a brace of TeX, and Jinja in it
            pieces.append(_STAND_INS["{"])
            at = start + 1
        else:
            pieces.append(_STAND_INS[found.group()])
            at = found.end()
    return "".join([*pieces, text[at:]])
