"""Formulas as MathJax reads them -> formulas as posts write them."""

import re

from site_builder.importer.markdown.lines import Text

_DEFINITION = re.compile(
    r"\\(?:re)?newcommand\*?\s*(?:\{\s*(?P<name>\\[A-Za-z]+)\s*\}|(?P<bare>\\[A-Za-z]+))\s*(?:\[(?P<count>\d)\])?\s*(?=\{)"
    r"|\\def\s*(?P<def>\\[A-Za-z]+)\s*(?P<marks>(?:#\d)*)\s*(?=\{)"
    r"|\\DeclareMathOperator(?P<star>\*?)\s*\{\s*(?P<operator>\\[A-Za-z]+)\s*\}\s*(?=\{)"
)
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*\n?")
_LABEL = re.compile(r"\\label\s*\{[^{}]*\}|\\require\s*\{[^{}]*\}")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_BLANK = re.compile(r"\n(?:[ \t]*\n)+")
_JINJA = re.compile(r"\{([{%#])(?=\s)\s*")
_ENVIRONMENTS = "align|alignat|aligned|equation|gather|multline|eqnarray|cases|split|array|matrix|pmatrix|bmatrix"
ENVIRONMENT = re.compile(rf"\\begin\{{(?P<name>(?:{_ENVIRONMENTS})(?:\\?\*)?)\}}")
_MOST_EXPANSIONS = 1000
# kramdown takes these backslashes away before MathJax sees the text
_ESCAPED = re.compile(r"\\(\\)(?=[A-Za-z{}|,;:!()\[\]\\])|\\([_*])")


def unescaped(tex: str) -> str:
    """TeX in the text of a kramdown post, outside of $$, as its reader's MathJax sees it."""
    return _ESCAPED.sub(lambda found: found[1] or found[2], tex.replace("\\\\\\\\", "\0")).replace("\0", "\\\\")


def formula(tex: str, display: bool, text: Text) -> str:
    """The formula between its dollar signs; empty where it only defined commands, which are written out from now on."""
    tex = _BLANK.sub("\n", _LABEL.sub("", _without_comments(tex)))
    had_definitions = bool(_DEFINITION.search(tex))
    tex = _expanded(_without_definitions(tex, text), text).strip()
    if not tex:
        return "" if had_definitions else r"\$\$"
    tex = _JINJA.sub(lambda found: "{{" if found[1] == "{" else "{ " + found[1], tex)
    signs = "$$" if display else "$"
    return f"{signs}\n{tex}\n{signs}" if display and "\n" in tex else f"{signs}{tex}{signs}"


def _without_comments(tex: str) -> str:
    return _COMMENT.sub(lambda found: found[1], tex) if "%" in tex else tex


def _without_definitions(tex: str, text: Text) -> str:
    while found := _DEFINITION.search(tex):
        body, end = _group(tex, found.end())
        name = found["name"] or found["bare"] or found["def"] or found["operator"]
        if found["operator"]:
            body = rf"\operatorname{found['star']}{{{body}}}"
        count = int(found["count"] or 0) or (found["marks"] or "").count("#")
        text.macros[name] = (count, body)
        tex = tex[: found.start()] + tex[end:]
    return tex


def _expanded(tex: str, text: Text) -> str:
    """The TeX with the author's own commands written out."""
    if not text.macros:
        return tex
    at = 0
    for _ in range(_MOST_EXPANSIONS):
        found = next((each for each in _COMMAND.finditer(tex, at) if each[0] in text.macros), None)
        if found is None:
            return tex
        count, body = text.macros[found[0]]
        end, arguments = found.end(), []
        for _ in range(count):
            argument, end = _group(tex, end)
            arguments.append(argument)
        for number, argument in enumerate(arguments, 1):
            body = body.replace(f"#{number}", argument)
        after = tex[end:]
        gap = " " if re.search(r"\\[A-Za-z]+$", body) and after[:1].isalpha() else ""
        at = found.start()
        tex = tex[:at] + body + gap + after
    return tex


def _group(tex: str, at: int) -> tuple[str, int]:
    """What stands in the braces from here, or the single sign, and where that ends."""
    while tex[at : at + 1].isspace():
        at += 1
    if tex[at : at + 1] != "{":
        found = _COMMAND.match(tex, at)
        end = found.end() if found else at + 1
        return tex[at:end], end
    depth = 0
    for end in range(at, len(tex)):
        is_escaped = tex[end - 1 : end] == "\\"
        depth += 0 if is_escaped else (tex[end] == "{") - (tex[end] == "}")
        if depth == 0:
            return tex[at + 1 : end], end + 1
    return tex[at + 1 :], len(tex)
