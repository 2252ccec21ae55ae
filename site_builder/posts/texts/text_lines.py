"""Errors and links of a text, at the lines of its file."""

import re
from collections.abc import Sequence

from site_builder.errors import Place, SiteError
from site_builder.markup import markdown
from site_builder.markup.placeholders import Heading, Placeholders, parts_in
from site_builder.markup.segments import without
from site_builder.posts.links import TAG, Link, SourceLines
from site_builder.project.posts import Post

_LOOSE_NOTES = {
    "no note": ("there is no note {0}", "write it as {0}: and its text on a line of its own, or \\{0} for the signs"),
    "no reference": ("nothing refers to the note {0}", "write {0} in the text where it belongs, or delete it"),
    "twice": ("the note {0} is written twice", "give one of them another name"),
}
_LINE_OF_TEXT = re.compile(r"<(p|h[1-6]|t[dh]|dt)\b[^>]*>.*?</\1>", re.DOTALL)


def lines_without_code(text: str, lines: Sequence[int], placeholders: Placeholders) -> SourceLines:
    """The lines of a text that may hold links."""
    shown = placeholders.fill(without(text, "code", "comment"), lambda each: each.inline.text.replace("\n", " "))
    return SourceLines(tuple(zip(lines, shown.split("\n"), strict=True)))


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
