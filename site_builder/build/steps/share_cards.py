"""Share cards: which post has one of its own, and each distinct one once, from the store or drawn anew."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from site_builder.build.steps.drawings import Gallery
from site_builder.errors import Place, SiteError, raise_all
from site_builder.figures.share_card import CardLook, ShareCard, rare_letters
from site_builder.posts.summary import PostSummary
from site_builder.project.config import Limits, Settings
from site_builder.site.theme import ASSETS, Theme
from site_builder.solving.failure import Failure
from site_builder.solving.pool import Workers
from site_builder.storage.code_fingerprints import CodeKeys, Ingredients
from site_builder.storage.store import MissingEntryError, Store
from site_builder.values.digest import bytes_digest, digest

ICON, FONTS = "icon.png", "fonts/"  # below templates/assets/
_KINDS_OF_FONT = (".otf", ".ttf", ".woff", ".woff2")
_FEW = 3  # cards for which no worker has to be started
_BATCH = 20  # cards that are drawn by one task
_LIMITS = Limits()  # those of config.yaml are meant for solvers
Drawn = tuple[Sequence["WantedCard"], Sequence[bytes]]


@dataclass(frozen=True)
class WantedCard:
    """A card to be drawn. owner: the source of its post, empty for the site's; figure: the key of what it shows.

    name: of all that is to be seen on it, but for the way in which it is drawn.
    """

    owner: str
    card: ShareCard
    figure: str
    name: str


@dataclass(frozen=True)
class Cards:
    """Where share cards come from and are kept. thorough: whether to look if all that is kept is really there."""

    workers: Workers
    store: Store
    codes: CodeKeys
    settings: Settings
    theme: Theme
    gallery: Gallery
    thorough: bool = False

    def wanted(self, briefs: Iterable[PostSummary]) -> list[WantedCard]:
        """The card of the site, and one for each post with an answer or a figure whose words can be written."""
        posts = [brief for brief in briefs if not brief.is_page and (brief.answer.text or brief.figures)]
        texts = [self.settings.title, self.settings.description]
        texts += [text for brief in posts for text in (brief.title.text, brief.answer.text)]
        unwritable = self._unwritable("".join(texts))
        site, about = (text if unwritable.isdisjoint(text) else "" for text in texts[:2])
        found = [self._wanted("", ShareCard("", site, about), "")]
        for brief in posts:
            if unwritable.isdisjoint(brief.title.text + brief.answer.text):
                card = ShareCard(site, brief.title.text, brief.answer.text, "Answer" if brief.answer.text else "")
                found.append(self._wanted(brief.source, card, brief.figures[0][0] if brief.figures else ""))
        return found

    def _unwritable(self, text: str) -> set[str]:
        """Those letters of a text that no font has, or that cannot be set one after the other."""
        letters = "".join(sorted(rare_letters(text)))
        if not letters:
            return set()
        key = digest(self.codes.carding.key, self._shared, letters)
        known = self.store.get("unwritable", key)
        if known is None:
            raise_all(self._faults_of_theme())
            from site_builder.figures.share_card_drawing import unwritable  # paid for by builds with new letters

            known = "".join(sorted(unwritable(letters, self._look))).encode()
            self.store.put("unwritable", key, known)
        return set(known.decode())

    def _wanted(self, owner: str, card: ShareCard, figure: str) -> WantedCard:
        return WantedCard(owner, card, figure, digest(tuple(card), figure, self._shared))

    def made(self, wanted: WantedCard) -> Ingredients:
        """What a card is made from, in words."""
        seen = {
            "its title": wanted.card.title,
            "its figure": wanted.figure,
            "fonts and icon of the theme": self._shared,
        }
        if wanted.owner:
            seen |= {"its answer": wanted.card.text, "title in config.yaml": wanted.card.site}
        else:
            seen |= {"its description": wanted.card.text}
        codes = {"carding": self.codes.carding} | ({"drawing": self.codes.drawing} if wanted.figure else {})
        return Ingredients({name: value for name, value in seen.items() if value}, codes)

    def missing(self, wanted: Iterable[WantedCard]) -> list[WantedCard]:
        """Those of these cards that are not in the store, each distinct one once."""
        distinct = {each.name: each for each in reversed(list(wanted))}  # of those alike the first
        known = self._known(distinct)
        return [each for name, each in reversed(distinct.items()) if name not in known]

    def draw(self, missing: Sequence[WantedCard], step: Callable[[int], None]) -> None:
        """Draw these cards and keep them in the store.

        Raises SiteError where the theme does not allow it, MissingEntryError when a small drawing of a figure is cached
        no more.
        """
        if not missing:
            return
        raise_all(self._faults_of_theme())
        drawn = self._drawn_here if len(missing) <= _FEW else self._drawn_by_workers
        for batch, cards in drawn([missing[start : start + _BATCH] for start in range(0, len(missing), _BATCH)]):
            for each, data in zip(batch, cards, strict=True):
                self._keep(each.name, data)
            step(len(batch))

    def _faults_of_theme(self) -> list[SiteError]:
        """What of the theme is no font or no picture."""
        from site_builder.figures.share_card_drawing import is_font, is_picture  # paid for by builds that draw

        found = []
        for name, _ in self._seen:
            data = self.theme.asset_bytes(name)
            if not (is_picture(data) if name == ICON else is_font(data)):
                kind, cure = ("picture", "put a square PNG there") if name == ICON else ("font", "put one there")
                words = f"share cards cannot be drawn: this is no {kind} that can be read"
                found.append(SiteError(Place(f"templates/{ASSETS}/{name}"), words, f"{cure}, or take the file away"))
        return found

    def _drawn_here(self, batches: Iterable[Sequence[WantedCard]]) -> Iterator[Drawn]:
        from site_builder.figures.share_card_drawing import draw_cards

        for batch in batches:
            yield batch, draw_cards(self._orders(batch), self._look)

    def _drawn_by_workers(self, batches: Iterable[Sequence[WantedCard]]) -> Iterator[Drawn]:
        from site_builder.build.steps import worker_tasks

        asked: list[tuple[Sequence[WantedCard], Future[list[bytes] | Failure]]] = []
        for batch in batches:  # the look is large: it is sent for many cards at once
            orders = self._orders(batch)
            asked.append((batch, self.workers.submit(worker_tasks.draw_cards, orders, self._look, limits=_LIMITS)))
        for batch, future in asked:
            answer = future.result()
            if isinstance(answer, Failure):  # nothing that an author wrote can be its cause
                raise RuntimeError(f"the share cards of {', '.join(each.owner for each in batch)}: {answer.message}")
            yield batch, answer

    def _orders(self, batch: Iterable[WantedCard]) -> list[tuple[ShareCard, bytes]]:
        return [(each.card, self.gallery.small(each.figure) if each.figure else b"") for each in batch]

    def file(self, name: str) -> bytes:
        """A card as a PNG. Raises MissingEntryError when it is in the store no more."""
        kept = self.store.get("card", self._key(name))
        data = self.store.get("carded", kept.decode("ascii", "replace")) if kept else None
        if data is None:
            raise MissingEntryError
        return data

    def _known(self, names: Iterable[str]) -> set[str]:
        keys = {name: self._key(name) for name in names}
        kept = self.store.get_many("card", keys.values())
        found = {name: kept[key].decode("ascii", "replace") for name, key in keys.items() if key in kept}
        if self.thorough:
            return {name for name, data in found.items() if self.store.get("carded", data) is not None}
        return set(found)

    def _keep(self, name: str, data: bytes) -> None:
        self.store.put("carded", bytes_digest(data), data)
        self.store.put("card", self._key(name), bytes_digest(data).encode())

    def _key(self, name: str) -> str:
        return digest(self.code, name)

    @cached_property
    def code(self) -> str:
        """Names the code that draws cards, and the figures on them."""
        return digest(self.codes.carding.key, self.codes.drawing.key)

    # The look, as the theme has it

    @cached_property
    def _seen(self) -> list[tuple[str, str]]:
        """What the theme gives to cards, each file with a name for its content."""
        return [(name, path) for name, path in self.theme.assets.items() if name == ICON or name in self._fonts]

    @cached_property
    def _shared(self) -> str:
        """A name for the look."""
        return digest(self._seen)

    @cached_property
    def _fonts(self) -> list[str]:
        return [n for n in self.theme.assets if n.startswith(FONTS) and PurePosixPath(n).suffix in _KINDS_OF_FONT]

    @cached_property
    def _look(self) -> CardLook:
        files = {name: self.theme.asset_bytes(name) for name, _ in self._seen}
        upright = [name for name in self._fonts if "italic" not in name.lower()]
        last = [name for name in upright if "math" in name.lower()]
        bold = [name for name in upright if "bold" in name.lower() and name not in last]
        regular = [name for name in upright if name not in (*bold, *last)]
        return CardLook(
            tuple(files[name] for name in (*bold, *last)),
            tuple(files[name] for name in (*regular, *last)),
            files.get(ICON, b""),
        )


def by_owner(wanted: Iterable[WantedCard]) -> Mapping[str, str]:
    """What names the card of each post that has one, and under "" that of the site."""
    return {each.owner: each.name for each in wanted}
