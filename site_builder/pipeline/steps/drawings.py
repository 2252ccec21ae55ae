"""Step: the figures that posts show -> rendered figures, each distinct one once. With the share cards beside them.

A card is drawn for each post with a figure or an answer, and one for the site, when its file is rendered.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from site_builder.errors import Place, SiteError
from site_builder.figures.rendered import FigureFiles
from site_builder.figures.share_card import CardColours, can_be_drawn, draw_card
from site_builder.pipeline.steps.context import StepContext, StepPlan, Task
from site_builder.posts.summary import PostSummary, Turn
from site_builder.project.config import Settings
from site_builder.site.theme_style import card_colours
from site_builder.solving.processes.failure import Failure
from site_builder.values.digest import bytes_digest, digest
from site_builder.values.json_records import from_json, to_json
from site_builder.values.language import Language

MODULES_TO_DRAW = (  # modules that every process loads which draws figures, and a solver that draws some itself
    "site_builder.pipeline.steps.worker_tasks",
    "site_builder.figures.canvas.canvas",
    "matplotlib.pyplot",
)


@dataclass(frozen=True)
class Drawings:
    """The step that renders figures. Its items are the keys of figures, which differ by language.

    language: gives that with a tag. Those of a post at a setting have no PNG and CSV, to which its page has no link.
    """

    context: StepContext
    language: Callable[[str], Language]

    def plan(self, posts: Mapping[str, PostSummary]) -> StepPlan[str, FigureFiles]:
        """Look up rendered figures in the cache. posts: the one that shows each."""
        keys = {figure: self._key(figure, post.setting) for figure, post in posts.items()}
        return self.context.look_up("drawing", keys, partial(from_json, FigureFiles))

    def run(self, plan: StepPlan[str, FigureFiles], posts: Mapping[str, PostSummary]) -> StepPlan[str, FigureFiles]:
        """Render the missing figures. posts: the one that shows each.

        Raises MissingEntryError where the data of a figure is no longer in the cache.
        """

        def task(figure: str) -> Task:
            from site_builder.pipeline.steps.worker_tasks import draw  # only builds that render pay for these imports
            from site_builder.solving.processes.worker import run_limited
            from site_builder.values.packing import unpack

            data = self.context.load("figure", figure)

            post = posts[figure]

            def keep(answer: bytes) -> None:
                plan.found[figure] = self._store(self._key(figure, post.setting), answer)

            def fail(failure: Failure) -> SiteError:
                message = f"the figure {unpack(data).title!r} cannot be drawn: {failure.message}"
                return SiteError(Place(post.source), message)

            extensions = tuple(set(self.context.codes.kinds.values()))
            arguments = draw, data, self.language(post.language), extensions, post.setting is None
            return Task(run_limited, arguments, self.context.limits, keep, fail)

        plan.errors.extend(self.context.compute(map(task, plan.missing)))
        return plan

    def _store(self, key: str, answer: bytes) -> FigureFiles:
        from site_builder.values.packing import unpack

        files, facts = unpack(answer)
        digests = {kind: bytes_digest(data) for kind, data in files.items()}
        for kind, data in files.items():
            self.context.store.put("drawn", digests[kind], data)
        found = FigureFiles(digests, **facts)
        self.context.store.put("drawing", key, to_json(found))
        return found

    def png(self, figure: str) -> bytes:
        """The PNG of a figure. Raises MissingEntryError where the cache does not hold it."""
        files = from_json(FigureFiles, self.context.load("drawing", self._key(figure, None)))
        return self.context.load("drawn", files.digests["png"])

    def _key(self, figure: str, setting: Turn | None) -> str:
        return digest(self.context.codes.builder, figure, setting is None)


class ShareCard(NamedTuple):
    """A share card: the titles of the site and of the post, the key of the figure that it shows, and its colours.

    language: of the figure; empty without one.
    """

    site: str
    post: str
    colours: CardColours
    figure: str = ""
    language: str = ""

    @property
    def key(self) -> str:
        """Digest of all that is to be seen on it, not of the code that draws it."""
        return digest((self.site, self.post), self.figure and [self.figure, self.language], *self.colours)


@dataclass(frozen=True)
class ShareCards:
    """The share cards of a site."""

    context: StepContext
    settings: Settings
    drawings: Drawings

    def wanted(self, posts: Iterable[PostSummary]) -> dict[str, ShareCard]:
        """The card of each post with an answer or a figure whose title can be drawn, by source, and "", of the site."""
        colours, title = card_colours(self.settings.theme), self.settings.title
        site = title if can_be_drawn(title) else ""
        found = {"": ShareCard("", site, colours)}
        for post in posts:
            if not post.is_page and (post.answer.text or post.figures) and can_be_drawn(post.title.text):
                figure = (post.figures[0][0], post.language) if post.figures else ()
                found[post.source] = ShareCard(site, post.title.text, colours, *figure)
        return found

    def file(self, card: ShareCard) -> bytes:
        """A card as a PNG, from the cache or drawn. Raises MissingEntryError where its figure is gone."""

        def draw() -> bytes:
            return draw_card(card.site, card.post, card.colours, self.drawings.png(card.figure) if card.figure else b"")

        return self.context.recall("card", card.key, draw)
