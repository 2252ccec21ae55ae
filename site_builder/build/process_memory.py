"""What a process that builds again and again keeps from one build to the next, so that it need not be made anew."""

from dataclasses import dataclass, field

from site_builder.build.link_check import Sound
from site_builder.posts.summary import PostSummary
from site_builder.site.entries import KnownEntries


@dataclass
class ProcessMemory:
    """Nothing at first. Whatever is taken from it is what would have been made.

    briefs: by the sources of their posts, with the bytes that they were read from; entries: those of the last site;
    links: those in which nothing was wrong.
    """

    briefs: dict[str, tuple[bytes, PostSummary]] = field(default_factory=dict)
    entries: KnownEntries = field(default_factory=dict)
    links: Sound = field(default_factory=Sound)
