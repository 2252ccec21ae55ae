"""Where the links of all posts lead, and the errors of those that lead nowhere."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from site_builder.errors import SiteError
from site_builder.posts.links import Addresses, check_links
from site_builder.posts.summary import PostSummary
from site_builder.project.config import Config
from site_builder.project.posts import Content
from site_builder.site.model import Turn
from site_builder.site.pages.all import site_paths


@dataclass(frozen=True)
class LinkTargets:
    """All that links can lead to. anchors: of every path of the site; None where they are not known."""

    addresses: Addresses
    anchors: Mapping[str, Sequence[str] | None]

    def places(self, summary: PostSummary) -> tuple[str, ...]:
        """The path in the site of each link of a post."""
        return tuple([self.addresses.place(summary.path, link.target) for link in summary.links])

    def errors(self, summary: PostSummary) -> Iterator[SiteError]:
        """An error for each link of a post that leads nowhere."""
        return check_links(summary.source, summary.links, self.places(summary), self.anchors)

    def turned_errors(self, turn: Turn) -> list[SiteError]:
        """An error for each link that leads nowhere in a post at another setting."""
        if turn.summary is None:
            return []
        own = {turn.summary.beside(name): None for _, name in turn.summary.files_of_extensions}
        there = LinkTargets(self.addresses, {**self.anchors, **own, turn.summary.path: turn.summary.anchors})
        found = there.errors(turn.summary)
        return [each.copy(message=f"turned to {turn.label}: {each.message}") for each in found]


def link_targets(
    config: Config, content: Content[PostSummary], summaries: Sequence[PostSummary], pending: Sequence[PostSummary]
) -> LinkTargets:
    """The targets of links in a site of these posts. pending: those whose present texts are not known yet."""
    every = [*summaries, *pending]
    posts, pages = [b for b in every if not b.is_page], [b for b in every if b.is_page]
    anchors: dict[str, Sequence[str] | None] = dict.fromkeys(site_paths(config.settings, posts, pages, content.files))
    anchors |= {path: None for post in content.read for path, _ in post.addresses()}  # also where a text has errors
    anchors |= {alias: None for summary in summaries for alias in summary.aliases}
    anchors |= {summary.path: summary.anchors for summary in summaries}
    paths = {summary.source: summary.path for summary in summaries}
    paths |= {post.source: post.path for post in content.read}
    return LinkTargets(Addresses(paths, content.files), anchors)
