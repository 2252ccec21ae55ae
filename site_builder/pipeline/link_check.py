"""Where the links of all posts lead, and the errors of those that lead nowhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from site_builder.errors import SiteError
from site_builder.posts.links import Addresses, check_links, check_navigation
from site_builder.posts.summary import PostSummary
from site_builder.project.config import Config
from site_builder.project.posts import Content, Post
from site_builder.site.model import Turn
from site_builder.site.pages.all import site_paths


@dataclass
class CheckedLinks:
    """Links that were found right; a post is checked again when it or something that it links to has changed.

    anchors, addresses: of the whole site then; places: where the links of posts without errors lead, by source.
    """

    anchors: Mapping[str, Sequence[str] | None] = field(default_factory=dict)
    addresses: Addresses | None = None
    places: dict[str, tuple[PostSummary, tuple[str, ...]]] = field(default_factory=dict)


def addresses_of(files: Mapping[str, str], writeups: Sequence[PostSummary | Post]) -> Addresses:
    """The addresses by which links resolve in a site of these posts and files."""
    return Addresses({writeup.source: writeup.path for writeup in writeups}, files)


def check_all_links(
    config: Config,
    content: Content[PostSummary],
    summaries: Sequence[PostSummary],
    pending: Sequence[PostSummary],
    checked: CheckedLinks,
) -> tuple[dict[str, tuple[str, ...]], list[SiteError]]:
    """Where the links of each post lead, by its source, and an error for each link that leads nowhere.

    pending: of posts whose present texts are not known yet. checked: links found right before; it is updated.
    """
    addresses = addresses_of(content.files, [*summaries, *content.read])
    anchors = _anchors(config, content, summaries, pending)
    before = checked.places if addresses == checked.addresses and anchors == checked.anchors else {}
    right: dict[str, tuple[PostSummary, tuple[str, ...]]] = {}
    places = {summary.source: _places(summary, addresses) for summary in pending}
    errors = list(check_navigation(config, anchors))
    for summary in summaries:
        known, wrong = before.get(summary.source), list[SiteError]()
        if known is None or known[0] is not summary:
            known = summary, _places(summary, addresses)
            targets = zip(summary.links, known[1], strict=True)
            if any(link.fragment or place not in anchors for link, place in targets):
                wrong = list(check_links(summary.source, summary.links, known[1], anchors))
        places[summary.source] = known[1]
        errors += wrong
        if not wrong:
            right[summary.source] = known
    checked.addresses, checked.anchors, checked.places = addresses, anchors, right
    return places, errors


def turned_link_errors(turn: Turn, checked: CheckedLinks) -> list[SiteError]:
    """An error for each link that leads nowhere in a post at another setting. checked: the links of the site."""
    if turn.summary is None or checked.addresses is None:
        return []
    summary, places = turn.summary, _places(turn.summary, checked.addresses)
    files = {summary.beside(name): None for _, name in summary.files_of_extensions}
    anchors = {**checked.anchors, **files, summary.path: summary.anchors}
    found = check_links(summary.source, summary.links, places, anchors)
    return [each.copy(message=f"turned to {turn.label}: {each.message}") for each in found]


def _anchors(
    config: Config, content: Content[PostSummary], summaries: Sequence[PostSummary], pending: Sequence[PostSummary]
) -> dict[str, Sequence[str] | None]:
    """Every path of the site with its anchors; None where they are not known."""
    every = [*summaries, *pending]
    posts, pages = [b for b in every if not b.is_page], [b for b in every if b.is_page]
    anchors: dict[str, Sequence[str] | None] = dict.fromkeys(site_paths(config.settings, posts, pages, content.files))
    anchors |= {path: None for post in content.read for path, _ in post.addresses()}  # also where a text has errors
    anchors |= {alias: None for summary in summaries for alias in summary.aliases}
    anchors |= {summary.path: summary.anchors for summary in summaries}
    return anchors


def _places(summary: PostSummary, addresses: Addresses) -> tuple[str, ...]:
    return tuple([addresses.place(summary.path, link.target) for link in summary.links])
