"""`publish`: the site built, checked, compared with the target, and only then written there."""

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

from site_builder.errors import (
    Place,
    SiteError,
    StoppedError,
    UnfinishedError,
    command_line,
    counted,
    raise_all,
    shown_path,
)
from site_builder.pipeline import check
from site_builder.pipeline.accepted import Answers, ComparedPost, Difference, correction, differences
from site_builder.pipeline.build import Outcome, build_and_write
from site_builder.pipeline.last_build import unchanged
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.steps.context import Report
from site_builder.project.config import Config
from site_builder.project.posts import file_path
from site_builder.project.publish_settings import EXAMPLES
from site_builder.publish.diff import TargetChanges, TargetFiles, difference, refuse, report_lines
from site_builder.publish.folder import local_folder
from site_builder.publish.git_branch import branch_target
from site_builder.publish.rsync import rsync_target
from site_builder.publish.target import Snapshot, Target, command_target, extension_target, take_snapshot
from site_builder.site.provenance import ANSWERS, RESULTS
from site_builder.storage.folder_lock import locked
from site_builder.storage.manifest import MANIFEST, read_manifest

_PLACEHOLDERS = (".example.org", ".example.com", ".example.net")  # reserved for examples: RFC 2606, section 3
_MOST_SHOWN = 20


def target_of(config: Config, folder: Path | None) -> Target:
    """Where the site is published to: the folder of --folder, else what config.yaml says.

    Raises UsageError for a folder that cannot be used, SiteError where config.yaml says nothing that can be used.
    """
    settings = config.settings.publish
    if folder is not None:
        return local_folder(config, folder, "--folder")
    if config.target:
        return extension_target(config.root, *config.target)
    if settings is None:
        raise SiteError(Place("config.yaml"), "it does not say where the site is published to", EXAMPLES)
    if settings.branch:
        return branch_target(config.root, settings)
    if settings.rsync:
        return rsync_target(config.root, settings)
    if settings.command:
        return command_target(config.root, settings.command)
    return local_folder(config, str(settings.folder))


def refuse_placeholder(config: Config) -> None:
    """Raises SiteError where base_url is the address of an example, which feeds and links would lead readers to."""
    host = urlsplit(config.settings.base_url).hostname or ""
    if f".{host}".endswith(_PLACEHOLDERS):
        message = f"base_url is under {host}, an address for examples; nothing was published"
        cure = "write the public address of the site, which feeds, the sitemap and link previews use; or add --yes"
        raise SiteError(config.reading.place("base_url"), message, cure)


def build_checked(
    config: Config, workers: int | str, report: Report, warn: Callable[[str], None]
) -> tuple[Outcome, Sequence[ComparedPost]]:
    """Build and check the site, and compare its posts with their accepted answers.

    Raises SiteError, or a group of them, for all that forbids publishing it.
    """
    refuse_unfinished(config.root / config.settings.output, config.root)
    options = BuildOptions(config.root, workers=workers)
    built = build_and_write(options, report, warn)
    checked = check.check(replace(options, search=False), report, warn)
    refused = [_differing(post, post.changed, "accepted") for post in checked.refused]
    raise_all([*refused, *checked.unverified])
    check.check_twice(options, report, warn)
    if not unchanged(options):
        message = "files of the project or of the built site changed while it was built and checked"
        cure = "publish again, when nothing else changes or builds it"
        raise SiteError(Place("_site"), f"{message}; nothing was published", cure)
    return built, checked.posts


def refuse_unfinished(folder: Path, root: Path) -> None:
    """Raises SiteError where a build into this folder of the project in `root` was cut short."""
    try:
        with locked(str(folder)):  # a build that is at work was not cut short
            manifest = read_manifest(str(folder))
    except OSError:  # there is no such folder yet, or the build says why it cannot be read
        return
    if manifest.is_unfinished:
        message = "a build into this folder was cut short: a part of the site may be new, the rest old"
        cure = "build the site, which compares every file and completes it; then publish again"
        raise SiteError(Place(shown_path(folder / MANIFEST, root)), message, cure)


def publish(
    built: Outcome,
    posts: Sequence[ComparedPost],
    target: Target,
    root: Path,
    echo: Callable[[str], None],
    is_dry: bool,
    is_meant: bool,
) -> None:
    """Put the built site with these posts on the target. Raises SiteError where it is refused.

    is_dry: only list what publishing would do. is_meant: with --yes.
    """
    os.umask(0o022)  # anybody may read what is published
    pages = {file_path(post.path) for post in built.built.summaries if not post.is_page}
    digests = {path: file.digest for path, file in built.written.after.items()}
    with tempfile.TemporaryDirectory(prefix="puzzlepress-site-") as folder:
        site = take_snapshot(built.folder, digests, Path(folder) / "site", root)
        changes = difference(site.files, target.compare(site))
        for line in report_lines(changes, pages, is_dry):
            echo(line)
        refuse_changed_answers(posts, changes.found, target.name)
        if not is_meant:
            refuse(changes, target.name)
        added, changed, removed = len(changes.added), len(changes.changed), len(changes.removed)
        totals = f"{counted(added, 'file')} added, {changed:,} changed, {removed:,} removed"
        if not (added or changed or removed):
            echo(f"Nothing to publish: {target.name} has the site as it is ({counted(len(site.files), 'file')})")
        elif is_dry:
            echo(f"Publishing would change {target.name}: {totals}. Nothing was changed.")
        else:
            name = _put(target, site, changes)
            echo(f"Published to {target.name}: {totals}{f' ({name})' if name else ''}")


def _put(target: Target, site: Snapshot, changes: TargetChanges) -> str:
    """Put the site there; of an error or an interrupt it is known that a part of the site may have arrived."""
    try:
        return target.put(site, changes)
    except SiteError as error:
        raise UnfinishedError(error.place, error.message, error.cure) from error
    except KeyboardInterrupt as error:
        words = "Publishing was interrupted, and the site or a part of it may have arrived; publish again to be sure."
        raise StoppedError(words) from error


# Answers that have changed


def refuse_changed_answers(posts: Iterable[ComparedPost], found: TargetFiles, target: str) -> None:
    """Raise SiteError for each post with an answer that differs from the published one without both."""
    published = _published(found, target)
    errors = []
    for post in posts:
        before = next((published[path] for path in post.addresses if path in published), {})
        changed = [each for each in differences(before, post.evidence.answers) if not each.is_new]
        if changed and (post.without_correction(changed) or not post.is_accepted):
            errors.append(_differing(post, changed, f"published on {target}"))
    raise_all(errors)


def _published(found: TargetFiles, target: str) -> Mapping[str, Answers]:
    """The published answers by the address of their post; none where nothing was published."""
    with suppress(ValueError, AttributeError):
        answers = json.loads(found.answers or b"{}").get(RESULTS, {})
        if isinstance(answers, dict):
            return answers
    if ANSWERS not in found.ours:
        return {}
    message = "the published answers cannot be read, so that nothing can be compared with them; nothing was published"
    cure = "put the file back as it was published; without it, all answers are published as new ones"
    raise SiteError(Place(f"{target}: {ANSWERS}"), message, cure)


def _differing(post: ComparedPost, changed: Sequence[Difference], where: str) -> SiteError:
    """The error for answers that differ from those that were accepted, or published somewhere."""
    differ = "an answer differs from the one" if len(changed) == 1 else f"{len(changed)} answers differ from those"
    shown = [str(each) for each in changed[:_MOST_SHOWN]]
    if more := len(changed) - len(shown):
        shown.append(f"and {counted(more, 'other')}")
    steps = [] if post.is_accepted else [command_line(f"accept {post.slug}")]
    if uncorrected := post.without_correction(changed):
        note = correction(uncorrected, f"{date.today():%Y-%m-%d}")
        steps = [f"tell readers in the front matter{', then ' if steps else ''}{''.join(steps)}:", *note.splitlines()]
    cure = "\n".join([*shown, f"look into it; if the new one is right, {steps[0]}", *steps[1:]])
    return SiteError(Place(post.source), f"{differ} {where}; nothing was published", cure)
