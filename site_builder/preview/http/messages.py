"""The messages to open pages, and how errors look in a browser."""

import json
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from site_builder.errors import counted
from site_builder.preview.http.inject import new_sheets, with_client
from site_builder.preview.http.page_lookup import FoundPage, PageLookup
from site_builder.preview.http.urls import OWN
from site_builder.preview.state import PreviewState, ShownError

_ERROR = Markup('<li class="error"><p class="place">{}</p><p class="words">{}</p>{}{}</li>')
_AROUND = Markup('<pre class="around"><code>{}</code></pre>')
_LINE = Markup('<span class="line"><span class="number">{}</span> <span>{}</span>\n</span>')
_MARKED = Markup('<mark class="line"><span class="number">{}</span> <span>{}</span>\n</mark>')
_NOTES = Markup('<pre class="notes">{}</pre>')
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
<ol class="errors" id="errors">{errors}</ol>
</main>
</body>
</html>
"""
)
_LOST = _HOLDING.format(
    own=OWN, title="Nothing has this address", doing="The site has no page of its own to say so: 404.html.", errors=""
)


def message(
    state: PreviewState, path: str, page: FoundPage, errors: Sequence[ShownError], held: str, lookup: PageLookup
) -> dict[str, Any]:
    """The message to the page at a path. held: digest of the page in the browser, empty while it has none."""
    news: dict[str, Any] = {"change": "", "digest": page.digest or held}
    if page.digest and page.digest != held:
        before = lookup.page(held)
        sheets = new_sheets(before, page.data) if before is not None else None
        news |= {"change": "styles", "sheets": sheets} if sheets else {"change": "page"}
    return news | {
        "late": state.pending.get(path, ""),
        "working": state.progress,
        "outdated": state.is_outdated,
        "title": _title(state, path, errors),
        "doing": _doing(state, path, errors),
        "count": counted(len(errors), "error") if errors else "",
        "errors": str(errors_html(errors)),
    }


def event(news: dict[str, Any]) -> bytes:
    """The message as an event of a stream."""
    return f"data: {json.dumps(news, separators=(',', ':'))}\n\n".encode()


def errors_html(errors: Sequence[ShownError]) -> Markup:
    """The errors as items of a list: place, words, the lines around with the line of the error marked, the cure."""
    return Markup().join(_ERROR.format(each.place, each.message, _around(each), _cure(each)) for each in errors)


def holding(state: PreviewState, path: str, errors: Sequence[ShownError]) -> bytes:
    """The page in place of one that is not there yet: what is being done for it, or what stands in the way."""
    page = _HOLDING.format(
        own=OWN, title=_title(state, path, errors), doing=_doing(state, path, errors), errors=errors_html(errors)
    )
    return with_client(page.encode(), path, "", is_holding=True)


def lost() -> bytes:
    """The page for addresses that do not exist, for a site that has none."""
    return _LOST.encode()


def _title(state: PreviewState, path: str, errors: Sequence[ShownError]) -> str:
    if errors:
        return f"{counted(len(errors), 'error')} to correct"
    return "This page is being made" if state.version else "The site is being built"


def _doing(state: PreviewState, path: str, errors: Sequence[ShownError]) -> str:
    if errors:
        return "The page comes by itself when nothing stands in the way any more."
    doing = state.pending.get(path) or state.progress
    return (
        f"{doing[:1].upper()}{doing[1:]}\N{NO-BREAK SPACE}…"
        if doing
        else "The page comes by itself as soon as it is there."
    )


def _around(error: ShownError) -> Markup:
    if not error.around:
        return Markup()
    lines = Markup().join((_MARKED if n == error.line else _LINE).format(n, text) for n, text in error.around)
    place = f"{error.file}:{error.line}"
    named = Markup('<p class="file">{}</p>').format(place) if place != error.place else Markup()
    return named + _AROUND.format(lines)


def _cure(error: ShownError) -> Markup:
    cure = _CURE.format(error.cure) if error.cure else Markup()
    return cure + (_NOTES.format(error.notes) if error.notes else Markup())
