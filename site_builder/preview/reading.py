"""The files of the site, read again whenever they may have changed."""

from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from site_builder.errors import changed
from site_builder.pipeline.build import known_files
from site_builder.pipeline.last_build import STORE
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.pipeline import BuiltSite
from site_builder.pipeline.sources import Sources
from site_builder.posts.summary import PostSummary
from site_builder.project.config import Config, load_config
from site_builder.solving.code.libraries import environment_stamp
from site_builder.storage.file_fingerprints import THEME, Signature, digests, folders, scan, settled
from site_builder.storage.store import Store


class SourceReader:
    """Reads what has changed. base: the path of the site's address; further: files outside of the usual folders.

    is_outdated: whether the builder or its libraries have changed, which this process cannot load.
    """

    def __init__(self, options: BuildOptions, warn: Callable[[str], None]) -> None:
        self._root, self._warn = options.root, warn
        self.base, self.is_outdated, self.further = "/", False, tuple[str, ...]()
        self._known: Mapping[str, tuple[Signature, str]] | None = None
        self._signatures: Mapping[str, Signature] | None = None  # of the files that were read last
        self._digests: Mapping[str, str] = {}
        self._builder: object = None
        self._summaries: dict[str, tuple[bytes, PostSummary]] = {}
        self._verify = False

    def folders(self) -> set[str]:
        """The folders in which a change can change the site."""
        return folders(self._root, self.further)

    def forget(self, verify: bool = False) -> None:
        """Read all sources the next time, even if no file has changed. verify: see Sources."""
        self._signatures, self._verify = None, self._verify or verify

    def read(self) -> Sources | None:
        """The sources as they are now; None if they have been read. Raises SiteError."""
        scanned = scan(self._root, self.further)
        if scanned.signatures == self._signatures:
            return None
        config = load_config(self._root)
        self.base = urlsplit(config.settings.base_url).path or "/"
        if self._known is None:
            with self.open_store(config) as store:
                self._known = known_files(store)
        found = digests(scanned, self._known)
        if found.get("config.yaml") != config.digest:
            raise changed("config.yaml")
        self._known = {name: (each, found[name]) for name, each in settled(scanned).items()}
        sources = Sources(config, scanned, found, environment_stamp(), {}, self._verify, self._summaries)
        own = {name: each for name, each in found.items() if name.startswith("@") and not name.startswith(THEME)}
        self._builder = self._builder or (sources.stamp, own)
        self.is_outdated = self._builder != (sources.stamp, own)
        self._signatures = scanned.signatures
        return sources

    def open_store(self, config: Config) -> Store:
        """The cache, opened."""
        return Store(self._root / STORE, config.settings.store.max_size, self._warn)

    def note(self, sources: Sources, built: BuiltSite) -> tuple[str, ...]:
        """Take note of a good site, and of files that it was made from and that were not scanned.

        Returns the files that have changed since the last one.
        """
        changed = {name for name, _ in sources.digests.items() ^ self._digests.items()}
        new = {name: each for name, (each, _) in built.unscanned.items() if name not in self.further}
        self._signatures = {**sources.scan.signatures, **new}  # without those that came after the scan
        self._digests = {**sources.digests, **{name: each for name, (_, each) in built.unscanned.items()}}
        self.further, self._verify = built.further, False
        return tuple(sorted(changed))
