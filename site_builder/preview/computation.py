"""Results and figures of posts that the cache does not hold, computed by workers while the preview goes on."""

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from site_builder.pipeline.pipeline import Build
from site_builder.pipeline.steps.context import Report
from site_builder.pipeline.steps.drawings import MODULES_TO_DRAW
from site_builder.preview.partial_site import PartialSite, PollingReport
from site_builder.solving.processes.pool import Share, Workers
from site_builder.storage.store import MissingEntryError, Store

_INTERVAL = 0.5  # seconds between two looks for progress


@dataclass(eq=False)
class Computation(Report):
    """Computes all that some posts need, into the cache.

    site: of what the cache held when it began. posts: the sources of those that it computes. check: is called after
    each step. meanwhile: is called again and again while it waits for workers, with its progress in words, and whether
    more posts have all their results, or all have. What these raise ends it.
    """

    site: PartialSite
    posts: Collection[str]
    check: Callable[[], None]
    meanwhile: Callable[[str, bool], None]
    began: float = field(default_factory=time.monotonic)

    interval = PollingReport.interval

    def __post_init__(self) -> None:
        self._stage, self._steps, self._step, self._solved = "", 0, 0, 0
        self._looked, self._words = self.began, ""

    def run(self, workers: Workers, store: Store) -> None:
        """Compute it. Raises as `Build.prepare` does."""
        workers.expect(MODULES_TO_DRAW)
        options, sources = self.site.build.options, self.site.build.sources
        self._build = Build(options, sources, store, self, workers)
        try:
            self._build.prepare(self.posts, self.site.content)
        except MissingEntryError:
            self._build = Build(options, replace(sources, verify=True), store, self, workers)
            self._build.prepare(self.posts)

    def is_wanted(self, now: PartialSite) -> bool:
        """True while what the cache does not hold now is part of what it did not hold at the beginning."""
        if not any(source in now.missing for source in self.posts):  # either all is solved, or it was taken back
            return self._stage != "Solving" or self._build.count_solved() == len(self.posts)
        return now.missing.items() <= self.site.missing.items() and now.made_of == self.site.made_of

    def stage(self, name: str, steps: int) -> None:
        """See Report."""
        self._stage, self._steps, self._step = name, steps, 0
        if name == "Drawing":
            self._build.context.store.flush()
            self.meanwhile(self._words, True)

    def step(self, count: int) -> None:
        """See Report."""
        self._step += count
        self.check()

    def shares(self, shares: Sequence[Share]) -> None:
        """See Report."""
        is_new = False
        if time.monotonic() > self._looked + _INTERVAL:
            self._looked, before = time.monotonic(), self._solved
            self._words = f"{self._stage} {min(self._step + 1, self._steps)} of {self._steps}"
            self._solved = self._build.count_solved()
            is_new = self._stage == "Solving" and self._solved > before
            self._build.context.store.flush()
        self.meanwhile(self._words, is_new)
