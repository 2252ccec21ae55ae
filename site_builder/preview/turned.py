"""Posts that readers turn: in the preview a setting is made when somebody turns to it."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing

from site_builder.pipeline.last_build import STORE
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.pipeline import Build, Renderings
from site_builder.pipeline.sources import Sources
from site_builder.pipeline.steps.context import Report
from site_builder.posts.summary import PostSummary
from site_builder.project.posts import file_path
from site_builder.site.model import Turn
from site_builder.site.pages.all import turned_pages
from site_builder.solving.open_workers import open_workers
from site_builder.storage.store import Store


def late_pages(summaries: Sequence[PostSummary], settings: Mapping[str, Sequence[Turn]]) -> dict[str, tuple[str, str]]:
    """The pages that are made when they are requested: path -> source of the post and key of the setting."""
    return {
        file_path(turn.path(post)): (post.source, turn.key)
        for post in summaries
        for turn in settings.get(post.source, ())
        if turn.is_late
    }


def made(
    options: BuildOptions,
    sources: Sources,
    summaries: Sequence[PostSummary],
    asked: tuple[str, str],
    warn: Callable[[str], None],
) -> dict[str, bytes]:
    """The page of a post at a setting, and the figures and records that come with it, by path.

    summaries: of all posts. asked: source of the post and key of the setting. Raises as `Build.site` does.
    """
    source, key = asked
    store = Store(options.root / STORE, sources.config.settings.store.max_size, warn)
    with (
        closing(store),
        open_workers(options.root, options.workers or sources.config.settings.workers, warn) as workers,
    ):
        build = Build(options, sources, store, Report(), workers)
        content = build.read()
        own = next(post for post in summaries if post.source == source)
        post = next(post for post in content.read if post.source == source)
        runs = build.plan([post], content.known, alone=True)
        build.check_links(content, summaries)
        (turn,) = (each for each in build.turned([post], runs, key)[source] if each.key == key)
        turn = turn._replace(summary=turn.summary or own, is_late=True)
        others = build.late_turns([post], runs)[source]
        turns = {source: tuple(turn if each.key == key else each for each in others)}
        as_published = {source: (turn._replace(summary=own),)}
        drawings = build.render_turned({}, turns) | build.render_turned({}, as_published)
        site = build.site_of(content, summaries, Renderings(drawings, {}, build.cards.wanted(summaries), turns=turns))
        return {page.path: page.render() for page in turned_pages(site, source)}
