"""Converts the common shortcodes of Hugo, its themes and Quarto to Markdown; others stay as text."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from site_builder.extensions.importing.lines import ConversionContext, fenced, quoted, replace, without_blank_ends

_WORDS = r"(?:\"(?:\\.|[^\"\\])*\"|`[^`]*`|[^\"`{}])*?"
_SHORTCODE = re.compile(
    r"(?P<comment>\{\{/\*.*?\*/\}\})|(?P<code>^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n.*?^[ \t]*(?P=fence)[ \t]*$)"
    rf"|\{{\{{(?P<sign>[<%])\s*(?P<name>[\w.-]+)(?P<words>(?:\s{_WORDS})?)/?[>%]\}}\}}"
    r"(?:(?P<inside>(?:(?!\{\{[<%]\s*(?P=name)\b).)*?)\{\{[<%]\s*/\s*(?P=name)\s*[>%]\}\})?",
    re.DOTALL | re.MULTILINE,
)
_ARGUMENT = re.compile(
    r"(?:(?P<key>[\w-]+)\s*=\s*)?(?:\"(?P<quoted>(?:\\.|[^\"\\])*)\"|`(?P<raw>[^`]*)`|(?P<bare>[^\s\"`]+))"
)
_KINDS = ("note", "tip", "info", "warning", "danger", "caution", "important")
_FOLDS = ("details", "expand", "spoiler", "collapse")
_NOTICES = ("notice", "alert", "callout", "admonition", "hint", *_KINDS)
_FORMULAS = ("katex", "math", "mathjax", "latex")
_FIGURE = ("src", "alt", "caption", "title", "link")
_LINKS: Mapping[str, tuple[str, str]] = {
    "youtube": ("https://www.youtube.com/watch?v={0}", "Video on YouTube"),
    "video": ("{0}", "Video"),
    "vimeo": ("https://vimeo.com/{0}", "Video on Vimeo"),
    "gist": ("https://gist.github.com/{0}/{1}", "Gist {1}"),
    "tweet": ("https://x.com/{0}/status/{1}", "Post by {0}"),
}


@dataclass(frozen=True)
class _Shortcode:
    """A shortcode. alone, named: its arguments; inside: the text before its end tag, None if it has none.

    source: as it stands in the text."""

    name: str
    alone: tuple[str, ...]
    named: Mapping[str, str]
    inside: str | None
    source: str

    def first_of(self, *keys: str) -> str:
        """The first argument with one of these names, else without a name; empty if there is none."""
        return next((self.named[key] for key in keys if self.named.get(key)), "".join(self.alone[:1]))

    def lines(self) -> list[str]:
        """The text inside, without blank lines at its ends."""
        return without_blank_ends((self.inside or "").split("\n"))


def expand_shortcodes(
    lines: Sequence[str], reference: Callable[[str], str | None], context: ConversionContext
) -> list[str]:
    """Replace shortcodes by Markdown. reference: the argument of ref or relref -> link, or None."""

    def replacement(found: re.Match[str]) -> str:
        if found["comment"]:
            context.report(found[0], "a comment of Hugo", "left out")
        if found["comment"] or found["code"]:
            return found["code"] or ""
        alone, named = _arguments(found["words"] or "")
        inside = found["inside"]
        if inside and found["name"] != "highlight":
            inside = "\n".join(expand_shortcodes(inside.split("\n"), reference, context))
        made = _converted(_Shortcode(found["name"], alone, named, inside, found[0]), reference, context)
        if made is None:
            return found[0]
        return made if isinstance(made, str) else _apart(found, "\n".join(made))

    return replace(lines, _SHORTCODE, replacement)


def has_shortcode(text: str) -> bool:
    """Return True when there is a shortcode in a text."""
    return any(found["name"] for found in _SHORTCODE.finditer(text))


def _arguments(words: str) -> tuple[tuple[str, ...], dict[str, str]]:
    """The arguments without and with names."""
    alone, named = [], {}
    for each in _ARGUMENT.finditer(words):
        value = next(each[kind] for kind in ("quoted", "raw", "bare") if each[kind] is not None)
        value = re.sub(r"\\(.)", r"\1", value) if each["quoted"] else value
        if each["key"]:
            named[each["key"].lower()] = value
        else:
            alone.append(value)
    return tuple(alone), named


def _apart(found: re.Match[str], block: str) -> str:
    """A block with empty lines between it and the text around, as far to the right as its shortcode."""
    before, after = found.string[: found.start()].rpartition("\n")[2], found.string[found.end() :].partition("\n")[0]
    front = "" if before.strip() else before
    rows = block.split("\n")
    block = "\n".join([rows[0], *(f"{front}{row}" if row else "" for row in rows[1:])])
    return ("\n\n" if before.strip() else "") + block + ("\n\n" if after.strip() else "\n")


def _converted(
    call: _Shortcode, reference: Callable[[str], str | None], context: ConversionContext
) -> str | list[str] | None:
    """What a shortcode becomes: text in its line, or lines of their own; None if it is unknown."""
    if call.name in ("ref", "relref"):
        path, sign, anchor = call.first_of("path").partition("#")
        link = (reference(path) or f"/{path.lstrip('/')}") if path else ""  # a missing one is listed with the link
        return f"{link}{sign}{anchor}".replace(" ", "%20")
    if call.name in ("figure", "img", "image"):
        return _figure(call, context)
    if call.name in _LINKS and call.inside is None:
        return _link(call, context)
    if call.name in _FORMULAS:
        return _formula(call)
    if call.inside is None:
        return None
    if call.name == "highlight":
        return fenced(call.lines(), call.first_of("lang"))
    if call.name in _FOLDS:
        sign = "+" if call.named.get("open") == "true" else "-"
        title = call.first_of("summary", "title", "label") or "Details"
        return quoted(f"[!details]{sign} {title}", call.lines())
    return _notice(call) if call.name in _NOTICES else None


def _figure(call: _Shortcode, context: ConversionContext) -> list[str] | None:
    if not (source := call.first_of("src").replace(" ", "%20")):
        return None
    if dropped := [key for key in call.named if key not in _FIGURE]:
        context.report(call.source, f"{', '.join(dropped)} of the shortcode {call.name}", "left out")
    words = {key: " ".join(call.named.get(key, "").split()) for key in _FIGURE}
    alt = words["alt"] or words["caption"] or words["title"]
    image = f"![{alt.replace('[', '(').replace(']', ')')}]({source})"
    image = f"[{image}]({words['link']})" if words["link"] else image
    return figure([image], ": ".join(filter(None, (words["title"], words["caption"]))))


def figure(inside: Sequence[str], caption: str) -> list[str]:
    """Return lines as a figure with a caption; as they are without one."""
    caption = " ".join(caption.split())
    if not caption:
        return list(inside)
    end = ["", f'<figcaption markdown="span">{caption}</figcaption>', "</figure>"]
    return ['<figure markdown="1">', "", *inside, *end]


def _link(call: _Shortcode, context: ConversionContext) -> str | None:
    address, words = _LINKS[call.name]
    values = [*call.alone] or [value for key in ("user", "id") if (value := call.named.get(key))]
    if len(values) < address.count("{"):
        return None
    context.report(call.source, f"the shortcode {call.name} is not shown", "a link leads to it")
    return f"[{call.named.get('title') or words.format(*values)}]({address.format(*values)})"


def _notice(call: _Shortcode) -> list[str]:
    words = [word for word in call.alone if word.lower() in _KINDS]
    named = call.named.get("type") or call.named.get("style") or "".join(words[:1])
    kind = call.name if call.name in _KINDS else named if named.isalpha() else "note"
    title = call.named.get("title") or " ".join(word for word in call.alone if word not in words)
    return quoted(f"[!{kind.lower()}] {title}".rstrip(), call.lines())


def _formula(call: _Shortcode) -> str | list[str]:
    """A formula; without text inside, a shortcode that only loads a script."""
    tex = (call.inside or "").strip()
    if not tex or re.match(r"\$|\\\\?[(\[]|\\begin\{", tex):
        return tex
    is_display = "display" in (*call.alone, *call.named) or "\n" in tex
    return ["$$", *tex.split("\n"), "$$"] if is_display else rf"\({tex}\)"
