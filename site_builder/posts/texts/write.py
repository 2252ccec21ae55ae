"""Writes a post with the results of its runs as plain data; runs in any process."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from html import escape
from pathlib import Path
from typing import Any

from site_builder.errors import Place, SiteError, changed, collecting, nearest, raise_all
from site_builder.markup.tex.definitions import defining
from site_builder.markup.typeset import curled, typeset
from site_builder.posts.evidence import Evidence, Finding
from site_builder.posts.jinja import PostEnvironment, has_jinja
from site_builder.posts.summary import Credit, FileCheck, PostSummary, json_values
from site_builder.posts.texts.front_texts import front_texts
from site_builder.posts.texts.job import Job, JobData, WrittenPost
from site_builder.posts.texts.render import RenderedText, TextRenderer
from site_builder.project.config import Limits
from site_builder.project.extensions import NO_EXTENSIONS, OWN, Extensions, load_extensions
from site_builder.project.posts import Post
from site_builder.project.work_limits import TOO_LONG, TimeIsUpError, limited
from site_builder.values.digest import bytes_digest
from site_builder.values.json_records import to_json
from site_builder.values.language import writing_in
from site_builder.values.number_format import sentence, whole_number
from site_builder.values.records import Record, fields_of


def write_text(root: Path, job: Job, limits: Limits) -> WrittenPost | list[SiteError]:
    """The text of a post, or all errors in its front matter and its text."""
    errors: list[SiteError] = []
    try:
        with collecting(errors), limited(limits.text), writing_in(job.language), defining(job.macros):
            return _TextWriter(root, job).write()
    except TimeIsUpError:  # where no line of the text is known
        errors.append(SiteError(Place(job.post.source, job.post.body_line), *TOO_LONG))
    return errors


class _TextWriter:
    """Writes the text of one post."""

    def __init__(self, root: Path, job: Job) -> None:
        self._root, self._job = root, job
        self._data = JobData(root, job)
        self._printed: list[Any] = []

    def write(self) -> WrittenPost:
        """The post as bytes. Raises SiteError, or a group of them, for its front matter and its text."""
        data = self._data
        post, front, text = self._rendered()
        evidence = self._evidence(text)
        findings = self._findings(evidence) if evidence else []
        body = to_json(replace(text.body, html=_draft_notice(findings) + text.body.html))
        packed_evidence = to_json(evidence) if evidence else b""
        summary = PostSummary(
            **front_facts(post),
            **front,
            **text.facts,
            language=self._job.language.code,
            solvers=_solvers(post, data.reads),
            body=bytes_digest(body),
            evidence=bytes_digest(packed_evidence) if evidence else "",
            file_checks=tuple(self._file_check(text, name) for name in sorted(text.checks.keys() & text.files.keys())),
            lacks_files=not text.checks.keys() <= text.files.keys(),
            checks=sum(run.confirmations for run in evidence.runs) if evidence else 0,
            turns=len(post.front.turn),
            findings=tuple(findings),
            picture=text.facts["figures"][0][1] if post.front.picture else "",
            macros=tuple(sorted(name for name in data.files if not name.startswith("solvers/"))),
            extensions=tuple(self._job.used),
        )
        beside = {bytes_digest(data): data for data in text.files.values()}
        return WrittenPost(to_json(summary), body, packed_evidence, text.figures, data.files, beside)

    def _rendered(self) -> tuple[Post, dict[str, Any], RenderedText]:
        """The post with its picture, its texts of front matter, and its text. Raises all their errors together."""
        post, job, data, errors = self._job.post, self._job, self._data, list[SiteError]()
        environment = _environment(_extensions_of(self._root, job))
        environment.loader.root, environment.loader.read = self._root, data.read
        front: dict[str, Any] = {}
        text: RenderedText | None = None
        with collecting(errors):
            front, self._printed = front_texts(environment, post, data.results, data.held)
        with collecting(errors):
            if data.own and not job.own_text:
                front_texts(environment, post, data.own.results, data.own.held)
            _check_states(post, front)
        with collecting(errors):
            post = _with_picture(post, data.results)
        with collecting(errors):
            text = TextRenderer(environment, post, data, _open_fields(job, data.results)).text()
            self._printed += text.printed
        errors += data.held.errors + (data.own.held.errors if data.own else [])
        raise_all(errors)
        assert text is not None
        return post, front, text

    def _file_check(self, text: RenderedText, name: str) -> FileCheck:
        """The check of a file that an extension publishes beside the post."""
        check, of = text.checks[name]
        run = next(each for each in self._job.runs if each.name == of)
        limits = run.solves[0].limits
        return FileCheck(bytes_digest(text.files[name]), name, check, run.place.line, limits.time, limits.memory)

    def _evidence(self, text: RenderedText) -> Evidence | None:
        """The evidence, None where nothing was computed; its dependencies are added to what was read."""
        job, data = self._job, self._data
        if not job.runs or job.answers is None:
            return None
        from site_builder.posts.gather_evidence import evidence_of

        read_by_text = frozenset(data.reads)
        data.reads.update(f"{run.name}.{each}" for run in job.runs for each in ("parameters", "checks"))
        set_text = partial(typeset, place=Place(job.post.source, job.post.body_line))
        found = evidence_of(
            *(job.runs, job.answers, text.claims, read_by_text, data.results, set_text),
            job.post.front.sources,
        )
        return replace(found, held=tuple(data.held.rows))

    def _findings(self, evidence: Evidence) -> list[Finding]:
        """The numbers of the post that nothing verifies."""
        from site_builder.posts.findings import finding_of, open_rows
        from site_builder.posts.typed_numbers import result_numbers, typed_findings

        if known := self._job.own_text:
            typed = known.typed
        else:
            results = result_numbers((self._data.own or self._data).results, self._printed)
            typed = tuple(typed_findings(self._job.post, results))
        shown = zip(self._job.runs, evidence.runs, strict=True)
        unconfirmed = [finding_of(run, row) for run, each in shown for row in open_rows(run, each.coverage)]
        return [*unconfirmed, *sorted(typed, key=lambda each: each.line)]


def _open_fields(job: Job, results: Mapping[str, Record]) -> Collection[str]:
    """The fields of the post's runs that nothing confirms, such as "results.main.flips"."""
    if not job.runs or job.answers is None:
        return ()
    from site_builder.posts.gather_evidence import open_fields

    return open_fields(job.runs, job.answers, results)


def _draft_notice(findings: Sequence[Finding]) -> str:
    """The line of HTML at the head of a page with numbers that nothing verifies; else empty."""
    open_names = dict.fromkeys(each.name for each in findings if not each.is_typed)
    typed = dict.fromkeys(each.name for each in findings if each.is_typed)
    parts = [("not confirmed by a second method", open_names), ("typed, though results of solvers", typed)]
    said = [_noticed(words, names) for words, names in parts if names]
    return f'<div class="admonition draft"><p>Draft: {"; ".join(said)}.</p></div>\n' if said else ""


def _noticed(words: str, names: Collection[str]) -> str:
    """Numbers of one kind in words."""
    count = "1 number here is" if len(names) == 1 else f"{len(names)} numbers here are"
    return f"{count} {words}: {', '.join(f'<code>{escape(name)}</code>' for name in names)}"


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


def _extensions_of(root: Path, job: Job) -> Extensions:
    """The extensions for a text. Raises SiteError where they have changed since the job was made."""
    if not job.extensions:
        return NO_EXTENSIONS
    found = load_extensions(root, job.extensions_off)
    if found.digest != job.extensions:
        raise changed(OWN)
    return found


@lru_cache(maxsize=4)
def _environment(extensions: Extensions) -> PostEnvironment:
    return PostEnvironment(extensions.registry)


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
        "extra": json_values(front.extra),
        "lines": lines,
    }


def _solvers(post: Post, reads: set[str]) -> dict[str, bool]:
    """The solvers of a post, and whether config.yaml or a --set can change one of its runs."""
    listed = {read.removeprefix("source ").partition(".")[0]: False for read in reads if read.startswith("source ")}
    run = {each.solver: False for each in post.runs.values()}
    turned = {each.solver: True for each in post.runs.values() if not each.fixed}
    return {**listed, **run, **turned}
