"""Figures -> drawings: each distinct figure once, from the store or by a worker."""

import dataclasses
import json
from collections.abc import Callable, Mapping
from concurrent.futures import Future

from site_builder.codes import Codes
from site_builder.config import Limits
from site_builder.errors import Place, SiteError, raise_all
from site_builder.faults import Fault
from site_builder.parts import Drawn
from site_builder.reads import digest, name_of
from site_builder.store import Store
from site_builder.workers import Workers

_FILES = ("svg", "narrow_svg", "png", "csv", "json", "table")


class LostError(Exception):
    """Something that an earlier build kept is in the store no more, so it has to be made again."""


@dataclasses.dataclass(frozen=True)
class Gallery:
    """Where drawings come from and are kept. thorough: whether to look if all that is kept is really there."""

    workers: Workers
    store: Store
    codes: Codes
    limits: Limits
    thorough: bool

    def draw(
        self, owners: Mapping[str, str], tell: Callable[[str, str, bool], None], step: Callable[[int], None]
    ) -> dict[str, Drawn]:
        """The drawings of the figures that these posts show, both by the figure's key.

        tell: called with post, figure and whether it had to be drawn. Raises SiteError for each that cannot be drawn,
        LostError when a figure is in the store no more.
        """
        found: dict[str, Drawn] = {}
        asked: dict[str, Future[bytes | Fault]] = {}
        for key, owner in owners.items():
            drawn = self.recalled(key)
            tell(owner, key, drawn is None)
            if drawn is not None:
                found[key] = drawn
                step(1)
            else:
                from site_builder import worker  # paid for by builds that draw

                asked[key] = self.workers.submit(worker.draw, self._figure(key), limits=self.limits)
        faults = []
        for key, future in asked.items():
            answer = future.result()
            if isinstance(answer, Fault):
                faults.append(self._fault(answer, key, owners[key]))
            else:
                found[key] = self._kept(key, answer)
            step(1)
        raise_all(faults)
        return found

    def file(self, digest: str) -> bytes:
        """A file of a drawing. Raises LostError when it is in the store no more."""
        data = self.store.get("drawn", digest)
        if data is None:
            raise LostError
        return data

    def _figure(self, key: str) -> bytes:
        data = self.store.get("figure", key)
        if data is None:
            raise LostError
        return data

    def _key(self, key: str, code: str = "") -> str:
        return digest(code or self.codes.drawing.key, key)

    def recalled(self, key: str, code: str = "") -> Drawn | None:
        """The drawing of a figure if it is in the store. code: names that which drew it, the present one without it."""
        data = self.store.get("drawing", self._key(key, code))
        if data is None:
            return None
        try:
            drawn = Drawn(**json.loads(data))
        except (ValueError, TypeError):  # as another version of the builder wrote it
            return None
        if self.thorough and any(self.store.get("drawn", getattr(drawn, file)) is None for file in _FILES):
            return None
        return drawn

    def _kept(self, key: str, answer: bytes) -> Drawn:
        from site_builder.values import unpack

        parts = unpack(answer)
        for file in _FILES:
            data = parts[file]
            parts[file] = name_of(data)
            self.store.put("drawn", parts[file], data)
        drawn = Drawn(**parts)
        self.store.put("drawing", self._key(key), json.dumps(dataclasses.asdict(drawn)).encode())
        return drawn

    def _fault(self, fault: Fault, key: str, owner: str) -> SiteError:
        from site_builder.values import unpack

        title = unpack(self._figure(key)).title
        return SiteError(Place(owner), f"the figure {title!r} cannot be drawn: {fault.message}")
