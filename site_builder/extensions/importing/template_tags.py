"""Converts the common tags of Liquid (Jekyll) and shortcodes of Hugo, its themes and Quarto; others stay as text."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from site_builder.extensions.importing.conversion import Conversion, fenced, figure, quoted, trimmed, without_marks

_TAG = re.compile(
    r"\{%-?\s*(?P<block>raw|comment|highlight)\b(?P<options>.*?)-?%\}(?P<inside>.*?)\{%-?\s*end(?P=block)\s*-?%\}"
    r"|\{%-?\s*(?P<name>post_url|link)\b(?P<words>.*?)-?%\}|\{\{-?(?P<value>.*?)-?\}\}",
    re.DOTALL,
)
_QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_ADDRESSES = ("site.baseurl", "site.url", "site.github.url")
_SAME = (  # filters that keep links and words
    *("relative_url", "absolute_url", "escape", "markdownify", "strip"),
    *(f"prepend: {address}" for address in _ADDRESSES),
)
_WORDS = r"(?:\"(?:\\.|[^\"\\])*\"|`[^`]*`|[^\"`{}])*?"
_SHORTCODE = re.compile(
    rf"\{{\{{(?P<sign>[<%])\s*(?P<name>[\w.-]+)(?P<words>(?:\s{_WORDS})?)/?[>%]\}}\}}"
    r"(?:(?P<inside>(?:(?!\{\{[<%]\s*(?P=name)\b).)*?)\{\{[<%]\s*/\s*(?P=name)\s*[>%]\}\})?",
    re.DOTALL,
)
_ARGUMENT = re.compile(
    r"(?:(?P<key>[\w-]+)\s*=\s*)?(?:\"(?P<quoted>(?:\\.|[^\"\\])*)\"|`(?P<raw>[^`]*)`|(?P<bare>[^\s\"`]+))"
)
_KINDS = ("note", "tip", "info", "warning", "danger", "caution", "important")
_FOLDS = ("details", "expand", "spoiler", "collapse")
_NOTICES = ("notice", "alert", "callout", "admonition", "hint", *_KINDS)
_FIGURE = ("src", "alt", "caption", "title", "link")
_VIDEOS = {"youtube": "https://www.youtube.com/watch?v=", "vimeo": "https://vimeo.com/"}


# Liquid


def expand_liquid(text: str, conversion: Conversion) -> str:
    """Replace Liquid tags by their output."""
    return _TAG.sub(lambda found: _output(found, conversion), text)


def _output(found: re.Match[str], conversion: Conversion) -> str:
    """The output of a tag; the tag itself if it is unknown."""
    if found["block"] == "comment":
        conversion.report(found[0], "a comment of Liquid", "left out")
        return ""
    if found["block"] == "raw":
        return found["inside"]
    if found["block"]:
        code = expand_liquid(found["inside"].strip("\n").rstrip(), conversion)
        return fenced(code, (found["options"].split() or [""])[0])
    if found["value"] is not None:
        output = _evaluated(found["value"].strip())
        return found[0] if output is None else output
    target = found["words"].strip()
    return "/" + (target.rsplit("/", 1)[-1] if found["name"] == "post_url" else target.lstrip("/"))


def _evaluated(expression: str) -> str | None:
    """The output of an expression; None if it is unknown."""
    base, *filters = [part.strip() for part in expression.split("|")]
    quoted = _QUOTED.fullmatch(base)
    if not (quoted or base in _ADDRESSES) or any(each not in _SAME for each in filters):
        return None
    return quoted[1] or quoted[2] or "" if quoted else ""


# shortcodes


@dataclass(frozen=True)
class _Shortcode:
    """A shortcode. alone, named: its arguments; inside: the text before its end tag, None if it has none.

    source: as it stands in the text."""

    name: str
    alone: Sequence[str]
    named: Mapping[str, str]
    inside: str | None
    source: str

    def first_of(self, *keys: str) -> str:
        """The first argument with one of these names, else without a name; empty if there is none."""
        return next((self.named[key] for key in keys if self.named.get(key)), "".join(self.alone[:1]))


def expand_shortcodes(text: str, conversion: Conversion) -> str:
    """Replace shortcodes by Markdown."""

    def replacement(found: re.Match[str]) -> str:
        inside = found["inside"]
        if inside and found["name"] != "highlight":
            inside = conversion.with_code(trimmed(expand_shortcodes(inside, conversion)))
        call = _Shortcode(found["name"], *_arguments(found["words"] or ""), inside, found[0])
        made = _converted(call, conversion)
        return found[0] if made is None else _apart(found, made) if "\n" in made or made[:1] == ">" else made

    return _SHORTCODE.sub(replacement, text)


def _arguments(words: str) -> tuple[list[str], dict[str, str]]:
    """The arguments without and with names."""
    found = [(each["key"], each["quoted"] or each["raw"] or each["bare"] or "") for each in _ARGUMENT.finditer(words)]
    named = {key.lower(): value.replace('\\"', '"') for key, value in found if key}
    return [value.replace('\\"', '"') for key, value in found if not key], named


def _apart(found: re.Match[str], block: str) -> str:
    """A block with empty lines between it and the text around, as far to the right as its shortcode."""
    before, after = found.string[: found.start()].rpartition("\n")[2], found.string[found.end() :].partition("\n")[0]
    block = block if before.strip() else re.sub(r"\n(?=[^\n])", f"\n{before}", block)
    return ("\n\n" if before.strip() else "") + block + ("\n\n" if after.strip() else "\n")


def _converted(call: _Shortcode, conversion: Conversion) -> str | None:
    """A link, figure, code, fold or notice; None for an unknown shortcode."""
    if call.name in ("ref", "relref"):
        target = call.first_of("path").replace(" ", "%20")
        return target if target.startswith((".", "#", "/")) else f"/{target}"
    if call.name in ("figure", "img", "image"):
        return _figure(call, conversion)
    if call.name in _VIDEOS and (video := call.first_of("id")):
        conversion.report(call.source, f"the shortcode {call.name} is not shown", "a link leads to it")
        return f"<{_VIDEOS[call.name]}{video}>"
    if call.inside is None:
        return None
    if call.name == "highlight":
        return fenced(trimmed(call.inside), call.first_of("lang"))
    if call.name in _FOLDS:
        sign = "+" if call.named.get("open") == "true" else "-"
        return quoted(f"[!details]{sign} {call.first_of('summary', 'title', 'label') or 'Details'}", call.inside)
    if call.name not in _NOTICES:
        return None
    kinds = [*(word for word in (call.name, call.named.get("type"), *call.alone) if word in _KINDS), "note"]
    title = call.named.get("title") or " ".join(word for word in call.alone if word not in _KINDS)
    return quoted(f"[!{kinds[0]}] {title}".rstrip(), call.inside)


def _figure(call: _Shortcode, conversion: Conversion) -> str | None:
    if not (source := call.first_of("src").replace(" ", "%20")):
        return None
    if dropped := [key for key in call.named if key not in _FIGURE]:
        conversion.report(call.source, f"{', '.join(dropped)} of the shortcode {call.name}", "left out")
    words = {key: " ".join(call.named.get(key, "").split()) for key in _FIGURE}
    alt = without_marks(words["alt"] or words["caption"] or words["title"])
    image = f"![{alt.replace('[', '(').replace(']', ')')}]({source})"
    image = f"[{image}]({words['link']})" if words["link"] else image
    return figure(image, ": ".join(filter(None, (words["title"], words["caption"]))))
