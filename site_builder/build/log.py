"""What a build did, task by task: counts, the reports of --explain, and what the next build has to know."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from site_builder.build.known_posts import KnownPosts
from site_builder.build.reasons import Lineage, TaskReport
from site_builder.posts.summary import PostSummary
from site_builder.project.posts import Post
from site_builder.site.page import Last, Page
from site_builder.storage.code_fingerprints import CodeKeys, Ingredients

if TYPE_CHECKING:
    from site_builder.build.steps.results import RunPart
    from site_builder.build.steps.share_cards import WantedCard
    from site_builder.solving.plan import PlannedRun

CARD_TASK = "share card"


class BuildLog:
    """What has been done so far. texts, solves, figures: how many were computed.

    explain: whether to report on every task. reports: what was reported. reads: for each post whose text was asked for,
    digests of what that reads, by name.
    """

    def __init__(self, lineage: Lineage, codes: CodeKeys, known_posts: KnownPosts, explain: bool) -> None:
        self.texts = self.solves = self.figures = 0
        self.reports: list[TaskReport] = []
        self.reads: dict[str, Mapping[str, str]] = {}
        self._lineage = lineage
        self._codes = codes
        self._known_posts = known_posts
        self._explain = explain
        self._ingredients: dict[tuple[str, str], Ingredients] = {}

    def unchanged(self, posts: Iterable[PostSummary]) -> None:
        """These posts come from the cache as they are."""
        if self._explain:
            for post in posts:
                self.reports += self._lineage.unchanged_reports(post.source, bool(post.solvers))

    def result(self, part: "RunPart") -> None:
        """A part of a run is in the cache, or has to be computed for some of its solves."""
        ran = len(part.missing)
        if part.task == "solve":
            self.solves += ran
        if self._explain:
            self.reports.append(self._lineage.result_report(part.run, part.task, ran, part.of))

    def text(self, post: Post, ran: bool, reads: Mapping[str, str]) -> None:
        """A text was written, or was in the cache."""
        self.texts += ran
        self.reads[post.source] = reads
        if self._explain:
            head, now = self._known_posts.heads.get(post.source), self._known_posts.plain_context(post.source)
            report = self._lineage.text_report(post.source, head, now.decode(), reads if ran else None)
            self.reports.append(report)

    def drawing(self, post: PostSummary, figure: str, ran: bool) -> None:
        """A figure of a post has to be rendered, or is in the cache."""
        self.figures += ran
        if self._explain:
            name = next(name for each, name in post.figures if each == figure)
            self.reports.append(self._lineage.drawing_report(post.source, name, figure, ran))

    def cards(
        self,
        wanted: Sequence["WantedCard"],
        missing: Sequence["WantedCard"],
        ingredients: Callable[["WantedCard"], Ingredients],
    ) -> None:
        """These share cards are wanted, and those of them have to be drawn. ingredients: what a card is made from."""
        drawn = {card.key for card in missing}
        for card in wanted:
            ran = card.key in drawn
            if self._explain:
                made = ingredients(card)
                self.reports.append(self._lineage.ingredients_report(card.owner, CARD_TASK, "drawn", made, ran))
            if ran or card.owner in self.reads:
                self._ingredients[card.owner, CARD_TASK] = ingredients(card)

    def index_part(self, number: int, ran: bool, made_from: Callable[[], Mapping[str, str]]) -> None:
        """A part of the search index has to be made, or is in the cache."""
        task = f"search index {number}"
        made = Ingredients(made_from() if ran else {}, {"indexing": self._codes.indexing})
        if self._explain:
            self.reports.append(self._lineage.ingredients_report("", task, "made", made, ran))
        if ran:
            self._ingredients["", task] = made

    def bundle(self, source: str, run: str, ran: bool) -> None:
        """A bundle has to be made and proved, or is in the cache."""
        if self._explain:
            words = "made and proved, as something in it is new" if ran else "reused"
            self.reports.append(TaskReport(source, f"bundle {run}", ran, words))

    def page(self, source: str, page: Page, last: Last | None, shared: Mapping[str, str], ran: bool) -> None:
        """A page that a template makes was rendered, or was in the cache; see `Lineage.page_report`."""
        if self._explain:
            self.reports.append(self._lineage.page_report(source, page, last, shared, ran))

    def store(
        self,
        posts: Iterable[PostSummary],
        runs: "Mapping[str, Sequence[PlannedRun]]",
        pending: Collection[str] = (),
    ) -> None:
        """Store what the next build has to know of those of these posts whose texts were asked for.

        pending: sources of posts that something is still missing of; they count as not built.
        """
        fresh = [post for post in posts if post.source in self.reads and post.source not in pending]
        for post in fresh:
            reads, planned = self.reads[post.source], runs.get(post.source, ())
            if reads or planned or post.figures:
                drawings = {name: key for key, name in post.figures}
                self._lineage.remember(post.source, reads, drawings, planned)
        if fresh:
            self._lineage.store_code(self._codes.writing)
        self._lineage.store_code(self._codes.paging)
        if self._ingredients:
            self._lineage.store_ingredients(self._ingredients)
        self._known_posts.store_all(fresh)
