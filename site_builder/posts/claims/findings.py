"""Finding: a number that a post shows and that nothing verifies."""

from typing import NamedTuple

from site_builder.errors import Place, SiteError


class Finding(NamedTuple):
    """A number that a post shows and that nothing verifies: a build warns of it, and `publish` refuses it.

    line: of the post's file. name: in a few words, such as "results.main.flips". is_typed: whether it is typed.
    """

    line: int
    message: str
    cure: str
    name: str
    is_typed: bool = False

    def error(self, source: str) -> SiteError:
        """The finding as the error that it is for `check` and `publish`."""
        return SiteError(Place(source, self.line), self.message, self.cure)
