"""The signs by which blocks of Markdown begin, and what their lines tell."""

import re
from collections.abc import Sequence

from site_builder.importer.markdown.lines import Line

FENCE = re.compile(r" {0,3}(?P<signs>`{3,}|~{3,})[ \t]*(?P<words>[^`\n]*)$")
HEADING = re.compile(r" {0,3}(?P<signs>#{1,6})(?P<gap>[ \t]*)(?P<words>.*?)(?:[ \t]+#+)?[ \t]*$")
UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
QUOTE = re.compile(r" {0,3}> ?")
ITEM = re.compile(r"(?P<front> {0,3})(?P<mark>[*+-]|\d{1,9}[.)])(?:(?P<gap>[ \t]+)(?P<rest>.*)|$)")
DEFINITION = re.compile(r"(?P<front> {0,3}):(?P<gap>[ \t]+)(?P<rest>.*)$")
NOTE = re.compile(r" {0,3}\[\^(?P<label>[^\]\s]+)\]:[ \t]*(?P<rest>.*)$")
REFERENCE = re.compile(r" {0,3}\[(?P<label>[^\]^][^\]]*)\]:[ \t]*(?P<url><[^<>]*>|\S+)(?P<title>[ \t]+.*)?$")
ABBREVIATION = re.compile(r" {0,3}\*\[[^\]]+\]:")
ATTRIBUTES = re.compile(r"[ \t]*\{:(?![:/])(?P<words>[^{}]*)\}[ \t]*$")
TRAILING = re.compile(r"[ \t]*\{(?P<words>:(?![:/])[^{}]*|#[\w:-]+)\}[ \t]*$")
OPTIONS = re.compile(r"[ \t]*\{::?/?(options|comment|nomarkdown|[\w]*:)?[^{}]*\}[ \t]*$")
HIDDEN = re.compile(r"\{::comment(?:\s[^{}]*)?(?<!/)\}")
HIDDEN_END = re.compile(r"\{:/(?:comment)?\}")
HTML = re.compile(
    r" {0,3}(?:<!--|</?(?P<name>address|article|aside"
    r"|blockquote|center|details|div|dl|fieldset|figcaption|figure|footer"
    r"|form|h[1-6]|header|hr|iframe|main|nav|ol|p|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|tr|ul"
    r"|video|audio|object)\b)",
    re.IGNORECASE,
)
TO_ITS_END = {"pre": "</pre>", "script": "</script>", "style": "</style>"}
SEPARATOR = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:[|+][ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
FOOTER = re.compile(r"[ \t]*\|?[ \t]*=+[ =|+]*$")
PLAIN_WORD = re.compile(r"[\w#.+-]+$")
MATHJAX = re.compile(r"mathjax|katex", re.IGNORECASE)


def spaced(lines: Sequence[Line]) -> list[Line]:
    """The lines with spaces for the tabs in front of them, but for code in fences."""
    made, signs = [], ""
    for line in lines:
        fence = FENCE.match(line.text)
        if signs or fence:
            made.append(line)
            if fence and not signs:
                signs = fence["signs"]
            elif fence and fence["signs"].startswith(signs) and not fence["words"]:
                signs = ""
            continue
        bare = line.text.lstrip(" \t")
        front = line.text[: len(line.text) - len(bare)].expandtabs(4)
        made.append(Line(front + re.sub(r"^([*+-]|\d+[.)])\t", r"\1   ", bare), line.number))
    return made


def is_special(said: str) -> bool:
    """Whether a line begins a block of its own, and does not go on with a paragraph."""
    heading = HEADING.match(said)
    return bool(
        FENCE.match(said) or QUOTE.match(said) or ITEM.match(said) or RULE.match(said) or (heading and heading["gap"])
    )


def indent(said: str) -> int:
    return len(said) - len(said.lstrip(" "))


def outdented(said: str, columns: int) -> str:
    return said[min(columns, indent(said)) :]


def is_picture(url: str) -> bool:
    return url.lower().endswith((".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp"))


def bare(words: str) -> str:
    """A heading without its marks, as anchors are made of it."""
    return (
        re.sub(r"\$\$?[^$]*\$\$?", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words)).replace("*", "").replace("`", "")
    )


def their_anchor(words: str, is_notebook: bool) -> str:
    """The anchor that the heading had: as kramdown made it for GFM, or as Jupyter does."""
    plain = bare(words)
    if is_notebook:
        return plain.strip().replace(" ", "-")
    return re.sub(r"[^\w\- \t]", "", plain.lower()).strip().replace(" ", "-").replace("\t", "-")
