"""A file of the site: its path, how to render it, and digests of all that it is made from."""

from collections.abc import Callable, Mapping

from site_builder.values.digest import digest

Inputs = Mapping[str, str]


class Page:
    """One file of the site.

    render: gives its bytes. inputs: gives a digest of each thing that they are made from, by the name that reasons have
    for it, such as "the post". is_copied: whether no template makes it.
    """

    __slots__ = ("_inputs", "_key", "is_copied", "path", "render")

    def __init__(
        self, path: str, render: Callable[[], bytes], inputs: Callable[[], Inputs], is_copied: bool = False
    ) -> None:
        self.path, self.render, self.is_copied = path, render, is_copied
        self._inputs = inputs
        self._key = ""

    @property
    def inputs(self) -> Inputs:
        """A digest of each thing that the file is made from, by name."""
        return self._inputs()

    @property
    def key(self) -> str:
        """Cache key of the file: the digest of its inputs."""
        if not self._key:
            self._key = digest(self._inputs())
        return self._key


def copied(path: str, read: Callable[[], bytes], content: str) -> Page:
    """A file that no template makes. content: a digest of what it is made from."""
    return Page(path, read, lambda: {"the file": content}, is_copied=True)
