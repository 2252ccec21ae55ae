"""Plans and writes the files that the posts of a blog, Markdown files or notebooks become, with notes on problems."""

import os
import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from site_builder.errors import Place, SiteError, UsageError, collecting, counted
from site_builder.importer.front_matter import AddedFields, convert_front_matter, inline_text
from site_builder.importer.hugo import referenced_file
from site_builder.importer.link_targets import LinkResolver, normalized_url
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
from site_builder.importer.skipped_files import notes_on_skipped
from site_builder.importer.sources import SourcePost, SourceProject, all_text, find_sources, is_inside, read_source
from site_builder.markup.placeholders import without_placeholders
from site_builder.markup.segments import segments
from site_builder.markup.shown_numbers import shown_in_html
from site_builder.project.config import Config, read_bytes
from site_builder.project.posts import Post, file_path, is_safe_path, is_writeup, read_post, slugged
from site_builder.project.work_limits import TOO_MUCH, described, limited
from site_builder.site.pages.all import site_paths
from site_builder.site.theme import date_words
from site_builder.storage.atomic_files import make_files
from site_builder.storage.file_fingerprints import scan
from site_builder.values.characters import FORBIDDEN, code_of

_FRAGMENT = re.compile(r"#([^\s)\"'<>{}\[\]]+)")
_EXCERPT_MARK = "<!--more-->"
_FOOTNOTE = re.compile(r"(?P<text>^ {0,3}\[\^(?P<known>[^\]\s]+)\]:)|(?<!\\)\[\^(?P<label>[^\]\s]+)\]", re.MULTILINE)


@dataclass(frozen=True)
class PlannedPost:
    """A post to write. target: its path in the project; source: its old file; lines: with their lines in that file."""

    target: str
    source: str
    lines: tuple[SourceLine, ...]
    post: Post
    data: bytes


@dataclass
class ImportPlan:
    """All that an import will do.

    files: path in the project -> bytes, or the file to copy. skipped: what exists already. errors: sources that could
    not be converted. existing: the posts and pages of the project -> path in the site.
    """

    posts: list[PlannedPost] = field(default_factory=list)
    files: dict[str, bytes | Path] = field(default_factory=dict)
    notes: list[ImportNote] = field(default_factory=list)
    skipped: list[ImportNote] = field(default_factory=list)
    errors: list[SiteError] = field(default_factory=list)
    existing: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Import:
    """What the posts of one import share.

    anchors: those that links refer to; claimed: path in the site -> its file; allow_hosts: of config.yaml.
    """

    project: SourceProject
    single_dollars: bool
    keep_outputs: bool
    links: LinkResolver
    anchors: frozenset[str]
    claimed: Mapping[str, str]
    allow_hosts: Sequence[str]
    plan: ImportPlan

    @cached_property
    def post_files(self) -> Mapping[str, str]:
        """The paths of the project's posts by their names without suffix."""
        root = self.project.root
        return {path.stem: path.relative_to(root).as_posix() for path in sorted(root.rglob("_posts/**/*"))}


def plan_import(
    config: Config,
    path: Path,
    display_path: str,
    default_date: str = "",
    single_dollars: bool = False,
    slug: str = "",
    keep_outputs: bool = False,
) -> ImportPlan:
    """Plan the import of a file or folder.

    display_path: its path for messages; default_date: of posts without one; single_dollars: whether they enclose TeX;
    slug: of the only post, instead of its own; keep_outputs: whether those of notebooks stay. Raises UsageError if the
    path does not exist, or for a slug of several.
    """
    project, plan = find_sources(path, display_path), ImportPlan()
    _check_slug(slug, len(project.sources), display_path)
    taken, plan.existing, files = _existing_content(config)
    posts: list[SourcePost] = []
    slugs: dict[str, str] = {}
    for source in project.sources:
        with collecting(plan.errors):
            posts.append(read_source(source, project, default_date, slugs, plan.notes, slug))
    links = _link_resolver(config, project, posts, plan.existing, files)
    anchors = frozenset(unquote(anchor) for post in posts for anchor in _FRAGMENT.findall(all_text(post)))
    claimed = taken | {_path_key(post.path): post.source.display_path for post in posts}
    shared = _Import(project, single_dollars, keep_outputs, links, anchors, claimed, config.settings.allow_hosts, plan)
    limits = config.settings.limits
    for post in posts:
        is_known = post.target in plan.existing or post.target in files
        existing = post.target if is_known else taken.get(_path_key(post.path))
        bundle = post.target.removesuffix(".md") + "/index.md"
        if existing or bundle in plan.existing:
            place = Place(post.source.display_path)
            plan.skipped.append(ImportNote(place, f"{existing or bundle} is there already", "left alone"))
            continue
        try:
            with collecting(plan.errors), limited(limits.text, limits.memory):
                _plan_post(post, shared)
        except TOO_MUCH as error:
            plan.errors.append(SiteError(Place(post.source.display_path), *described(error)))
    _plan_copies(config, links, plan)
    copied = {os.path.realpath(file) for file in links.copies.values()}
    used = {each.inside for each in project.skipped if os.path.realpath(each.path) in copied}
    used |= {Path(os.path.relpath(each.path, path)).as_posix() for each in project.sources}
    plan.notes += notes_on_skipped(project.skipped, used, display_path)
    plan.notes.sort(key=lambda note: (note.place.path, note.place.line))
    return plan


def _check_slug(slug: str, sources: int, display_path: str) -> None:
    """Raise UsageError if the slug is none, or if it is for several posts."""
    if slug and slugged(slug) != slug:
        cure = f"write --slug {slugged(slug) or 'a-name'}"
        raise UsageError(f"--slug {slug}: a slug has only small letters, digits and hyphens", cure)
    if slug and sources > 1:
        fault = f"--slug {slug} is for one post, and {display_path} has {sources}"
        raise UsageError(fault, "name the file of the post, or leave --slug out")


def _path_key(path: str) -> str:
    return file_path(path.lower())


def _existing_content(config: Config) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """The paths in the site that content/ takes, its posts and pages with their paths, and its other files."""
    taken: dict[str, str] = {}
    posts: dict[str, str] = {}
    files: dict[str, str] = {}
    for name in sorted(scan(config.root).signatures):
        path = PurePosixPath(name)
        if path.parts[0] != "content":
            continue
        path = path.relative_to("content")
        if is_writeup(path):
            try:
                post = read_post(read_bytes(config.root / name, name), path, name)
            except* SiteError:
                posts[name] = f"posts/{slugged(path.parent.name if path.stem == 'index' else path.stem)}/"
            else:
                posts[name] = post.path
                taken |= {_path_key(address): name for address, _ in post.addresses()}
            taken.setdefault(_path_key(posts[name]), name)
        else:
            files[name] = path.as_posix()
            taken[_path_key(path.as_posix())] = name
    return taken, posts, files


def _link_resolver(
    config: Config,
    project: SourceProject,
    posts: Sequence[SourcePost],
    existing: Mapping[str, str],
    files: Mapping[str, str],
) -> LinkResolver:
    url = str(project.settings.get("url") or "").rstrip("/")
    base = "/" + str(project.settings.get("baseurl") or "").strip("/")
    base = base if base != "/" else ""
    imported = {f"_posts/{PurePosixPath(name).name}": name for name in existing if name.startswith("content/posts/")}
    return LinkResolver(
        root=project.root,
        site_urls=tuple(dict.fromkeys(each for each in (url + base, url) if each.startswith("http"))),
        base_path=base,
        targets_by_file=imported | {post.source.relative_path: post.target for post in posts},
        targets_by_url={normalized_url(post.old_url): post.target for post in posts if post.old_url},
        paths=dict(existing) | {post.target: post.path for post in posts},
        page_paths=site_paths(config.settings, [], [], []) | set(existing.values()),
        content_files=set(files.values()),
        bundled={post.target for post in posts if post.folder},
        is_hugo=project.is_hugo,
    )


def _plan_post(post: SourcePost, shared: _Import) -> None:
    """Convert a post and add it to the plan. Raises SiteError."""
    project, links, plan = shared.project, shared.links, shared.plan
    copied_before = set(links.copies)
    resolve = partial(links.resolve, post)
    images: Mapping[str, bytes] = {}
    all_dollars = project.all_dollars or shared.single_dollars
    display_path = post.source.display_path
    has_relative_aliases = post.old_url and post.dialect in ("hugo", "quarto")
    context = ConversionContext(
        display_path,
        resolve,
        "notebook" if post.notebook else post.dialect,
        all_dollars=all_dollars,
        anchors=shared.anchors,
        macros=dict(project.macros),
        alias_base=f"{posixpath.dirname(post.old_url.rstrip('/'))}/" if has_relative_aliases else "",
        allow_hosts=shared.allow_hosts,
    )
    if post.notebook is not None:
        date = date_words(post.date) if shared.keep_outputs and post.date else ""
        title, body, images = _convert_notebook(post.notebook, date, context)
    else:
        title, body = _convert_markdown(post, shared, context)
        if context.single_dollars and not all_dollars:
            problem = f"{counted(len(context.single_dollars), 'formula')} between single dollars"
            context.report(
                context.single_dollars[0], problem, "taken for mathematics; other dollars are signs of money"
            )
    added = _added_fields(post, title, body, shared.claimed, context)
    settings = convert_front_matter(post.settings, post.dialect, added, context)
    body = _escape_jinja(without_blank_ends(_escape_unknown_footnotes(body, context)))
    first = post.settings[0].number - 1 if post.settings else 1
    last = body[0].number if body else first
    blank = [SourceLine("", last)] if post.notebook else []
    lines = [SourceLine("---", first), *settings, SourceLine("---", last), *blank, *body]
    copied = set(links.copies) - copied_before
    has_files = images or any(post.folder and name.startswith(f"content/{post.folder}/") for name in copied)
    target = f"content/{post.folder}/index.md" if has_files else post.target
    lines = [_remove_forbidden(line, context) for line in lines]
    data = f"{join_lines(lines)}\n".encode()
    if other := next((each.source for each in plan.posts if each.target == target), ""):
        raise SiteError(
            Place(display_path), f"{target} is written for {other} already", "give one of the two another name"
        )
    try:
        parsed = read_post(data, PurePosixPath(target).relative_to("content"), target)
    except SiteError as error:
        raise at_source(error, lines, display_path) from error
    plan.posts.append(PlannedPost(target, display_path, tuple(lines), parsed, data))
    plan.files |= {f"content/{post.folder}/{name}": data for name, data in images.items()}
    plan.notes += context.notes


def _convert_markdown(post: SourcePost, shared: _Import, context: ConversionContext) -> tuple[str, list[SourceLine]]:
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
    is_free = is_safe_path(alias.lstrip("/")) and _path_key(alias.lstrip("/")) not in claimed
    return AddedFields(
        title=title or from_name[:1].upper() + from_name[1:],
        date=f"{post.date:%Y-%m-%d}" if needs_date else "",
        is_draft=post.source.kind == "draft",
        slug=post.new_slug,
        aliases=(alias,) if alias and is_free else (),
        permalink=post.permalink,
        has_contents=context.has_contents,
        has_numbers=any(each.is_bare for each in shown_in_html(without_placeholders(join_lines(body)), ())),
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


def _plan_copies(config: Config, links: LinkResolver, plan: ImportPlan) -> None:
    """Add the files to copy to the plan; a different file with the same path is kept and reported."""
    for target, file in sorted(links.copies.items()):
        existing = config.root / target
        if target in plan.files:
            plan.skipped.append(ImportNote(Place(str(file)), f"{target} is an image of a notebook", "not copied"))
        elif not existing.exists():
            plan.files[target] = file
        elif existing.read_bytes() != file.read_bytes():
            plan.skipped.append(ImportNote(Place(str(file)), f"{target} is there already, and differs", "left alone"))


def write_plan(root: Path, plan: ImportPlan) -> None:
    """Write the files of a plan, or none of them. No file is overwritten, not even one created since the plan was made.

    Raises SiteError when a file cannot be written.
    """
    make_files(root, {post.target: post.data for post in plan.posts} | plan.files, "import again once it can")
