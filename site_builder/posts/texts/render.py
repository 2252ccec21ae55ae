"""A post and its results -> HTML: Jinja, then Markdown; links and figures stay placeholders."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps
from typing import Any

from site_builder.errors import CuredError, Place, SiteError, raise_all
from site_builder.extension import Html, Page, guarded, with_page
from site_builder.markup import markdown
from site_builder.markup.cross_references import CrossReferences
from site_builder.markup.equations import set_formulas
from site_builder.markup.placeholders import FormattedText, Placeholders, strip_tags, without_folds_of
from site_builder.markup.raw_html import html_errors
from site_builder.markup.syntax_check import syntax_errors
from site_builder.posts.blocks import Body, EvidenceBlock, FigureBlock, HtmlBlock
from site_builder.posts.jinja import HELD, PostEnvironment, formatted, has_jinja, render
from site_builder.posts.job import JobData
from site_builder.posts.result_values import RESULTS, results_value
from site_builder.posts.texts.html_parts import (
    SourceText,
    bibliography,
    body_of,
    excerpt_of,
    heading_errors,
    in_attribute,
    join_punctuation,
    keep_apart,
    note_errors,
    part_anchors,
    part_errors,
    without_mark,
)
from site_builder.posts.texts.tags import TagReader
from site_builder.project.posts import Post

_ALONE = re.compile("<p>(\ufdd0\\d+\ufdd1)</p>")
# Links at headings, references and notes, which are no words of the text.
_MARKS = re.compile(
    r'<a class="headerlink".*?</a>|<sup id="fnref.*?</sup>|(?<=<details class="sidenote">\n)<summary>[^<]*</summary>'
    r'|<a [^>]*class="footnote-backref".*?</a>'
)


def body_and_facts(environment: PostEnvironment, post: Post, data: JobData) -> tuple[Body, dict[str, Any]]:
    """The text of a post, and what its summary has of it, by field.

    data: gets what the text brings along, and errors that do not end the rendering. Raises SiteError, or a group of
    them, for others.
    """
    if not data.job.own_text:  # whose errors are those of this text
        raise_all([SiteError(_place(post, line), *words) for line, *words in syntax_errors(post.body)])
    placeholders = Placeholders({field for run in data.checked for field in run.open_fields}, data.printed)
    text, lines = _with_jinja(environment, post, data, placeholders)
    raise_all([SiteError(Place(post.source, lines[line - 1]), *words) for line, *words in html_errors(text)])
    text, lines = _with_references(post, text, lines, placeholders)
    source = SourceText(post, text, lines, placeholders)
    converted = _converted(environment, post, text)
    html = _ALONE.sub(partial(_block, placeholders), placeholders.without_links_in_links(converted.html))
    raise_all([*heading_errors(converted.headings, source), *note_errors(converted.loose_notes, source)])
    raise_all(part_errors(html, placeholders, source))
    tags = TagReader(post.source, data.job.hosts, partial(in_attribute, placeholders))
    html = join_punctuation(tags.read(html), placeholders)
    _read_html(placeholders, tags)
    keep_apart(placeholders, tags.anchors)
    raise_all(source.problem_errors(tags.problems))
    body = body_of(without_mark(html), converted.headings, placeholders)
    return body, _facts(body, _MARKS.sub("", html), tags, placeholders) | {"links": source.placed(tags.links)}


def _place(post: Post, line: int) -> Place:
    """The place of a line of the text, counted from 1."""
    return Place(post.source, post.body_line + line - 1)


def _with_jinja(
    environment: PostEnvironment, post: Post, data: JobData, placeholders: Placeholders
) -> tuple[str, list[int]]:
    """The text as Jinja writes it, and the line of each of its lines; its claims are compared.

    Raises SiteError where an extension has a name of ours.
    """
    names: dict[str, Any] = {}
    if not (has_jinja(post.body) or post.front.colours):
        return render(environment, post.body, _place(post, 1), names, placeholders)
    from site_builder.posts.functions import PostFunctions  # imports numpy, which other texts do not need

    functions, job = PostFunctions(data, environment.forms), data.job
    given = functions.free_name, functions.colours.in_pages, post.setting is not None, data.beside
    page = Page(post.source, post.path, job.language.code, job.options, data.results, data.facts, *given)
    own = functions.names()
    added = environment.registry.of("function", own)
    others = {name: _text_of(with_page(guarded("function", each), page)) for name, each in added.items()}
    names = {RESULTS: results_value(data.results), HELD: data.held, **own, **others}
    written = render(environment, post.body, _place(post, 1), names, placeholders)
    if not job.own_text:  # at other parameters the post may show other figures
        wrong = functions.colours.errors()
        data.errors += [SiteError(post.reading.place("colours", name), *words) for name, *words in wrong]
    return written


def _with_references(post: Post, text: str, lines: list[int], placeholders: Placeholders) -> tuple[str, list[int]]:
    """The text with placeholders for its formulas, references and citations, and with the list of its references."""
    references = CrossReferences({key: each.author for key, each in post.front.sources.items()}, placeholders)
    text, lines = set_formulas(text, lines, post.source, references)
    text = references.placed(text, lambda line: Place(post.source, lines[line]))
    end = bibliography(text, references.cited, post, placeholders) if references.cited else ""
    return text + end, lines + lines[-1:] * end.count("\n")


def _converted(environment: PostEnvironment, post: Post, text: str) -> markdown.HtmlText:
    try:
        return markdown.convert(text, tuple(environment.registry.markdown))
    except CuredError as error:
        raise SiteError(_place(post, 1), str(error), error.cure) from error


def _block(placeholders: Placeholders, paragraph: re.Match[str]) -> str:
    """A block without the paragraph in which Markdown puts it; a link stays in its paragraph."""
    return paragraph[0] if placeholders.is_link(paragraph[1]) else paragraph[1]


def _facts(body: Body, html: str, tags: TagReader, placeholders: Placeholders) -> dict[str, Any]:
    """The facts of the text for the summary. html: without what is no text of the author."""
    blocks = placeholders.blocks
    evidence = [number for number, each in blocks.items() if isinstance(each, EvidenceBlock)]
    read = placeholders.fill(without_folds_of(html, evidence), str)
    return {
        "summary": excerpt_of(html, placeholders),
        "words": len(strip_tags(read).split()),
        "anchors": tuple(sorted(part_anchors(blocks) | tags.anchors)),
        "hosts": tuple(sorted(tags.hosts)),
        "figures": tuple((part.key, part.name) for part in body.parts if isinstance(part, FigureBlock)),
    }


def _read_html(placeholders: Placeholders, tags: TagReader) -> None:
    """Give what extensions write, references and numbered formulas their HTML with links as placeholders."""
    for number, each in enumerate(placeholders.found):
        if isinstance(each, HtmlBlock):
            placeholders.found[number] = replace(each, html=tags.read(each.html, True), feed=tags.read(each.feed, True))
        elif isinstance(each, FormattedText) and each.is_html:
            placeholders.found[number] = FormattedText(each, tags.read(each.html), each.tex, is_html=True)


def _text_of(function: Callable[..., Any]) -> Callable[..., FormattedText | HtmlBlock | bool]:
    """A function of an extension, whose result is text, a block, or true or false."""

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> FormattedText | HtmlBlock | bool:
        found = function(*arguments, **named)
        if isinstance(found, bool):
            return found
        return HtmlBlock(str(found), found.feed) if isinstance(found, Html) and found.feed else formatted(found)

    return call
