"""Writes the files of an import plan into the project."""

import shutil
from pathlib import Path

from site_builder.errors import Place, SiteError
from site_builder.importer.plan import ImportPlan


def write_plan(root: Path, plan: ImportPlan) -> None:
    """Write the files of a plan. No file is overwritten, not even one created since the plan was made.

    Raises SiteError when a file cannot be written; files written before stay.
    """
    for post in plan.posts:
        _write(root, post.target, post.data)
    for name, data in plan.files.items():
        _write(root, name, data)


def _write(root: Path, name: str, data: bytes | Path) -> None:
    path = root / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as stream:
            if isinstance(data, Path):
                with data.open("rb") as source:
                    shutil.copyfileobj(source, stream)
            else:
                stream.write(data)
    except OSError as error:
        raise SiteError(Place(name), f"it cannot be written: {error.strerror}", "import again once it can") from error
