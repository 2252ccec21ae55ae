"""What is wrong with a formula: where, what, and how to mend it."""

from collections.abc import Iterable


class TexError(ValueError):
    """A formula that cannot be converted.

    `message` names the fault, `cure` says what to write instead, `position` is the offset in the TeX at which the
    fault shows itself.
    """

    def __init__(self, message: str, cure: str, position: int) -> None:
        super().__init__(message, cure, position)
        self.message = message
        self.cure = cure
        self.position = position

    def __str__(self) -> str:
        return f"{self.message} ({self.cure})"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that an author most likely meant; commands come with their backslash.

    A command with letters stuck to it, such as \\cdotx, is given as \\cdot x.
    """
    import difflib  # a build without faults does not pay for it

    known = list(known)
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.7)
    beginnings = [each for each in known if len(each) > 3 and each[0] == "\\" and name.startswith(each)]
    if beginnings:
        longest = max(beginnings, key=len)
        if not close or len(longest) >= len(name) - 2:
            return f"{longest} {name[len(longest) :]}"
    return close[0] if close else None
