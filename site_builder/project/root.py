"""Where a project is."""

from pathlib import Path


def project_around(folder: Path) -> Path | None:
    """The nearest project that a folder is or lies in; None where there is none."""
    places = (folder, *folder.parents)
    return next((each for each in places if (each / "config.yaml").is_file() and (each / "content").is_dir()), None)
