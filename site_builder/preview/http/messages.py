"""What an open page is told, and how faults look in a browser."""

import json
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from site_builder.errors import counted
from site_builder.preview.controller import PreviewState
from site_builder.preview.error_excerpt import ShownFault
from site_builder.preview.http.inject import new_sheets, with_client
from site_builder.preview.http.page_lookup import Look, Looks
from site_builder.preview.http.urls import OWN

_FAULT = Markup('<li class="fault"><p class="place">{}</p><p class="words">{}</p>{}{}</li>')
_AROUND = Markup('<pre class="around"><code>{}</code></pre>')
_LINE = Markup('<span class="line"><span class="number">{}</span> <span>{}</span>\n</span>')
_MEANT = Markup('<mark class="line"><span class="number">{}</span> <span>{}</span>\n</mark>')
_CURE = Markup('<p class="cure"><span class="label">Mend</span> {}</p>')
_HOLDING = Markup(
    """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; img-src data:; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} · Preview</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{own}client.css">
<noscript><meta http-equiv="refresh" content="2"></noscript>
</head>
<body class="holding">
<main>
<p class="label">Preview</p>
<h1 id="title">{title}</h1>
<p id="doing" role="status">{doing}</p>
<ol class="faults" id="faults">{faults}</ol>
</main>
</body>
</html>
"""
)
_LOST = _HOLDING.format(
    own=OWN, title="Nothing has this address", doing="The site has no page of its own to say so: 404.html.", faults=""
)


def message(
    state: PreviewState, path: str, look: Look, faults: Sequence[ShownFault], held: str, looks: Looks
) -> dict[str, Any]:
    """What the page at a path is told. held: what names the page as the browser has it, empty while it has none."""
    told: dict[str, Any] = {"change": "", "digest": look.digest or held}
    if look.digest and look.digest != held:
        before = looks.page(held)
        sheets = new_sheets(before, look.data) if before is not None else None
        told |= {"change": "styles", "sheets": sheets} if sheets else {"change": "page"}
    return told | {
        "late": state.pending.get(path, ""),
        "working": state.progress,
        "outdated": state.is_outdated,
        "title": _title(state, path, faults),
        "doing": _doing(state, path, faults),
        "count": counted(len(faults), "fault") if faults else "",
        "faults": str(faults_html(faults)),
    }


def event(told: dict[str, Any]) -> bytes:
    """The message as an event of a stream."""
    return f"data: {json.dumps(told, separators=(',', ':'))}\n\n".encode()


def faults_html(faults: Sequence[ShownFault]) -> Markup:
    """The faults as items of a list: place, words, the lines around with the one that is meant marked, the cure."""
    return Markup().join(_FAULT.format(each.place, each.fault, _around(each), _cure(each)) for each in faults)


def holding(state: PreviewState, path: str, faults: Sequence[ShownFault]) -> bytes:
    """The page in place of one that is not there yet: what is being done for it, or what stands in the way."""
    page = _HOLDING.format(
        own=OWN, title=_title(state, path, faults), doing=_doing(state, path, faults), faults=faults_html(faults)
    )
    return with_client(page.encode(), path, "", is_holding=True)


def lost() -> bytes:
    """The page for addresses that do not exist, for a site that has none."""
    return _LOST.encode()


def _title(state: PreviewState, path: str, faults: Sequence[ShownFault]) -> str:
    if faults:
        return f"{counted(len(faults), 'fault')} to mend"
    return "This page is being made" if state.version else "The site is being built"


def _doing(state: PreviewState, path: str, faults: Sequence[ShownFault]) -> str:
    if faults:
        return "The page comes by itself when nothing stands in the way any more."
    doing = state.pending.get(path) or state.progress
    return (
        f"{doing[:1].upper()}{doing[1:]}\N{NO-BREAK SPACE}…"
        if doing
        else "The page comes by itself as soon as it is there."
    )


def _around(fault: ShownFault) -> Markup:
    if not fault.around:
        return Markup()
    lines = Markup().join((_MEANT if n == fault.line else _LINE).format(n, text) for n, text in fault.around)
    place = f"{fault.file}:{fault.line}"
    named = Markup('<p class="file">{}</p>').format(place) if place != fault.place else Markup()
    return named + _AROUND.format(lines)


def _cure(fault: ShownFault) -> Markup:
    return _CURE.format(fault.cure) if fault.cure else Markup()
