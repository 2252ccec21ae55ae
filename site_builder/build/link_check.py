"""Where the links of all posts lead, and the faults of those that lead nowhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from site_builder.errors import SiteError
from site_builder.posts.links import Addresses, check_links, check_navigation
from site_builder.posts.summary import PostSummary
from site_builder.project.config import Config
from site_builder.project.posts import Content, Post
from site_builder.site.pages.all import site_paths


@dataclass
class Sound:
    """Links in which nothing was found wrong: they are looked at again when the post or what they lead to is another.

    anchors, addresses: of the whole site then; places: where links of posts without a fault led, by source.
    """

    anchors: Mapping[str, Sequence[str] | None] = field(default_factory=dict)
    addresses: Addresses | None = None
    places: dict[str, tuple[PostSummary, tuple[str, ...]]] = field(default_factory=dict)


def addresses_of(files: Mapping[str, str], writeups: Sequence[PostSummary | Post]) -> Addresses:
    """What links mean in a site of these posts and files."""
    return Addresses({writeup.source: writeup.path for writeup in writeups}, files)


def look_at_links(
    config: Config, content: Content, briefs: Sequence[PostSummary], unwritten: Sequence[PostSummary], sound: Sound
) -> tuple[dict[str, tuple[str, ...]], list[SiteError]]:
    """The places that the links of each post lead to, by its source, and a fault for each link that leads nowhere.

    unwritten: of posts whose texts nobody knows yet. sound: what is known to be right, which is brought up to date.
    """
    addresses = addresses_of(content.files, [*briefs, *content.read])
    anchors = _anchors(config, content, briefs, unwritten)
    before = sound.places if addresses == sound.addresses and anchors == sound.anchors else {}
    right: dict[str, tuple[PostSummary, tuple[str, ...]]] = {}
    places = {brief.source: _places(brief, addresses) for brief in unwritten}
    faults = check_navigation(config, anchors)
    found: list[SiteError] = []
    for brief in briefs:
        known = before.get(brief.source)
        if known is None or known[0] is not brief:
            known = brief, _places(brief, addresses)
            wrong = _wrong(*known, anchors)
            found += wrong
            if wrong:
                places[brief.source] = known[1]
                continue
        right[brief.source] = known
        places[brief.source] = known[1]
    sound.addresses, sound.anchors, sound.places = addresses, anchors, right
    return places, [*faults, *found]


def _wrong(brief: PostSummary, places: tuple[str, ...], anchors: Mapping[str, Sequence[str] | None]) -> list[SiteError]:
    if any(link.fragment or place not in anchors for link, place in zip(brief.links, places, strict=True)):
        return list(check_links(brief.source, brief.links, places, anchors))
    return []


def _anchors(
    config: Config, content: Content, briefs: Sequence[PostSummary], unwritten: Sequence[PostSummary]
) -> dict[str, Sequence[str] | None]:
    """Every path of the site with its anchors, None where they are not known or nobody asks for them."""
    every = [*briefs, *unwritten]
    posts, pages = [b for b in every if not b.is_page], [b for b in every if b.is_page]
    anchors: dict[str, Sequence[str] | None] = dict.fromkeys(site_paths(config.settings, posts, pages, content.files))
    anchors |= {path: None for post in content.read for path, _ in post.addresses()}  # also where a text has faults
    anchors |= {alias: None for brief in briefs for alias in brief.aliases}
    anchors |= {brief.path: brief.anchors for brief in briefs}
    return anchors


def _places(brief: PostSummary, addresses: Addresses) -> tuple[str, ...]:
    return tuple([addresses.place(brief.path, link.target) for link in brief.links])
