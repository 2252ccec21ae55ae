"""Step: posts and pages -> the search index of the site.

The index has parts, so that a change costs only those that it touches, and none needs much memory (see `cut`).
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from site_builder.pipeline.steps.context import StepContext, StepPlan, StepResult
from site_builder.posts.blocks import Body
from site_builder.posts.summary import PostSummary
from site_builder.project.posts import newest_first, slugged
from site_builder.site.model import Search
from site_builder.site.search_documents import SearchDocument, offered_words, search_html
from site_builder.values.digest import bytes_digest, digest

_MOST = 250  # texts in one part, about 145 where there are many: a part takes half a second, and a search 35 kB more
_NEWEST = 16  # texts at most in the last part, which is made again most often
_FEW = 100  # texts that are not worth one more part
_AT_ONCE = 2  # parts made at the same time
_FOLDER = "pagefind/"


@dataclass(frozen=True, eq=False)
class IndexPart:
    """Some of the texts, whose index is a folder of the site. key: digest of all that the index is made from."""

    folder: str
    texts: Sequence[PostSummary]
    key: str


@dataclass(frozen=True)
class SearchIndex:
    """The step that makes the search index. Its items are the parts of the index; its results digests of their files.

    most: texts in one part.
    """

    context: StepContext
    language: str
    most: int = _MOST

    def parts(self, texts: Iterable[PostSummary]) -> list[IndexPart]:
        """The parts of the index over these posts and pages."""
        every = list(texts)
        posts: Sequence[PostSummary] = newest_first(text for text in every if not text.is_page)  # type: ignore[assignment]
        ordered = [*sorted((text for text in every if text.is_page), key=lambda page: page.path), *reversed(posts)]
        parts: list[IndexPart] = []
        for chosen in cut(ordered, self.most):
            folder = f"{_FOLDER}{_name(chosen[0])[:10]}/" if parts else _FOLDER
            made_of = folder == _FOLDER, self.language, [(_document(text), text.body) for text in chosen]
            parts.append(IndexPart(folder, chosen, digest(self.context.codes.builder, made_of)))
        return parts

    def plan(self, parts: Sequence[IndexPart]) -> StepPlan[IndexPart, dict[str, str]]:
        """Look up parts of the index in the cache."""
        return self.context.look_up(
            "search",
            parts,
            lambda part: part.key,
            lambda data: dict(json.loads(data)),
            lambda part, files: [("searched", content) for content in files.values()],
        )

    def run(
        self, missing: Sequence[IndexPart], body: Callable[[PostSummary], Body]
    ) -> StepResult[IndexPart, dict[str, str]]:
        """Index these parts. body: gives the body of a text.

        Raises SiteError where pagefind fails, MissingEntryError where a body is no longer in the cache.
        """
        if not missing:
            return StepResult({})
        from concurrent.futures import ThreadPoolExecutor  # only builds that index pay for these imports

        from site_builder.pipeline.steps.pagefind import make_index

        found: dict[IndexPart, dict[str, str]] = {}
        at_once = min(self.context.workers.jobs, _AT_ONCE)
        with ThreadPoolExecutor(at_once) as threads:
            for start in range(0, len(missing), at_once):
                some = missing[start : start + at_once]
                pages = [self._pages(part, body) for part in some]
                first = [part.folder == _FOLDER for part in some]  # its script reads the others too
                made = threads.map(make_index, pages, [self.language] * len(some), first)
                for part, documents, files in zip(some, pages, made, strict=True):
                    words = offered_words(documents.values()).encode()
                    found[part] = self._store(part, {**files, "words.txt": words})
                    self.context.progress(1)
        return StepResult(found)

    def search(self, parts: Sequence[IndexPart], files: Mapping[IndexPart, Mapping[str, str]]) -> Search:
        """The index as the site takes it. files: digests of the files of each part."""
        digests = {part.folder + path: content for part in parts for path, content in files[part].items()}
        load = partial(self.context.load, "searched")
        return Search(tuple(part.folder for part in parts), digests, lambda path: load(digests[path]))

    def inputs(self, part: IndexPart) -> dict[str, str]:
        """The inputs of a part, each with a digest of its content."""
        return {text.path: digest(_document(text), text.body) for text in part.texts} | {"language": self.language}

    def _pages(self, part: IndexPart, body: Callable[[PostSummary], Body]) -> dict[str, str]:
        documents = [_document(text) for text in part.texts]
        return {
            document.path: search_html(document, body(text), self.language)
            for document, text in zip(documents, part.texts, strict=True)
        }

    def _store(self, part: IndexPart, files: Mapping[str, bytes]) -> dict[str, str]:
        digests = {path: bytes_digest(data) for path, data in files.items()}
        for path, data in files.items():
            self.context.store.put("searched", digests[path], data)
        self.context.store.put("search", part.key, json.dumps(digests).encode())
        return digests


def cut(texts: Sequence[PostSummary], most: int = _MOST) -> list[Sequence[PostSummary]]:
    """The texts in parts, in their order: at most so many in each, and fewer in the last.

    A part ends behind certain texts, chosen by the digests of their names: where one comes, goes or moves, all other
    parts stay as they were.
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


def _document(summary: PostSummary) -> SearchDocument:
    day = summary.date.date() if summary.date else None
    tags = () if summary.is_page else summary.tags  # the list of topics counts posts
    topics = tuple(dict.fromkeys(slugged(tag) for tag in tags))
    around = summary.answer.text, summary.method.text, *(correction.note.text for correction in summary.corrections)
    return SearchDocument(summary.path, summary.title.text, summary.summary.text, day, summary.tags, topics, around)
