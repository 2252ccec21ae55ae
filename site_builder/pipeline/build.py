"""A whole build: load what the last one left, build the site, write what changed, store what the next one needs."""

import json
import os
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from site_builder.errors import UsageError, changed
from site_builder.extension import guarded
from site_builder.pipeline import last_build, output, second_process
from site_builder.pipeline.accepted import compare_accepted
from site_builder.pipeline.last_build import STORE, entries_gone
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.pipeline import Build, BuiltSite
from site_builder.pipeline.search_index import SearchIndex, find_program
from site_builder.pipeline.sources import Sources
from site_builder.pipeline.steps.context import Report
from site_builder.project.config import load_config
from site_builder.project.posts import file_path
from site_builder.solving.code.libraries import environment_stamp
from site_builder.solving.processes.pool import Workers
from site_builder.storage.file_fingerprints import digests, output_signature, scan, settled
from site_builder.storage.staging import MANIFEST
from site_builder.storage.store import MissingEntryError, Store

Found = TypeVar("Found")
Warn = Callable[[str], None]
_MOST_OF_SETTINGS = 8 * 2**20  # bytes of the pages of one post
_MOST_TRIES = 3
_POST = re.compile(r"posts/[^/]+/index\.html")  # the page of a post without a permalink
_INPUTS = "page inputs"


@dataclass(frozen=True)
class Outcome:
    """The outcome of a build. unaccepted: the number of posts whose answers are not the accepted ones."""

    built: BuiltSite
    written: output.OutputChanges
    folder: Path
    unaccepted: int


def build_and_write(options: BuildOptions, report: Report, warn: Warn) -> Outcome:
    """Build the site and write what changed. Raises SiteError, or a group of them, for all that authors can mend.

    warn: is called with what is no error and does not stop the build, such as a damaged cache.
    """
    with open_sources(options, warn) as (sources, store):
        before, done = sources.last_pages, list[output.OutputChanges]()
        folder = options.root / (options.output or sources.config.settings.output)
        fork = store.fork if _workers(options, sources) != 1 and second_process.can_be_made() else None

        def write(built: BuiltSite) -> Outcome:
            compared = compare_accepted(built.summaries, sources.digests, sources.read, store)
            unaccepted = 0 if options.settings else sum(post.is_refused for post in compared)
            report.stage("Saving", len(built.pages))
            index = _search_index(options, sources, built, report)
            written = output.write_site(built.pages, folder, before, report.step, index, fork)
            done.append(written)
            for words in (*_large_settings(built, folder), *_lost_addresses(built, before, written.after)):
                warn(words)
            return Outcome(built, written, folder, unaccepted)

        with output.noting(done):
            outcome = with_site(options, sources, store, report, write, warn)
            sources = _as_next_scanned(sources, outcome.built)
            _note_pages(store, options, outcome, before)
            _store_last_build(store, options, sources, outcome)
    return outcome


def _large_settings(built: BuiltSite, folder: Path) -> Iterator[str]:
    """A warning for each post whose pages of settings are too large for a site."""
    for post in built.summaries:
        size = sum((folder / file_path(each.path)).stat().st_size for each in post.other_turns)
        if size > _MOST_OF_SETTINGS:
            yield f"{post.place('turn')}: the pages of its settings have {size / 2**20:.1f} MiB: leave some out"


def _lost_addresses(built: BuiltSite, before: Collection[str], after: Collection[str]) -> Iterator[str]:
    """A line for each address of a post that is gone while another is new, as after the renaming of a file."""
    if any(not post.is_page and file_path(post.path) not in before for post in built.summaries):
        for path in sorted(path for path in before if path not in after and _POST.fullmatch(path)):
            address = f"/{path.removesuffix('index.html')}"
            kept = f"aliases: [{address}] in the front matter of what takes its place keeps the address"
            yield f"{address} is gone: {kept}"


def _search_index(options: BuildOptions, sources: Sources, built: BuiltSite, report: Report) -> SearchIndex | None:
    """How the search index of this site is made, once its pages are written; None for none."""
    if not (options.search and built.summaries):
        return None
    of_settings = {file_path(each.path) for post in built.summaries for each in post.other_turns}
    pages = [page.path for page in built.pages if page.path.endswith(".html") and page.path not in of_settings]
    return SearchIndex(find_program(), pages, sources.config.settings.language, sources.stamp, report)


@contextmanager
def open_sources(options: BuildOptions, warn: Warn) -> Iterator[tuple[Sources, Store]]:
    """The sources of a build with these options as they are now, and the open cache. warn: see `build_and_write`."""
    config = load_config(options.root)
    with Store(options.root / STORE, config.settings.store.max_size, warn) as store:
        last = last_build.last(store, options.output)
        scanned = scan(options.root, last.further)
        found = digests(scanned, last.inputs)
        if found.get("config.yaml") != config.digest:
            raise changed("config.yaml")
        yield Sources(config, scanned, found, environment_stamp(), last.outputs, further=last.further), store


def with_site(
    options: BuildOptions, sources: Sources, store: Store, report: Report, use: Callable[[BuiltSite], Found], warn: Warn
) -> Found:
    """Build the site and return the result of `use` on it. Raises as `Build.site` does.

    Where an entry turns out to be gone from the cache, the site is built once more, all texts and drawings made anew;
    and again, where another build has just removed entries of these.
    """
    for _ in range(_MOST_TRIES):
        try:
            return use(build_site(options, sources, store, report, warn))
        except MissingEntryError:
            sources = replace(sources, anew=True)
    raise entries_gone()


def build_site(options: BuildOptions, sources: Sources, store: Store, report: Report, warn: Warn) -> BuiltSite:
    """Every file of the site as a page. Raises as `Build.site` does."""
    with open_workers(options.root, _workers(options, sources), warn) as workers:
        built = Build(options, sources, store, report, workers).site()
    for path, solver in built.outside.items():
        away = "which lies outside of the project: another machine will not have it"
        warn(f"solver '{solver}' reads {path}, {away}")
    return built


def _workers(options: BuildOptions, sources: Sources) -> int | str:
    """The number of worker processes, 0 for one for each core, or the address of others."""
    return options.workers or sources.config.settings.workers


@contextmanager
def open_build(options: BuildOptions, report: Report, warn: Warn) -> Iterator[Build]:
    """A build whose stages the caller runs."""
    with open_sources(options, warn) as (sources, store):
        asked = _workers(options, sources)
        with open_workers(options.root, asked, warn) as workers:
            yield Build(options, sources, store, report, workers)


# What is stored for the next build


def _as_next_scanned(sources: Sources, built: BuiltSite) -> Sources:
    """As if the files that the build came upon had been scanned, and those that it needs no more had not."""
    gone = {*sources.further} - {*built.further}
    signatures = {name: each for name, each in sources.scan.signatures.items() if name not in gone}
    found = {name: each for name, each in sources.digests.items() if name not in gone}
    signatures |= {name: each for name, (each, _) in built.unscanned.items()}
    found |= {name: each for name, (_, each) in built.unscanned.items()}
    return replace(sources, scan=replace(sources.scan, signatures=signatures), digests=found)


def _note_pages(store: Store, options: BuildOptions, done: Outcome, before: Collection[str]) -> None:
    """Report why pages were rendered, and store what they are made from, for the reasons of later builds."""
    rendered = [page for page in done.built.pages if page.path in done.written.rendered and not page.is_copied]
    known = store.documents(_INPUTS) if options.explain and rendered else {}
    owners = {file_path(post.path): post.source for post in done.built.summaries}
    for page in rendered if options.explain else ():
        data = known.get(_subject(options, page.path))
        done.built.log.page(owners.get(page.path, ""), page, json.loads(data) if data else None)
    if done.written.is_indexed:
        done.built.log.add("", "search index", "made, as pages have changed")
    store.set_documents(
        _INPUTS, {_subject(options, each.path): json.dumps(each.inputs()).encode() for each in rendered}
    )
    store.drop_documents(_INPUTS, [_subject(options, path) for path in before if path not in done.written.after])


def _subject(options: BuildOptions, path: str) -> str:
    return f"{options.output}:{path}"


def _store_last_build(store: Store, options: BuildOptions, sources: Sources, done: Outcome) -> None:
    trusted = settled(sources.scan)
    left = last_build.LastBuild(
        variant=options.variant,
        stamp=sources.stamp,
        inputs={name: (trusted.get(name), sources.digests[name]) for name in sources.scan.signatures},
        further=done.built.further,
        output=options.output or sources.config.settings.output,
        manifest=output_signature(str(done.folder / MANIFEST)),
        outputs=done.written.after,
        posts=done.built.posts,
    )
    last_build.save(store, options, left)


def open_workers(root: Path, asked: int | str, warn: Callable[[str], None]) -> Workers:
    """Workers for the project in `root`; nothing is started or connected before the first task.

    asked: a number of processes on this machine, 0 for one for each core, or an address. warn: is called, from any
    thread, with what is no error, such as a remote worker that is left out. Raises UsageError for an address whose
    scheme no extension has.
    """
    cores = os.cpu_count() or 1
    if isinstance(asked, int):
        return Workers(root, asked or cores)
    known = load_config(root).extensions.registry.of("workers")
    if (scheme := asked.partition("://")[0]) not in known:
        examples = [f"{name}://192.0.2.7:8786" for name in sorted(known)]
        cure = " or ".join(["write a number of processes", *examples])
        raise UsageError(f"no extension has workers at {scheme}://", cure)
    connect = guarded("workers", known[scheme])
    workers: Workers = connect(asked, root, cores, warn)
    return workers
