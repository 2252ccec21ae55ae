"""Labels of one axis or legend that stay different from one another where some have to be cut."""

from collections.abc import Callable, Sequence
from itertools import takewhile

from site_builder.figures.canvas.text import SMALL, TextLine, text_line, truncate, wrap_text
from site_builder.markup.typeset import spoken

Fits = Callable[[str], bool]


def truncate_all(texts: Sequence[str], width: float) -> list[TextLine]:
    """Return each text as one line no wider than `width`."""
    short = _distinct(texts, [truncate(text, width).text for text in texts], lambda text: _width(text) <= width)
    return [truncate(text, width) for text in short]


def wrap_all(texts: Sequence[str], width: float, at_most: int = 4) -> list[tuple[TextLine, ...]]:
    """Break each text into at most so many lines no wider than `width`."""
    cut = [" ".join(line.text for line in wrap_text(text, width, at_most=at_most)) for text in texts]
    short = _distinct(texts, cut, lambda text: len(wrap_text(text, width, at_most=at_most + 1)) <= at_most)
    return [wrap_text(text, width, at_most=at_most) for text in short]


def _width(text: str) -> float:
    return text_line(text, SMALL).width


def _distinct(texts: Sequence[str], cut: Sequence[str], fits: Fits) -> list[str]:
    """The texts, those that would look like another one shortened in the middle, or after what they have in common."""
    found = list(texts)
    for look in set(cut):
        alike = [i for i, each in enumerate(cut) if each == look]
        whole = [spoken(texts[i]) for i in alike]
        if len(set(whole)) == 1:
            continue
        choices = ([_without_middle(each, fits) for each in whole], _without_start(whole, fits))
        chosen = next((each for each in choices if len(set(each)) == len(set(whole))), choices[-1])
        for i, text in zip(alike, chosen, strict=True):
            found[i] = text.replace("$", "\\$")
    return found


def _without_middle(text: str, fits: Fits) -> str:
    """The longest start and end of a text, with an ellipsis between, that fit."""

    def shortened(kept: int) -> str:
        return f"{text[: kept - kept // 2].rstrip()}…{text[len(text) - kept // 2 :].lstrip()}"

    return _longest(shortened, len(text) - 1, fits)


def _without_start(texts: Sequence[str], fits: Fits) -> list[str]:
    """The texts from the first word on in which they differ, cut at their ends."""
    words = [text.split() for text in texts]
    common = sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*words, strict=False)))
    return [_without_end(f"…{' '.join(each[common:])}", fits) for each in words]


def _without_end(text: str, fits: Fits) -> str:
    return text if fits(text) else _longest(lambda kept: f"{text[:kept].rstrip()}…", len(text), fits)


def _longest(make: Callable[[int], str], most: int, fits: Fits) -> str:
    """The text with the most characters that fits, found by halving; the one with two where none does."""
    low, high = 2, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(make(middle)) else (low, middle - 1)
    return make(low)
