"""Plans and writes the files that the posts of a blog, Markdown files or notebooks become, with notes on problems."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from site_builder.errors import Place, SiteError, UsageError, collecting
from site_builder.importer.link_targets import LinkResolver, normalized_url
from site_builder.importer.markdown.conversion import ImportNote
from site_builder.importer.post_conversion import PlannedPost, SharedContext, convert_post, path_key
from site_builder.importer.skipped_files import notes_on_skipped
from site_builder.importer.sources import SourcePost, SourceProject, all_text, find_sources, read_source
from site_builder.project.config import Config, read_bytes
from site_builder.project.posts import is_writeup, read_post, slugged
from site_builder.project.work_limits import TOO_MUCH, described, limited
from site_builder.site.pages.all import site_paths
from site_builder.storage.atomic_files import make_files
from site_builder.storage.file_fingerprints import scan

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
    taken, plan.existing, files = _existing_content(config)
    posts: list[SourcePost] = []
    slugs: dict[str, str] = {}
    for source in project.sources:
        with collecting(plan.errors):
            posts.append(read_source(source, project, default_date, slugs, plan.notes, slug))
    links = _link_resolver(config, project, posts, plan.existing, files)
    anchors = frozenset(unquote(anchor) for post in posts for anchor in _FRAGMENT.findall(all_text(post)))
    claimed = taken | {path_key(post.path): post.source.display_path for post in posts}
    all_dollars = project.all_dollars or single_dollars
    hosts = config.settings.allow_hosts
    shared = SharedContext(project, all_dollars, keep_outputs, links, anchors, claimed, hosts)
    limits = config.settings.limits
    for post in posts:
        is_known = post.target in plan.existing or post.target in files
        existing = post.target if is_known else taken.get(path_key(post.path))
        bundle = post.target.removesuffix(".md") + "/index.md"
        if existing or bundle in plan.existing:
            place = Place(post.source.display_path)
            plan.skipped.append(ImportNote(place, f"{existing or bundle} is there already", "left alone"))
            continue
        try:
            with collecting(plan.errors), limited(limits.text, limits.memory):
                _add_post(plan, convert_post(post, shared))
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
        message = f"--slug {slug} is for one post, and {display_path} has {sources}"
        raise UsageError(message, "name the file of the post, or leave --slug out")


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
                taken |= {path_key(address): name for address, _ in post.addresses()}
            taken.setdefault(path_key(posts[name]), name)
        else:
            files[name] = path.as_posix()
            taken[path_key(path.as_posix())] = name
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


def _add_post(plan: ImportPlan, planned: PlannedPost) -> None:
    """Add a post, its images and its notes to the plan. Raises SiteError if another post has the same file."""
    if other := next((each.source for each in plan.posts if each.target == planned.target), ""):
        message = f"{planned.target} is written for {other} already"
        raise SiteError(Place(planned.source), message, "give one of the two another name")
    plan.posts.append(planned)
    plan.files |= planned.images
    plan.notes += planned.notes


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
