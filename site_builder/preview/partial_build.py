"""A build of what the cache holds, which the preview shows at once; what is missing stays pending.

A post whose results are pending keeps its last page. A figure or bundle that is pending has a placeholder. What is
pending is computed meanwhile by `preview.background`, after which the cache holds all of it.
"""

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from site_builder.errors import raise_all
from site_builder.figures.rendered import FigureFiles, data_table
from site_builder.pipeline.pipeline import Build, BuiltSite, Renderings, Runs
from site_builder.pipeline.steps.share_cards import ShareCards, WantedCard
from site_builder.posts.summary import PostSummary
from site_builder.preview.turned import late_pages
from site_builder.project.posts import Content, Post
from site_builder.solving.bundle.archive import read_order
from site_builder.storage.store import MissingEntryError
from site_builder.values.digest import bytes_digest, digest

if TYPE_CHECKING:
    from site_builder.solving.plan import Results

Solve = Callable[[Mapping[str, str], Content[PostSummary]], bool]


# Placeholders of figures and bundles that are pending

_SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">
<style>rect {{ fill: #8881; stroke: #8886; stroke-dasharray: 6 6 }} text {{ fill: light-dark(#555, #aaa) }}</style>
<rect x="1" y="1" width="{right}" height="{bottom}" rx="8"/>
<text x="50%" y="50%" text-anchor="middle" font-family="sans-serif" font-size="16">This figure is being drawn …</text>
</svg>
"""
_PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="


def _svg(width: int, height: int) -> bytes:
    return _SVG.format(width=width, height=height, right=width - 2, bottom=height - 2).encode()


_FIGURE_FILES = {
    "svg": _svg(680, 400),
    "narrow_svg": _svg(320, 320),
    "png": base64.b64decode(_PNG),
    "csv": b"\n",
    "json": b"{}\n",
    "table": data_table(),
}
_EMPTY_ZIP = b"PK\x05\x06" + bytes(18)
_NAMES: dict[str, Any] = {name: bytes_digest(data) for name, data in _FIGURE_FILES.items()}
FIGURE = FigureFiles(width=680, height=400, narrow_width=320, narrow_height=320, **_NAMES)
BUNDLE = bytes_digest(_EMPTY_ZIP)


@dataclass(frozen=True)
class PartialSite:
    """A site of what the cache holds.

    pending: for each post that keeps its last page, or has none yet, what has to be done for it, in words; paths: of
    its page. missing: for each of these posts, and of those with placeholders, a digest of what it asks of solvers.
    All by the source of the post. late: pages of settings, which are made when they are requested, see `turned`.
    """

    built: BuiltSite
    pending: Mapping[str, str]
    paths: Mapping[str, str]
    missing: Mapping[str, str]
    late: Mapping[str, tuple[str, str]]


def build_partial_site(build: Build, solve: Solve) -> PartialSite:
    """The site of what the cache holds. Raises as `Build.site` does.

    solve: is called as soon as it is known for which posts solvers have to run, with `PartialSite.missing` and the
    content; returns whether the solvers have answered already.
    """
    content = build.read()
    pending: dict[str, str] = {}
    runs, results = _cached_results(build, content, pending)
    asked = {post.source: _request_digest(post) for post in content.read}
    if pending and solve({source: asked[source] for source in pending}, content):
        pending.clear()
        runs, results = _cached_results(build, content, pending)
    written, errors = build.write_posts([post for post in content.read if post.source not in pending], runs, results)
    rendered = Renderings({}, {}, [])
    unfinished = [post.source for post in written if not _add_rendered(build, post, rendered)]
    current = [*content.known, *written]
    last = [build.known_posts.last_summary(source) for source in pending]
    stale = [post for post in last if post is not None and build.files.has_body(post)]
    stale = [post for post in stale if _add_rendered(build, post, rendered)]
    raise_all(errors + build.check_links(content, current, stale))
    if [post for post in content.known if not _add_rendered(build, post, rendered)]:
        raise MissingEntryError
    if unfinished:
        _store_placeholders(build)
    cards = build.cards.wanted([*current, *stale])
    build.files = replace(build.files, card=_drawn_on_request(build.cards, cards))
    turns = build.late_turns([post for post in content.read if post.source not in pending], runs)
    rendered = replace(rendered, cards=cards, turns=turns)
    site = build.pages(content, [*current, *stale], runs, rendered, pending=unfinished)
    paths = {post.source: post.path for post in content.read if post.source in pending}
    missing = {source: asked[source] for source in (*pending, *unfinished)}
    return PartialSite(site, pending, paths, missing, late_pages(current, turns))


def _request_digest(post: Post) -> str:
    """Digest of what a post asks of solvers, whatever its text is."""
    return digest(repr(post.runs), repr(post.front.limits))


def _cached_results(
    build: Build, content: Content[PostSummary], pending: dict[str, str]
) -> "tuple[Runs, Results | None]":
    """The runs and results of the posts for which the cache has all of them; the others become pending."""
    requests = build.requests(content.read)
    if requests is None:
        return {}, None
    described = build.descriptions.plan(requests.questions)
    missing = set(described.missing)
    for each in requests.runs:
        if each.question in missing:
            pending[each.post.source] = _solving(run.solver for run in each.post.runs.values())
    known = replace(
        requests,
        runs=[each for each in requests.runs if each.post.source not in pending],
        mentioned=[question for question in requests.mentioned if question not in missing],
    )
    turned = {each.run.solver for each in requests.runs if not each.run.fixed}
    runs = build.plan_described(known, described.cached, content.known, turned)
    plan = build.solving.plan(each for planned in runs.values() for run in planned for each in run.solved)
    raise_all(plan.errors)
    for source, planned in runs.items():
        if unanswered := [run.solver for run in planned if not plan.results.hold(run)]:
            pending[source] = _solving(unanswered)
    return runs, plan.results


def _solving(solvers: Iterable[str]) -> str:
    return f"solving {', '.join(dict.fromkeys(solvers))}"


def _add_rendered(build: Build, post: PostSummary, rendered: Renderings) -> bool:
    """Add the figures and bundles of a post, or placeholders for them; whether the cache has all of them."""
    figures = [key for key, _ in post.figures]
    plan = build.drawings.plan(figures)
    rendered.drawings.update(plan.cached | dict.fromkeys(plan.missing, FIGURE))
    is_whole = not plan.missing
    for ordered in post.orders:
        data = build.context.store.get("order", ordered.key)
        order = read_order(data) if data else None
        found = build.bundles.plan([order]).cached.get(order) if order else None
        rendered.bundles[ordered.key] = found or BUNDLE
        is_whole &= found is not None
    return is_whole


def _store_placeholders(build: Build) -> None:
    for data in _FIGURE_FILES.values():
        build.context.store.put("drawn", bytes_digest(data), data)
    build.context.store.put("bundled", BUNDLE, _EMPTY_ZIP)


def _drawn_on_request(cards: ShareCards, wanted: Sequence[WantedCard]) -> Callable[[str], bytes]:
    """Gives the bytes of a share card by its key; a card that was never drawn is drawn then."""
    by_key = {each.key: each for each in wanted}

    def file(key: str) -> bytes:
        missing = cards.plan([by_key[key]]).missing
        if missing and not cards.has_figures(missing):  # its figure is pending
            raise MissingEntryError
        cards.run(missing).checked()
        return cards.file(key)

    return file
