"""Errors and links of a text, at the lines of its file."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from html import unescape

from site_builder.errors import Place, SiteError
from site_builder.markup import markdown
from site_builder.markup.placeholders import Heading, Placeholders, parts_in
from site_builder.markup.segments import without
from site_builder.posts.links import Link
from site_builder.posts.texts.tags import TAG, TagProblem
from site_builder.project.posts import Post

_LOOSE_NOTES = {
    "no note": ("there is no note {0}", "write it as {0}: and its text on a line of its own, or \\{0} for the signs"),
    "no reference": ("nothing refers to the note {0}", "write {0} in the text where it belongs, or delete it"),
    "twice": ("the note {0} is written twice", "give one of them another name"),
}
_BEFORE_ADDRESS, _AFTER_ADDRESS = re.compile(r"[\w/.#-]"), re.compile(r"[\w/?#-]|\.\w")  # it goes on
_LINE_OF_TEXT = re.compile(r"<(p|h[1-6]|t[dh]|dt)\b[^>]*>.*?</\1>", re.DOTALL)


class SourceLines:
    """The lines of a file in which links may stand, by their numbers; finds those in which an address is written."""

    def __init__(self, lines: Sequence[tuple[int, str]]) -> None:
        self._numbers = [number for number, _ in lines]
        self._text = unescape("".join(f"{line}\n" for _, line in lines))
        self._ends = [found.end() for found in re.finditer("\n", self._text)]

    def of(self, address: str) -> tuple[int, ...]:
        """The lines in which an address or the beginning of a tag stands as a whole, else the first of all."""
        starts = list(self._starts(" ".join(address.split())))
        if not starts and address[:1] not in ("", "#"):  # it may go on in the next line
            in_parts = re.compile(r"\s*".join(map(re.escape, re.sub(r"\s", "", address))))
            starts = [found.start() for found in in_parts.finditer(self._text)]
        return tuple(sorted({self._numbers[bisect_right(self._ends, start)] for start in starts}) or self._numbers[:1])

    def _starts(self, address: str) -> Iterator[int]:
        at = self._text.find(address)
        while at >= 0 and address:
            goes_on = at and _BEFORE_ADDRESS.match(self._text, at - 1)
            if not (goes_on or _AFTER_ADDRESS.match(self._text, at + len(address))):
                yield at
            at = self._text.find(address, at + 1)


def lines_without_code(text: str, lines: Sequence[int], placeholders: Placeholders) -> SourceLines:
    """The lines of a text that may hold links."""
    shown = placeholders.fill(without(text, "code", "comment"), lambda each: each.inline.text.replace("\n", " "))
    return SourceLines(tuple(zip(lines, shown.split("\n"), strict=True)))


def problem_errors(source: str, problems: Iterable[TagProblem], lines: SourceLines) -> list[SiteError]:
    """An error for all that is refused, at each of its lines. lines: of the file, without code."""
    return [SiteError(Place(source, line), *words) for written, *words in problems for line in lines.of(written)]


def placed_links(links: Sequence[Link], lines: SourceLines) -> tuple[Link, ...]:
    """The links, each with the lines of the file in which it is written; of equal ones the first has all lines."""
    first = {link.written: place for place, link in reversed(list(enumerate(links)))}
    return tuple(
        link._replace(lines=lines.of(link.written)) if first[link.written] == place else link
        for place, link in enumerate(links)
    )


def heading_errors(headings: Sequence[Heading], lines: Sequence[tuple[int, str]], post: Post) -> list[SiteError]:
    if all(heading.level > 1 for heading in markdown.all_headings(headings)):
        return []
    at = [n for n, line in lines if re.match(r"#\s", line) or re.fullmatch(r"=+\s*", line)]
    place = Place(post.source, at[0] if at else post.body_line)
    return [SiteError(place, "a heading with one # stands for the title, which the page has", "write ##")]


def note_errors(
    loose: Sequence[tuple[str, str]], lines: Sequence[tuple[int, str]], placeholders: Placeholders, post: Post
) -> list[SiteError]:
    """References without a note, notes without a reference, and notes that are written twice."""
    wrong = []
    for kind, label in dict.fromkeys(loose):
        sign = f"[^{label}]"
        notes = [number for number, line in lines if line.lstrip(" >").startswith(f"{sign}:")]
        texts = [number for number, line in lines if re.search(rf"(?<!\\){re.escape(sign)}", line)]
        at = {"no note": texts, "no reference": notes[:1], "twice": notes[1:2]}[kind]
        message, cure = _LOOSE_NOTES[kind]
        shown = placeholders.fill(sign, lambda each: each.inline.text)
        places = [Place(post.source, line) for line in at or [post.body_line]]
        wrong += [SiteError(place, message.format(shown), cure.format(shown)) for place in places]
    return wrong


def misplaced_parts(
    html: str, placeholders: Placeholders, lines: Sequence[tuple[int, str]], post: Post
) -> list[SiteError]:
    """Figures, tables and listings that stand in the middle of a paragraph, heading or row, or inside a tag."""
    wrong: list[SiteError] = []
    if all(each.part is None for each in placeholders.found):
        return wrong
    inside = [match[0] for match in _LINE_OF_TEXT.finditer(html)] + TAG.findall(_LINE_OF_TEXT.sub("", html))
    for piece in inside:
        for number in parts_in(piece):
            if placeholders.found[number].part is not None:
                at = [n for n, line in lines if f"\ufdd0{number}\ufdd1" in line]
                message = "this stands in the middle of a paragraph"
                cure = "put it on a line of its own with an empty line before and after"
                wrong.append(SiteError(Place(post.source, at[0] if at else post.body_line), message, cure))
    return wrong
