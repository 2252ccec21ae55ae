"""A target that only a program or an extension can reach: what it holds is known from what was put there last.

The list of files, their digests and the published answers are kept in the cache's folder of the project. Where they are
lost, all files count as new ones.
"""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from site_builder.errors import Place, PostError, SiteError
from site_builder.extension import Registration, guarded
from site_builder.project.publish_settings import FOLDER
from site_builder.publish.diff import TargetChanges, TargetFiles
from site_builder.publish.programs import Runner, failed
from site_builder.publish.target import Snapshot, Target
from site_builder.site.provenance import ANSWERS
from site_builder.storage.atomic_files import replace_file
from site_builder.values.digest import bytes_digest, digest

_RECORDS = ".store/published"


class RecordedTarget(Target):
    """A target to which a function puts the whole site. put_site: is given the folder of the site."""

    def __init__(self, name: str, root: Path, put_site: Callable[[Path], None]) -> None:
        super().__init__(name)
        self._put_site = put_site
        self._file = root / _RECORDS / f"{digest(name)}.json"

    def compare(self, site: Snapshot) -> TargetFiles:
        """Compare the site with what was put there last."""
        try:
            known: dict[str, Any] = json.loads(self._file.read_bytes())
        except (OSError, ValueError):
            known = {}
        files: dict[str, str] = known.get("files", {})
        differing = {path for path in site.files & files.keys() if bytes_digest(site.read(path)) != files[path]}
        record, answers = known.get("record"), known.get("answers")
        return TargetFiles(
            frozenset(files),
            frozenset(differing),
            record.encode() if record else None,
            answers.encode() if answers else None,
        )

    def put(self, site: Snapshot, changes: TargetChanges) -> str:
        """Put the site there, and remember what it holds. Raises SiteError where the function fails."""
        self._put_site(site.folder)
        files = {path: bytes_digest(site.read(path)) for path in sorted(site.files)}
        answers = site.read(ANSWERS).decode() if ANSWERS in site.files else ""
        known = {"files": files, "record": changes.record.decode(), "answers": answers}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(self._file, json.dumps(known).encode())
        return ""


def command_target(root: Path, command: str) -> RecordedTarget:
    """The target of `publish: {command: ...}`, run in the project without a shell."""
    words = shlex.split(command)

    def put(folder: Path) -> None:
        ran = Runner(root).run(*(word.replace(FOLDER, str(folder)) for word in words))
        if ran.status:
            cure = "try the command by hand, with the folder _site in place of {folder}"
            raise failed(words[0], f"it ended with status {ran.status}", ran, cure)

    return RecordedTarget(f"command {words[0]}", root, put)


def extension_target(root: Path, registration: Registration, value: Any) -> RecordedTarget:
    """The target that an extension has registered. value: what config.yaml says of it."""
    publish = guarded("target", registration)

    def put(folder: Path) -> None:
        try:
            publish(folder, value)
        except PostError as error:
            raise SiteError(Place("config.yaml"), error.message, "mend the extension, then publish again") from error

    return RecordedTarget(f"{registration.name} {value}", root, put)
