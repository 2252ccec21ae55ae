"""Expands the Liquid tags of Jekyll posts whose output is known without running Jekyll; others stay as text."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from site_builder.extensions.importing.lines import ConversionContext, fenced, replace

_TAG = re.compile(
    r"\{%-?\s*(?P<block>raw|comment|highlight)\b(?P<options>.*?)-?%\}(?P<inside>.*?)\{%-?\s*end(?P=block)\s*-?%\}"
    r"|\{%-?\s*(?P<name>\w+)(?P<words>.*?)-?%\}|\{\{-?(?P<value>.*?)-?\}\}",
    re.DOTALL,
)
_QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_ADDRESSES = ("site.baseurl", "site.url", "site.github.url")
_SAME: tuple[str, ...] = (
    "relative_url",
    "absolute_url",
    "escape",
    "markdownify",
    "strip",
)  # filters that keep links and words
_SAME += tuple(f"prepend: {address}" for address in _ADDRESSES)
_PIPES = re.compile(r"""\|(?=(?:[^"']|"[^"]*"|'[^']*')*$)""")


Scope = Mapping[str, Mapping[str, Any]]
"""The variables of Liquid in a post, of its `site` and its `page`."""


def expand_liquid(lines: Sequence[str], scope: Scope, context: ConversionContext) -> list[str]:
    """Replace Liquid tags by their output."""
    return replace(lines, _TAG, lambda found: _output(found, scope, context))


def _output(found: re.Match[str], scope: Scope, context: ConversionContext) -> str:
    """The output of a tag; the tag itself if it is unknown."""
    if found["block"]:
        return _block(found, scope, context)
    words = (found["words"] or "").strip()
    if found["value"] is not None:
        output = _evaluated(found["value"].strip(), scope)
        return found[0] if output is None else output
    if found["name"] == "post_url":
        return f"/_posts/{words.rsplit('/', 1)[-1]}.md"
    return "/" + words.lstrip("/") if found["name"] == "link" else found[0]


def _block(found: re.Match[str], scope: Scope, context: ConversionContext) -> str:
    if found["block"] == "comment":
        context.report(found[0], "a comment of Liquid", "left out")
        return ""
    if found["block"] == "raw":
        return found["inside"]
    language = (found["options"].split() or [""])[0]
    lines = expand_liquid(found["inside"].strip("\n").rstrip().split("\n"), scope, context)
    return "\n".join(fenced(lines, language))


def _evaluated(expression: str, scope: Scope) -> str | None:
    """The output of an expression; None if it is unknown."""
    base, *filters = [part.strip() for part in _PIPES.split(expression)]
    owner, _, name = base.partition(".")
    value: Any = scope.get(owner, {}).get(name)
    if quoted := _QUOTED.fullmatch(base):
        value = quoted[1] or quoted[2] or ""
    elif base in _ADDRESSES:
        value = ""
    is_known = all(each in _SAME for each in filters) and not isinstance(value, (dict, list))
    return str(value) if is_known and value is not None else None
