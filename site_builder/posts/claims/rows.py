"""Claims and their sources as rows of the evidence of a post."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ClaimRow:
    """A published number that was compared with the computed one.

    source: the name of one of the post's sources, or empty; where: the place in it. loose: why fewer digits agree than
    were printed, empty where all of them do.
    """

    line: int
    text: str
    expression: str
    computed: str
    held: str
    source: str
    where: str
    loose: str
    simulated: int

    @property
    def agreement(self) -> str:
        """The closeness of its agreement, in words: to 12 decimals, exactly, within 4 standard errors."""
        if self.simulated:
            return f"within {self.held}"
        return self.held if self.loose or self.held in ("exactly", "word for word") else f"to {self.held}"


@dataclass(frozen=True)
class SourceRow:
    """A source of claims, by its name in the post."""

    name: str
    title: str
    author: str
    date: str
    url: str
