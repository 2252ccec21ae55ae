"""Converts one post of a blog, Markdown file or notebook to a post of the project: front matter, text, images."""

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import PurePosixPath

from site_builder.errors import SiteError, counted
from site_builder.importer.front_matter import AddedFields, convert_front_matter, inline_text
from site_builder.importer.hugo import referenced_file
from site_builder.importer.link_targets import LinkResolver
from site_builder.importer.markdown.blocks import convert_blocks
from site_builder.importer.markdown.conversion import (
    ConversionContext,
    ImportNote,
    SourceLine,
    at_source,
    join_lines,
    number_lines,
    replace_in_text,
    without_blank_ends,
)
from site_builder.importer.markdown.first_heading import has_first_level, take_heading
from site_builder.importer.markdown.liquid import LiquidScope, expand_liquid
from site_builder.importer.markdown.quarto_blocks import convert_quarto
from site_builder.importer.markdown.quarto_references import Labels, link_references
from site_builder.importer.markdown.shortcodes import ShortcodeScope, expand_shortcodes
from site_builder.importer.markdown.spans import escape_jinja_in_post
from site_builder.importer.notebooks import Notebook, convert_cells, take_title
from site_builder.importer.sources import SourcePost, SourceProject, is_inside
from site_builder.markup.segments import segments
from site_builder.project.posts import Post, file_path, is_safe_path, read_post
from site_builder.site.theme import date_words
from site_builder.values.characters import FORBIDDEN, code_of

_EXCERPT_MARK = "<!--more-->"
_FOOTNOTE = re.compile(r"(?P<text>^ {0,3}\[\^(?P<known>[^\]\s]+)\]:)|(?<!\\)\[\^(?P<label>[^\]\s]+)\]", re.MULTILINE)


@dataclass(frozen=True)
class PlannedPost:
    """A post to write. target: its path in the project; source: its old file; lines: with their lines in that file.

    images: those in the cells of a notebook, by their paths in the project.
    """

    target: str
    source: str
    lines: tuple[SourceLine, ...]
    post: Post
    data: bytes
    images: Mapping[str, bytes]
    notes: tuple[ImportNote, ...]


@dataclass(frozen=True)
class SharedContext:
    """The context that the posts of one import share.

    all_dollars: whether single dollars enclose TeX. keep_outputs: whether outputs of notebooks stay. anchors: those
    that links refer to. claimed: path in the site, as `path_key` returns it -> its file. allow_hosts: of config.yaml.
    """

    project: SourceProject
    all_dollars: bool
    keep_outputs: bool
    links: LinkResolver
    anchors: frozenset[str]
    claimed: Mapping[str, str]
    allow_hosts: Sequence[str]

    @cached_property
    def post_files(self) -> Mapping[str, str]:
        """The paths of the project's posts by their names without suffix."""
        root = self.project.root
        return {path.stem: path.relative_to(root).as_posix() for path in sorted(root.rglob("_posts/**/*"))}


def path_key(path: str) -> str:
    """Return the same text for paths in the site that are one file, whatever the case of their letters."""
    return file_path(path.lower())


def convert_post(post: SourcePost, shared: SharedContext) -> PlannedPost:
    """Convert a post. The files that it shows are added to the copies of `shared.links`. Raises SiteError."""
    copies = shared.links.copies
    copied_before = set(copies)
    context = _context(post, shared)
    images: Mapping[str, bytes] = {}
    if post.notebook:
        date = date_words(post.date) if shared.keep_outputs and post.date else ""
        title, body, images = _convert_notebook(post.notebook, date, context)
    else:
        title, body = _convert_markdown(post, shared, context)
    added = _added_fields(post, title, body, shared.claimed, context)
    settings = convert_front_matter(post.settings, post.dialect, added, context)
    body = _escape_jinja(without_blank_ends(_escape_unknown_footnotes(body, context)))
    first = post.settings[0].number - 1 if post.settings else 1
    last = body[0].number if body else first
    blank = [SourceLine("", last)] if post.notebook else []
    lines = [SourceLine("---", first), *settings, SourceLine("---", last), *blank, *body]
    lines = [_remove_forbidden(line, context) for line in lines]
    folder = f"content/{post.folder}/"
    has_files = images or any(post.folder and name.startswith(folder) for name in copies.keys() - copied_before)
    target = f"{folder}index.md" if has_files else post.target
    data = f"{join_lines(lines)}\n".encode()
    try:
        parsed = read_post(data, PurePosixPath(target).relative_to("content"), target)
    except SiteError as error:
        raise at_source(error, lines, context.source) from error
    beside = {f"{folder}{name}": image for name, image in images.items()}
    return PlannedPost(target, context.source, tuple(lines), parsed, data, beside, tuple(context.notes))


def _context(post: SourcePost, shared: SharedContext) -> ConversionContext:
    has_relative_aliases = post.old_url and post.dialect in ("hugo", "quarto")
    return ConversionContext(
        post.source.display_path,
        partial(shared.links.resolve, post),
        "notebook" if post.notebook else post.dialect,
        all_dollars=shared.all_dollars,
        anchors=shared.anchors,
        macros=dict(shared.project.macros),
        alias_base=f"{posixpath.dirname(post.old_url.rstrip('/'))}/" if has_relative_aliases else "",
        allow_hosts=shared.allow_hosts,
    )


def _convert_markdown(
    post: SourcePost, shared: SharedContext, context: ConversionContext
) -> tuple[str, list[SourceLine]]:
    """The title if it is a heading of the text, and the lines."""
    project = shared.project
    folder = project.root / "_includes"

    def include(name: str) -> str | None:
        file = folder / name
        return file.read_text("utf-8", "replace") if file.is_file() and is_inside(file, folder) else None

    def post_url(name: str) -> str:
        return "/" + shared.post_files.get(name.rsplit("/", 1)[-1], f"_posts/{name}.md")

    def reference(name: str) -> str | None:
        file = referenced_file(name, post.source.relative_path, [each.relative_path for each in project.sources])
        return f"/{file}" if file else None

    labels: Labels | None = None
    if post.dialect in ("hugo", "quarto"):
        parameters = {**project.settings.get("params", {}), **post.front_matter}
        lines = expand_shortcodes(post.body, ShortcodeScope(reference, parameters), context)
        if post.dialect == "quarto":
            lines, labels = convert_quarto(lines, context)
    else:
        scope = LiquidScope(project.settings, {"date": post.date, **post.front_matter}, include, post_url)
        lines = expand_liquid(_with_excerpt_mark(post, project), scope, context)
    levels = 1 if project.is_jekyll or has_first_level(lines) else 6
    heading, rest = take_heading(lines, levels)
    title = str(post.front_matter.get("title") or "")
    if not title or " ".join(heading.split()) == " ".join(title.split()):  # else it would stand there twice
        title, lines = _title(heading, context), rest
    context.shift = int(has_first_level(lines))
    made = convert_blocks(lines, context)
    if context.single_dollars and not context.all_dollars:
        problem = f"{counted(len(context.single_dollars), 'formula')} between single dollars"
        context.report(context.single_dollars[0], problem, "taken for mathematics; other dollars are signs of money")
    return title, made if labels is None else link_references(made, labels, context)


def _title(heading: str, context: ConversionContext) -> str:
    """A heading as a title: without emphasis and links."""
    words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    words = re.sub(r"(?<!\\)[*_]{1,2}(?=\S)([^*_$]+)(?<=\S)[*_]{1,2}", r"\1", words)
    return inline_text(words, context, 1)


def _with_excerpt_mark(post: SourcePost, project: SourceProject) -> list[SourceLine]:
    """The body with the builder's mark for the end of the excerpt in place of the blog's."""
    mark = str(post.front_matter.get("excerpt_separator") or project.settings.get("excerpt_separator") or "").strip()
    lines = list(post.body)
    at = next((at for at, line in enumerate(lines) if mark and mark in line.text), None)
    if at is not None:
        lines[at] = lines[at].changed(lines[at].text.replace(mark, _EXCERPT_MARK, 1))
    return lines


def _convert_notebook(
    notebook: Notebook, outputs_date: str, context: ConversionContext
) -> tuple[str, list[SourceLine], Mapping[str, bytes]]:
    """The title, the lines, and the images in the cells by their file names."""
    heading, cells = take_title(notebook.cells)
    title = _title(heading, context) or inline_text(str(notebook.metadata.get("title") or ""), context, 1)
    return title, *convert_cells(cells, notebook.language, context, outputs_date)


def _added_fields(
    post: SourcePost, title: str, body: Sequence[SourceLine], claimed: Mapping[str, str], context: ConversionContext
) -> AddedFields:
    is_only_date = post.source.name == post.source.date
    words = post.source.name if is_only_date else re.sub(r"[-_]+", " ", post.source.name)
    from_name = inline_text(words, context, 1) if not title else ""
    has_date_in_name = bool(post.source.date) and post.notebook is None and not is_only_date
    needs_date = post.source.kind != "page" and not has_date_in_name and post.date is not None
    alias = post.old_url if not post.permalink and post.source.kind == "post" else ""
    is_free = is_safe_path(alias.lstrip("/")) and path_key(alias.lstrip("/")) not in claimed
    return AddedFields(
        title=title or from_name[:1].upper() + from_name[1:],
        date=f"{post.date:%Y-%m-%d}" if needs_date else "",
        is_draft=post.source.kind == "draft",
        slug=post.new_slug,
        aliases=(alias,) if alias and is_free else (),
        permalink=post.permalink,
        has_contents=context.has_contents,
    )


def _escape_unknown_footnotes(body: list[SourceLine], context: ConversionContext) -> list[SourceLine]:
    """The body with references to missing footnotes as text, as in kramdown."""
    text = join_lines(body)
    if "[^" not in text:
        return body
    parts = (part.text for part in segments(text, jinja=False) if part.kind == "text")
    known = {found["known"] for part in parts for found in _FOOTNOTE.finditer(part)}

    def escaped(found: re.Match[str], number: int) -> str:
        if found["text"] or found["label"] in known:
            return found[0]
        context.report(number, f"there is no note {found[0]}", "its sign stands as text")
        return f"\\{found[0]}"

    return replace_in_text(body, _FOOTNOTE, escaped)


def _escape_jinja(body: list[SourceLine]) -> list[SourceLine]:
    text = join_lines(body)
    escaped = escape_jinja_in_post(text) if "{" in text else text
    return number_lines(escaped, [line.number for line in body]) if escaped != text else body


def _remove_forbidden(line: SourceLine, context: ConversionContext) -> SourceLine:
    """The line without characters that no post may contain."""
    if found := FORBIDDEN.search(line.text):
        context.report(line.number, f"the character {code_of(found.group())} cannot stand in a post", "left out")
        return line.changed(FORBIDDEN.sub("", line.text))
    return line
