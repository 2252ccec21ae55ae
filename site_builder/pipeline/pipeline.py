"""One build, in six stages: the author's files -> every file of the site as a page.

1. `read`: content/ becomes posts; those that nothing has changed for come from the cache as summaries.
2. `runs.plan`: the runs that posts ask for become distinct solves, their parameters checked by their solvers.
3. `runs.solve`: every solve gets its result from the cache or from a worker process.
4. `write`: posts and results become texts and summaries, and every link is checked.
5. `render`: the figures that texts show are rendered.
6. `pages`: every file of the site becomes a page with a cache key; `build.output` writes those that changed.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from os.path import isabs
from types import MappingProxyType
from typing import TYPE_CHECKING

from site_builder.errors import Place, SiteError, collecting, raise_all
from site_builder.figures.rendered import FigureFiles, styled
from site_builder.pipeline.known_posts import KnownPosts
from site_builder.pipeline.log import BuildLog
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.post_runs import PostRuns, Runs
from site_builder.pipeline.sources import Sources
from site_builder.pipeline.steps.context import Report, StepContext
from site_builder.pipeline.steps.drawings import MODULES_TO_DRAW, Drawings, ShareCards
from site_builder.pipeline.steps.extension_use import ExtensionUse
from site_builder.pipeline.steps.texts import MODULES_TO_WRITE, Texts
from site_builder.posts.evidence import Evidence
from site_builder.posts.job import Job, OwnText
from site_builder.posts.links import check_navigation
from site_builder.posts.macro_files import macro_files
from site_builder.posts.summary import PostSummary
from site_builder.project.posts import Content, Post, load_content, newest_first
from site_builder.project.theme_settings import ThemeSettings
from site_builder.site.model import Page, Site
from site_builder.site.pages.all import LinkTargets, link_targets, make_pages
from site_builder.site.provenance import CodeFacts
from site_builder.site.theme import ASSETS, CONFIGURED, Theme, theme_files
from site_builder.site.theme_style import figure_style, stylesheet
from site_builder.solving.catalog import solver_names
from site_builder.solving.code.code_keys import CodeKeys
from site_builder.solving.processes.pool import Workers
from site_builder.storage.file_fingerprints import ABSENT, THEME, Signature
from site_builder.storage.store import Store
from site_builder.values.json_records import from_json
from site_builder.values.language import Language

if TYPE_CHECKING:
    from site_builder.solving.plan import PlannedRun, Results

_CODE = (".py", ".so", ".pyd")  # ends of the names of code, of which an editable library has many files
_MANY = 100  # files of a project that most likely has posts enough to write them in workers
Turned = Mapping[str, Sequence[PostSummary]]


@dataclass(frozen=True)
class BuiltSite:
    """A site ready to be written. posts: how many it has; log: what was computed for it.

    further: files that it was made from outside of the folders that are always scanned. unscanned: those of them that
    this build did not scan, with the signature and the digest that they had when they were read. outside: files outside
    of the project that solvers read, each with a solver. drawings: by figure.
    """

    pages: tuple[Page, ...]
    summaries: tuple[PostSummary, ...]
    posts: int
    further: tuple[str, ...]
    unscanned: Mapping[str, tuple[Signature, str]]
    outside: Mapping[str, str]
    drawings: Mapping[str, FigureFiles]
    log: BuildLog


class Build:
    """One build: its stages, which `site` goes through in order, and the steps that they run.

    log: what was done. targets, links: all that links can lead to, and what those of each page do, once checked.
    """

    targets: LinkTargets
    links: dict[str, tuple[str, ...]]

    def __init__(self, options: BuildOptions, sources: Sources, store: Store, report: Report, workers: Workers) -> None:
        self.options, self.sources, self.config = options, sources, sources.config
        extensions = self.config.extensions
        self.codes = CodeKeys(options.root, store, sources.digests, sources.stamp, extensions)
        limits = self.config.settings.limits
        self.context = StepContext(options.root, workers, store, self.codes, limits, report, sources.anew)
        self.solvers = solver_names(options.root)
        self.extensions = ExtensionUse(self.config, extensions, sources.read)
        self.known_posts = KnownPosts(store, self.codes, sources, self.extensions, self.solvers, options.settings)
        self.log = BuildLog(store, self.codes, options.explain)
        self.runs = PostRuns(self.context, self.config, options, self.solvers, self.log.result)
        self.theme = self._theme()
        self.texts = Texts(self.context)
        self.drawings = Drawings(self.context, self.language)
        self.cards = ShareCards(self.context, self.config.settings, self.drawings)

    def site(self) -> BuiltSite:
        """Every file of the site as a page, with everything computed that it needs.

        Raises SiteError, or a group of them, for all that authors can mend; MissingEntryError, here or when a page is
        rendered, where an entry is no longer in the cache: a build of all texts and drawings `anew` makes it.
        """
        self._prepare_workers()
        content = self.read(also_turned=True)
        runs = self.runs.plan(content.read)
        results = self.runs.solve(runs, content.read)
        summaries = self.write(content, runs, results)
        turned = self.turned(content, summaries, runs)
        content = Content((), (), content.files)  # the texts of a large blog take more memory than its pages
        drawings = self.render_figures([*summaries, *chain.from_iterable(turned.values())])
        return self.pages(content, summaries, runs, drawings, turned)

    def _prepare_workers(self) -> None:
        """Load, while posts are read, what workers are going to need where nothing is cached."""
        needed = MODULES_TO_WRITE if len(self.sources.digests) > _MANY else ()
        needed += MODULES_TO_DRAW if self.solvers else ()
        if self.context.store.is_new and needed:
            self.context.workers.expect(needed)
            self.context.workers.prepare()

    # 1. Read

    def read(self, also_turned: bool = False, anew: bool = False) -> Content[PostSummary]:
        """All of content/, with the posts that nothing has changed for taken from the cache, unless it is read anew.

        also_turned: whether posts that can be turned may be among them; they have their settings in the cache.
        """
        known = {} if anew or self.sources.anew else self.known_posts.unchanged()
        known = {
            source: summary
            for source, summary in known.items()
            if not summary.turns or (also_turned and (not self.options.turns or self.known_posts.has_settings(summary)))
        }
        self.language(self.config.settings.language)
        content = load_content(self.config, self.sources.digests, self.options.drafts, known, self.sources.read)
        errors: list[SiteError] = []
        for post in content.read:
            with collecting(errors):
                self._language_of(post)
        raise_all(errors)
        return content

    def language(self, tag: str, place: Place | None = None) -> Language:
        """The language with this tag. place: where it stands, unless in config.yaml. Raises SiteError for none."""
        return self.sources.languages.get(tag, place or self.config.reading.place("language"))

    def _language_of(self, post: Post) -> Language:
        own = post.front.language
        place = post.reading.place("language") if own else None
        return self.language(own or self.config.settings.language, place)

    # 4. Write

    def write(self, content: Content[PostSummary], runs: Runs, results: "Results | None") -> list[PostSummary]:
        """The summaries of all posts by source, the texts of those that were read being in the cache."""
        self.context.report.stage("Writing", len(content.read))
        written, errors = self.write_posts(content.read, runs, results)
        summaries = [*content.known, *written]
        raise_all(errors + self.check_links(content, summaries))
        return sorted(summaries, key=lambda post: post.source)  # the same with and without a cache

    def write_posts(
        self,
        posts: Iterable[Post],
        runs: Runs,
        results: "Results | None",
        own_texts: Mapping[str, OwnText | None] = MappingProxyType({}),
    ) -> tuple[list[PostSummary], list[SiteError]]:
        """The summaries of these posts, whose texts are then in the cache, and the errors of those without one.

        own_texts: see `Job`, by source.
        """
        jobs = self.jobs(posts, runs, results, own_texts)
        plan = self.texts.plan(jobs)
        self.context.progress(len(plan.found))
        summaries, missing = [], {*plan.missing}
        for key, summary in self.texts.run(plan, jobs).found.items():
            if setting := jobs[key].post.setting:
                summaries.append(summary.at_setting(setting.key, setting.label))
            else:
                summaries.append(summary)
                self.log.text(jobs[key].post, key in missing, self.texts.inputs(jobs[key]))
        return summaries, plan.errors

    def jobs(
        self,
        posts: Iterable[Post],
        runs: Runs,
        results: "Results | None",
        own_texts: Mapping[str, OwnText | None] = MappingProxyType({}),
    ) -> dict[str, Job]:
        """The job of writing each of these posts, by key. own_texts: see `Job`, by source."""
        settings = self.config.settings
        jobs = {}
        for post in posts:
            own = runs.get(post.key) or ()
            job = Job(
                post,
                own,
                results if own else None,
                settings.allow_hosts,
                self._language_of(post),
                macros={**settings.macros, **post.front.macros},
                imports=macro_files(f"{post.body}\n{post.reading.data}", self.sources.digests, self.sources.read),
                own_text=own_texts.get(post.source),
            )
            jobs[post.key] = self.extensions.with_extensions(job, self.codes.shared_code)
        return jobs

    def turned(self, content: Content[PostSummary], summaries: Sequence[PostSummary], runs: Runs) -> Turned:
        """The posts at their settings, by source; those that were not read are in the cache."""
        if not self.options.turns:
            return {}
        known = {post.source: self.known_posts.at_settings(post) for post in content.known if post.turns}
        raise_all(self._errors_of_links(chain.from_iterable(known.values())))
        return {**known, **self.at_settings(content.read, summaries, runs)}

    def at_settings(
        self, posts: Iterable[Post], summaries: Iterable[PostSummary], runs: Runs, key: str = ""
    ) -> dict[str, list[PostSummary]]:
        """These posts, which have just been written, at their settings, by source; texts in the cache, links checked.

        summaries: also of these posts as they are published; runs: of them. key: of the only setting that is wanted.
        """
        own = {each.source: each for each in summaries if each.turns}
        other = {(each.source, turn.key) for each in own.values() for turn in each.other_turns if key in ("", turn.key)}
        turned = [
            each
            for post in posts
            for each in post.at_settings
            if each.setting and (each.source, each.setting.key) in other
        ]
        if not turned:
            return {}
        planned = self.runs.plan(turned)
        results = self.runs.solve_turned(planned, len(turned))
        own_texts = {post.source: self._own_text(own[post.source], runs[post.source]) for post in turned}
        written, errors = self.write_posts(turned, planned, results, own_texts)
        raise_all(errors + self._errors_of_links(written))
        found: dict[str, list[PostSummary]] = {}
        for each in written:
            found.setdefault(each.source, []).append(each._replace(turns=own[each.source].turns))
        return found

    def _own_text(self, post: PostSummary, runs: "Sequence[PlannedRun]") -> OwnText | None:
        """What was found in a post that was written at its own parameters; None for others."""
        is_own = post.evidence and not any(run.own for run in runs)
        data = self.context.store.get("evidence", post.evidence) if is_own else None
        typed = tuple(each for each in post.findings if each.is_typed)
        return OwnText(from_json(Evidence, data).claims, typed) if data else None

    def has_body(self, post: PostSummary) -> bool:
        """True when the body and the evidence of a post are in the cache."""
        wanted = [("body", post.body), *([("evidence", post.evidence)] if post.evidence else [])]
        return all(self.context.store.get(kind, key) is not None for kind, key in wanted)

    def check_links(
        self, content: Content[PostSummary], summaries: Sequence[PostSummary], pending: Sequence[PostSummary] = ()
    ) -> list[SiteError]:
        """An error for each link that leads nowhere. pending: of posts whose present texts are not known yet."""
        self.targets, self.links = link_targets(self.config, content, summaries, pending), {}
        self._errors_of_links(pending)
        return [*check_navigation(self.config, self.targets.anchors), *self._errors_of_links(summaries)]

    def _errors_of_links(self, posts: Iterable[PostSummary]) -> list[SiteError]:
        """Find what the links of posts lead to; an error for each that leads nowhere."""
        errors: list[SiteError] = []
        for post in posts:
            self.links[post.page], found = self.targets.check(post)
            errors += found
        return errors

    # 5. Render

    def render_figures(self, summaries: Sequence[PostSummary]) -> dict[str, FigureFiles]:
        """The figures of these posts, rendered, those at settings being the last."""
        posts: dict[str, PostSummary] = {}
        for post in summaries:
            for figure, _ in post.figures:
                posts.setdefault(figure, post)
        plan = self.drawings.plan(posts)
        self.context.report.stage("Drawing", len(posts))
        self.context.progress(len(plan.found))
        for figure in plan.missing:
            if posts[figure].setting is None:
                self.log.drawing(posts[figure], figure)
        return self.drawings.run(plan, posts).checked()

    def prepare(self, sources: Collection[str], content: Content[PostSummary]) -> None:
        """Compute all that these posts need, so that the cache holds it. Raises as `site` does.

        content: what `read` of another build from the same sources gave.
        """
        posts = [post for post in content.read if post.source in sources]
        runs = self.runs.plan(posts)
        results = self.runs.solve(runs)
        self.context.report.stage("Writing", len(posts))
        summaries, errors = self.write_posts(posts, runs, results)
        raise_all(errors)
        self.render_figures(summaries)

    # 6. Pages

    def pages(
        self,
        content: Content[PostSummary],
        summaries: Iterable[PostSummary],
        runs: Runs,
        drawings: Mapping[str, FigureFiles],
        turned: Turned = MappingProxyType({}),
        pending: Collection[str] = (),
    ) -> BuiltSite:
        """The site made of these posts; what the next build has to know of them is stored.

        drawings: by figure; turned: posts at their settings, by source. pending: sources of posts that something is
        still missing of; they count as not built.
        """
        ordered = sorted(summaries, key=lambda post: post.source)
        shown = ordered
        if not self.options.turns:
            shown = [post._replace(turns=()) if post.turns else post for post in ordered]
        pages = make_pages(self.site_of(content, shown, drawings, turned))
        fresh = [post for post in ordered if post.source in self.log.text_inputs and post.source not in pending]
        self.log.store(fresh, runs)
        self.known_posts.store_all(fresh, turned)
        unscanned = self.extensions.unscanned(self.sources.digests)
        behind = self._behind(ordered)
        outside = {path: found for path, found in behind.items() if isabs(path) and not path.endswith(_CODE)}
        further = sorted(behind.keys() | self.extensions.files.keys())
        unscanned |= self.codes.unscanned()
        return BuiltSite(
            pages=pages,
            summaries=tuple(shown),
            posts=sum(not post.is_page for post in ordered),
            further=tuple(further),
            unscanned={name: unscanned[name] for name in further if name in unscanned},
            outside={path: solver for path, (solver, each) in outside.items() if each != ABSENT},
            drawings=drawings,
            log=self.log,
        )

    def site_of(
        self,
        content: Content[PostSummary],
        summaries: Sequence[PostSummary],
        drawings: Mapping[str, FigureFiles],
        turned: Turned,
    ) -> Site:
        """All that the pages of these posts are made of, once their links are checked."""
        posts: Sequence[PostSummary] = newest_first(post for post in summaries if not post.is_page)  # type: ignore[assignment]
        files, wanted = content.files, self.cards.wanted(summaries)
        cards = {each.key: each for each in wanted.values()}
        style = figure_style(self.config.settings.theme)
        return Site(
            settings=self.config.settings,
            theme=self.theme,
            posts=posts,
            pages=sorted((post for post in summaries if post.is_page), key=lambda post: post.source),
            static_files={path: self.sources.digests[name] for path, name in files.items()},
            addresses=self.targets.addresses,
            links=self.links,
            drawings={key: each.with_style(style) for key, each in drawings.items()},
            cards={source: each.key for source, each in wanted.items()},
            has_search=self.options.search and bool(summaries),
            builder=self.codes.builder,
            digest=self.known_posts.digest,
            listed_digest=self.known_posts.listed_digest,
            language=self.language,
            recall=partial(self.context.recall, "related"),
            load=self.context.load,
            static=lambda path: self.sources.read(files[path]),
            card=lambda key: self.cards.file(cards[key]),
            codes=self._code_behind,
            drawing=partial(self._drawing, drawings, style),
            turned=turned,
            assets=self.extensions.assets(name for post in summaries for name in post.extensions),
        )

    def _drawing(self, drawings: Mapping[str, FigureFiles], style: str, figure: str, kind: str) -> bytes:
        data = self.context.load("drawn", drawings[figure].digests[kind])
        return styled(data, style) if style and kind.startswith(("svg", "narrow_svg")) else data

    def _code_behind(self, post: PostSummary) -> dict[str, CodeFacts]:
        found = {name: self.codes.of(name).solving for name in sorted(post.solvers) if name in self.solvers}
        return {name: CodeFacts(known.key, known.libraries) for name, known in found.items()}

    def _behind(self, posts: Iterable[PostSummary]) -> dict[str, tuple[str, str]]:
        """Modules beside solvers/ and all that was read, of the solvers of posts: each with a solver and its digest."""
        found: dict[str, tuple[str, str]] = {}
        for solver in sorted({name for post in posts for name in post.solvers if name in self.solvers}):
            found |= {name: (solver, "") for name in self.codes.modules(solver) if not name.startswith("solvers/")}
            found |= {path: (solver, each) for path, each in self.codes.reads.digests(solver).items()}
        return found

    # The steps, and what they need

    def _theme(self) -> Theme:
        sources, scan, settings = self.sources, self.sources.scan, self.config.settings
        style = stylesheet(settings.theme) if settings.theme != ThemeSettings() else ""
        made = {f"{ASSETS}/{CONFIGURED}": style.encode()} if style else {}
        files = theme_files(sources.digests, THEME)
        return Theme(files, sources.digests, sources.read, scan.path, settings.limits, made, scan.is_default_theme)
