"""A whole build: what the last one left, the site as recipes, the output, and what is remembered of it."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from site_builder.build import last_build as standing
from site_builder.build import output
from site_builder.build.accepted import looked_at
from site_builder.build.last_build import STORE, LastBuild, Variant
from site_builder.build.parallel_render import Made, Make, made_ahead
from site_builder.build.pipeline import Built, Report, Sources, Wanted, build_site
from site_builder.build.reasons import TaskReport
from site_builder.errors import changed
from site_builder.project.config import Config, load_config
from site_builder.site.page import Last, Names, Page
from site_builder.site.related import GROUNDS
from site_builder.storage.code_graph.libraries import environment_stamp
from site_builder.storage.file_fingerprints import Scan, Signature, digests, scan, settled, signature
from site_builder.storage.store import MissingEntryError, Store

Found = TypeVar("Found")
_FILES = "files"
_PAGES = "pages"


@dataclass(frozen=True)
class Outcome:
    """What a build did. unaccepted: how many posts have other answers than were accepted."""

    built: Built
    written: output.OutputChanges
    folder: Path
    told: Sequence[TaskReport]
    unaccepted: int


@dataclass(frozen=True)
class LastPages:
    """What is known of the pages of the last build into this folder, whichever variant it was.

    fixed: what stood then behind names that do not depend on the page.
    """

    pages: Mapping[str, output.WrittenFile]
    last: Mapping[str, Last]
    fixed: Mapping[str, str]


_NOTHING_BEFORE = LastPages({}, {}, {})


def build_variant(wanted: Wanted, variant: Variant, report: Report, warn: Callable[[str], None]) -> Outcome:
    """Build the site and write what is new of it. Raises SiteError, or a group of them, for all that authors can mend.

    warn: told what is no fault of the author's and does not stop the build, such as a damaged store.
    """
    config = load_config(wanted.root)
    folder = wanted.root / (variant.output or config.settings.output)
    output.finish(folder)
    with Store(wanted.root / STORE, config.settings.store.max_size, warn) as store:
        sources, before = sources_of(config, variant, store)
        scanned, named = sources.scan, sources.digests
        rendered: set[str] = set()
        built, written, unaccepted = _build(wanted, sources, store, before, folder, report, rendered.add)
        _remember_files(store, scanned, named)
        fresh = standing.fresh(scanned, named)
        told = [*built.told, *_pages_told(built, before, rendered)] if wanted.explain else []
        _remember(store, variant, scanned, fresh, sources.stamp, config, built, written, folder)
    return Outcome(built, written, folder, told, unaccepted)


def sources_of(config: Config, variant: Variant, store: Store) -> tuple[Sources, LastPages]:
    """What a build of the variant would start from now, and what the last one left."""
    last = standing.last(store, variant.name)
    scanned = scan(config.root, last.further if last else ())
    named = digests(scanned, known_files(store))
    if named.get("config.yaml") != config.digest:
        raise changed("config.yaml")
    before = _before(store, variant)
    return Sources(config, scanned, named, environment_stamp(), before.last, before.fixed.get(GROUNDS, "")), before


def _build(
    wanted: Wanted,
    sources: Sources,
    store: Store,
    before: LastPages,
    folder: Path,
    report: Report,
    note: Callable[[str], None],
) -> tuple[Built, output.OutputChanges, int]:
    """The site, what was written of it, and how many posts have answers that nobody has accepted.

    note: told the path of each page that is rendered.
    """

    def write(built: Built) -> tuple[Built, output.OutputChanges, int]:
        looked = () if wanted.settings else looked_at(built.briefs, sources.digests, sources.read, store)
        unaccepted = sum(post.is_refused for post in looked)
        report.stage("Saving", len(built.pages))
        new = [page for page in built.pages if _is_new(page, before)]
        with made_ahead(new, built.prepare, lambda page: _made(page, store), store, wanted.jobs) as make:
            pages = _kept(built.pages, make, store, note)
            return built, output.write_site(pages, folder, before.pages, report.step), unaccepted

    return with_site(wanted, sources, store, report, write)


def with_site(wanted: Wanted, sources: Sources, store: Store, report: Report, use: Callable[[Built], Found]) -> Found:
    """What `use` makes of the site; of the site built again, thoroughly, when the store has lost something of it."""
    thorough = False
    while True:
        try:
            return use(build_site(wanted, replace(sources, thorough=thorough), store, report))
        except MissingEntryError:
            if thorough:
                raise
            thorough = True
            store.hold()


def _is_new(page: Page, before: LastPages) -> bool:
    """Whether the page, which is rendered and not just copied, is made of other things than its file was."""
    standing = before.pages.get(page.path)
    return page.is_traced and (standing is None or not page.key or page.key != standing.key)


def would_render(page: Page, before: LastPages, store: Store, folder: Path) -> bool:
    """Whether a build would have to render a page that a template makes."""
    stands = output.stands(folder, page.path, page.key, before.pages.get(page.path))
    return not stands and _bytes_kept(page, store) is None


def _bytes_kept(page: Page, store: Store) -> bytes | None:
    return store.get("page", page.key) if page.key else None


def _made(page: Page, store: Store) -> Made:
    """The page from the store, else rendered."""
    data = _bytes_kept(page, store)
    return Made(page.render(), page.names, True) if data is None else Made(data, page.names, False)


@dataclass(frozen=True)
class _Kept:
    """A page whose bytes are kept in the store when it has been rendered."""

    page: Page
    make: Make
    store: Store
    note: Callable[[str], None]

    @property
    def path(self) -> str:
        return self.page.path

    @property
    def key(self) -> str:
        return self.page.key

    def render(self) -> bytes:
        made = self.make(self.page)
        self.page.learn(made.names)
        if made.is_new:
            self.note(self.path)
            self.store.put("page", self.key, made.data)
        return made.data


def _kept(pages: Iterable[Page], make: Make, store: Store, note: Callable[[str], None]) -> Iterator[Page | _Kept]:
    for page in pages:
        yield _Kept(page, make, store, note) if page.is_traced else page


# What is remembered from one build to the next


def known_files(store: Store) -> dict[str, tuple[Signature, str]]:
    """The signatures of files that earlier builds could trust, and what named their bytes."""
    data = store.document(_FILES, "digests")
    try:
        return {name: ((a, b, c, d), each) for name, (a, b, c, d, each) in json.loads(data).items()} if data else {}
    except (ValueError, TypeError, LookupError, AttributeError):  # as another version of the builder wrote it
        return {}


def _remember_files(store: Store, scanned: Scan, named: Mapping[str, str]) -> None:
    sure = {name: [*each, named[name]] for name, each in settled(scanned).items()}
    store.set_documents(_FILES, {"digests": json.dumps(sure, separators=(",", ":")).encode()})


def _before(store: Store, variant: Variant) -> LastPages:
    data = store.document(_PAGES, variant.output)
    try:
        if not data:
            return _NOTHING_BEFORE
        *plain, name = json.loads(data)
        last = standing.last(store, name)
        return _read_before(plain, last.outputs if last else {})
    except (ValueError, TypeError, LookupError, AttributeError):  # as another version of the builder wrote it
        return _NOTHING_BEFORE


def _read_before(plain: Any, signatures: Mapping[str, Signature]) -> LastPages:
    lists, found, fixed = plain
    looked_at = [tuple(each) for each in lists]
    pages = {
        path: output.WrittenFile(key, digest, signatures[path])
        for path, (key, digest, _, _) in found.items()
        if path in signatures
    }
    last = {path: Last(looked_at[each[2]], each[3], each[0]) for path, each in found.items() if each[2] is not None}
    return LastPages(pages, last, fixed)


def _pages_told(built: Built, before: LastPages, rendered: Collection[str]) -> Iterator[TaskReport]:
    """What became of each page that is rendered, and not just copied, and why."""
    for page in built.pages:
        if page.is_traced:
            owner, last = built.owners.get(page.path, ""), before.last.get(page.path)
            yield built.lineage.page_told(owner, page, last, before.fixed, page.path in rendered)


def _remember(
    store: Store,
    variant: Variant,
    scanned: Scan,
    fresh: Mapping[str, str],
    stamp: str,
    config: Config,
    built: Built,
    written: output.OutputChanges,
    written_in: Path,
) -> None:
    numbers: dict[Names, int] = {}
    names = {
        page.path: numbers.setdefault(page.names, len(numbers))
        for page in built.pages
        if page.is_traced and page.names is not None
    }
    stamps = {page.path: page.stamp for page in built.pages}
    found = {path: [each.key, each.digest, names.get(path), stamps[path]] for path, each in written.after.items()}
    fixed = next((page.fixed for page in built.pages if page.is_traced), {})
    plain = json.dumps([list(numbers), found, dict(fixed), variant.name], separators=(",", ":"))
    store.set_documents(_PAGES, {variant.output: plain.encode()})
    outputs = {path: each.signature for path, each in written.after.items()}
    if record := signature(str(written_in / output.MANIFEST)):
        outputs[output.MANIFEST] = record
    named = variant.output or config.settings.output
    left = LastBuild(stamp, scanned.signatures, fresh, built.further, named, outputs, built.posts, len(written.after))
    standing.save(store, variant, left)
