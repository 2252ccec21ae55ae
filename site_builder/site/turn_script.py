"""Two pages of a post -> the script that makes the article of one that of the other, block by block.

A block is an element that stands directly in the article, in its header or in its prose. Operations replace, insert and
delete blocks; they count those of the published page, without the control that turns it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from html import unescape
from html.parser import HTMLParser

CONTAINERS = ("article", "header", "prose")
_END = "</article>"
_VOID = {*("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")}


@dataclass
class _Blocks(HTMLParser):
    """Finds the blocks of an article, by container, and the title of the page. text: of the page, as far as needed."""

    text: str
    found: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in CONTAINERS})
    title: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self._open: list[tuple[str, str]] = []  # the elements around: tag, and name of a container or ""
        self._start, self._in_title = 0, False
        self._lines = [0]
        for line in self.text.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        self.feed(self.text)
        self.close()

    @classmethod
    @lru_cache(maxsize=2)  # all settings of a post are compared with the same page
    def of_page(cls, page: str) -> "_Blocks":
        """The steps of a page, of which nothing after the article is read."""
        return cls(page[: page.rfind(_END) + len(_END)] if _END in page else page)

    @property
    def _here(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._in_title = tag == "title" and not self._open
        classes = (dict(attributes).get("class") or "").split()
        if not self._open:
            if tag == "article":
                self._open.append((tag, "article"))
            return
        container = self._container(tag, classes)
        if container:
            self.found["article"].append(f"<{container}>")
        elif self._open[-1][1]:
            self._start = self._here
            if tag in _VOID:
                self._add(self._start + len(self.get_starttag_text() or ""))
        if tag not in _VOID:
            self._open.append((tag, container))

    def _container(self, tag: str, classes: list[str]) -> str:
        if self._open != [("article", "article")]:
            return ""
        return "header" if tag == "header" else "prose" if "prose" in classes else ""

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            self.handle_starttag(tag, attributes)
        elif self._open and self._open[-1][1]:
            self._start = self._here
            self._add(self._start + len(self.get_starttag_text() or ""))

    def handle_endtag(self, tag: str) -> None:
        self._in_title = False
        while any(tag == name for name, _ in self._open):  # those inside it that end without an end tag
            name, container = self._open.pop()
            if not container and self._open[-1][1]:
                self._add(self._here + (len(f"</{tag}>") if name == tag else 0))
            if name == tag:
                break

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data

    def handle_entityref(self, name: str) -> None:
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.handle_data(f"&#{name};")

    def _add(self, end: int) -> None:
        self.found[self._open[-1][1]].append(self.text[self._start : end])


def blocks(page: str) -> Mapping[str, list[str]]:
    """The blocks of a page's article, by container; of the others, <header> and <prose> stand for their places."""
    return _Blocks.of_page(page).found


def turn_script(key: str, published: str, turned: str) -> bytes:
    """The script for a setting. published, turned: the pages, without the control."""
    before, after = _Blocks.of_page(published), _Blocks.of_page(turned)
    operations = [
        [container, start, end - start, after.found[container][first:last]]
        for container in CONTAINERS
        for tag, start, end, first, last in SequenceMatcher(
            None, before.found[container], after.found[container], autojunk=False
        ).get_opcodes()
        if tag != "equal"
    ]
    facts = {"title": unescape(after.title), "operations": operations}
    text = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
    return f"(window.turned ??= {{}})[{json.dumps(key)}] = {text};\n".encode()


def apply(script: bytes, published: str) -> Mapping[str, list[str]]:
    """The blocks of the published page after the operations of a script, for those who verify it."""
    facts = json.loads(script.decode().partition(" = ")[2].removesuffix(";\n"))
    found = {name: list(each) for name, each in blocks(published).items()}
    for container, start, count, new in reversed(facts["operations"]):
        found[container][start : start + count] = new
    return found
