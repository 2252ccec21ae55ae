"""Plans the files that the posts of a blog, Markdown files or notebooks become."""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from site_builder.errors import Place, SiteError, collecting
from site_builder.extensions.importing.blocks import convert_text, has_first_level, take_heading, with_signs
from site_builder.extensions.importing.conversion import Conversion, ImportNote, trimmed
from site_builder.extensions.importing.front_matter import convert_front_matter, inline_text
from site_builder.extensions.importing.links import LinkResolver
from site_builder.extensions.importing.notebooks import convert_cells
from site_builder.extensions.importing.sources import SourcePost, find_project, read_source
from site_builder.extensions.importing.spans import escape_jinja
from site_builder.extensions.importing.template_tags import expand_liquid, expand_shortcodes
from site_builder.project.config import Config
from site_builder.project.posts import Post, file_path, is_safe_path, read_post
from site_builder.site.pages.all import site_paths
from site_builder.storage.file_fingerprints import scan
from site_builder.values.language import ENGLISH


@dataclass(frozen=True)
class PlannedPost:
    """A post to write. target: its path in the project; source: its old file."""

    target: str
    source: str
    post: Post
    data: bytes


@dataclass
class ImportPlan:
    """All that an import will do.

    files: path in the project -> bytes, or the file to copy. errors: sources that could not be converted.
    """

    posts: list[PlannedPost] = field(default_factory=list)
    files: dict[str, bytes | Path] = field(default_factory=dict)
    notes: list[ImportNote] = field(default_factory=list)
    errors: list[SiteError] = field(default_factory=list)


def plan_import(
    config: Config, path: Path, display_path: str, default_date: str = "", keep_outputs: bool = False
) -> ImportPlan:
    """Plan the import of a file or folder.

    display_path: its path for messages; default_date: of posts without one; keep_outputs: whether those of notebooks
    stay. Raises UsageError if the path does not exist, SiteError for settings that cannot be read.
    """
    project, plan = find_project(path, display_path), ImportPlan()
    posts: list[SourcePost] = []
    for source in project.sources:
        with collecting(plan.errors):
            posts.append(read_source(source, project, default_date))
    links = LinkResolver(project, posts, site_paths(config.settings, [], [], []))
    written = (name for name in scan(config.root).signatures if name.startswith("content/"))
    taken = {re.sub(r"^content/|(?:/index)?\.md$", "", name): name for name in written}
    for post in posts:
        place, keys = post.source.display_path, {post.target, file_path(post.path.lower())}
        if owner := next((taken[key] for key in keys if key in taken), ""):
            plan.notes.append(ImportNote(Place(place), f"{owner} is there already", "left alone"))
            continue
        taken |= dict.fromkeys(keys, place)
        dialect = "notebook" if post.notebook else post.dialect
        conversion = Conversion(place, post.raw, dialect, partial(links.resolve, post))
        with collecting(plan.errors):
            _convert(plan, post, links, keep_outputs, conversion)
    _plan_copies(config, links, plan)
    plan.notes += [ImportNote(Place(name), "neither a post nor a page", "not imported") for name in project.skipped]
    plan.notes.sort(key=lambda note: (note.place.path, note.place.line))
    return plan


def _plan_copies(config: Config, links: LinkResolver, plan: ImportPlan) -> None:
    """Add the files to copy to the plan; a different file with the same path is kept and reported."""
    for target, file in sorted(links.copies.items()):
        existing = config.root / target
        if not existing.exists():
            plan.files.setdefault(target, file)
        elif existing.read_bytes() != file.read_bytes():
            plan.notes.append(ImportNote(Place(str(file)), f"{target} is there already, and differs", "left alone"))


# one post


def _convert(
    plan: ImportPlan, post: SourcePost, links: LinkResolver, keep_outputs: bool, conversion: Conversion
) -> None:
    """Add a post to the plan. The files that it shows are added to the copies of `links`. Raises SiteError."""
    copied_before = set(links.copies)
    images: Mapping[str, bytes] = {}
    if post.notebook:
        date = ENGLISH.date_words(post.date) if keep_outputs and post.date else ""
        title, body, images = convert_cells(post.notebook, conversion, date)
    else:
        title, body = _convert_markdown(post, links, conversion)
    if links.project.settings and not (post.old_url or post.notebook or post.source.is_page):
        conversion.report("permalink:", "its permalink in the old site is of an unknown form", "it has no alias")
    is_relative = post.old_url and post.dialect in ("hugo", "quarto")
    folder_url = f"{posixpath.dirname(post.old_url.rstrip('/'))}/" if is_relative else ""
    added = _added_fields(post, _title(title, conversion), conversion)
    front = convert_front_matter(post.front, post.dialect, added, folder_url, conversion)
    text = escape_jinja(trimmed(conversion.with_code(body)))
    folder = f"content/{post.target}/"
    own = [name for name in links.copies.keys() - copied_before if name.startswith(folder)]
    has_folder = images or (own and (post.notebook or links.project.dialect != "kramdown"))
    target = f"{folder}index.md" if has_folder else f"content/{post.target}.md"
    data = f"---\n{front}---\n{text}\n".removesuffix("\n" * (not text)).encode()
    try:
        parsed = read_post(data, PurePosixPath(target).relative_to("content"), target)
    except SiteError as error:
        raise SiteError(Place(conversion.source), error.message, error.cure) from error
    plan.posts.append(PlannedPost(target, conversion.source, parsed, data))
    plan.files |= {f"{folder}{name}": image for name, image in images.items()}
    plan.notes += conversion.notes


def _convert_markdown(post: SourcePost, links: LinkResolver, conversion: Conversion) -> tuple[str, str]:
    """The title if it is a heading of the text, and the text, both without their code."""
    text = expand_liquid(post.body, conversion) if post.dialect == "kramdown" else post.body
    text = conversion.without_code(text)
    if post.dialect != "kramdown":
        text = conversion.without_code(expand_shortcodes(text, conversion))
    text = with_signs(text)
    heading, rest = take_heading(text, 1 if links.project.dialect == "kramdown" or has_first_level(text) else 6)
    title, words = str(post.front.get("title") or ""), conversion.with_code(heading)
    if not title or " ".join(words.split()) == " ".join(title.split()):  # else it would stand there twice
        title, text = words, rest
    return title, convert_text(text, conversion, has_first_level(text))


def _title(heading: str, conversion: Conversion) -> str:
    """A heading as a title: without emphasis and links."""
    words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", conversion.with_code(heading))
    words = re.sub(r"(?<!\\)[*_]{1,2}(?=\S)([^*_$]+)(?<=\S)[*_]{1,2}", r"\1", words)
    return inline_text(words, conversion)


def _added_fields(post: SourcePost, title: str, conversion: Conversion) -> Mapping[str, Any]:
    """The fields that front matter lacks, and those that it has in another form; none of them is empty."""
    if not title:
        words = re.sub(r"(?<!\d)[-_]+|[-_]+(?!\d)", " ", post.name)
        title = inline_text(words[:1].upper() + words[1:], conversion)
    alias = "" if post.permalink or post.source.is_page else post.old_url
    added = {
        "title": title,
        "date": post.date.date() if post.date and not post.has_date and not post.source.is_page else None,
        "draft": "_drafts" in post.source.inside.parts,
        "aliases": [alias] if is_safe_path(alias.lstrip("/")) and alias.strip("/") != post.path.strip("/") else [],
        "permalink": post.permalink,
        "toc": conversion.has_contents,
    }
    return {key: value for key, value in added.items() if value}
