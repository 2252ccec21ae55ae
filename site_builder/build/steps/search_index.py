"""Posts and pages -> the search index of the site, from the store or made anew where a text has changed.

It has parts, so that a change costs those that it touches, and none needs much memory (see `cut`).
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from site_builder.posts.body import Body
from site_builder.posts.summary import PostSummary
from site_builder.project.posts import newest_first, tag_slug
from site_builder.site.model import Search
from site_builder.site.search_documents import Card, search_html
from site_builder.storage.code_fingerprints import CodeKeys
from site_builder.storage.store import MissingEntryError, Store
from site_builder.values.digest import bytes_digest, digest

_MOST = 250  # texts in one part, about 145 where there are many: a part takes half a second, and a search 35 kB more
_NEWEST = 16  # texts at most in the last part, which is made again most often
_FEW = 100  # texts that are not worth one more part
_AT_ONCE = 2  # parts made at the same time
_FOLDER = "pagefind/"


@dataclass(frozen=True)
class _Part:
    """Some of the texts: the folder of their index in the site, and a name for all that it is made of."""

    folder: str
    briefs: Sequence[PostSummary]
    key: str


@dataclass(frozen=True)
class Searching:
    """Where the search index comes from and is kept. thorough: whether to look if all that is kept is really there.

    most: texts in one part.
    """

    store: Store
    codes: CodeKeys
    language: str
    jobs: int = 1
    thorough: bool = False
    most: int = _MOST
    _packed: dict[str, Mapping[str, bytes]] = field(default_factory=dict)

    def make(
        self,
        briefs: Iterable[PostSummary],
        body: Callable[[PostSummary], Body],
        tell: Callable[[int, bool, Mapping[str, str]], None],
        stage: Callable[[str, int], None],
        step: Callable[[int], None],
    ) -> Search:
        """The index over these posts and pages.

        tell: called with the number of each part, whether it had to be made, and of what. Raises SiteError where
        pagefind does not do its work, MissingEntryError when a text is in the store no more.
        """
        parts = self._parts(briefs)
        stage("Indexing", len(parts))
        found = {part.folder: self._recalled(part) for part in parts}
        for number, part in enumerate(parts, 1):
            tell(number, found[part.folder] is None, self._ingredients(part) if found[part.folder] is None else {})
        step(sum(names is not None for names in found.values()))
        found |= self._made([part for part in parts if found[part.folder] is None], body, step)
        keys = {part.folder: part.key for part in parts}
        files = {folder + path: name for folder, names in found.items() for path, name in (names or {}).items()}
        folder_of = {folder + path: folder for folder, names in found.items() for path in names or {}}

        def file(path: str) -> bytes:
            folder = folder_of[path]
            return self._file(keys[folder], path.removeprefix(folder))

        return Search(tuple(found), files, file)

    def _parts(self, briefs: Iterable[PostSummary]) -> list[_Part]:
        every = list(briefs)
        posts: Sequence[PostSummary] = newest_first(brief for brief in every if not brief.is_page)  # type: ignore[assignment]
        ordered = [*sorted((brief for brief in every if brief.is_page), key=lambda page: page.path), *reversed(posts)]
        parts: list[_Part] = []
        for chosen in cut(ordered, self.most):
            folder = f"{_FOLDER}{_name(chosen[0])[:10]}/" if parts else _FOLDER
            made_of = folder == _FOLDER, self.language, [(_card(brief), brief.body) for brief in chosen]
            parts.append(_Part(folder, chosen, digest(self.codes.indexing.key, made_of)))
        return parts

    def _ingredients(self, part: _Part) -> dict[str, str]:
        """A name for the content of all that a part is made of, in words."""
        texts = {brief.path: digest(_card(brief), brief.body) for brief in part.briefs}
        return texts | {"language": self.language}

    def _recalled(self, part: _Part) -> dict[str, str] | None:
        """What names the bytes of each file of a part, if that is in the store."""
        found = self.store.get("search", part.key)
        if found is None or (self.thorough and self.store.get("searched", part.key) is None):
            return None
        try:
            return dict(json.loads(found))
        except (ValueError, TypeError):  # as another version of the builder wrote it
            return None

    def _made(
        self, parts: Sequence[_Part], body: Callable[[PostSummary], Body], step: Callable[[int], None]
    ) -> Iterator[tuple[str, dict[str, str]]]:
        if not parts:
            return
        from concurrent.futures import ThreadPoolExecutor  # paid for by builds that index

        from site_builder.build.steps.pagefind import make_index

        at_once = min(self.jobs, _AT_ONCE)
        with ThreadPoolExecutor(at_once) as beside:
            for start in range(0, len(parts), at_once):
                some = parts[start : start + at_once]
                pages = [self._pages(part, body) for part in some]
                first = [part.folder == _FOLDER for part in some]  # its script reads the others too
                made = beside.map(make_index, pages, [self.language] * len(some), first)
                for part, files in zip(some, made, strict=True):
                    yield part.folder, self._kept(part, files)
                    step(1)

    def _pages(self, part: _Part, body: Callable[[PostSummary], Body]) -> dict[str, str]:
        cards = [_card(brief) for brief in part.briefs]
        return {
            card.path: search_html(card, body(brief), self.language)
            for card, brief in zip(cards, part.briefs, strict=True)
        }

    def _kept(self, part: _Part, files: Mapping[str, bytes]) -> dict[str, str]:
        names = {path: bytes_digest(data) for path, data in files.items()}
        self.store.put("searched", part.key, _pack(files))
        self.store.put("search", part.key, json.dumps(names).encode())
        return names

    def _file(self, key: str, path: str) -> bytes:
        """A file of a part. Raises MissingEntryError when it is in the store no more."""
        if key not in self._packed:
            data = self.store.get("searched", key)
            if data is None:
                raise MissingEntryError
            self._packed.clear()  # they are asked for part by part
            self._packed[key] = _unpack(data)
        return self._packed[key][path]


def cut(texts: Sequence[PostSummary], most: int = _MOST) -> list[Sequence[PostSummary]]:
    """The texts in parts, in their order: at most so many in each, and fewer in the last.

    A part ends behind certain texts, told by the names of their files: where one comes, goes or moves, the parts that
    it has no part in end where they did.
    """
    parts, start = [], 0
    for end, text in enumerate(texts[:-1], 1):
        size = end - start
        if size == most or (2 * size >= most and int(_name(text), 16) % (most // 12 or 1) == 0):
            parts.append(texts[start:end])
            start = end
    rest = texts[start:]
    older = (len(rest) - 1) // _NEWEST * _NEWEST if len(rest) > _FEW else 0
    return [part for part in (*parts, rest[:older], rest[older:]) if part]


def _name(text: PostSummary) -> str:
    return bytes_digest(text.source.encode())


def _card(brief: PostSummary) -> Card:
    day = brief.date.date() if brief.date else None
    tags = () if brief.is_page else brief.tags  # the list of topics counts posts
    topics = tuple(dict.fromkeys(tag_slug(tag) for tag in tags))
    around = brief.answer.text, brief.method.text, *(correction.note.text for correction in brief.corrections)
    return Card(brief.path, brief.title.text, brief.summary.text, day, brief.tags, topics, around)


def _pack(files: Mapping[str, bytes]) -> bytes:
    """One line of JSON with the sizes, then the files."""
    sizes = {path: len(data) for path, data in files.items()}
    return json.dumps(sizes).encode() + b"\n" + b"".join(files.values())


def _unpack(data: bytes) -> dict[str, bytes]:
    head, _, rest = data.partition(b"\n")
    found, at = {}, 0
    for path, size in json.loads(head).items():
        found[path] = rest[at : at + size]
        at += size
    return found
