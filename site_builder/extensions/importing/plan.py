"""Plans, checks and writes the files that the posts of a blog, Markdown files or notebooks become."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from site_builder.errors import Place, SiteError, UsageError, collecting
from site_builder.extensions.importing.lines import ImportNote, ImportOptions, line_of
from site_builder.extensions.importing.links import LinkResolver
from site_builder.extensions.importing.posts import PlannedPost, convert_post, path_key
from site_builder.extensions.importing.sources import SourcePost, find_sources, notes_on_skipped, read_source
from site_builder.posts.jinja import PostEnvironment
from site_builder.posts.links import Addresses, check_links
from site_builder.posts.texts.front_texts import front_texts
from site_builder.posts.texts.job import Job, JobData
from site_builder.posts.texts.render import TextRenderer
from site_builder.project.config import Config
from site_builder.project.posts import Content, Post, load_content, slugged
from site_builder.project.work_limits import TOO_LONG, TimeIsUpError, limited
from site_builder.site.pages.all import site_paths
from site_builder.storage.atomic_files import make_files
from site_builder.storage.file_fingerprints import scan

_REFUSED = "left as it is, and the build stops there"
_FRAGMENT = re.compile(r"#([^\s)\"'<>{}\[\]]+)")


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
    content = _existing_content(config)
    plan.existing = {post.source: post.path for post in content.read}
    taken = {path_key(path): post.source for post in content.read for path, _ in post.addresses()}
    taken |= {path_key(path): name for path, name in content.files.items()}
    posts: list[SourcePost] = []
    slugs: dict[str, str] = {}
    for source in project.sources:
        with collecting(plan.errors):
            posts.append(read_source(source, project, default_date, slugs, slug))
    page_paths = site_paths(config.settings, [], [], []) | set(plan.existing.values())
    links = LinkResolver(project, posts, plan.existing, page_paths, content.files)
    options = ImportOptions(
        project.all_dollars or single_dollars,
        keep_outputs,
        frozenset().union(*map(_anchors, posts)),
        frozenset(taken) | {path_key(post.path) for post in posts},
        config.settings.allow_hosts,
    )
    for post in posts:
        names = (f"content/{post.target}.md", f"content/{post.target}/index.md")
        known = next((name for name in names if name in plan.existing), "")
        if existing := known or taken.get(path_key(post.path)):
            place = Place(post.source.display_path)
            plan.skipped.append(ImportNote(place, f"{existing} is there already", "left alone"))
        else:
            _add_post(plan, post, links, options, config)
    _plan_copies(config, links, plan)
    copied = {os.path.realpath(file) for file in links.copies.values()}
    plan.notes += notes_on_skipped(project.skipped, copied, path, display_path)
    plan.notes.sort(key=lambda note: (note.place.path, note.place.line))
    return plan


def _anchors(post: SourcePost) -> set[str]:
    """The anchors that links of a post refer to, those of a notebook included."""
    cells = post.notebook.cells if post.notebook else ()
    lines = [*post.body, *(line for cell in cells if cell.kind == "markdown" for line in cell.lines)]
    return {unquote(anchor) for line in lines for anchor in _FRAGMENT.findall(line)}


def _check_slug(slug: str, sources: int, display_path: str) -> None:
    """Raise UsageError if the slug is none, or if it is for several posts."""
    if slug and slugged(slug) != slug:
        cure = f"write --slug {slugged(slug) or 'a-name'}"
        raise UsageError(f"--slug {slug}: a slug has only small letters, digits and hyphens", cure)
    if slug and sources > 1:
        message = f"--slug {slug} is for one post, and {display_path} has {sources}"
        raise UsageError(message, "name the file of the post, or leave --slug out")


def _existing_content(config: Config) -> Content[Post]:
    """The posts, pages and files of the project. Raises SiteError for those that are wrong."""
    has_posts = (config.root / "content/posts").is_dir()
    return load_content(config, scan(config.root).signatures, drafts=True) if has_posts else Content((), (), {})


def _add_post(plan: ImportPlan, post: SourcePost, links: LinkResolver, options: ImportOptions, config: Config) -> None:
    """Convert a post, and add it with its images and notes to the plan, or its error."""
    limits = config.settings.limits
    try:
        with collecting(plan.errors), limited(limits.text):
            planned = convert_post(post, links, options)
            if other := next((each.source for each in plan.posts if each.target == planned.target), ""):
                message = f"{planned.target} is written for {other} already"
                raise SiteError(Place(planned.source), message, "give one of the two another name")
            plan.posts.append(planned)
            plan.files |= planned.images
            plan.notes += planned.notes
    except TimeIsUpError:
        plan.errors.append(SiteError(Place(post.source.display_path), *TOO_LONG))


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


# what the build would refuse


def build_errors(config: Config, plan: ImportPlan) -> list[ImportNote]:
    """Return a note for each formula, link or footnote of the planned posts that the build would refuse."""
    environment, limits = PostEnvironment(), config.settings.limits
    notes: list[ImportNote] = []
    texts = {}
    for planned in plan.posts:
        errors: list[SiteError] = []
        try:
            with collecting(errors), limited(limits.text):
                data = JobData(config.root, Job(planned.post, hosts=config.settings.allow_hosts))
                front_texts(environment, planned.post, {}, data.held)
                texts[planned.target] = TextRenderer(environment, planned.post, data).text()
        except TimeIsUpError:
            errors.append(SiteError(Place(planned.target, planned.post.body_line), *TOO_LONG))
        notes += [_note(planned, error) for error in errors]
    names = [name for name in [*scan(config.root).signatures, *plan.files] if name.startswith("content/")]
    files = [name.removeprefix("content/") for name in names]
    addresses = Addresses(dict(plan.existing) | {each.target: each.post.path for each in plan.posts}, files)
    anchors: dict[str, frozenset[str] | None] = dict.fromkeys(site_paths(config.settings, [], [], files))
    anchors |= dict.fromkeys(plan.existing.values())  # their anchors are not checked
    anchors |= {path: None for each in plan.posts for path, _ in each.post.addresses()}
    anchors |= {each.post.path: texts[each.target].anchors for each in plan.posts if each.target in texts}
    for planned in plan.posts:
        if text := texts.get(planned.target):
            places = [addresses.place(planned.post.path, link.target) for link in text.links]
            notes += [_note(planned, error) for error in check_links(planned.target, text.links, places, anchors)]
    return sorted(notes, key=lambda note: (note.place.path, note.place.line))


def _note(planned: PlannedPost, error: SiteError) -> ImportNote:
    """A note with the line of the source, or of the post where that line is another there."""
    line = planned.data.decode().split("\n")[error.place.line - 1] if error.place.line else ""
    cure = f" ({error.cure})" if error.cure else ""
    found = line_of(line, planned.raw)
    place = Place(planned.source, found) if found else Place(planned.target, error.place.line)
    return ImportNote(place, error.message, _REFUSED + cure)
