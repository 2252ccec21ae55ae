"""A post and its results -> HTML: Jinja, then Markdown; links and figures stay placeholders."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

from site_builder.errors import CuredError, Place, SiteError, raise_all
from site_builder.extension import Html, Page, guarded, refuse_taken, with_page
from site_builder.markup import markdown
from site_builder.markup.cross_references import CrossReferences
from site_builder.markup.equations import set_formulas
from site_builder.markup.placeholders import FormattedText, Placeholders, strip_tags, without_folds_of
from site_builder.markup.raw_html import html_errors
from site_builder.markup.syntax_check import syntax_errors
from site_builder.posts.blocks import Body, EvidenceBlock, FigureBlock, HtmlBlock
from site_builder.posts.jinja import HELD, PostEnvironment, formatted, has_jinja, render
from site_builder.posts.job import JobData
from site_builder.posts.links import Link
from site_builder.posts.result_values import RESULTS, results_value
from site_builder.posts.texts.html_parts import (
    SourceText,
    body_of,
    excerpt_of,
    heading_errors,
    in_attribute,
    join_punctuation,
    keep_apart,
    note_errors,
    part_anchors,
    part_errors,
    repeated_ids,
    with_bibliography,
    without_mark,
)
from site_builder.posts.texts.tags import TagReader
from site_builder.project.posts import Post

if TYPE_CHECKING:
    from site_builder.posts.functions import PostFunctions

_ALONE = re.compile("<p>(\ufdd0\\d+\ufdd1)</p>")
# Links at headings, references and notes, which are no words of the text.
_MARKS = re.compile(
    r'<a class="headerlink".*?</a>|<sup id="fnref.*?</sup>|(?<=<details class="sidenote">\n)<summary>[^<]*</summary>'
    r'|<a [^>]*class="footnote-backref".*?</a>'
)


class TextRenderer:
    """Renders the text of one post.

    data: of the job, with its results; it gets what the text brings along, and errors that do not end the rendering.
    Raises SiteError, or a group of them, for others.
    """

    def __init__(self, environment: PostEnvironment, post: Post, data: JobData) -> None:
        self._environment, self._post, self._data = environment, post, data
        self._place = Place(post.source, post.body_line)
        self._placeholders = Placeholders({field for run in data.checked for field in run.open_fields}, data.printed)
        self._functions: PostFunctions | None = None

    def text(self) -> tuple[Body, dict[str, Any]]:
        """The text of the post, and what its summary has of it, by field."""
        post, placeholders = self._post, self._placeholders
        is_known = self._data.job.own_text  # whose errors are those of this text
        wrong = () if is_known else syntax_errors(post.body)
        raise_all([SiteError(Place(post.source, post.body_line + line - 1), *words) for line, *words in wrong])
        text, lines = self._written()
        self._data.errors += self._colour_errors()
        raise_all([SiteError(Place(post.source, lines[line - 1]), *words) for line, *words in html_errors(text)])
        text, lines, equations = set_formulas(text, lines, post.source, placeholders)
        authors = {key: each.author for key, each in post.front.sources.items()}
        references = CrossReferences(authors, equations, placeholders)
        text = references.placed(text, lambda line: Place(post.source, lines[line]))
        source = SourceText(post, text, lines, placeholders)
        return self._finished(source, self._converted(text, source, references))

    def _written(self) -> tuple[str, list[int]]:
        """The text as Jinja writes it, and the line of each of its lines; its claims are compared."""
        body = self._post.body
        if not (has_jinja(body) or self._post.front.colours):
            return render(self._environment, body, self._place, {}, self._placeholders)
        self._functions, names = self._names()
        return render(self._environment, body, self._place, names, self._placeholders)

    def _names(self) -> "tuple[PostFunctions, dict[str, Any]]":
        """The functions of the post, and everything that Jinja knows in its text.

        Raises SiteError where an extension has a name of ours.
        """
        from site_builder.posts.functions import PostFunctions  # imports numpy, which other texts do not need

        post, data, job, results = self._post, self._data, self._data.job, self._data.results
        functions = PostFunctions(data, self._environment.forms)
        given = functions.free_name, functions.colours.in_pages, post.setting is not None, data.beside
        page = Page(post.source, post.path, job.language.code, job.options, results, data.facts, *given)
        own, added = functions.names(), self._environment.registry.of("function")
        refuse_taken(added.values(), "function", own)
        others = {name: _text_of(with_page(guarded("function", each), page)) for name, each in added.items()}
        return functions, {RESULTS: results_value(results), HELD: data.held, **own, **others}

    def _colour_errors(self) -> list[SiteError]:
        """The errors of `colours:`; none at other parameters, where the post may show other figures."""
        errors = self._functions.colours.errors() if self._functions and not self._data.job.own_text else []
        return [SiteError(self._post.reading.place("colours", name), *words) for name, *words in errors]

    def _converted(self, text: str, source: SourceText, references: CrossReferences) -> markdown.HtmlText:
        """The text as Markdown converts it, with the list of its references; its blocks stand alone."""
        post, placeholders = self._post, self._placeholders
        try:
            converted = markdown.convert(text, tuple(self._environment.registry.markdown))
        except CuredError as error:
            raise SiteError(self._place, str(error), error.cure) from error
        raise_all(heading_errors(converted.headings, source))
        if references.cited:
            converted = with_bibliography(converted, references.cited, post)
        raise_all(note_errors(converted.loose_notes, source))
        html = _ALONE.sub(self._block, placeholders.without_links_in_links(converted.html))
        raise_all(part_errors(html, placeholders, source))
        return markdown.HtmlText(html, converted.headings)

    def _block(self, paragraph: re.Match[str]) -> str:
        """A block without the paragraph in which Markdown puts it; a link stays in its paragraph."""
        return paragraph[0] if self._placeholders.is_link(paragraph[1]) else paragraph[1]

    def _finished(self, source: SourceText, converted: markdown.HtmlText) -> tuple[Body, dict[str, Any]]:
        """The body with links as placeholders, and its facts. Raises SiteError for addresses it may not have."""
        placeholders = self._placeholders
        tags = TagReader(self._post.source, self._data.job.hosts, partial(in_attribute, placeholders))
        html = join_punctuation(tags.read(converted.html), placeholders)
        _read_html(placeholders, tags)
        tags.problems |= repeated_ids(placeholders.fill(html, lambda each: each.html if each.is_html else ""))
        keep_apart(placeholders, tags.anchors)
        raise_all(source.problem_errors(tags.problems))
        body = body_of(without_mark(html), converted.headings, placeholders)
        return body, self._facts(body, _MARKS.sub("", html), tags, source.placed(tags.links))

    def _facts(self, body: Body, html: str, tags: TagReader, links: tuple[Link, ...]) -> dict[str, Any]:
        """The facts of the text for the summary. html: without what is no text of the author."""
        blocks = self._placeholders.blocks
        evidence = [number for number, each in blocks.items() if isinstance(each, EvidenceBlock)]
        read = self._placeholders.fill(without_folds_of(html, evidence), str)
        return {
            "summary": excerpt_of(html, self._placeholders),
            "words": len(strip_tags(read).split()),
            "anchors": tuple(sorted(part_anchors(blocks) | tags.anchors)),
            "links": links,
            "hosts": tuple(sorted(tags.hosts)),
            "figures": tuple((part.key, part.name) for part in body.parts if isinstance(part, FigureBlock)),
        }


def _read_html(placeholders: Placeholders, tags: TagReader) -> None:
    """Give what extensions write, references and numbered formulas their HTML with links as placeholders."""
    for number, each in enumerate(placeholders.found):
        if isinstance(each, HtmlBlock):
            placeholders.found[number] = replace(each, html=tags.read(each.html), feed=tags.read(each.feed))
        elif isinstance(each, FormattedText) and each.is_html:
            placeholders.found[number] = FormattedText(each, tags.read(each.html), each.tex, is_html=True)


def _text_of(function: Callable[..., Any]) -> Callable[..., FormattedText | HtmlBlock | bool]:
    """A function of an extension, whose result is text, a block, or true or false."""

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> FormattedText | HtmlBlock | bool:
        found = function(*arguments, **named)
        if isinstance(found, bool):
            return found
        if isinstance(found, Html) and found.feed:
            return HtmlBlock(str(found), found.feed)
        return formatted(found)

    return call
