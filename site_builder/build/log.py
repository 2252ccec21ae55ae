"""What a build does, task by task: for whoever asks why, and for the next build, which has to know."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from site_builder.build.known_posts import KnownPosts
from site_builder.build.reasons import Lineage, TaskReport
from site_builder.posts.summary import PostSummary
from site_builder.project.posts import Post
from site_builder.storage.code_fingerprints import CodeKeys, Ingredients

if TYPE_CHECKING:
    from site_builder.build.steps.bundles import Request
    from site_builder.build.steps.share_cards import WantedCard
    from site_builder.solving.plan import PlannedRun

CARD_TASK = "share card"


class BuildLog:
    """What has been done so far. texts, solves, figures: how many had to be made.

    explain: whether to say of every task what became of it and why; told: what was said. reads: for each post whose
    text was asked for, what that reads, and what names the values.
    """

    def __init__(self, lineage: Lineage, codes: CodeKeys, earlier: KnownPosts, explain: bool) -> None:
        self.texts = self.solves = self.figures = 0
        self.told: list[TaskReport] = []
        self.reads: dict[str, Mapping[str, str]] = {}
        self._lineage = lineage
        self._codes = codes
        self._earlier = earlier
        self._explain = explain
        self._made: dict[tuple[str, str], Ingredients] = {}

    def kept(self, briefs: Sequence[PostSummary]) -> None:
        """These posts would be written the same again."""
        if self._explain:
            self.told += chain.from_iterable(self._lineage.kept_told(b.source, bool(b.solvers)) for b in briefs)

    def computed(self, run: "PlannedRun", task: str, ran: int, of: int) -> None:
        """So many parts of a run's task "solve", "figures" or "checks" had to run."""
        if task == "solve":
            self.solves += ran
        if self._explain:
            self.told.append(self._lineage.run_told(run, task, ran, of))

    def written(self, post: Post, ran: bool, reads: Mapping[str, str]) -> None:
        """A text was written, or was in the store."""
        self.texts += ran
        self.reads[post.source] = reads
        if self._explain:
            head, now = self._earlier.heads.get(post.source), self._earlier.plain_context(post.source)
            self.told.append(self._lineage.text_told(post.source, head, now.decode(), reads if ran else None))

    def drawn(self, brief: PostSummary, key: str, ran: bool) -> None:
        """A figure of a post was drawn, or its drawing was in the store."""
        self.figures += ran
        if self._explain:
            name = next(name for each, name in brief.figures if each == key)
            self.told.append(self._lineage.drawing_told(brief.source, name, key, ran))

    def carded(self, card: "WantedCard", made: Callable[["WantedCard"], Ingredients], ran: bool, is_read: bool) -> None:
        """A share card has to be drawn, or is in the store.

        made: gives what it is made from; is_read: whether the file of its post was read.
        """
        if self._explain:
            self.told.append(self.card_told(card, made(card), ran))
        if ran or is_read:
            self._made[card.owner, CARD_TASK] = made(card)

    def card_told(self, card: "WantedCard", made: Ingredients, ran: bool) -> TaskReport:
        """What becomes of a share card."""
        return self._lineage.made_told(card.owner, CARD_TASK, "drawn", made, ran)

    def indexed(self, part: int, ran: bool, made_of: Mapping[str, str]) -> None:
        """A part of the search index was made, or was in the store."""
        task, made = f"search index {part}", Ingredients(made_of, {"indexing": self._codes.indexing})
        if self._explain:
            self.told.append(self._lineage.made_told("", task, "made", made, ran))
        if ran:
            self._made["", task] = made

    def bundled(self, request: "Request", ran: bool) -> None:
        """A bundle was made and proved, or was in the store."""
        if self._explain:
            self.told.append(self._lineage.bundle_told(request.place.path, request.order.run, ran))

    def remember(self, briefs: Iterable[PostSummary], runs: "Mapping[str, Sequence[PlannedRun]]") -> None:
        """Keep what the next build has to know of those of these posts whose texts were asked for."""
        fresh = [brief for brief in briefs if brief.source in self.reads]
        for brief in fresh:
            reads, planned = self.reads[brief.source], runs.get(brief.source, ())
            if reads or planned or brief.figures:
                drawings = {name: key for key, name in brief.figures}
                self._lineage.remember(brief.source, reads, drawings, planned)
        if fresh:
            self._lineage.keep_ingredients(self._codes.writing)
        self._lineage.keep_ingredients(self._codes.paging)
        if self._made:
            self._lineage.remember_made(self._made)
        self._earlier.remember(fresh)
