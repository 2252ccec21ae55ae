"""Writes a post with the results of its runs as plain data; runs in any process."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from site_builder.errors import Place, SiteError, changed, collecting, nearest, raise_all
from site_builder.markup.typeset import curled, typeset
from site_builder.posts.blocks import FigureBlock, PlayBlock, SourceBlock, TableBlock, write_body
from site_builder.posts.claims.findings import Finding
from site_builder.posts.evidence import Evidence, ResultTexts, read_result_texts, write_evidence
from site_builder.posts.jinja import has_jinja
from site_builder.posts.render import RenderedText, Renderer
from site_builder.posts.shown_fields import anchor_of
from site_builder.posts.source_listing import listing
from site_builder.posts.summary import BundleOrder, Credit, PostSummary, write_summary
from site_builder.project.config import Limits, read_bytes
from site_builder.project.extensions import NO_EXTENSIONS, OWN, Extensions, load_extensions
from site_builder.project.posts import Post
from site_builder.project.work_limits import TOO_MUCH, described, limited
from site_builder.solving.bundle.archive import Order, write_order
from site_builder.values.digest import bytes_digest
from site_builder.values.number_format import number_style, sentence, whole_number
from site_builder.values.records import Record, fields_of

if TYPE_CHECKING:
    from site_builder.posts.claims.comparing import RoundedClaim
    from site_builder.solving.plan import PlannedRun, Results


@dataclass(frozen=True)
class WrittenPost:
    """A post's text as bytes.

    evidence: empty where it has no results. figures and orders: packed, by key.

    files: digests of the files of solvers that were read to show code from them. result_texts: packed, by run, those
    that the job did not bring. beside: files that extensions publish beside it, by their digests.
    """

    summary: bytes
    body: bytes
    evidence: bytes
    figures: Mapping[str, bytes]
    orders: Mapping[str, bytes]
    files: Mapping[str, str]
    result_texts: Mapping[str, bytes]
    beside: Mapping[str, bytes]


@dataclass(frozen=True)
class Job:
    """A post to be written, with its runs and their results.

    hosts, language: the allowed hosts and the language of config.yaml; result_texts: packed, by run, from earlier
    builds. extensions: digest of those of the project, empty where none has to do with texts; extensions_off: those
    that are turned off; used: digests of those that the text can use; options: the values of theirs.
    """

    post: Post
    runs: "Sequence[PlannedRun]" = ()
    answers: "Results | None" = None
    hosts: Sequence[str] = ()
    language: str = "en"
    result_texts: Mapping[str, bytes] = field(default_factory=dict)
    extensions: str = ""
    extensions_off: tuple[str, ...] = ()
    used: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def unanswered(self) -> frozenset[str]:
        """The runs without a result; a post is written when there are none."""
        answers = self.answers
        return frozenset(run.name for run in self.runs if answers is not None and not answers.hold(run))

    def results(self, note: Callable[[str], None]) -> Mapping[str, Record]:
        """The post's records by run. note: is called with the name of each field that is read."""
        return self._records(self.runs, note)

    def own_results(self, note: Callable[[str], None]) -> Mapping[str, Record]:
        """The records at the post's own parameters, by run; none where these are the ones of `results`."""
        runs = [run.own or run for run in self.runs]
        return self._records(runs, note) if any(run.own for run in self.runs) else {}

    def _records(self, runs: "Sequence[PlannedRun]", note: Callable[[str], None]) -> Mapping[str, Record]:
        if self.answers is None:
            return {}
        from site_builder.solving.results import post_results  # imports numpy, which other posts do not need

        return post_results(runs, self.answers, note)


def write_text(root: Path, job: Job, limits: Limits) -> WrittenPost | list[SiteError]:
    """The text of a post, or all errors in its front matter and its text."""
    errors: list[SiteError] = []
    try:
        with collecting(errors), limited(limits.text, limits.memory), number_style(job.language):
            return _written(root, job)
    except TOO_MUCH as error:  # where no line of the text is known
        errors.append(SiteError(Place(job.post.source, job.post.body_line), *described(error)))
    return errors


def _written(root: Path, job: Job) -> WrittenPost:
    from site_builder.posts.held_sentences import HeldSentences  # imports extensions of Jinja

    post = job.post
    reads: set[str] = set()
    found = job.results(reads.add)
    errors: list[SiteError] = []
    renderer = _renderer(_extensions_of(root, job))
    files: dict[str, str] = {}
    result_texts = {
        run.name: read_result_texts(job.result_texts[run.name]) if run.name in job.result_texts else ResultTexts()
        for run in job.runs
    }

    def read(name: str) -> bytes:
        data = read_bytes(root / name, name)
        files[name] = bytes_digest(data)
        return data

    def show(solver: str, name: str) -> SourceBlock:
        reads.add(f"source {solver}.{name}")
        return listing(root, solver, name, read)

    renderer.use_files(root, read)
    front: Mapping[str, Any] = {}
    own = job.own_results(reads.add)
    held, own_held = HeldSentences(post.source, is_free=bool(own)), HeldSentences(post.source)
    printed: list[Any] = []
    with collecting(errors):
        front = renderer.front_texts(post, found, held, printed)
    with collecting(errors):
        if own:
            renderer.front_texts(post, own, own_held)
        _check_states(post, front)
    rounded: Sequence[RoundedClaim] = ()
    with collecting(errors):
        post = _with_picture(post, found)
    with collecting(errors):
        open_fields = _open_fields(job, found)
        text = renderer.text(
            *(post, found, job.runs, show, result_texts, held, job.hosts, own, own_held, open_fields),
            *(job.options, job.language),
        )
        rounded = text.rounded
        printed += text.printed
    errors += held.errors + own_held.errors
    read_by_text = frozenset(reads)
    errors += _rounded_errors(job, rounded, own or found)  # after the text, because this reads more results
    raise_all(errors)
    found_evidence = _evidence(job, found, text, read_by_text, reads, result_texts)
    findings: list[Finding] = []
    if found_evidence:
        from site_builder.posts.claims.typed_numbers import result_numbers, typed_findings
        from site_builder.posts.coverage import findings_of

        findings += findings_of(job.runs, found_evidence.runs)
        typed = typed_findings(job.post, result_numbers(own or found, printed))
        findings += sorted(typed, key=lambda each: each.line)
    shown = replace(text.body, html=draft_notice(findings, text.marked) + text.body.html)
    body, evidence = write_body(shown), write_evidence(found_evidence) if found_evidence else b""
    orders = {bytes_digest(data := write_order(order)): data for order in text.orders}
    summary = PostSummary(
        **front_facts(post),
        **front,
        excerpt=text.excerpt,
        words=text.words,
        anchors=tuple(sorted(text.anchors)),
        links=text.links,
        solvers=_solvers(post, reads),
        figures=tuple((part.key, part.name) for part in text.body.parts if isinstance(part, FigureBlock)),
        body=bytes_digest(body),
        evidence=bytes_digest(evidence) if evidence else "",
        orders=tuple(_ordered(job, key, order) for key, order in zip(orders, text.orders, strict=True)),
        checks=sum(run.confirmations for run in found_evidence.runs) if found_evidence else 0,
        files=tuple(
            (bytes_digest(part.file[1]), part.file[0])
            for part in text.body.parts
            if isinstance(part, (TableBlock, PlayBlock)) and part.file
        ),
        hosts=text.hosts,
        turns=len(post.front.turn),
        findings=tuple(findings),
        picture=next(part.name for part in text.body.parts if isinstance(part, FigureBlock))
        if post.front.picture
        else "",
        macros=tuple(sorted(name for name in files if not name.startswith("solvers/"))),
        extensions=tuple(job.used),
        files_of_extensions=tuple((bytes_digest(data), name) for name, data in sorted(text.files.items())),
    )
    packed = {name: each.packed() for name, each in result_texts.items()}
    grown = {name: data for name, data in packed.items() if data != job.result_texts.get(name)}
    beside = {bytes_digest(data): data for data in text.files.values()}
    return WrittenPost(write_summary(summary), body, evidence, text.figures, orders, files, grown, beside)


def _open_fields(job: Job, results: Mapping[str, Record]) -> Collection[str]:
    """The fields of the post's runs that nothing confirms, such as "main.flips"."""
    if not job.runs or job.answers is None:
        return ()
    from site_builder.posts.gather_evidence import open_fields

    return open_fields(job.runs, job.answers, results)


def draft_notice(findings: Sequence[Finding], marked: Collection[str] = ()) -> str:
    """The line of HTML at the head of a page with numbers that nothing verifies; else empty.

    marked: the fields whose values are marked in the text, to which the names of findings are links.
    """
    open_names = dict.fromkeys(each.name for each in findings if not each.is_typed)
    typed = dict.fromkeys(each.name for each in findings if each.is_typed)
    parts = [("not confirmed by a second method", open_names), ("typed, though results of solvers", typed)]
    said = [_noticed(words, list(names), marked) for words, names in parts if names]
    return f'<div class="admonition draft"><p>Draft: {"; ".join(said)}.</p></div>\n' if said else ""


def _noticed(words: str, names: Sequence[str], marked: Collection[str]) -> str:
    """Numbers of one kind in words, with links to the places where they stand."""
    count = "1 number here is" if len(names) == 1 else f"{len(names)} numbers here are"
    return f"{count} {words}: {', '.join(_link(name, marked) for name in names)}"


def _link(name: str, marked: Collection[str]) -> str:
    """The name of a number, as a link to the place where it is marked."""
    field = ".".join(name.removeprefix("results.").split(".")[:2])
    shown = f"<code>{escape(name)}</code>"
    return f'<a href="#{anchor_of(field)}">{shown}</a>' if field in marked else shown


def _rounded_errors(job: Job, rounded: "Sequence[RoundedClaim]", own: Mapping[str, Record]) -> list[SiteError]:
    """The errors of rounded claims that other results could be taken for."""
    if not rounded:
        return []
    from site_builder.posts.claims.comparing import rounded_errors

    return rounded_errors(job.post.source, rounded, own, job.runs)


def _with_picture(post: Post, results: Mapping[str, Record]) -> Post:
    """The post with its `picture:` as the first figure of its text. Raises SiteError where there is no such figure."""
    if not post.front.picture:
        return post
    place, (run, _, name) = post.reading.place("picture"), post.front.picture.partition(".")
    if run not in results or name not in _figures_of(results[run]):
        known = [f"{each}.{figure}" for each, record in results.items() for figure in _figures_of(record)]
        raise SiteError(place, f"no figure is named {post.front.picture!r}", nearest(post.front.picture, known))
    first = f"{{{{ figure(results.{run}.figures.{name}) }}}}\n\n"
    return replace(post, body=first + post.body, body_line=post.body_line - first.count("\n"))


def _figures_of(record: Record) -> Collection[str]:
    figures = fields_of(record).get("figures")
    return fields_of(figures) if isinstance(figures, Record) else ()


def _check_states(post: Post, front: Mapping[str, Any]) -> None:
    """Raise SiteError where the number of states of a post is typed, or no whole number."""
    place, cure = post.reading.place("states"), "let a solver count them: {{ results.fair.n_states | integer }}"
    if post.front.states and not has_jinja(post.front.states):
        raise SiteError(place, f"the number of states is typed: {post.front.states}", cure)
    if front and post.front.states and whole_number(front["states"].text) is None:
        raise SiteError(place, f"states is {front['states'].text!r}, which is no whole number", cure)


def _ordered(job: Job, key: str, order: Order) -> BundleOrder:
    run = next(run for run in job.runs if run.name == order.run)
    limits = run.solves[0].limits
    return BundleOrder(key, order.name, run.place.line, limits.time, limits.memory)


def _evidence(
    job: Job,
    results: Mapping[str, Record],
    text: RenderedText,
    read_by_text: Collection[str],
    reads: set[str],
    result_texts: Mapping[str, ResultTexts],
) -> Evidence | None:
    """The evidence, None where nothing was computed; its dependencies are added to `reads`."""
    if not job.runs or job.answers is None:
        return None
    from site_builder.posts.gather_evidence import evidence_of

    reads.update(f"{run.name}.parameters" for run in job.runs)
    reads.update(f"{run.name}.checks" for run in job.runs)
    set_text = partial(typeset, place=Place(job.post.source, job.post.body_line))
    found = evidence_of(
        job.runs, job.answers, text.claims, read_by_text, results, result_texts, set_text, job.post.front.sources
    )
    return replace(found, held=text.held)


def _extensions_of(root: Path, job: Job) -> Extensions:
    """The extensions for a text. Raises SiteError where they have changed since the job was made."""
    if not job.extensions:
        return NO_EXTENSIONS
    found = load_extensions(root, job.extensions_off)
    if found.digest != job.extensions:
        raise changed(OWN)
    return found


@lru_cache(maxsize=4)
def _renderer(extensions: Extensions) -> Renderer:
    return Renderer(extensions.registry)


def front_facts(post: Post) -> dict[str, Any]:
    """The fields of the summary that come from the front matter as it is written."""
    front = post.front
    puzzle = front.puzzle
    lines = {"tags": post.reading.place("tags").line}
    for number, (address, place) in enumerate(post.addresses()):
        lines[address if number else "address"] = place.line
    if front.turn:
        lines["turn"] = post.reading.place("turn").line
    return {
        "source": post.source,
        "path": post.path,
        "slug": post.slug,
        "is_page": post.is_page,
        "is_draft": post.is_draft,
        "date": post.date,
        "updated": max(filter(None, [front.updated, *(each.date for each in front.corrections)]), default=None),
        "author": sentence(front.author) if front.author else "",
        "authors": tuple(front.author),
        "series": front.series,
        "puzzle": Credit(curled(puzzle.name), curled(puzzle.source), puzzle.url, puzzle.published) if puzzle else None,
        "tags": post.tags,
        "aliases": post.aliases,
        "toc": front.toc,
        "extra": front.extra,
        "lines": lines,
    }


def _solvers(post: Post, reads: set[str]) -> dict[str, bool]:
    """The solvers of a post, and whether config.yaml or a --set can change one of its runs."""
    listed = {read.removeprefix("source ").partition(".")[0]: False for read in reads if read.startswith("source ")}
    run = {each.solver: False for each in post.runs.values()}
    turned = {each.solver: True for each in post.runs.values() if not each.fixed}
    return {**listed, **run, **turned}
