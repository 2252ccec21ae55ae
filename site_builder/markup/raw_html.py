"""Tells elements of HTML in a text from signs such as those of `a < b`, and finds elements that are wrong."""

import re
from bisect import bisect
from collections.abc import Iterator, Sequence

from site_builder.markup.block_lines import block_lines
from site_builder.markup.segments import without
from site_builder.markup.syntax_check import SyntaxProblem


def _words(text: str) -> list[str]:
    return text.split()


_WITHOUT_VALUE = """
allowfullscreen async autofocus autoplay checked controls default defer disabled hidden inert itemscope loop markdown
multiple muted nomodule novalidate open playsinline readonly required reversed selected
"""
_ATTRIBUTE = (  # other words without a value are none, as in a<b and c>d
    r"""\s+(?:[^\s"'<>/=]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+)"""
    rf"|(?i:{'|'.join(_words(_WITHOUT_VALUE))})(?=[\s/>]))"
)
_TAG = re.compile(
    r"<(?:(?P<address>[A-Za-z][\w+.-]+:[^\s<>]*|[^\s<>@/]+@[^\s<>]+)"
    rf"|(?P<end>/?)(?P<name>[A-Za-z][\w-]*)(?P<attributes>(?:{_ATTRIBUTE})*)\s*(?P<is_empty>/?))>"
)
_SIGN = re.compile(r"<(?=[A-Za-z/!?])")
_BEFORE_ADDRESS = ("](", "]: ")  # as in [a](<b c.md>)
_HOLDERS = frozenset(_words("article aside blockquote details div figure footer header main nav section"))
_VOID = frozenset(_words("area base br col embed hr img input link meta param source track wbr"))
_MAY_STAY_OPEN = frozenset(_words("colgroup dd dt li optgroup option p rp rt tbody td tfoot th thead tr"))
_OTHERS = """
a abbr address audio b bdi bdo big body button canvas caption center cite code data datalist del dfn dialog dl em
fieldset figcaption font form h1 h2 h3 h4 h5 h6 head hgroup html i iframe ins kbd label legend map mark math menu meter
nobr noscript object ol output picture pre progress q ruby s samp script search select small span strike strong style
sub summary sup svg table template textarea time title tt u ul var video
"""
_ELEMENTS = _HOLDERS | _VOID | _MAY_STAY_OPEN | frozenset(_words(_OTHERS))
_FOREIGN = frozenset({"svg", "math"})  # hold elements of their own
_FILLER = "\N{OBJECT REPLACEMENT CHARACTER}"  # for code, formulas and comments, which hold no tags
_AS_SIGN = "write &lt; for the sign, or `…` around code"


def with_signs(text: str) -> str:
    """Return the text with &lt; for each < that begins no tag, and with blocks that hold Markdown marked as such."""
    if "<" not in text:
        return text
    masked = _masked(text)
    pieces, done, is_read = [], 0, False  # is_read: whether Markdown reads what is in the last fold
    for start, tag in _signs(masked):
        if not tag:
            pieces += [text[done:start].removesuffix("\\"), "&lt;"]
            done = start + 1
        elif tag["name"] and not tag["end"]:
            name, is_marked, attribute = tag["name"].lower(), "markdown" in tag["attributes"], ""
            if holds := _holds_markdown(masked, tag):
                attribute = "" if is_marked else ' markdown="1"'
            elif name == "summary" and is_read and not is_marked:
                attribute = ' markdown="span"'
            is_read = name == "details" and (holds or is_marked)
            pieces += [text[done : tag.end("name")], attribute]
            done = tag.end("name")
    return "".join([*pieces, text[done:]])


def html_errors(text: str) -> list[SyntaxProblem]:
    """Return line, problem and cure of each element that is unknown, is not closed, or closes nothing."""
    if "<" not in text:
        return []
    masked = _masked(text)
    starts = [0, *(found.end() for found in re.finditer("\n", masked))]
    tags = [(bisect(starts, tag.start()), tag) for _, tag in _signs(masked) if tag and tag["name"]]
    return sorted([*_in_blocks(text, masked, tags), *_unbalanced(tags)])


def _masked(text: str) -> str:
    """The text with everything that holds no tags filled in, of the same length and with the same lines."""
    return without(text, "code", "tex", "display", "comment", "html code", filler=_FILLER)


def _signs(masked: str) -> Iterator[tuple[int, re.Match[str] | None]]:
    """The place of each < that begins no address of Markdown, and the tag that it begins, if any."""
    for found in _SIGN.finditer(masked):
        start = found.start()
        before = masked[max(0, start - 4) : start]
        bare = before.removesuffix("\\")
        if not bare.endswith(_BEFORE_ADDRESS):
            yield start, _TAG.match(masked, start) if bare == before else None


def _holds_markdown(masked: str, tag: re.Match[str]) -> bool:
    """True for a block at the beginning of a line in which an empty line stands."""
    front = masked[masked.rfind("\n", 0, tag.start()) + 1 : tag.start()]
    if tag["end"] or tag["name"].lower() not in _HOLDERS or front.strip(" ") or len(front) > 3:
        return False
    end = re.compile(rf"</{tag['name']}\s*>", re.IGNORECASE).search(masked, tag.end())
    inside = masked[tag.end() : end.start() if end else tag.end()]
    return re.search(r"\n[ \t]*\n", inside) is not None


def _in_blocks(text: str, masked: str, tags: Sequence[tuple[int, re.Match[str]]]) -> Iterator[SyntaxProblem]:
    """Blocks of several lines in lists, quotations and notes, where Markdown takes their tags for words."""
    lines = block_lines(text) if any(tag["name"].lower() in _HOLDERS for _, tag in tags) else ()
    for number, tag in tags:
        if tag["end"] or tag["name"].lower() not in _HOLDERS:
            continue
        end = masked.find("\n", tag.end())
        is_closed_there = f"</{tag['name']}" in masked[tag.end() : end if end >= 0 else len(masked)]
        if not is_closed_there and re.match(rf"(?: {{4}}|[ \t]*>)[ >]*<{tag['name']}", lines[number - 1].text):
            cure = 'write a fold, ??? "Title", with its text indented below it' if tag["name"] == "details" else ""
            cure = cure or "move it out, to the beginning of a line"
            yield number, f"<{tag['name']}> in a list, a quotation or a note is not read as a block", cure


def _unbalanced(tags: Sequence[tuple[int, re.Match[str]]]) -> Iterator[SyntaxProblem]:
    opened: list[tuple[str, int]] = []
    for line, tag in tags:
        name, is_foreign = tag["name"].lower(), any(each in _FOREIGN for each, _ in opened)
        if name not in _ELEMENTS and "-" not in name and not is_foreign:
            if not tag["end"]:
                yield line, f"there is no element <{tag['name']}>", _AS_SIGN
        elif tag["end"]:
            if name not in [each for each, _ in opened]:
                yield line, f"</{tag['name']}> closes nothing", f"delete it, or open it with <{tag['name']}>"
                continue
            while (last := opened.pop())[0] != name:
                yield from _left_open(*last)
        elif name not in _VOID and not (is_foreign and tag["is_empty"]):
            opened.append((name, line))
    for left in opened:
        yield from _left_open(*left)


def _left_open(name: str, line: int) -> Iterator[SyntaxProblem]:
    if name not in _MAY_STAY_OPEN:
        yield line, f"<{name}> is never closed", f"close it with </{name}>, or {_AS_SIGN}"
