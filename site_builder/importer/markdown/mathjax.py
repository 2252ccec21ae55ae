"""Converts formulas of MathJax to formulas of posts: macros expanded, comments removed."""

import re

from site_builder.importer.markdown.conversion import ConversionContext

_MACRO_DEFINITION = re.compile(
    r"\\(?:re)?newcommand\*?\s*(?:\{\s*(?P<name>\\[A-Za-z]+)\s*\}|(?P<bare>\\[A-Za-z]+))\s*(?:\[(?P<count>\d)\])?\s*(?=\{)"
    r"|\\def\s*(?P<def>\\[A-Za-z]+)\s*(?P<marks>(?:#\d)*)\s*(?=\{)"
    r"|\\DeclareMathOperator(?P<star>\*?)\s*\{\s*(?P<operator>\\[A-Za-z]+)\s*\}\s*(?=\{)"
)
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*\n?")
_IGNORED_COMMAND = re.compile(r"\\require\s*\{[^{}]*\}")
_COMMAND = re.compile(r"\\(?:[A-Za-z]+|.)", re.DOTALL)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)  # with what a backslash escapes, which is no brace
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_JINJA = re.compile(r"\{([{%#])(?=\s)\s*")
_ENVIRONMENTS = "align|alignat|aligned|equation|gather|multline|eqnarray|cases|split|array|matrix|pmatrix|bmatrix"
ENVIRONMENT = re.compile(rf"\\begin\{{(?P<name>(?:{_ENVIRONMENTS})(?:\\?\*)?)\}}")
_DOUBLED = re.compile(r"\\{4}|\\\\[{}]|\\_")
_MAX_EXPANSIONS = 1000
# kramdown removes these backslashes before MathJax sees the text.
_KRAMDOWN_ESCAPE = re.compile(r"\\(\\)(?=[A-Za-z{}|,;:!()\[\]\\])|\\([_*])")


def mathjax_source(tex: str, context: ConversionContext) -> str:
    """Return TeX outside of $$ as MathJax gets it: kramdown removes some backslashes, Jupyter and Quarto none.

    Hugo removes them or not, as it is configured; so they are removed where the TeX can only be meant without them.
    """
    if context.dialect in ("notebook", "quarto") or (context.dialect == "hugo" and not _DOUBLED.search(tex)):
        return tex
    return _KRAMDOWN_ESCAPE.sub(lambda found: found[1] or found[2], tex.replace("\\\\\\\\", "\0")).replace("\0", "\\\\")


def convert_formula(tex: str, display: bool, context: ConversionContext) -> str:
    """Return a formula with its dollar signs; empty if it only defined macros, which are added to the context."""
    tex = _BLANK_LINES.sub("\n", _IGNORED_COMMAND.sub("", _COMMENT.sub(r"\1", tex)))
    had_definitions = bool(_MACRO_DEFINITION.search(tex))
    tex = _expand_macros(_take_definitions(tex, context), context).strip()
    if not tex:
        return "" if had_definitions else r"\$\$"
    tex = escape_jinja_in_tex(tex)
    signs = "$$" if display else "$"
    return f"{signs}\n{tex}\n{signs}" if display and "\n" in tex else f"{signs}{tex}{signs}"


def escape_jinja_in_tex(tex: str) -> str:
    """Remove the white space by which Jinja in TeX differs from braces."""
    return _JINJA.sub(lambda found: "{{" if found[1] == "{" else f"{{ {found[1]}", tex)


def _take_definitions(tex: str, context: ConversionContext) -> str:
    """The TeX without definitions of macros, which are added to the context.

    A definition that never ends stays, with all after it: the check of the post reports it.
    """
    while (found := _MACRO_DEFINITION.search(tex)) and (argument := _argument(tex, found.end())):
        body, end = argument
        name = found["name"] or found["bare"] or found["def"] or found["operator"]
        if found["operator"]:
            body = rf"\operatorname{found['star']}{{{body}}}"
        count = int(found["count"] or 0) or (found["marks"] or "").count("#")
        context.macros[name] = (count, body)
        tex = tex[: found.start()] + tex[end:]
    return tex


def _expand_macros(tex: str, context: ConversionContext) -> str:
    """The TeX with macros expanded; one whose argument never ends stays, with all after it."""
    if not context.macros:
        return tex
    at = 0
    for _ in range(_MAX_EXPANSIONS):
        found = next((each for each in _COMMAND.finditer(tex, at) if each[0] in context.macros), None)
        if found is None:
            return tex
        count, body = context.macros[found[0]]
        end = found.end()
        arguments: list[str] = []
        while len(arguments) < count and (argument := _argument(tex, end)):
            arguments.append(argument[0])
            end = argument[1]
        if len(arguments) < count:
            return tex
        for number, each in enumerate(arguments, 1):
            body = body.replace(f"#{number}", each)
        after = tex[end:]
        gap = " " if re.search(r"\\[A-Za-z]+$", body) and after[:1].isalpha() else ""
        at = found.start()
        tex = tex[:at] + body + gap + after
    return tex


def _argument(tex: str, at: int) -> tuple[str, int] | None:
    """The argument that starts here, in braces or as a single token, and where it ends; None if its brace is open."""
    while tex[at : at + 1].isspace():
        at += 1
    if tex[at : at + 1] != "{":
        command = _COMMAND.match(tex, at)
        end = command.end() if command else at + 1
        return tex[at:end], end
    depth = 0
    for found in _BRACE.finditer(tex, at):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return tex[at + 1 : found.start()], found.end()
    return None
