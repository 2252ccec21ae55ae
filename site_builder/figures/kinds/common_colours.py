"""The colours of names that several figures have in common, such as those of a post."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from site_builder.contract import Frames
from site_builder.errors import nearest
from site_builder.figures.kinds.registry import kind_of
from site_builder.figures.palette import HUES, hues_of


class CommonColours:
    """The colours of names: those of `colours:` in the front matter, then those that figures bring, then by first use.

    Figures are coloured in the order of the text, so that those behind a figure do not change its colours.
    """

    def __init__(self, front: Mapping[str, str]) -> None:
        """front: `colours:` of the front matter."""
        self._front = front
        self._given = {name: hue for name, hue in front.items() if hue in HUES}
        self._used: dict[str, str] = {}
        self._names: dict[str, None] = {}

    def in_pages(self, name: str) -> str:
        """The colour that the front matter gives a name, for styles of the page; empty where it gives none."""
        self._names[name] = None
        hue = self._given.get(name)
        return f"light-dark({HUES[hue].line.light}, {HUES[hue].line.dark})" if hue else ""

    def coloured(self, figure: Any) -> Any:
        """The figure with a colour for each name in it."""
        if isinstance(figure, Frames):
            return replace(figure, frames=tuple((label, self.coloured(step)) for label, step in figure.frames))
        kind = kind_of(figure)
        names = kind.names(figure, self._given)
        if not names:
            return figure
        given = {**self._used, **kind.colours(figure), **self._given}
        is_alone = len(names) == 1  # with nothing to tell it from
        front, used = self._given.values(), [] if is_alone else self._used.values()
        found = dict(zip(names, hues_of(names, given, kind.hues, [[*front, *used], front]), strict=True))
        if names.count("") > 1:
            del found[""]
        self._names |= dict.fromkeys(names)
        self._used |= {} if is_alone else found
        return replace(figure, colours=found)

    def errors(self) -> Iterator[tuple[str, str, str]]:
        """The errors of `colours:` once all figures and boards are made: the name, the message and the cure."""
        known = [name for name in self._names if name]
        for name, hue in self._front.items():
            if hue not in HUES:
                yield name, f"{hue!r} is no colour of figures", nearest(hue, HUES)
            if name not in known:
                yield name, f"no figure or board of this post has the name {name!r}", nearest(name, known)
