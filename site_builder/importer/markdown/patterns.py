"""Patterns for the lines at which blocks of Markdown start, and functions on such lines."""

import re
from collections.abc import Sequence

from site_builder.importer.markdown.conversion import Dialect, SourceLine

FENCE = re.compile(r" {0,3}(?P<signs>`{3,}|~{3,})[ \t]*(?P<words>[^`\n]*)$")
FENCE_START = re.compile(r" {0,3}(`{3,}|~{3,})")
CODE = re.compile(" {4}")
HEADING = re.compile(r" {0,3}(?P<signs>#{1,6})(?P<gap>[ \t]+|$)(?P<words>.*?)(?:[ \t]+#+)?[ \t]*$")
HASHTAG = re.compile(r" {0,3}#{1,6}+(?![ \t]|$)")  # in GFM it is text
ANY_LINE = re.compile("")
ROW = re.compile(r".*\|")
KRAMDOWN = re.compile(r"\s*\{:")
UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
QUOTE = re.compile(r" {0,3}> ?")
ITEM = re.compile(r"(?P<front> {0,3})(?P<mark>[*+-]|\d{1,9}[.)])(?:(?P<gap>[ \t]+)(?P<rest>.*)|$)")
TASK = re.compile(r"^\[(?P<mark>[ xX])\][ \t]+(?=\S)")
ALERT = re.compile(r"\[!(?P<kind>[A-Za-z]+)\](?P<fold>[+-]?)[ \t]*(?P<title>.*)$")
START = re.compile(r"\{:\s*start=[\"']?(?P<number>\d{1,9})[\"']?\s*\}\s*$")
DEFINITION = re.compile(r"(?P<front> {0,3}):(?P<gap>[ \t]+)(?P<rest>.*)$")
NOTE = re.compile(r" {0,3}\[\^(?P<label>[^\]\s]+)\]:[ \t]*(?P<rest>.*)$")
REFERENCE = re.compile(r" {0,3}\[(?P<label>[^\]^][^\]]*)\]:[ \t]*(?P<url><[^<>]*>|\S+)(?P<title>[ \t]+.*)?$")
ABBREVIATION = re.compile(r" {0,3}\*\[[^\]]+\]:")
ATTRIBUTES = re.compile(r"[ \t]*\{:(?![:/])(?P<words>[^{}]*)\}[ \t]*$")
HEADING_ATTRIBUTES = re.compile(r"[ \t]*\{(?P<words>:(?![:/])[^{}]*|#[\w:-]+(?:[ \t]+[.#][\w:-]+)*)\}[ \t]*$")
GOLDMARK = re.compile(r" {0,3}\{(?:[ \t]*(?:[.#][\w:-]+|[\w-]+=(?:\"[^\"]*\"|[^\s{}\"]+)))+[ \t]*\}[ \t]*$")
EXTENSION = re.compile(r"[ \t]*\{::?/?(options|comment|nomarkdown|[\w]*:)?[^{}]*\}[ \t]*$")
COMMENT = re.compile(r"\{::comment(?:\s[^{}]*)?(?<!/)\}")
COMMENT_END = re.compile(r"\{:/(?:comment)?\}")
HTML = re.compile(
    r" {0,3}(?:<!--|</?(?P<name>address|article|aside"
    r"|blockquote|center|details|div|dl|fieldset|figcaption|figure|footer"
    r"|form|h[1-6]|header|hr|iframe|main|nav|ol|p|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|tr|ul"
    r"|video|audio|object)\b)",
    re.IGNORECASE,
)
RAW_HTML_END = {"pre": "</pre>", "script": "</script>", "style": "</style>"}
TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:[|+][ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
TABLE_FOOT = re.compile(r"[ \t]*\|?[ \t]*=+[ =|+]*$")
PLAIN_WORD = re.compile(r"[\w#.+-]+$")
MATHJAX = re.compile(r"mathjax|katex", re.IGNORECASE)


def expand_tabs(lines: Sequence[SourceLine]) -> list[SourceLine]:
    """Replace tabs before text and list items by spaces, except in fenced code."""
    result, signs = [], ""
    for line in lines:
        fence = FENCE.match(line.text)
        if signs or fence:
            result.append(line)
            if fence and not signs:
                signs = fence["signs"]
            elif fence and fence["signs"].startswith(signs) and not fence["words"]:
                signs = ""
            continue
        text = line.text.lstrip(" \t")
        front = line.text[: len(line.text) - len(text)].expandtabs(4)
        result.append(SourceLine(front + re.sub(r"^([*+-]|\d+[.)])\t", r"\1   ", text), line.number))
    return result


def starts_block(text: str) -> bool:
    """True when a line starts a new block instead of continuing a paragraph."""
    heading = HEADING.match(text)
    return bool(
        FENCE.match(text) or QUOTE.match(text) or ITEM.match(text) or RULE.match(text) or (heading and heading["gap"])
    )


def indentation(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def unindent(text: str, columns: int) -> str:
    return text[min(columns, indentation(text)) :]


def heading_text(words: str) -> str:
    """Return a heading without formulas, links and emphasis, from which anchors are made."""
    without_links = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words)
    return re.sub(r"\$\$?[^$]*\$\$?", "", without_links).replace("*", "").replace("`", "")


def old_anchor(words: str, dialect: Dialect) -> str:
    """Return the anchor of a heading in its source: that of kramdown for GFM, or that of Jupyter."""
    plain = heading_text(words)
    if dialect == "notebook":
        return plain.strip().replace(" ", "-")
    return re.sub(r"[^\w\- \t]", "", plain.lower()).strip().replace(" ", "-").replace("\t", "-")
