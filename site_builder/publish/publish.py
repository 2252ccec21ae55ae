"""`publish`: the site built, checked, compared with the target, and only then written there."""

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from site_builder.errors import Place, PostError, SiteError, StoppedError, UnfinishedError, counted, raise_all
from site_builder.pipeline import check
from site_builder.pipeline.accepted import ComparedPost
from site_builder.pipeline.build import Outcome, build_and_write
from site_builder.pipeline.last_build import unchanged
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.steps.context import Report
from site_builder.project.config import Config
from site_builder.project.posts import file_path
from site_builder.project.publish_settings import EXAMPLES
from site_builder.publish import target as targets
from site_builder.publish.folder import local_folder
from site_builder.publish.git_branch import GitBranch
from site_builder.publish.rsync import RsyncFolder
from site_builder.publish.target import Changes, Snapshot, Target
from site_builder.site.provenance import ANSWERS
from site_builder.storage.staging import MANIFEST, read_manifest

Warn = Callable[[str], None]
_PLACEHOLDERS = (".example.org", ".example.com", ".example.net")  # reserved for examples: RFC 2606, section 3


def target_of(config: Config, folder: Path | None) -> Target:
    """Where the site is published to: the folder of --folder, else what config.yaml says.

    Raises UsageError for a folder that cannot be used, SiteError where config.yaml says nothing that can be used.
    """
    settings = config.settings.publish
    if folder is not None:
        return local_folder(config, folder, "--folder")
    if config.target:
        return targets.extension_target(config.root, *config.target)
    if settings is None:
        raise SiteError(Place("config.yaml"), "it does not say where the site is published to", EXAMPLES)
    if settings.branch:
        return GitBranch(config.root, settings)
    if settings.rsync:
        return RsyncFolder(config.root, settings.rsync)
    if settings.command:
        return targets.command_target(config.root, settings.command)
    return local_folder(config, str(settings.folder))


def refuse_placeholder(config: Config) -> None:
    """Raises SiteError where base_url is the address of an example, which feeds and links would lead readers to."""
    host = urlsplit(config.settings.base_url).hostname or ""
    if f".{host}".endswith(_PLACEHOLDERS):
        message = f"base_url is under {host}, an address for examples; nothing was published"
        cure = "write the public address of the site, which feeds, the sitemap and link previews use; or add --yes"
        raise SiteError(config.reading.place("base_url"), message, cure)


def build_checked(
    config: Config, workers: int | str, report: Report, warn: Warn
) -> tuple[Outcome, Sequence[ComparedPost]]:
    """Build and check the site, and compare its posts with their accepted answers.

    Raises SiteError, or a group of them, for all that forbids publishing it.
    """
    refuse_unfinished(config.root, config.settings.output)
    options = BuildOptions(config.root, workers=workers)
    built = build_and_write(options, report, warn)
    checked = check.check(replace(options, search=False), report, warn)
    refused = [check.refusal(post, post.changed, "accepted") for post in checked.refused]
    raise_all([*refused, *checked.unverified])
    check.check_twice(options, report, warn)
    if not unchanged(options):
        message = "files of the project or of the built site changed while it was built and checked"
        cure = "publish again, when nothing else changes or builds it"
        raise SiteError(Place("_site"), f"{message}; nothing was published", cure)
    return built, checked.posts


def refuse_unfinished(root: Path, output: str) -> None:
    """Raises SiteError where a build into this folder of the project was cut short."""
    if read_manifest(str(root / output)).is_unfinished:
        message = "a build into this folder was cut short, or still runs: a part of the site may be new, the rest old"
        cure = "build the site, which compares every file and completes it; then publish again"
        raise SiteError(Place(f"{output}/{MANIFEST}"), message, cure)


def publish(
    built: Outcome, posts: Sequence[ComparedPost], target: Target, echo: Warn, is_dry: bool, is_meant: bool
) -> None:
    """Put the built site with these posts on the target. Raises SiteError where it is refused.

    is_dry: only list what publishing would do. is_meant: with --yes.
    """
    os.umask(0o022)  # anybody may read what is published
    pages = {file_path(post.path) for post in built.built.summaries if not post.is_page}
    digests = {path: file.digest for path, file in built.written.after.items()}
    with tempfile.TemporaryDirectory(prefix="puzzlepress-site-") as folder:
        site = targets.take_snapshot(built.folder, digests, Path(folder) / "site")
        changes = targets.difference(frozenset(site.digests), target.compare(site))
        for line in targets.report_lines(changes, pages, is_dry):
            echo(line)
        found = changes.found
        check.refuse_changed_answers(posts, found.answers, target.name, is_ours=ANSWERS in found.ours)
        if not is_meant:
            targets.refuse(changes, target.name)
        added, changed, removed = len(changes.added), len(changes.changed), len(changes.removed)
        totals = f"{counted(added, 'file')} added, {changed:,} changed, {removed:,} removed"
        if not (added or changed or removed):
            echo(f"Nothing to publish: {target.name} has the site as it is ({counted(len(site.digests), 'file')})")
        elif is_dry:
            echo(f"Publishing would change {target.name}: {totals}. Nothing was changed.")
        else:
            _put(target, site, changes)
            echo(f"Published to {target.name}: {totals}")


def _put(target: Target, site: Snapshot, changes: Changes) -> None:
    """Put the site there; of an error or an interrupt it is known that a part of the site may have arrived."""
    try:
        target.put(site, changes)
    except PostError as error:
        raise UnfinishedError(Place("config.yaml"), error.message, "mend the extension, then publish again") from error
    except SiteError as error:
        raise UnfinishedError(error.place, error.message, error.cure) from error
    except KeyboardInterrupt as error:
        words = "Publishing was interrupted, and the site or a part of it may have arrived; publish again to be sure."
        raise StoppedError(words) from error
