"""The search index of a site, made by pagefind's own program from the finished pages in the output folder."""

import os
import re
import subprocess
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from site_builder.errors import Place, SiteError, UnfinishedError, command_line
from site_builder.pipeline.steps.context import Report
from site_builder.site.model import Inputs, Page
from site_builder.storage.staging import files_below
from site_builder.values.digest import digest

FOLDER = "pagefind/"
ENTRY_FILES = (f"{FOLDER}pagefind.js", f"{FOLDER}pagefind-entry.json")  # the others are named by their digests
IS_OLD = "the pages in {} are new, the search index is old"  # the state of a folder before the index is in its place
_CURE = f"leave the search index out: {command_line('build --no-search')}"
_OWN_LOOKS = re.compile(r"pagefind-(?!entry\.json)")  # pagefind's own search fields, which no page of ours loads
_PLAIN_PATH = re.compile(r"[\w./-]+")
_MOST_NAMED = 200  # pages that pagefind is given by name; of a site with more it reads all
_LEFT_OUT = (
    *("math[data-pagefind-index-attrs]", "picture"),  # formulas that have a plain text, drawings
    *(".headerlink", ".equation-number", ".footnote-ref", ".footnote-backref", ".sidenote > summary"),
    *(".figure-data", ".step", ".stepper", ".verdict", ".detail", ".checks-title"),
)


def find_program() -> Path:
    """The program of pagefind. Raises SiteError where it is not installed."""
    try:
        from pagefind_bin import get_executable  # type: ignore[import-untyped]

        return Path(get_executable())
    except (ImportError, OSError) as error:
        raise SiteError(Place("pagefind"), f"it cannot be run: {error}", _CURE) from error


@dataclass(frozen=True)
class SearchIndex:
    """How the search index of a site is made.

    pages: the paths of all that may be found; others take time alone. language: of the site; libraries: digest of the
    installed ones.
    """

    program: Path
    pages: Collection[str]
    language: str
    libraries: str
    report: Report

    def inputs(self, digests: Mapping[str, str]) -> Inputs:
        """A digest of each thing that the index is made from. digests: of the bytes of all pages, by path."""
        pages = {path: digests[path] for path in sorted(self.pages)}
        return {**pages, "how it is made": digest(self.language, self.libraries, _LEFT_OUT)}

    @contextmanager
    def files(self, root: str, inputs: Inputs) -> Iterator[list[Page]]:
        """The files of the index of the pages in a folder, in a temporary folder. Raises UnfinishedError."""
        self.report.stage("Indexing", 1)
        with TemporaryDirectory(prefix="puzzlepress-") as folder:
            self._run(os.path.abspath(root), folder)
            self.report.step(1)
            found = [path for path in sorted(files_below(folder)) if not _OWN_LOOKS.match(path)]
            yield [_file(folder, path, inputs) for path in found]

    def _run(self, root: str, folder: str) -> None:
        options = ["--site", root, "--output-path", folder, "--force-language", self.language.lower(), "--silent"]
        if len(self.pages) <= _MOST_NAMED and all(map(_PLAIN_PATH.fullmatch, self.pages)):
            options += ["--glob", f"{{{','.join(self.pages)}}}"]
        for selector in _LEFT_OUT:
            options += ["--exclude-selectors", selector]
        variables = {name: value for name, value in os.environ.items() if not name.startswith("PAGEFIND_")}
        try:  # in a folder without pagefind.yml, which would hold settings as variables do
            done = subprocess.run(
                [self.program, *options], cwd=folder, env=variables, capture_output=True, text=True, errors="replace"
            )
            words = (done.stderr or done.stdout).strip() or f"it ended with status {done.returncode}"
            if done.returncode == 0:
                return
        except OSError as error:
            words = str(error)
        message = f"it cannot make the search index: {words}; {IS_OLD.format(root)}"
        raise UnfinishedError(Place("pagefind"), message, _CURE)


def _file(folder: str, path: str, inputs: Inputs) -> Page:
    return Page(FOLDER + path, Path(folder, path).read_bytes, lambda: inputs, is_copied=True)
