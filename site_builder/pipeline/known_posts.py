"""Summaries of posts from earlier builds, and which posts are unchanged since."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

from site_builder.errors import SiteError
from site_builder.pipeline.sources import Sources
from site_builder.pipeline.steps.extension_use import ExtensionUse
from site_builder.posts.summary import PostSummary
from site_builder.project.posts import MACROS
from site_builder.site.entries import listed_digest
from site_builder.solving.code.code_keys import CodeKeys
from site_builder.storage.store import Store
from site_builder.values.digest import bytes_digest, digest
from site_builder.values.json_records import from_json, to_json

_SUMMARIES = "summaries"


@dataclass(frozen=True)
class KnownPosts:
    """The posts as earlier builds left them in the cache.

    solvers: the names that exist. settings: each --set as it was written.
    """

    store: Store
    codes: CodeKeys
    sources: Sources
    extensions: ExtensionUse
    solvers: Sequence[str]
    settings: Sequence[str]
    _stored: set[str] = field(default_factory=set)  # sources
    _digests: dict[str, tuple[PostSummary, list[str]]] = field(default_factory=dict)
    _at_settings: dict[str, list[bytes]] = field(default_factory=dict)  # of unchanged posts, by source

    def unchanged(self) -> dict[str, PostSummary]:
        """The summaries of posts whose texts depend on nothing that has changed, by source."""
        found = {}
        for source, data in self.store.documents(_SUMMARIES).items():
            head, *lines = data.split(b"\n")
            self._stored.add(source)
            if source in self.sources.digests and len(lines) > 1:
                # ValueError: another version wrote it; the others: of its solver, which raises them when it is asked.
                with suppress(ValueError, SiteError, ExceptionGroup):
                    summary = self._summary(source, lines[1])
                    if head == self.context(summary):
                        found[source] = summary
                        self._digests[source] = summary, lines[0].decode().split(" ")
                        self._at_settings[source] = lines[2:]
        return found

    def digest(self, summary: PostSummary) -> str:
        """Digest of a summary: of the bytes that the cache holds of it, or will hold."""
        known, found = self._digests.get(summary.source, (None, []))
        return found[0] if known is summary else bytes_digest(to_json(summary))

    def listed_digest(self, summary: PostSummary) -> str:
        """Digest of what lists may show of a summary."""
        known, found = self._digests.get(summary.source, (None, []))
        return found[1] if known is summary else listed_digest(summary)

    def has_settings(self, summary: PostSummary) -> bool:
        """True when a build has left an unchanged post at all of its settings."""
        return len(self._at_settings[summary.source]) == len(summary.other_turns)

    def at_settings(self, summary: PostSummary) -> list[PostSummary]:
        """An unchanged post at its settings."""
        return [from_json(PostSummary, data) for data in self._at_settings[summary.source]]

    def _summary(self, source: str, data: bytes) -> PostSummary:
        read = self.sources.summaries
        before = read.get(source)
        if before is None or before[0] != data:
            before = read[source] = data, from_json(PostSummary, data)
        return before[1]

    def last_summary(self, source: str) -> PostSummary | None:
        """The summary of a post when it was last written, whatever has changed since; None where there is none."""
        data = self.store.document(_SUMMARIES, source)
        try:
            return from_json(PostSummary, data.split(b"\n")[2]) if data else None
        except (ValueError, IndexError):  # as another version of the builder wrote it
            return None

    @cached_property
    def _shared_context(self) -> str:
        """The part of `context` that is the same for all posts."""
        settings, macros = self.sources.config.settings, self.sources.digests.get(MACROS)
        languages, tex = (settings.language, self.sources.languages.digest), sorted(settings.macros.items())
        for_all = self.extensions.of_every_text
        return digest(settings.allow_hosts, languages, macros, tex, for_all, self.codes.builder)

    def context(self, summary: PostSummary) -> bytes:
        """Digest of all that the text of a post may depend on."""
        macros = [(name, self.sources.digests.get(name)) for name in summary.macros]
        extensions = [(name, self.extensions.digest_of(name)) for name in summary.extensions]
        solvers = [self._solver_context(name, turned) for name, turned in sorted(summary.solvers.items())]
        own = self.sources.digests[summary.source]
        return digest(own, self._shared_context, solvers, macros, extensions).encode()

    def _solver_context(self, name: str, turned: bool) -> tuple[object, ...]:
        if name not in self.solvers:
            return name, self.solvers
        code = [self.codes.of(name).whole.key, self.codes.loadable(name).code, self.codes.reads.digests(name)]
        if not turned:
            return name, code
        given = self.sources.config.settings.parameters.get(name, {})
        settings = [text for text in self.settings if text.partition(".")[0].strip() == name]
        return name, code, given, settings

    def store_all(self, summaries: Iterable[PostSummary], turned: Mapping[str, Sequence[PostSummary]]) -> None:
        """Store the summaries of posts that were written, and drop those whose files are gone.

        turned: the posts at their settings, by source.
        """
        documents = {
            post.source: b"\n".join(
                [self.context(post), *_with_digests(post), *map(to_json, turned.get(post.source, ()))]
            )
            for post in summaries
        }
        self.store.set_documents(_SUMMARIES, documents)
        self.store.drop_documents(_SUMMARIES, self._stored - self.sources.digests.keys())


def _with_digests(post: PostSummary) -> tuple[bytes, bytes]:
    """A line with the digest of a summary and that of what lists show of it, and the summary."""
    data = to_json(post)
    return f"{bytes_digest(data)} {listed_digest(post)}".encode(), data
