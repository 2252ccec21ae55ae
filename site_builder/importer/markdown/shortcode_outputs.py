"""The Markdown that shortcodes of Hugo, its themes and Quarto become: figures, code, notices, formulas, links."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from site_builder.importer.markdown.conversion import ConversionContext, SourceLine, fence_for, join_lines

LITERAL = ("highlight", "mermaid")  # shortcodes inside them are text
_FIGURE = ("src", "alt", "caption", "title", "link", "attr", "attrlink")
_KINDS = ("note", "tip", "info", "warning", "danger", "caution", "important", "success", "question", "example", "quote")
_FOLDS = ("details", "expand", "spoiler", "collapse", "fold")
_NOTICES = ("notice", "alert", "callout", "admonition", "hint", "blockquote-alert", *_KINDS)
_FORMULAS = ("katex", "math", "mathjax", "latex", "tex", "math.inline", "math.block")
_IMAGES = ("figure", "img", "image")
_OF_FILES = ("include", "embed")
_CONTENTS = ("toc", "tableofcontents", "table_of_contents")
_LINKS: Mapping[str, tuple[str, str]] = {
    "youtube": ("https://www.youtube.com/watch?v={0}", "Video on YouTube"),
    "video": ("{0}", "Video"),
    "vimeo": ("https://vimeo.com/{0}", "Video on Vimeo"),
    "gist": ("https://gist.github.com/{0}/{1}", "Gist {1}"),
    "tweet": ("https://x.com/{0}/status/{1}", "Post by {0}"),
    "x": ("https://x.com/{0}/status/{1}", "Post by {0}"),
    "instagram": ("https://www.instagram.com/p/{0}", "Picture on Instagram"),
}
_LEFT_OUT = "left out; write in Markdown what it showed"
_DELIMITED = re.compile(r"\$|\\\\?[(\[]|\\begin\{")

Output = str | list[SourceLine]


@dataclass(frozen=True)
class Call:
    """A shortcode with its arguments without and with names, and its line in the source."""

    name: str
    alone: tuple[str, ...]
    named: Mapping[str, str]
    number: int

    @property
    def first(self) -> str:
        """The first argument without a name; empty if there is none."""
        return self.alone[0] if self.alone else ""

    def any_of(self, *keys: str) -> str:
        """The first argument with one of these names; empty if there is none."""
        return next((self.named[key] for key in keys if self.named.get(key)), "")


def of_single(call: Call, context: ConversionContext) -> Output:
    """Return what a shortcode without an end tag becomes: text in the line, or lines of their own."""
    if call.name in _IMAGES:
        return _figure(call, context)
    if call.name == "video" and call.first and "//" not in call.first:
        return [SourceLine(f'<video controls src="{escape(call.first)}"></video>', call.number)]
    if call.name in _LINKS:
        return _link(call, context)
    if call.name in _CONTENTS:
        context.has_contents = True
        return ""
    if call.name == "pagebreak" or call.name in _FORMULAS:  # these only load a script
        return ""
    if call.name == "kbd":
        return f"<kbd>{' '.join(call.alone)}</kbd>"
    name = f"{call.name} {call.first}" if call.name in _OF_FILES else call.name
    context.report(call.number, f"the shortcode {name}", _LEFT_OUT)
    return ""


def of_pair(call: Call, inside: Sequence[SourceLine], context: ConversionContext) -> Output:
    """Return what a shortcode with these lines before its end tag becomes."""
    makers: list[tuple[Sequence[str], Callable[[], Output]]] = [
        (("highlight",), lambda: _code(call, inside, context)),
        (("mermaid",), lambda: _diagram(call, inside, context)),
        (_FOLDS, lambda: _fold(call, inside)),
        (_NOTICES, lambda: _notice(call, inside)),
        (_FORMULAS, lambda: _formula(call, inside)),
        (_IMAGES, lambda: _figure(call, context, " ".join(join_lines(inside).split()))),
        (("rawhtml", "html", "unsafe"), lambda: list(inside)),
    ]
    for names, make in makers:
        if call.name in names:
            return make()
    if call.name == "comment":
        context.report(call.number, "a comment of Hugo", "left out")
        return ""
    context.report(call.number, f"the shortcode {call.name}", "left out; the text inside it stays")
    return list(inside)


def _figure(call: Call, context: ConversionContext, inside: str = "") -> Output:
    source = (call.any_of("src") or call.first).replace(" ", "%20")
    if not source:
        context.report(call.number, f"the shortcode {call.name} without src", _LEFT_OUT)
        return ""
    if dropped := [key for key in call.named if key not in _FIGURE]:
        context.report(call.number, f"{', '.join(dropped)} of the shortcode {call.name}", "left out")
    caption = ": ".join(filter(None, (call.any_of("title"), call.any_of("caption") or inside)))
    if credit := call.any_of("attr"):
        address = call.any_of("attrlink")
        caption = f"{caption} {f'[{credit}]({address})' if address else credit}"
    image = f"![{alt_text(call.any_of('alt', 'caption', 'title') or inside)}]({source})"
    image = f"[{image}]({call.any_of('link')})" if call.any_of("link") else image
    return figure([SourceLine(image, call.number)], caption)


def alt_text(words: str) -> str:
    """Return words as they can stand between the brackets of an image."""
    return " ".join(words.split()).replace("[", "(").replace("]", ")")


def figure(inside: Sequence[SourceLine], caption: str, anchor: str = "", is_indented: bool = False) -> list[SourceLine]:
    """Return lines as a figure with a caption; as they are without caption and anchor.

    is_indented: whether it will be part of a note or list, in which Markdown reads no figure; the caption is then a
    paragraph.
    """
    caption, first, last = " ".join(caption.split()), inside[0].number, inside[-1].number
    if not caption and not anchor:
        return list(inside)
    if is_indented:
        anchored = f'<span id="{anchor}"></span>{caption}' if anchor else caption
        return [*inside, SourceLine("", last), SourceLine(anchored, last)]
    start = f'<figure markdown="1" id="{anchor}">' if anchor else '<figure markdown="1">'
    below = [f'<figcaption markdown="span">{caption}</figcaption>'] if caption else []
    end = [SourceLine(row, last) for row in (*below, "</figure>")]
    if len(inside) == 1:
        return [SourceLine(start, first), *inside, *end]
    return [SourceLine(start, first), SourceLine("", first), *inside, SourceLine("", last), *end]


def _link(call: Call, context: ConversionContext) -> str:
    address, words = _LINKS[call.name]
    values = [*call.alone] or [call.any_of("user"), call.any_of("id")]
    values = [value for value in values if value]
    if len(values) < (2 if "{1}" in address else 1):
        context.report(call.number, f"the shortcode {call.name} without an id", _LEFT_OUT)
        return ""
    context.report(call.number, f"the shortcode {call.name} is not shown", "a link leads to it")
    return f"[{call.any_of('title') or words.format(*values)}]({address.format(*values)})"


def _code(call: Call, inside: Sequence[SourceLine], context: ConversionContext) -> list[SourceLine]:
    language = call.first or call.any_of("lang")
    options = [*call.alone[1:], *(f"{key}={value}" for key, value in call.named.items() if key != "lang")]
    if options:
        context.report(call.number, f"{' '.join(options)} of the shortcode highlight", "left out")
    fence = fence_for(inside)
    last = inside[-1].number if inside else call.number
    return [SourceLine(f"{fence}{language}", call.number), *inside, SourceLine(fence, last)]


def _diagram(call: Call, inside: Sequence[SourceLine], context: ConversionContext) -> list[SourceLine]:
    context.report(call.number, "a diagram of mermaid is not drawn here", "its source stands as code")
    return _code(Call("highlight", ("mermaid",), {}, call.number), inside, context)


def _fold(call: Call, inside: Sequence[SourceLine]) -> list[SourceLine]:
    title = call.any_of("summary", "title", "label") or call.first or "Details"
    return quoted(f"[!details]{'+' if call.named.get('open') == 'true' else '-'} {title}", call.number, inside)


def _notice(call: Call, inside: Sequence[SourceLine]) -> list[SourceLine]:
    words = [word for word in call.alone if word.lower() in _KINDS]
    kind = (
        call.name if call.name in _KINDS else (call.any_of("type", "style", "status") or "".join(words[:1]) or "note")
    )
    title = call.any_of("title", "context") or " ".join(word for word in call.alone if word not in words)
    kind = kind.lower() if kind.isalpha() else "note"
    fold = {"true": "+", "false": "-"}.get(call.named.get("open", ""), "")
    return quoted(f"[!{kind}]{fold} {title}".rstrip(), call.number, inside)


def quoted(head: str, number: int, inside: Sequence[SourceLine]) -> list[SourceLine]:
    """Return lines as a quotation with a first line such as [!note], which becomes a note of posts."""
    return [SourceLine(f"> {head}", number), *(line.changed(f"> {line.text}".rstrip()) for line in inside)]


def _formula(call: Call, inside: Sequence[SourceLine]) -> Output:
    tex = join_lines(inside).strip()
    if not tex or _DELIMITED.match(tex):
        return list(inside)
    is_display = "display" in (*call.alone, *call.named) or call.name == "math.block" or "\n" in tex
    if not is_display:
        return rf"\({tex}\)"
    return [SourceLine("$$", call.number), *inside, SourceLine("$$", inside[-1].number)]
