"""Step: files that extensions publish beside posts, each checked once before, in a worker."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from site_builder.errors import Place, SiteError, raise_all
from site_builder.pipeline.steps.context import StepContext, Task
from site_builder.posts.summary import FileCheck
from site_builder.project.extensions import Extensions
from site_builder.solving.processes.failure import Failure
from site_builder.values.digest import digest

_STARTING = 20.0  # seconds to start a program and load libraries, which no solve's limit is meant for
_ENDING = 30.0  # seconds to end all that, before the worker itself is ended


@dataclass(frozen=True)
class FileChecks:
    """The step that checks files. extensions: those of the project, which have the checks."""

    context: StepContext
    extensions: Extensions

    def missing(self, checks: Iterable[FileCheck]) -> list[FileCheck]:
        """Those of these checks that no build has passed."""
        return [each for each in checks if not self.context.has("checked file", self._key(each))]

    def run(self, places: Mapping[FileCheck, Place]) -> None:
        """Check files. Raises SiteError, or a group of them, at the places of those with which something is wrong."""
        raise_all(self.context.compute(self._tasks(places)))

    def _tasks(self, places: Mapping[FileCheck, Place]) -> Iterator[Task]:
        from site_builder.pipeline.steps import worker_tasks  # only builds that check pay for this import

        for key, check in {self._key(each): each for each in sorted(places, key=lambda each: each.time)}.items():
            seconds = check.time + _STARTING
            limits = self.context.limits.model_copy(update={"time": seconds + _ENDING, "memory": check.memory})
            arguments = check.check, self._owner(check), self.context.load("file", check.file), seconds
            keep, fail = partial(self._keep, key), partial(_error, places[check], check)
            yield Task(worker_tasks.check_file, arguments, limits, keep, fail)

    def _keep(self, key: str, _: bytes) -> None:
        self.context.store.put("checked file", key, b"1")

    def _owner(self, check: FileCheck) -> str:
        return self.extensions.registry.named["file check", check.check].owner

    def _key(self, check: FileCheck) -> str:
        """Digest of the file, and of the code that checks it."""
        return digest(check.file, check.check, self.extensions.code_digest(self._owner(check)))


def _error(place: Place, check: FileCheck, failure: Failure) -> SiteError:
    message = failure.message if failure.kind == "contract" else f"the check of {check.name}: {failure.message}"
    return SiteError(place, message, failure.cure)
