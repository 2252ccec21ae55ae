"""A site that may be published: built from the sources as they are, checked, without drafts, and standing as built."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from site_builder.build import check, output
from site_builder.build.build import Outcome, build_and_write
from site_builder.build.last_build import unchanged
from site_builder.build.options import BuildOptions
from site_builder.build.steps.context import Report
from site_builder.errors import Place, SiteError, counted, raise_all

_ATTEMPTS = 2  # the second one is for a change that came while the first was built


@dataclass(frozen=True)
class Ready:
    """The folder of the site, digests of its files by path, and files in the folder that are not of the site."""

    folder: Path
    digests: Mapping[str, str]
    foreign: tuple[str, ...]


def make_ready(root: Path, jobs: int, report: Report, warn: Callable[[str], None]) -> Ready:
    """Build and check the site. Raises SiteError, or a group of them, for all that stands against publishing it."""
    options = BuildOptions(root, jobs=jobs)
    for _ in range(_ATTEMPTS):
        built = build_and_write(options, report, warn)
        checked = check.check(replace(options, search=False), report, warn)
        raise_all([_refused(post.source, post.slug, len(post.changed)) for post in checked.refused])
        if unchanged(options):
            return Ready(built.folder, _digests(built), tuple(_foreign(built)))
    fault = "files of the project or of the built site changed while it was built and checked; nothing was published"
    raise SiteError(Place("_site"), fault, "publish again, when nothing else changes or builds it")


def _refused(source: str, slug: str, count: int) -> SiteError:
    differ = "differs from the accepted one" if count == 1 else "differ from the accepted ones"
    fault = f"{counted(count, 'answer')} {differ}; nothing was published"
    cure = f"python build.py check shows them; then python build.py accept {slug}, or tell readers under corrections:"
    return SiteError(Place(source), fault, cure)


def _digests(built: Outcome) -> dict[str, str]:
    return {path: standing.digest for path, standing in built.written.after.items()}


def _foreign(built: Outcome) -> Iterator[str]:
    known = {*built.written.after, output.MANIFEST}
    for inside, _, files in os.walk(built.folder):
        for name in files:
            path = os.path.relpath(f"{inside}/{name}", built.folder).replace(os.sep, "/")
            if path not in known:
                yield path
