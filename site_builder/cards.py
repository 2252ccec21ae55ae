"""Share cards: which post has one of its own, and each distinct one once, from the store or drawn anew."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from site_builder.briefs import Brief
from site_builder.codes import Codes
from site_builder.config import Settings
from site_builder.errors import Place, SiteError, raise_all
from site_builder.faults import Fault
from site_builder.picturing import LostError
from site_builder.reads import digest, name_of
from site_builder.share_card import Look, ShareCard
from site_builder.store import Store
from site_builder.theme import Theme
from site_builder.workers import Workers

ICON, FONTS = "icon.png", "fonts/"  # below templates/assets/
_KINDS_OF_FONT = (".otf", ".ttf", ".woff", ".woff2")
_FEW = 3  # cards without a figure, for which no worker has to be started


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
    codes: Codes
    settings: Settings
    theme: Theme
    thorough: bool = False

    def wanted(self, briefs: Iterable[Brief]) -> list[WantedCard]:
        """The card of the site, and one for each post with an answer or a figure."""
        site = self.settings.title
        found = [self._wanted("", ShareCard("", site, self.settings.description), "")]
        for brief in briefs:
            if not brief.is_page and (brief.answer.text or brief.figures):
                card = ShareCard(site, brief.title.text, brief.answer.text, "Answer" if brief.answer.text else "")
                found.append(self._wanted(brief.source, card, brief.figures[0][0] if brief.figures else ""))
        return found

    def _wanted(self, owner: str, card: ShareCard, figure: str) -> WantedCard:
        return WantedCard(owner, card, figure, digest(tuple(card), figure, self._seen))

    def draw(self, wanted: Sequence[WantedCard], step: Callable[[int], None]) -> None:
        """See to it that all these cards are in the store.

        Raises SiteError where some cannot be drawn, LostError when a figure is in the store no more.
        """
        distinct = {each.name: each for each in wanted}
        known = self._known(distinct)
        missing = [each for name, each in distinct.items() if name not in known]
        step(len(wanted) - len(missing))
        is_alone = len(missing) <= _FEW and not any(each.figure for each in missing)
        faults: dict[str, SiteError] = {}
        for each, drawn in self._drawn_here(missing) if is_alone else self._drawn_by_workers(missing):
            answer = drawn()
            if isinstance(answer, Fault):
                faults[answer.message] = _fault(answer)
            else:
                self._keep(each.name, answer)
            step(1)
        raise_all(list(faults.values()))

    def _drawn_here(self, missing: Iterable[WantedCard]) -> Iterable[tuple[WantedCard, Callable[[], bytes | Fault]]]:
        for each in missing:
            yield each, lambda card=each.card: self._drawn(card)  # type: ignore[misc]

    def _drawn(self, card: ShareCard) -> bytes | Fault:
        from site_builder.card_drawing import draw_card  # paid for by builds that draw

        try:
            return draw_card(card, self._look)
        except (OSError, ValueError) as error:  # a font or the icon of the theme
            return Fault("raised", f"{type(error).__name__}: {error}")

    def _drawn_by_workers(
        self, missing: Iterable[WantedCard]
    ) -> Iterable[tuple[WantedCard, Callable[[], bytes | Fault]]]:
        from site_builder import worker

        asked: list[tuple[WantedCard, Future[bytes | Fault]]] = []
        for each in missing:
            figure = self.store.get("figure", each.figure) if each.figure else b""
            if figure is None:
                raise LostError
            answer = self.workers.submit(worker.draw_card, each.card, self._look, figure, limits=self.settings.limits)
            asked.append((each, answer))
        return [(each, answer.result) for each, answer in asked]

    def file(self, name: str) -> bytes:
        """A card as a PNG. Raises LostError when it is in the store no more."""
        kept = self.store.get("card", self._key(name))
        data = self.store.get("carded", kept.decode("ascii", "replace")) if kept else None
        if data is None:
            raise LostError
        return data

    def _known(self, names: Iterable[str]) -> set[str]:
        keys = {name: self._key(name) for name in names}
        kept = self.store.get_many("card", keys.values())
        found = {name: kept[key].decode("ascii", "replace") for name, key in keys.items() if key in kept}
        if self.thorough:
            return {name for name, data in found.items() if self.store.get("carded", data) is not None}
        return set(found)

    def _keep(self, name: str, data: bytes) -> None:
        self.store.put("carded", name_of(data), data)
        self.store.put("card", self._key(name), name_of(data).encode())

    def _key(self, name: str) -> str:
        return digest(self.codes.carding.key, name)

    # The look, as the theme has it

    @cached_property
    def _seen(self) -> list[tuple[str, str]]:
        """What the theme gives to cards, each file with a name for its content."""
        return [(name, path) for name, path in self.theme.assets.items() if name == ICON or name in self._fonts]

    @cached_property
    def _fonts(self) -> list[str]:
        return [n for n in self.theme.assets if n.startswith(FONTS) and PurePosixPath(n).suffix in _KINDS_OF_FONT]

    @cached_property
    def _look(self) -> Look:
        files = {name: self.theme.asset_bytes(name) for name, _ in self._seen}
        upright = [name for name in self._fonts if "italic" not in name.lower()]
        last = [name for name in upright if "math" in name.lower()]
        bold = [name for name in upright if "bold" in name.lower() and name not in last]
        regular = [name for name in upright if name not in (*bold, *last)]
        return Look(
            tuple(files[name] for name in (*bold, *last)),
            tuple(files[name] for name in (*regular, *last)),
            files.get(ICON, b""),
        )


def _fault(fault: Fault) -> SiteError:
    words = f"share cards cannot be drawn: {fault.message}"
    return SiteError(Place("templates/assets"), words, f"{FONTS} must hold fonts, and {ICON} be a picture")


def by_owner(wanted: Iterable[WantedCard]) -> Mapping[str, str]:
    """What names the card of each post that has one, and under "" that of the site."""
    return {each.owner: each.name for each in wanted}
