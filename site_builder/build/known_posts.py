"""What earlier builds know of posts: their briefs, and whether their texts would be written the same again."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from site_builder.errors import SiteError
from site_builder.posts.summary import PostSummary, read_brief, write_brief
from site_builder.storage.code_fingerprints import CodeKeys
from site_builder.storage.store import Store
from site_builder.values.digest import digest

if TYPE_CHECKING:
    from site_builder.solving.plan import Setting

_BRIEFS = "briefs"


@dataclass(frozen=True)
class KnownPosts:
    """The posts as earlier builds left them in the store.

    digests: of all files that the scan found; solvers: the names that there are; parameters: for each solver, from
    config.yaml; settings: from the command line. read: briefs that were read before, with the bytes that they were
    read from. heads: what each known text depended on, by source, once it is known.
    """

    store: Store
    codes: CodeKeys
    digests: Mapping[str, str]
    solvers: Sequence[str]
    parameters: Mapping[str, Mapping[str, Any]]
    settings: "Sequence[Setting]"
    read: dict[str, tuple[bytes, PostSummary]] = field(default_factory=dict)
    heads: dict[str, str] = field(default_factory=dict)
    _contexts: dict[str, bytes] = field(default_factory=dict)

    def known(self) -> dict[str, PostSummary]:
        """The briefs of posts that would be written the same again, by source."""
        found = {}
        for source, data in self.store.documents(_BRIEFS).items():
            head, _, rest = data.partition(b"\n")
            self.heads[source] = head.decode("ascii", "replace")
            if source in self.digests and head.startswith(plain := self.plain_context(source)):
                try:
                    brief = self._brief(source, rest)
                except ValueError:
                    continue
                if head == plain if not brief.solvers else self._is_made_of(brief, head):
                    found[source] = brief
                    self._contexts[source] = head
        return found

    def _brief(self, source: str, data: bytes) -> PostSummary:
        before = self.read.get(source)
        if before is None or before[0] != data:
            before = self.read[source] = data, read_brief(data)
        return before[1]

    def _is_made_of(self, brief: PostSummary, context: bytes) -> bool:
        try:
            return context == self._made_from(brief)
        except (SiteError, ExceptionGroup):  # a fault of its solver, which is told with all others when that is asked
            return False

    def last_brief(self, source: str) -> PostSummary | None:
        """The brief of a post when it was last written, whatever has changed since; None for anything odd."""
        data = self.store.document(_BRIEFS, source)
        try:
            return read_brief(data.partition(b"\n")[2]) if data else None
        except ValueError:  # as another version of the builder wrote it
            return None

    def plain_context(self, source: str) -> bytes:
        """What the text of a post without results depends on."""
        return self.digests[source].encode() + self._writing

    @cached_property
    def _writing(self) -> bytes:
        return f" {self.codes.writing.key}".encode()

    def context(self, brief: PostSummary) -> bytes:
        """What the text of a post depends on at most, as plain bytes."""
        return self._contexts.get(brief.source) or self._made_from(brief)

    def _made_from(self, brief: PostSummary) -> bytes:
        """Its file, and all that its solvers and their settings are."""
        if not brief.solvers:
            return self.plain_context(brief.source)
        solvers = [self._solver_context(name, turned) for name, turned in sorted(brief.solvers.items())]
        return self.plain_context(brief.source) + f" {digest(solvers)}".encode()

    def _solver_context(self, name: str, turned: bool) -> tuple[object, ...]:
        own = self._own_files.get(name, [])  # also those that nothing imports: a text may show them
        if name not in self.solvers:
            return name, own, self.solvers
        of = self.codes
        codes = [known.key for known in (of.describing(name), of.solving(name), of.showing(name), of.checking(name))]
        if not turned:
            return name, codes, own, self.codes.files(name)
        given = self.parameters.get(name, {})
        settings = [(s.name, s.value) for s in self.settings if s.solver == name]
        return name, codes, own, self.codes.files(name), given, settings

    @cached_property
    def _own_files(self) -> Mapping[str, list[tuple[str, str]]]:
        """The Python files of each solver and of what they share, with a name for the content of each."""
        found: dict[str, list[tuple[str, str]]] = {}
        for name, content in sorted(self.digests.items()):
            if name.startswith("solvers/") and name.endswith(".py"):
                found.setdefault(name.split("/")[1].removesuffix(".py"), []).append((name, content))
        return found

    def remember(self, briefs: Iterable[PostSummary]) -> None:
        """Keep the briefs of posts that were written, and forget those whose files are gone."""
        documents = {brief.source: b"\n".join([self.context(brief), write_brief(brief)]) for brief in briefs}
        self.store.set_documents(_BRIEFS, documents)
        self.store.drop_documents(_BRIEFS, self.heads.keys() - self.digests.keys())
