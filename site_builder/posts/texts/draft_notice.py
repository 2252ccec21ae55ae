"""The line at the head of a page that has numbers which nothing verifies."""

from collections.abc import Collection, Sequence
from html import escape

from site_builder.posts.claims.findings import Finding
from site_builder.posts.shown_fields import anchor_of


def draft_notice(findings: Sequence[Finding], marked: Collection[str] = ()) -> str:
    """The line of HTML at the head of a page with numbers that nothing verifies; else empty.

    marked: the fields whose values are marked in the text, to which the names of findings are links.
    """
    open_names = dict.fromkeys(each.name for each in findings if not each.is_typed)
    typed = dict.fromkeys(each.name for each in findings if each.is_typed)
    parts = [("not confirmed by a second method", open_names), ("typed, though results of solvers", typed)]
    said = [_noticed(words, list(names), marked) for words, names in parts if names]
    return f'<div class="admonition draft"><p>Draft: {"; ".join(said)}.</p></div>\n' if said else ""


def _noticed(words: str, names: Sequence[str], marked: Collection[str]) -> str:
    """Numbers of one kind in words, with links to the places where they stand."""
    count = "1 number here is" if len(names) == 1 else f"{len(names)} numbers here are"
    return f"{count} {words}: {', '.join(_link(name, marked) for name in names)}"


def _link(name: str, marked: Collection[str]) -> str:
    """The name of a number, as a link to the place where it is marked."""
    field = ".".join(name.removeprefix("results.").split(".")[:2])
    shown = f"<code>{escape(name)}</code>"
    return f'<a href="#{anchor_of(field)}">{shown}</a>' if field in marked else shown
