"""A post and its results -> HTML: Jinja, then Markdown; links and figures stay placeholders."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from site_builder.errors import CuredError, Place, SiteError, raise_all
from site_builder.extension import Html, Page, Registry, RunFacts, guarded, refuse_taken, with_page
from site_builder.markup import markdown
from site_builder.markup.cross_references import CrossReferences
from site_builder.markup.equations import with_numbers
from site_builder.markup.placeholders import Placeholders, fill_parts, without_folds_of, words_in
from site_builder.markup.raw_html import html_errors
from site_builder.markup.segments import without
from site_builder.markup.syntax_check import syntax_errors
from site_builder.markup.typeset import FormattedText
from site_builder.posts.blocks import Body, EvidenceBlock, HtmlBlock
from site_builder.posts.claim_origins import HELD
from site_builder.posts.evidence import ClaimRow, HeldRow
from site_builder.posts.jinja import OwnLine, PostEnvironment, formatted, has_jinja, render
from site_builder.posts.links import Link, LinkedText, anchors_in, replace_links, scheme_errors
from site_builder.posts.shown_fields import with_anchors
from site_builder.posts.texts.formulas import set_formulas
from site_builder.posts.texts.front_texts import FrontTexts
from site_builder.posts.texts.html_parts import (
    body_of,
    cut,
    excerpt_of,
    html_of_extension,
    in_attribute,
    join_punctuation,
    part_anchors,
    with_bibliography,
)
from site_builder.posts.texts.media import MediaProblem, media_errors, media_in
from site_builder.posts.texts.text_lines import (
    heading_errors,
    lines_without_code,
    misplaced_parts,
    note_errors,
    placed_links,
)
from site_builder.project.posts import Post
from site_builder.values.records import Record

if TYPE_CHECKING:
    from site_builder.posts.functions import Listing, PostFunctions
    from site_builder.posts.held_sentences import HeldSentences
    from site_builder.solving.plan import PlannedRun

_ALONE = re.compile("<p>(\ufdd0\\d+\ufdd1)</p>")
# Links at headings, references and notes, which are no words of the text, and numbers that formulas bring as text.
_MARKS = re.compile(
    r'<a class="headerlink".*?</a>|<sup id="fnref.*?</sup>|<summary>Note \d+</summary>'
    r'|<a [^>]*class="footnote-backref".*?</a>|<span class="equation-number">.*?</span>.*?</span>'
)
_BLOCK = "\ufde0"  # between the blocks of extensions while their links are replaced
_NO_PROSE = ("code", "html code", "comment")
Names = Mapping[str, Any]


def no_facts(is_own: bool, name: str) -> RunFacts:
    """The facts of a run of a post that has none."""
    raise KeyError(name)


@dataclass(frozen=True)
class TextRequest:
    """A post to be rendered, with its results by run. listing: gives the code of a solver's function.

    held: is filled in. hosts: the other hosts from which it may load media and frames. own_results: at the post's own
    parameters, at which claims are compared and sentences held by `own_held`, where `results` are at others.
    open_fields: those that nothing confirms. options, language, facts: for functions of extensions; facts of a run are
    at the post's own parameters where is_own.
    """

    post: Post
    results: Mapping[str, Record]
    runs: "Sequence[PlannedRun]"
    listing: "Listing"
    held: "HeldSentences | None" = None
    hosts: Collection[str] = ()
    own_results: Mapping[str, Record] = field(default_factory=dict)
    own_held: "HeldSentences | None" = None
    open_fields: Collection[str] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    language: str = "en"
    facts: Callable[[bool, str], RunFacts] = no_facts

    @property
    def place(self) -> Place:
        """The first line of the text."""
        return Place(self.post.source, self.post.body_line)


@dataclass(frozen=True)
class RenderedText:
    """The rendered text of a post, and what its summary needs.

    figures: the packed figures that it shows, by key; claims: the published figures in it, all of which hold; held: its
    held sentences; printed: the values that its filters print; marked: fields that nothing confirms and whose values
    are marked; hosts: the other hosts that it loads from; files: those that extensions publish beside it, by name;
    checks: as of Page.
    """

    body: Body
    figures: Mapping[str, bytes]
    anchors: frozenset[str]
    links: tuple[Link, ...]
    words: int
    excerpt: str
    claims: tuple[ClaimRow, ...] = ()
    held: tuple[HeldRow, ...] = ()
    printed: tuple[Any, ...] = ()
    marked: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    checks: Mapping[str, tuple[str, str]] = field(default_factory=dict)


class Renderer:
    """Renders posts, one after the other, with the extensions of their project."""

    def __init__(self, registry: Registry | None = None) -> None:
        self._registry = registry or Registry()
        filters = self._registry.of("filter")
        self._environment = PostEnvironment(filters.values())
        self._forms = {name: guarded("filter", each) for name, each in filters.items()}

    def use_files(self, root: Path, read: Callable[[str], bytes]) -> None:
        """Let texts import files of the project in `root`. read: gives their bytes by name."""
        self._environment.loader.root, self._environment.loader.read = root, read

    def front_texts(self, results: Mapping[str, Record], held: "HeldSentences | None" = None) -> FrontTexts:
        """What writes the texts of a post's front matter with these results."""
        return FrontTexts(self._environment, results, held)

    def text(self, request: TextRequest) -> RenderedText:
        """The text of a post. Raises SiteError, or a group of them, at the lines of its errors."""
        post = request.post
        wrong = syntax_errors(post.body)
        raise_all([SiteError(Place(post.source, post.body_line + line - 1), *words) for line, *words in wrong])
        placeholders = Placeholders(request.open_fields)
        functions = self._functions(request) if has_jinja(post.body) else None
        page = _page_of(request, functions) if functions else None
        text, lines = self._written(request, page, functions, placeholders)
        raise_all([SiteError(Place(post.source, lines[line - 1]), *words) for line, *words in html_errors(text)])
        text, lines = set_formulas(text, lines, post, placeholders)
        references = CrossReferences(post.front.sources, placeholders)
        text = references.placed(text, lambda line: Place(post.source, lines[line]))
        converted = self._converted(request, text, lines, placeholders, references)
        return _finished(request, page, functions, placeholders, text, lines, converted)

    def _functions(self, request: TextRequest, is_own: bool = False) -> "PostFunctions":
        """The functions of a post. is_own: those that compare its claims at its own parameters."""
        from site_builder.posts.functions import PostFunctions  # imports numpy, which other texts do not need

        planned = {run.name: run for run in request.runs}
        results = request.own_results if is_own else request.results
        sources = request.post.front.sources
        return PostFunctions(request.place, results, planned, request.listing, sources, self._forms)

    def _names(self, page: Page, functions: "PostFunctions", results: Mapping[str, Record], held: Any) -> Names:
        """Everything that Jinja knows in a text. Raises SiteError where an extension has a name of the builder's."""
        own, added = functions.names(), self._registry.of("function")
        refuse_taken(added.values(), "function", own)
        given = {name: _text_of(with_page(guarded("function", each), page)) for name, each in added.items()}
        return {"results": Record(results, "results"), HELD: held, **own, **given}

    def _written(
        self, request: TextRequest, page: Page | None, functions: "PostFunctions | None", placeholders: Placeholders
    ) -> tuple[str, list[int]]:
        """The text as Jinja writes it, and the line of each of its lines; its claims are compared."""
        body, place = request.post.body, request.place
        if functions is None or page is None:
            return render(self._environment, body, place, {}, placeholders)
        claims = functions.claims
        if request.own_results:
            self._compare_own_claims(request, functions)
        names = self._names(page, functions, request.results, request.held)
        try:
            text, lines = render(self._environment, body, place, names, placeholders)
        except SiteError as error:
            raise_all([*claims.errors, error])
            raise
        raise_all(claims.errors)
        return text, lines

    def _compare_own_claims(self, request: TextRequest, functions: "PostFunctions") -> None:
        """Compare the claims of a post at its own parameters. Raises SiteError for those that disagree."""
        own = self._functions(request, is_own=True)
        page = _page_of(request, own, is_own=True)
        names = self._names(page, own, request.own_results, request.own_held)
        render(self._environment, request.post.body, request.place, names, Placeholders())
        raise_all(own.claims.errors)
        functions.claims.are_compared = False
        functions.claims.rows = own.claims.rows

    def _converted(
        self,
        request: TextRequest,
        text: str,
        lines: Sequence[int],
        placeholders: Placeholders,
        references: CrossReferences,
    ) -> markdown.HtmlText:
        """The text as Markdown converts it, with the list of its references; its blocks stand alone."""
        post = request.post
        masked = tuple(zip(lines, without(text, *_NO_PROSE).split("\n"), strict=True))
        before, _, after = cut(text)
        try:
            converted = markdown.convert(before + after, tuple(self._registry.markdown))
        except CuredError as error:
            raise SiteError(request.place, str(error), error.cure) from error
        raise_all(heading_errors(converted.headings, masked, post))
        if references.cited:
            converted = with_bibliography(converted, references, request.place)
        raise_all(note_errors(converted.loose_notes, masked, placeholders, post))
        html = _ALONE.sub(r"\1", with_numbers(converted.html, placeholders.found))
        raise_all(misplaced_parts(html, placeholders, masked, post))
        return markdown.HtmlText(html, converted.headings)


def _page_of(request: TextRequest, functions: "PostFunctions", is_own: bool = False) -> Page:
    """The post for functions of extensions. is_own: at its own parameters."""
    post, results = request.post, request.own_results if is_own else request.results
    runs = results, partial(request.facts, is_own)
    return Page(post.source, post.path, request.language, request.options, *runs, functions.free_name)


def _finished(
    request: TextRequest,
    page: Page | None,
    functions: "PostFunctions | None",
    placeholders: Placeholders,
    text: str,
    lines: Sequence[int],
    converted: markdown.HtmlText,
) -> RenderedText:
    """The rendered text, its links as placeholders. Raises SiteError for addresses and media that it may not have."""
    post = request.post
    html = fill_parts(converted.html, partial(html_of_extension, placeholders))
    with_blocks = _BLOCK.join([html, *(text for each in _blocks(placeholders) for text in (each.html, each.feed))])
    linked = replace_links(with_blocks, post.source, partial(in_attribute, placeholders))
    whole, *texts = linked.html.split(_BLOCK)
    _place_blocks(placeholders, texts)
    html = join_punctuation(whole, placeholders)
    unmarked = _MARKS.sub("", html)
    media = media_in(linked.shown, request.hosts)
    links = _placed(post, text, lines, placeholders, linked, media.problems)
    before, _, after = cut(text)
    evidence = [number for number, each in enumerate(placeholders.found) if isinstance(each.part, EvidenceBlock)]
    read = without_folds_of(unmarked, evidence)
    body = body_of(html, converted.headings, placeholders)
    anchored, marked = with_anchors(body.html)
    return RenderedText(
        replace(body, html=anchored),
        functions.figures if functions else {},
        anchors_in(linked.tags) | part_anchors(placeholders.found),
        links,
        words_in(placeholders.fill(read, lambda each: each.inline.text)),
        excerpt_of(before, bool(after), unmarked, placeholders),
        tuple(functions.claims.rows) if functions else (),
        tuple(request.held.rows) if request.held else (),
        tuple(placeholders.printed),
        marked,
        media.hosts,
        page.files if page else {},
        page.checks if page else {},
    )


def _placed(
    post: Post,
    text: str,
    lines: Sequence[int],
    placeholders: Placeholders,
    linked: LinkedText,
    problems: Sequence[MediaProblem],
) -> tuple[Link, ...]:
    """The links of a text with their lines. Raises SiteError for addresses and media that it may not have."""
    if not (linked.links or linked.refused or problems):
        return ()
    source_lines = lines_without_code(text, lines, placeholders)
    wrong = [*scheme_errors(post.source, linked.refused, source_lines)]
    raise_all([*wrong, *media_errors(post.source, problems, source_lines)])
    return placed_links(linked.links, source_lines)


def _blocks(placeholders: Placeholders) -> list[HtmlBlock]:
    return [each.part for each in placeholders.found if isinstance(each.part, HtmlBlock)]


def _place_blocks(placeholders: Placeholders, texts: Sequence[str]) -> None:
    """Give the blocks of extensions their HTML with links as placeholders, for pages and for feeds in turn."""
    waiting = iter(texts)
    for number, each in enumerate(placeholders.found):
        if isinstance(each.part, HtmlBlock):
            placed = replace(each.part, html=next(waiting), feed=next(waiting))
            placeholders.found[number] = replace(each, part=placed)


def _text_of(function: Callable[..., Any]) -> Callable[..., FormattedText | OwnLine | bool]:
    """A function of an extension, whose result is text, a block, or true or false."""

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> FormattedText | OwnLine | bool:
        found = function(*arguments, **named)
        if isinstance(found, bool):
            return found
        if isinstance(found, Html) and found.feed:
            return OwnLine(HtmlBlock(str(found), found.feed, found.scripts))
        return formatted(found)

    return call
