"""The extensions of a project in a build: which texts can use them, and the files that they publish beside posts."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from site_builder.errors import Place, SiteError, raise_all, shown_path
from site_builder.pipeline.steps.context import StepContext, Task
from site_builder.posts.job import Job
from site_builder.posts.summary import FileCheck
from site_builder.project.config import Config, text_of
from site_builder.project.extensions import Extensions
from site_builder.site.theme import minified
from site_builder.solving.processes.failure import Failure
from site_builder.storage.file_fingerprints import Signature, signature
from site_builder.values.digest import digest

_STARTING = 20.0  # seconds to start a program and load libraries, which no solve's limit is meant for
_ENDING = 30.0  # seconds to end all that, before the worker itself is ended


@dataclass(frozen=True)
class ExtensionUse:
    """The extensions of a project, loaded when they are asked for. read: gives the bytes of a file of the project."""

    config: Config
    read: Callable[[str], bytes]

    @cached_property
    def loaded(self) -> Extensions:
        """The extensions. Raises SiteError for one that cannot be loaded."""
        return self.config.extensions

    def with_extensions(self, job: Job) -> Job:
        """The job of writing a post with the extensions that its text can use."""
        post = job.post
        macros = (text_of(self.read(name), name) for name, content in job.imports.items() if content)
        text = "\n".join([post.body, repr(post.reading.data), *macros])
        if not (used := self.loaded.used_by(text, post.options)):
            return job
        return replace(
            job,
            extensions=self.loaded.digest,
            extensions_off=self.config.extensions_off,
            used={name: self.digest_of(name) for name in used},
            options=self.loaded.options(post.options, self.config.options),
        )

    def digest_of(self, name: str) -> str:
        """Digest of an extension and of what config.yaml says of options; empty for one that there is not."""
        known = self.loaded.digests.get(name)
        return "" if known is None else digest(known, sorted(self.config.options.items()))

    @cached_property
    def of_every_text(self) -> str:
        """Digest of the extensions of Markdown, which any text can use; empty where there is none."""
        owners = sorted({each.owner for each in self.loaded.registry.markdown})
        return digest([self.digest_of(name) for name in owners]) if owners else ""

    def assets(self, used: Iterable[str]) -> dict[str, dict[str, bytes]]:
        """The scripts and stylesheets of these extensions, by extension and name; those of the builder minified."""
        folders = self.loaded.registry.assets
        found = {name: _files_in(folders[name]) for name in sorted(set(used)) if name in folders}
        for name in [each for each in found if not self.loaded.digests[each]]:
            found[name] = {path: minified(path, data) for path, data in found[name].items()}
        return found

    @cached_property
    def files(self) -> dict[str, Path]:
        """The files and folders of extensions, by their names in a scan."""
        root = self.config.root.resolve()
        return {shown_path(path, root): path for path in self.loaded.files}

    def unscanned(self, scanned: Mapping[str, str]) -> dict[str, tuple[Signature, str]]:
        """The files of extensions that the scan did not find, with signature and digest."""
        missing = {name: path for name, path in self.files.items() if name not in scanned}
        known = {name: signature(str(path)) for name, path in missing.items()}
        return {name: (each, self.loaded.files[missing[name]]) for name, each in known.items() if each}


def _files_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@dataclass(frozen=True)
class FileChecks:
    """The step that checks files of extensions once, in a worker. use: of those that have the checks."""

    context: StepContext
    use: ExtensionUse

    def missing(self, checks: Iterable[FileCheck]) -> list[FileCheck]:
        """The checks among these that no build has passed."""
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
        return self.use.loaded.registry.named["file check", check.check].owner

    def _key(self, check: FileCheck) -> str:
        """Digest of the file, and of the code that checks it."""
        return digest(check.file, check.check, self.use.loaded.code_digest(self._owner(check)))


def _error(place: Place, check: FileCheck, failure: Failure) -> SiteError:
    message = failure.message if failure.kind == "contract" else f"the check of {check.name}: {failure.message}"
    return SiteError(place, message, failure.cure)
