"""Code as archives, each under a digest of its content: the builder's own, and that of one solver of a project."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from site_builder.errors import changed
from site_builder.storage.file_fingerprints import BUILDER, Loadable
from site_builder.values.digest import bytes_digest, digest


@dataclass(frozen=True)
class Archive:
    """The files of a folder as a zip file. digest: of their names and bytes."""

    digest: str
    data: bytes


@cache
def builder_archive() -> Archive:
    """The modules of the builder, as they are now."""
    paths = sorted(path for path in BUILDER.rglob("*.py") if "__pycache__" not in path.parts)
    files = {f"{BUILDER.name}/{path.relative_to(BUILDER).as_posix()}": path.read_bytes() for path in paths}
    return Archive(digest({name: bytes_digest(data) for name, data in files.items()}), _zip(files.items()))


def project_digest(loadable: Loadable) -> str:
    """The digest of `project_archive`, for which no file is read."""
    return digest(_names(loadable))


def project_archive(root: Path, loadable: Loadable) -> Archive:
    """The files of the project in `root` that a solver may load. Raises SiteError for one that has changed."""
    files = {}
    for name, expected in _names(loadable).items():
        try:
            files[name] = (root / name).read_bytes()
        except OSError as error:
            raise changed(name) from error
        if bytes_digest(files[name]) != expected:
            raise changed(name)
    return Archive(project_digest(loadable), _zip(files.items()))


def _names(loadable: Loadable) -> Mapping[str, str]:
    return dict(sorted({**loadable.code, **loadable.data}.items()))


def _zip(files: Iterable[tuple[str, bytes]]) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in files:
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED, 1)
    return buffer.getvalue()
