"""Where a site is published to, and how: looked at, compared, and only then written."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from site_builder.errors import Place, SiteError, StoppedError, UnfinishedError, counted, shown_path
from site_builder.project.config import Config
from site_builder.project.publish_settings import EXAMPLES
from site_builder.publish.diff import Difference, Found, difference, named, refuse, told, totals
from site_builder.publish.preflight import Ready
from site_builder.publish.snapshot import Snapshot, add, take


class Seen(Protocol):
    """A target as it was compared with the site."""

    @property
    def found(self) -> Found:
        """What it holds."""

    def notes(self) -> list[str]:
        """What else the author should know, in lines."""

    def put(self, site: Snapshot, change: Difference) -> str:
        """Put the site there; what it is called there, if anything. Raises SiteError."""


class Target(Protocol):
    """A place for the site."""

    @property
    def name(self) -> str:
        """The place in words."""

    @property
    def extras(self) -> Mapping[str, bytes]:
        """Files that it needs besides the site's, by their paths."""

    def finish(self) -> None:
        """Finish what a killed publishing began there."""

    def look(self, site: Snapshot) -> Seen:
        """Compare it with the site, and change nothing. Raises SiteError."""


def target_of(config: Config) -> Target:
    """Where config.yaml says that the site is published to. Raises SiteError where it says nothing that can be used."""
    settings = config.settings.publish
    if settings is None:
        raise SiteError(Place("config.yaml"), "it does not say where the site is published to", EXAMPLES)
    if settings.branch:
        from site_builder.publish.git_branch import branch_target

        return branch_target(config.root, settings)
    if settings.rsync:
        from site_builder.publish.rsync import machine_target

        return machine_target(config.root, settings)
    from site_builder.publish.folder import folder_target

    return folder_target(config, str(settings.folder))


def publish(ready: Ready, target: Target, root: Path, tell: Callable[[str], None], is_meant: bool) -> None:
    """Put the site on the target. Raises SiteError where it is refused. is_meant: with --yes."""
    with _begun():
        target.finish()
    _compare(ready, target, root, tell, is_meant, is_dry=False)


def rehearse(ready: Ready, target: Target, root: Path, tell: Callable[[str], None], is_meant: bool) -> None:
    """Tell what publishing would do, and do nothing. Raises SiteError where it would be refused."""
    _compare(ready, target, root, tell, is_meant, is_dry=True)


def _compare(
    ready: Ready, target: Target, root: Path, tell: Callable[[str], None], is_meant: bool, is_dry: bool
) -> None:
    if ready.foreign:
        files = f"{counted(len(ready.foreign), 'file')} in {shown_path(ready.folder, root)}"
        tell(f"{files} that the builder did not write: not published ({named(ready.foreign)})")
    with tempfile.TemporaryDirectory(prefix="puzzlepress-site-") as folder:
        site = take(ready.folder, ready.digests, Path(folder) / "site", root)
        _add_extras(site, target)
        seen = target.look(site)
        change = difference(site.files, target.extras, seen.found)
        for note in seen.notes():
            tell(note)
        if change.foreign:
            files = counted(len(change.foreign), "file")
            tell(f"{files} there that publishing did not write: kept ({named(change.foreign)})")
        if is_dry:
            for line in told(change):
                tell(line)
        refuse(change, target.name, is_meant)
        if change.is_nothing:
            tell(f"Nothing to publish: {target.name} has the site as it is ({counted(len(site.files), 'file')})")
        elif is_dry:
            tell(f"Publishing would change {target.name}: {totals(change)}. Nothing was changed.")
        else:
            with _begun():
                name = seen.put(site, change)
            tell(f"Published to {target.name}: {totals(change)}{f' ({name})' if name else ''}")


@contextmanager
def _begun() -> Iterator[None]:
    """From here on something may have arrived, whatever becomes of the program that sends it."""
    try:
        yield
    except SiteError as error:
        raise UnfinishedError(error.place, error.fault, error.cure) from error
    except KeyboardInterrupt as error:
        words = "Publishing was interrupted, and the site or a part of it may have arrived; publish again to be sure."
        raise StoppedError(words) from error


def _add_extras(site: Snapshot, target: Target) -> None:
    for path, data in target.extras.items():
        if path in site.files and site.read(path) != data:
            fault = f"the site has a file {path} of its own, and publish.cname says otherwise"
            raise SiteError(Place("config.yaml"), fault, f"leave cname out, or remove content/{path}")
        add(site.folder, path, data)
