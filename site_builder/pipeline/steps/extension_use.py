"""The extensions of a project in a build: which texts can use them, and the files that they publish beside posts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from site_builder.errors import shown_path
from site_builder.posts.job import Job
from site_builder.project.config import Config, text_of
from site_builder.project.extensions import Extensions
from site_builder.site.theme import minified
from site_builder.storage.file_fingerprints import Signature, signature
from site_builder.values.digest import digest


@dataclass(frozen=True)
class ExtensionUse:
    """The extensions of a project. read: gives the bytes of a file of the project."""

    config: Config
    loaded: Extensions
    read: Callable[[str], bytes]

    def with_extensions(self, job: Job, code: Callable[[str], tuple[dict[str, str], dict[str, str]]]) -> Job:
        """The job of writing a post with the extensions that its text can use.

        code: gives that of a solver, for which functions of extensions may ask.
        """
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
            code={name: code(name) for name in {run.solver for run in job.runs}},
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
