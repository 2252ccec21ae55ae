"""Import: posts of a Jekyll blog and Jupyter notebooks -> posts in content/, and a list of what has no like here."""

import shutil
from pathlib import Path

from site_builder.errors import Place, SiteError
from site_builder.importer.find import Found, find
from site_builder.importer.markdown.lines import Note
from site_builder.importer.plan import Made, Plan, make_plan
from site_builder.importer.read import Wanted
from site_builder.importer.try_build import tried

__all__ = ["Found", "Made", "Note", "Plan", "Wanted", "find", "make_plan", "tried", "write"]


def write(root: Path, plan: Plan) -> None:
    """Write what was planned into the project. No file is overwritten, not even one that came in between.

    Raises SiteError where a file cannot be written; those before it stay.
    """
    for made in plan.made:
        _write(root, made.target, made.data)
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
