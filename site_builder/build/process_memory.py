"""What a process that builds repeatedly, such as a preview, keeps between builds."""

from dataclasses import dataclass, field

from site_builder.build.link_check import CheckedLinks
from site_builder.posts.summary import PostSummary


@dataclass
class ProcessMemory:
    """Empty at first. A build gives the same site with and without it.

    summaries: by the sources of their posts, with the bytes that they were read from; links: those in which nothing was
    wrong.
    """

    summaries: dict[str, tuple[bytes, PostSummary]] = field(default_factory=dict)
    links: CheckedLinks = field(default_factory=CheckedLinks)
