"""A build of what is at hand: posts that need a solver stay as they were, figures that need drawing have a stand-in.

It is what a preview shows at once; what it owes is made beside it by `Build.prepare`, after which all of it is at hand.
Nothing that stays as it was is remembered as new.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from site_builder.build.pipeline import Build, Built, Runs, Writeups
from site_builder.build.steps.share_cards import Cards, WantedCard
from site_builder.errors import SiteError, faults_of, raise_all
from site_builder.figures.rendered import FigureFiles
from site_builder.posts.summary import PostSummary
from site_builder.preview import placeholders
from site_builder.project.config import Limits
from site_builder.project.posts import Content, Post
from site_builder.solving.bundle.archive import read_order
from site_builder.solving.failure import Failure
from site_builder.solving.pool import Workers
from site_builder.storage.store import MissingEntryError
from site_builder.values.digest import digest

if TYPE_CHECKING:
    from site_builder.solving.plan import PlannedRun, Results


Hurry = Callable[[Mapping[str, str], Writeups], bool]


class OwedError(Exception):
    """A solver would have to be asked."""


@dataclass(frozen=True)
class OnlyTexts:
    """Workers that write texts and refuse everything else."""

    workers: Workers

    def submit(self, task: Callable[..., Any], *arguments: Any, limits: Limits) -> "Future[Any | Failure]":
        """As of any workers. Raises OwedError for whatever has to do with a solver or a drawing."""
        from site_builder.build.steps import worker_tasks

        if task is not worker_tasks.write:
            raise OwedError
        return self.workers.submit(task, *arguments, limits=limits)

    def expect(self, modules: Sequence[str]) -> None:
        """As of any workers."""
        self.workers.expect(modules)

    def prepare(self) -> None:
        """As of any workers."""
        self.workers.prepare()

    def begin(self) -> None:
        """As of any workers."""
        self.workers.begin()

    def stop(self) -> None:
        """As of any workers."""
        self.workers.stop()


@dataclass(frozen=True)
class AtHand:
    """A site of what is at hand.

    late: for each post that stays as it was, or is left out where it never was anything, what has to be done for it;
    paths: where its page is or will be; both by its source. owed: for each of these posts and of those with stand-ins,
    what names all that it asks of solvers.
    """

    built: Built
    late: Mapping[str, str]
    paths: Mapping[str, str]
    owed: Mapping[str, str]


def build_at_hand(build: Build, hurry: Hurry) -> AtHand:
    """The site of what is at hand, for a build whose workers are `OnlyTexts`. Raises as `build_site` does.

    hurry: told as soon as may be of the posts for which solvers have to run, in the form of `AtHand.owed`, and of what
    `Build.content` has given; says whether the solvers have answered already.
    """
    writeups = build.content()
    content, kept = writeups
    late: dict[str, str] = {}
    runs = _planned(build, content, kept, late)
    answers = _answers(build, runs, late)
    asked = {post.source: _asked(post) for post in content.read}
    if late and hurry({source: asked[source] for source in late}, writeups):
        late.clear()
        runs = _planned(build, content, kept, late)
        answers = _answers(build, runs, late)
    written, faults = build.write([post for post in content.read if post.source not in late], runs, answers)
    drawings: dict[str, FigureFiles] = {}
    bundles: dict[str, str] = {}
    unfinished = [brief.source for brief in written if not _take(build, brief, drawings, bundles)]
    for source in unfinished:
        del build.diary.reads[source]  # or it would be remembered as if all were there
    current = [*kept, *written]
    stale = []
    for source in late:
        last = build.earlier.last_brief(source)
        if last is not None and build.has_body(last) and _take(build, last, drawings, bundles):
            stale.append(last)
    raise_all(faults + build.link_faults(content, current, stale))
    if [brief for brief in kept if not _take(build, brief, drawings, bundles)]:
        raise MissingEntryError
    for family, files in (("drawn", placeholders.DRAWN_FILES), ("bundled", placeholders.BUNDLE_FILES)):
        for name, data in files.items() if unfinished else ():
            build.store.put(family, name, data)
    cards = build.cards.wanted([*current, *stale])
    build.card_file = _drawn_when_asked(build.cards, cards)
    built = build.built(content, [*current, *stale], runs, drawings, bundles, cards)
    paths = {post.source: post.path for post in content.read if post.source in late}
    return AtHand(built, late, paths, {source: asked[source] for source in (*late, *unfinished)})


def _asked(post: Post) -> str:
    """A name for what a post asks of solvers, whatever its text is."""
    return digest(repr(post.runs), repr(post.front.limits))


def _drawn_when_asked(cards: Cards, wanted: Iterable[WantedCard]) -> Callable[[str], bytes]:
    """Gives the bytes of a share card by its name; it is drawn then where it never was."""
    by_name = {each.name: each for each in wanted}

    def file(name: str) -> bytes:
        cards.draw(cards.missing([by_name[name]]), lambda _: None)
        return cards.file(name)

    return file


def _planned(build: Build, content: Content, kept: Sequence[PostSummary], late: dict[str, str]) -> Runs:
    """The runs of posts whose solvers have been asked before; the others are late."""
    try:
        return build.plan(content.read, kept)
    except OwedError:
        pass
    found: dict[str, Sequence[PlannedRun]] = {}
    faults: list[SiteError] = []
    for post in content.read:
        try:
            found |= build.plan([post], kept, alone=True)
        except OwedError:
            late[post.source] = _solving(run.solver for run in post.runs.values())
        except (SiteError, ExceptionGroup) as error:
            faults += faults_of(error)
    raise_all(faults)
    return found


def _answers(build: Build, runs: Runs, late: dict[str, str]) -> "Results | None":
    """The answers that the store has; posts that need others are late."""
    every = [run for planned in runs.values() for run in planned]
    if not every:
        return None
    from site_builder.build.steps.answers import compute

    answers = compute(every, None, build.store, build.codes, lambda *_: None, lambda _: None)
    for source, planned in runs.items():
        if missing := [run.solver for run in planned if not answers.hold(run)]:
            late[source] = _solving(missing)
    return answers


def _solving(solvers: Iterable[str]) -> str:
    return f"solving {', '.join(dict.fromkeys(solvers))}"


def _take(build: Build, brief: PostSummary, drawings: dict[str, FigureFiles], bundles: dict[str, str]) -> bool:
    """Take the drawings and bundles of a post, or stand-ins for them; whether all of them are there."""
    for key, _ in brief.figures:
        drawings[key] = build.gallery.recalled(key) or placeholders.DRAWN
    for ordered in brief.orders:
        order = build.store.get("order", ordered.key)
        bundles[ordered.key] = (build.bundles.recalled(read_order(order)) if order else None) or placeholders.BUNDLE
    drawn = all(drawings[key] is not placeholders.DRAWN for key, _ in brief.figures)
    return drawn and all(bundles[ordered.key] != placeholders.BUNDLE for ordered in brief.orders)
