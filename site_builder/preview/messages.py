"""The messages to open pages, and the page in place of one that is not there yet."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, Template

from site_builder.errors import counted
from site_builder.preview.inject import new_sheets, with_client
from site_builder.preview.state import PreviewState, ShownError

CLIENT = Path(__file__).parent / "client"


@dataclass(frozen=True)
class FoundPage:
    """The page or file at a path. status: as in HTTP; 404 has the page for addresses that do not exist.

    digest: of all that a page shows, empty for other files and where there is no page yet. errors: why there is none,
    or why it is the last good one.
    """

    status: int = 503
    data: bytes = b""
    digest: str = ""
    errors: tuple[ShownError, ...] = ()


def message(state: PreviewState, path: str, page: FoundPage, before: FoundPage, held: str) -> tuple[str, str]:
    """The message to the page at a path, as JSON, and the digest that the page then has.

    before: the last page that it was told of. held: digest of the page in the browser, empty while it has none.
    """
    change, sheets = "", list[tuple[str, str]]()
    if page.digest not in ("", held):
        sheets = new_sheets(before.data, page.data) if before.digest == held else []
        change = "styles" if sheets else "page"
    held = page.digest or held
    shown = _shown(state, path, page)
    news = {
        "change": change,
        "sheets": sheets,
        "digest": held,
        "late": state.pending.get(path, ""),
        "working": state.progress,
        "outdated": state.is_outdated,
        "count": counted(len(shown["errors"]), "error") if shown["errors"] else "",
    }
    return json.dumps({**shown, **news, "errors": _template("errors.html").render(shown).strip()}), held


def holding(state: PreviewState, path: str, page: FoundPage) -> bytes:
    """The page in place of one that is not there yet: what is being done for it, or what stands in the way."""
    html = _template("holding.html").render(_shown(state, path, page))
    return with_client(html.encode(), path, "", is_holding=True)


def lost() -> bytes:
    """The page for addresses that do not exist, for a site that has none."""
    doing = "The site has no page of its own to say so: 404.html."
    return _template("holding.html").render(title="Nothing has this address", doing=doing).encode()


@cache
def _template(name: str) -> Template:
    return Environment(loader=FileSystemLoader(CLIENT), autoescape=True).get_template(name)


def _shown(state: PreviewState, path: str, page: FoundPage) -> dict[str, Sequence[ShownError] | str]:
    """The errors, and title and text of a page that is not there yet."""
    errors = list(dict.fromkeys(state.errors + page.errors))
    title = "This page is being made" if state.version else "The site is being built"
    doing = state.pending.get(path) or state.progress
    doing = f"{doing[:1].upper()}{doing[1:]}\N{NO-BREAK SPACE}…" if doing else "The page comes by itself."
    if errors:
        title = f"{counted(len(errors), 'error')} to correct"
        doing = "The page comes by itself when nothing stands in the way any more."
    return {"errors": errors, "title": title, "doing": doing}
