"""Steps: the figures that posts show -> rendered figures, each distinct one once; posts -> share cards.

A card is drawn for each post with a figure or an answer, and one for the site.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from site_builder.errors import Place, SiteError, raise_all
from site_builder.figures.rendered import FigureFiles
from site_builder.figures.share_card import CardColours, ShareCard, can_be_drawn, draw_card
from site_builder.pipeline.steps.context import StepContext, StepPlan, Task
from site_builder.posts.summary import PostSummary, Turn
from site_builder.project.config import Limits, Settings
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
_FEW = 3  # cards that are drawn in this process, since workers take longer to start
_LIMITS = Limits()  # those of config.yaml are meant for solvers


@dataclass(frozen=True)
class Drawings:
    """The step that renders figures. Its items are the keys of figures, which differ by language.

    language: gives that with a tag. Those of a post at a setting have no PNG and CSV, to which its page has no link.
    """

    context: StepContext
    language: Callable[[str], Language]

    def plan(self, posts: Mapping[str, PostSummary]) -> StepPlan[str, FigureFiles]:
        """Look up rendered figures in the cache. posts: the one that shows each."""
        read = partial(from_json, FigureFiles)
        return self.context.look_up("drawing", posts, lambda figure: self._key(figure, posts[figure].setting), read)

    def run(self, plan: StepPlan[str, FigureFiles], posts: Mapping[str, PostSummary]) -> StepPlan[str, FigureFiles]:
        """Render the missing figures. posts: the one that shows each.

        Raises MissingEntryError where the data of a figure is no longer in the cache.
        """

        def task(figure: str) -> Task:
            from site_builder.pipeline.steps import worker_tasks  # only builds that render pay for this import

            data = self.context.load("figure", figure)

            post = posts[figure]

            def keep(answer: bytes) -> None:
                plan.found[figure] = self._store(self._key(figure, post.setting), answer)

            extensions = tuple(set(self.context.codes.kinds.values()))
            arguments = data, self.language(post.language), extensions, post.setting is None
            error = rendering_error(data, post.source)
            return Task(worker_tasks.draw, arguments, self.context.limits, keep, error)

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


def rendering_error(figure: bytes, post: str) -> Callable[[Failure], SiteError]:
    """Gives the error for a figure of a post that cannot be rendered. figure: its data, packed."""
    from site_builder.values.packing import unpack

    def error(failure: Failure) -> SiteError:
        return SiteError(Place(post), f"the figure {unpack(figure).title!r} cannot be drawn: {failure.message}")

    return error


@dataclass(frozen=True)
class WantedCard:
    """A share card. owner: the source of its post, empty for the site's; figure: the key of the figure that it shows.

    key: digest of all that is to be seen on it. The code that draws it is not part of it.
    """

    owner: str
    card: ShareCard
    figure: str
    key: str


@dataclass(frozen=True)
class ShareCards:
    """The step that draws share cards. Its items are wanted cards; its results are their PNGs."""

    context: StepContext
    settings: Settings
    drawings: Drawings

    def wanted(self, posts: Iterable[PostSummary]) -> list[WantedCard]:
        """The card of the site, then one for each post with an answer or a figure whose title can be drawn."""
        posts = [post for post in posts if not post.is_page and (post.answer.text or post.figures)]
        site = self.settings.title if can_be_drawn(self.settings.title) else ""
        found = [self._wanted("", ShareCard("", site), "", "")]
        for post in posts:
            if can_be_drawn(post.title.text):
                card = ShareCard(site, post.title.text)
                found.append(self._wanted(post.source, card, post.figures[0][0] if post.figures else "", post.language))
        return found

    def missing(self, wanted: Sequence[WantedCard]) -> list[WantedCard]:
        """The cards among these that have to be drawn; of cards that look the same the first one."""
        marks = self.context.made("card", [self._card_key(each.key) for each in wanted])  # the cards are large
        first = {each.key: each for each in reversed(wanted) if self._card_key(each.key) not in marks}
        return [each for each in wanted if first.get(each.key) is each]

    def run(self, missing: Sequence[WantedCard]) -> None:
        """Draw these cards. Raises MissingEntryError where a figure is no longer in the cache."""
        if len(missing) > _FEW:
            raise_all(self.context.compute(map(self._task, missing)))
            return
        for each in missing:
            self._store(each, draw_card(each.card, self._colours, self._figure(each)))
            self.context.progress(1)

    def _task(self, wanted: WantedCard) -> Task:
        from site_builder.pipeline.steps import worker_tasks

        def fail(failure: Failure) -> None:
            raise RuntimeError(f"the share card of {wanted.owner}: {failure.message}")  # no author can cause this

        arguments = wanted.card, self._colours, self._figure(wanted)
        return Task(worker_tasks.draw_card, arguments, _LIMITS, partial(self._store, wanted), fail)

    def _store(self, wanted: WantedCard, picture: bytes) -> None:
        self.context.store.put("carded", self._card_key(wanted.key), picture)
        self.context.store.put("card", self._card_key(wanted.key), b"drawn")

    def file(self, key: str) -> bytes:
        """A card as a PNG, by the key of the wanted card. Raises MissingEntryError where it is gone."""
        return self.context.load("carded", self._card_key(key))

    def _wanted(self, owner: str, card: ShareCard, figure: str, language: str) -> WantedCard:
        return WantedCard(owner, card, figure, digest(tuple(card), figure and [figure, language], *self._colours))

    def _card_key(self, key: str) -> str:
        return digest(self.context.codes.builder, key)

    def _figure(self, wanted: WantedCard) -> bytes:
        return self.drawings.png(wanted.figure) if wanted.figure else b""

    @cached_property
    def _colours(self) -> CardColours:
        return CardColours(*card_colours(self.settings.theme))
