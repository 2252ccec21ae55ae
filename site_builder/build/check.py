"""A site looked through without writing it: claims, checks, feeds, and answers that are others than were accepted."""

import posixpath
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from site_builder.build.accepted import Accepted, Looked, forsaken, looked_at, write_accepted
from site_builder.build.build import sources_of, with_site
from site_builder.build.last_build import STORE, Variant
from site_builder.build.pipeline import Build, Built, Report, Sources, Wanted
from site_builder.errors import Place, SiteError, UsageError, counted, nearest, raise_all
from site_builder.project.config import load_config
from site_builder.site.page import Page
from site_builder.solving.pool import local_workers
from site_builder.storage.atomic_files import replace_file
from site_builder.storage.store import Store

_MOST_SHOWN = 20  # differences of one post
_ATOM = "{http://www.w3.org/2005/Atom}"


@dataclass(frozen=True)
class Checked:
    """A whole site. forsaken: files of accepted answers that belong to no post any more."""

    posts: tuple[Looked, ...]
    forsaken: tuple[str, ...]
    feeds: int

    @property
    def refused(self) -> tuple[Looked, ...]:
        """The posts with answers that nobody has accepted or corrected."""
        return tuple(post for post in self.posts if post.is_refused)


def check(wanted: Wanted, report: Report, warn: Callable[[str], None]) -> Checked:
    """The site looked through. Raises SiteError, or a group of them, for all that a build would refuse."""
    config = load_config(wanted.root)
    with Store(wanted.root / STORE, config.settings.store.max_size, warn) as store:
        sources, _ = sources_of(config, Variant("", wanted.drafts, ()), store)
        return with_site(wanted, sources, store, report, lambda built: _checked(built, sources, store))


def check_twice(wanted: Wanted, report: Report, warn: Callable[[str], None]) -> int:
    """How many solves gave the same bytes in two fresh processes. Raises SiteError for each that did not."""
    from site_builder.build.determinism import compare_twice

    config = load_config(wanted.root)
    with (
        Store(wanted.root / STORE, config.settings.store.max_size, warn) as store,
        local_workers(wanted.root, wanted.jobs) as workers,
    ):
        sources, _ = sources_of(config, Variant("", wanted.drafts, ()), store)
        build = Build(wanted, sources, store, report, workers)
        runs = build.all_runs()
        return compare_twice(wanted.root, runs, build.codes, wanted.jobs, report)


def _checked(built: Built, sources: Sources, store: Store) -> Checked:
    feeds = [page for page in built.pages if posixpath.basename(page.path) == "feed.xml"]
    raise_all([fault for page in feeds for fault in _feed_faults(page)])
    posts = looked_at(built.briefs, sources.digests, sources.read, store)
    return Checked(tuple(posts), forsaken(built.briefs, sources.digests), len(feeds))


def accept(
    wanted: Wanted, names: Sequence[str], report: Report, warn: Callable[[str], None]
) -> list[tuple[Looked, bool]]:
    """Remember the answers of the named posts (all of them without names) as they are now; which files are new.

    Raises UsageError for a name that no post with results has; SiteError for all that a build would refuse.
    """
    checked = check(wanted, report, warn)
    written = []
    for post in chosen(checked, names, "accept"):
        data = write_accepted(Accepted(post.evidence.answers, post.corrections))
        written.append((post, replace_file(wanted.root / post.file, data)))
    for file in () if names else checked.forsaken:
        (wanted.root / file).unlink()
    return written


def chosen(checked: Checked, names: Sequence[str], command: str) -> Sequence[Looked]:
    """The posts of these slugs or files, each once; all of them without names.

    Raises UsageError, in the words of the command, for a name that no post with results has.
    """
    known = {key: post for post in checked.posts for key in (post.slug, post.source)}
    for name in names:
        if name not in known:
            raise UsageError(f"{command} {name}: no post with results is named so", nearest(name, known))
    return list({known[name].source: known[name] for name in names}.values()) if names else checked.posts


def told(checked: Checked, shown: Sequence[Looked]) -> Iterator[str]:
    """What was found, in lines: of each post its claims, its checks, and the answers that have changed.

    Of posts that are not to be shown only those with answers that nobody has accepted.
    """
    for post in (post for post in checked.posts if post in shown or post.is_refused):
        yield post.source
        for claim in post.evidence.claims:
            about = f" ({claim.source})" if claim.source else ""
            yield f"  line {claim.line}: {claim.text} agrees with {claim.expression} {claim.agreement}{about}"
        passed = {run.name: len(run.checks) for run in post.evidence.runs if run.checks}
        named = ", ".join(f"{count} of {name}" for name, count in passed.items())
        if passed:
            yield f"  {counted(sum(passed.values()), 'check')} passed: {named}"
        yield from _changes_told(post)
    for file in checked.forsaken:
        yield f"{file}: no post has these answers any more; python build.py accept removes it"
    claims = sum(len(post.evidence.claims) for post in checked.posts)
    checks = sum(len(run.checks) for post in checked.posts for run in post.evidence.runs)
    changed = f"{len(checked.refused)} with answers that differ" if checked.refused else "no answer differs"
    totals = [counted(claims, "claim"), counted(checks, "check"), counted(checked.feeds, "feed")]
    yield f"{counted(len(checked.posts), 'post')} with results, {', '.join(totals)}: {changed}"


def _changes_told(post: Looked) -> Iterator[str]:
    if post.accepted is None:
        yield "  its answers are not accepted yet; python build.py accept remembers them"
    yield from _differences_told(post)
    if post.is_refused:
        yield f"    mend: look into it; then python build.py accept {post.slug}, or tell readers under corrections:"
    elif post.changed:
        yield f"  a note of correction stands in the post; python build.py accept {post.slug} ends the matter"


def accepted_told(done: Sequence[tuple[Looked, bool]]) -> Iterator[str]:
    """What was remembered, in lines."""
    for post, is_written in done:
        count = sum(len(fields) for fields in post.evidence.answers.values())
        yield f"{post.file}: {counted(count, 'answer')} {'written' if is_written else 'as they were'}"
        yield from _differences_told(post)


def _differences_told(post: Looked) -> Iterator[str]:
    for difference in post.changed[:_MOST_SHOWN]:
        yield f"  {difference}"
    if len(post.changed) > _MOST_SHOWN:
        yield f"  and {len(post.changed) - _MOST_SHOWN} more"


def _feed_faults(page: Page) -> list[SiteError]:
    """What a reader of feeds would stumble over."""
    place = Place(page.path)
    try:
        feed = ElementTree.fromstring(page.render())
    except ElementTree.ParseError as error:
        return [SiteError(place, f"the feed is no XML: {error}", "a template or a post writes a sign that XML refuses")]
    entries = feed.findall(f"{_ATOM}entry")
    ids = [entry.findtext(f"{_ATOM}id") for entry in entries]
    found = [
        SiteError(place, f"two entries of the feed have the id {each}") for each in set(ids) if ids.count(each) > 1
    ]
    for entry in entries:
        missing = [part for part in ("id", "title", "updated") if not entry.findtext(f"{_ATOM}{part}")]
        found += [SiteError(place, f"an entry of the feed has no {part}") for part in missing]
    return found
