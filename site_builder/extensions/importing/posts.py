"""Converts one post of a blog, Markdown file or notebook to a post of the project: front matter, text, images."""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from site_builder.errors import Place, SiteError
from site_builder.extensions.importing.blocks import convert_text, has_first_level, take_heading, with_signs
from site_builder.extensions.importing.front_matter import convert_front_matter, inline_text
from site_builder.extensions.importing.lines import ConversionContext, ImportNote, ImportOptions, without_blank_ends
from site_builder.extensions.importing.links import LinkResolver
from site_builder.extensions.importing.liquid import expand_liquid
from site_builder.extensions.importing.notebooks import convert_cells, take_title
from site_builder.extensions.importing.quarto import convert_quarto
from site_builder.extensions.importing.shortcodes import expand_shortcodes
from site_builder.extensions.importing.sources import SourcePost
from site_builder.extensions.importing.spans import escape_jinja
from site_builder.project.posts import Post, file_path, is_safe_path, read_post
from site_builder.site.theme import date_words


@dataclass(frozen=True)
class PlannedPost:
    """A post to write. target: its path in the project; source: its old file; raw: the text of that.

    images: those in the cells of a notebook, by their paths in the project.
    """

    target: str
    source: str
    raw: str
    post: Post
    data: bytes
    images: Mapping[str, bytes]
    notes: tuple[ImportNote, ...]


def path_key(path: str) -> str:
    """Return the same text for paths in the site that are one file, whatever the case of their letters."""
    return file_path(path.lower())


def convert_post(post: SourcePost, links: LinkResolver, options: ImportOptions) -> PlannedPost:
    """Convert a post. The files that it shows are added to the copies of `links`. Raises SiteError."""
    copied_before = set(links.copies)
    context = _context(post, links, options)
    images: Mapping[str, bytes] = {}
    if post.notebook:
        date = date_words(post.date) if options.keep_outputs and post.date else ""
        title, cells = take_title(post.notebook.cells)
        body, images = convert_cells(cells, post.notebook.language, context, date)
    else:
        title, body = _convert_markdown(post, links, context)
    added = _added_fields(post, _title(title, context), context)
    front = convert_front_matter(post.front, post.dialect, added, context)
    text = escape_jinja("\n".join(without_blank_ends(body)))
    folder = f"content/{post.target}/"
    own = [name for name in links.copies.keys() - copied_before if name.startswith(folder)]
    target = f"{folder}index.md" if images or (post.has_folder and own) else f"content/{post.target}.md"
    data = "\n".join(["---", *front, "---", *([text] if text else []), ""]).encode()
    try:
        parsed = read_post(data, PurePosixPath(target).relative_to("content"), target)
    except SiteError as error:
        raise SiteError(Place(context.source), error.message, error.cure) from error
    beside = {f"{folder}{name}": image for name, image in images.items()}
    return PlannedPost(target, context.source, post.raw, parsed, data, beside, tuple(context.notes))


def _context(post: SourcePost, links: LinkResolver, options: ImportOptions) -> ConversionContext:
    has_relative_aliases = post.old_url and post.dialect in ("hugo", "quarto")
    return ConversionContext(
        post.source.display_path,
        post.raw,
        partial(links.resolve, post),
        "notebook" if post.notebook else post.dialect,
        options,
        f"{posixpath.dirname(post.old_url.rstrip('/'))}/" if has_relative_aliases else "",
    )


def _convert_markdown(post: SourcePost, links: LinkResolver, context: ConversionContext) -> tuple[str, list[str]]:
    """The title if it is a heading of the text, and the lines."""
    if post.dialect in ("hugo", "quarto"):
        lines = expand_shortcodes(post.body, partial(links.reference, post), context)
        lines = convert_quarto(lines) if post.dialect == "quarto" else lines
    else:
        scope = {"site": links.project.settings, "page": {"date": post.date, **post.front.data}}
        lines = expand_liquid(post.body, scope, context)
    lines = with_signs(lines)
    levels = 1 if links.project.generator.dialect == "kramdown" or has_first_level(lines) else 6
    heading, rest = take_heading(lines, levels)
    title = str(post.front.data.get("title") or "")
    if not title or " ".join(heading.split()) == " ".join(title.split()):  # else it would stand there twice
        title, lines = heading, rest
    return title, convert_text(lines, context, has_first_level(lines))


def _title(heading: str, context: ConversionContext) -> str:
    """A heading as a title: without emphasis and links."""
    words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    words = re.sub(r"(?<!\\)[*_]{1,2}(?=\S)([^*_$]+)(?<=\S)[*_]{1,2}", r"\1", words)
    return inline_text(words, context)


def _added_fields(post: SourcePost, title: str, context: ConversionContext) -> Mapping[str, Any]:
    """The fields that front matter lacks, and those that it has in another form; none of them is empty."""
    is_only_date = post.source.name == post.source.date
    if not title:
        words = post.source.name if is_only_date else re.sub(r"[-_]+", " ", post.source.name)
        title = inline_text(words[:1].upper() + words[1:], context)
    has_date_in_name = bool(post.source.date) and post.notebook is None and not is_only_date
    needs_date = post.source.kind != "page" and not has_date_in_name
    alias = post.old_url if not post.permalink and post.source.kind == "post" else ""
    is_free = is_safe_path(alias.lstrip("/")) and path_key(alias.lstrip("/")) not in context.options.claimed
    added = {
        "title": title,
        "date": post.date.date() if needs_date and post.date else None,
        "slug": post.new_slug,
        "draft": post.source.kind == "draft",
        "aliases": [alias] if alias and is_free else [],
        "permalink": post.permalink,
        "toc": context.has_contents,
    }
    return {key: value for key, value in added.items() if value}
