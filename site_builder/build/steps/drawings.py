"""Figures -> drawings: each distinct figure once, from the store or drawn in a worker process."""

import dataclasses
import json
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future

from site_builder.errors import Place, SiteError, raise_all
from site_builder.figures.rendered import FigureFiles
from site_builder.project.config import Limits
from site_builder.solving.failure import Failure
from site_builder.solving.pool import Workers
from site_builder.storage.code_fingerprints import CodeKeys
from site_builder.storage.store import MissingEntryError, Store
from site_builder.values.digest import bytes_digest, digest

_FILES = ("svg", "narrow_svg", "png", "csv", "json", "table")


@dataclasses.dataclass(frozen=True)
class Gallery:
    """Where drawings come from and are kept. thorough: whether to look if all that is kept is really there."""

    workers: Workers
    store: Store
    codes: CodeKeys
    limits: Limits
    thorough: bool

    def draw(
        self,
        owners: Mapping[str, str],
        on_cards: Collection[str],
        tell: Callable[[str, str, bool], None],
        step: Callable[[int], None],
    ) -> dict[str, FigureFiles]:
        """The drawings of the figures that these posts show, both by the figure's key.

        on_cards: the keys of those that are wanted small as well. tell: called with post, figure and whether it had to
        be drawn. Raises SiteError for each that cannot be drawn, MissingEntryError when a figure is no longer cached.
        """
        found: dict[str, FigureFiles] = {}
        asked: dict[str, Future[bytes | Failure]] = {}
        small: dict[str, Future[bytes | Failure]] = {}
        for key, owner in owners.items():
            drawn = self.recalled(key)
            tell(owner, key, drawn is None)
            is_wanted_small = key in on_cards and self.store.get("small", self._key(key)) is None
            if drawn is not None and not is_wanted_small:
                found[key] = drawn
                step(1)
                continue
            from site_builder.build.steps import worker_tasks  # paid for by builds that draw

            if drawn is None:
                asked[key] = self.workers.submit(
                    worker_tasks.draw, self._figure(key), is_wanted_small, limits=self.limits
                )
            else:
                found[key] = drawn
                small[key] = self.workers.submit(worker_tasks.draw_small, self._figure(key), limits=self.limits)
        faults = []
        for key, future in (*asked.items(), *small.items()):
            answer = future.result()
            if isinstance(answer, Failure):
                faults.append(self._fault(answer, key, owners[key]))
            elif key in small:
                self.store.put("small", self._key(key), answer)
            else:
                found[key] = self._kept(key, answer)
            step(1)
        raise_all(faults)
        return found

    def file(self, digest: str) -> bytes:
        """A file of a drawing. Raises MissingEntryError when it is in the store no more."""
        data = self.store.get("drawn", digest)
        if data is None:
            raise MissingEntryError
        return data

    def small(self, key: str) -> bytes:
        """A figure as a PNG for a share card. Raises MissingEntryError when it is in the store no more."""
        data = self.store.get("small", self._key(key))
        if data is None:
            raise MissingEntryError
        return data

    def _figure(self, key: str) -> bytes:
        data = self.store.get("figure", key)
        if data is None:
            raise MissingEntryError
        return data

    def _key(self, key: str, code: str = "") -> str:
        return digest(code or self.codes.drawing.key, key)

    def recalled(self, key: str, code: str = "") -> FigureFiles | None:
        """The drawing of a figure if it is in the store. code: names that which drew it, the present one without it."""
        data = self.store.get("drawing", self._key(key, code))
        if data is None:
            return None
        try:
            drawn = FigureFiles(**json.loads(data))
        except (ValueError, TypeError):  # as another version of the builder wrote it
            return None
        if self.thorough and any(self.store.get("drawn", getattr(drawn, file)) is None for file in _FILES):
            return None
        return drawn

    def _kept(self, key: str, answer: bytes) -> FigureFiles:
        from site_builder.values.packing import unpack

        parts = unpack(answer)
        for file in _FILES:
            data = parts[file]
            parts[file] = bytes_digest(data)
            self.store.put("drawn", parts[file], data)
        if small := parts.pop("small", b""):
            self.store.put("small", self._key(key), small)
        drawn = FigureFiles(**parts)
        self.store.put("drawing", self._key(key), json.dumps(dataclasses.asdict(drawn)).encode())
        return drawn

    def _fault(self, fault: Failure, key: str, owner: str) -> SiteError:
        from site_builder.values.packing import unpack

        title = unpack(self._figure(key)).title
        return SiteError(Place(owner), f"the figure {title!r} cannot be drawn: {fault.message}")
