"""The tasks of the build that run no solver, which `run_limited` calls: write texts, draw figures."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from site_builder.solving.processes.worker import project_root
from site_builder.values.language import writing_in

if TYPE_CHECKING:
    from site_builder.errors import SiteError
    from site_builder.posts.job import Job, WrittenPost
    from site_builder.project.config import Limits
    from site_builder.values.language import Language


def write(jobs: "Sequence[Job]", limits: "Limits") -> "list[WrittenPost | list[SiteError]]":
    """The texts of posts, or their errors."""
    from site_builder.posts.texts.write import write_text  # paid for by the processes that write

    return [write_text(project_root(), job, limits) for job in jobs]


def draw(figure: bytes, language: "Language", extensions: Sequence[str], has_downloads: bool) -> bytes:
    """The files of a figure by kind, and the other fields of FigureFiles.

    language: in which numbers are written; extensions: the names of those with kinds of figures. has_downloads: whether
    PNG and CSV are among the files.
    """
    from site_builder.figures.house_style import letters_without_glyph
    from site_builder.figures.kinds.registry import data_files, explore_script, kind_of  # paid for here
    from site_builder.figures.rendered import PICTURES
    from site_builder.project.extensions import load_extensions
    from site_builder.values.packing import pack, unpack

    if extensions:
        load_extensions(project_root(), only=extensions)
    shown = unpack(figure)
    with writing_in(language):
        drawn = kind_of(shown).render(shown, has_downloads)
        files = {**data_files(shown, has_downloads), "js": explore_script(shown, drawn)}
    steps = (drawn, *drawn.frames)
    for number, step in enumerate(steps, 1):
        files |= {kind if number == 1 else f"{kind} {number}": getattr(step, kind) for kind in PICTURES}
    sizes, axes = tuple(step.sizes for step in steps), tuple(kind_of(shown).axis_names(shown))
    missing = letters_without_glyph(steps[-1].svg)  # of which the PNG is
    facts = {"sizes": sizes, "axes": axes, "missing_letters": missing}
    return pack(({kind: data for kind, data in files.items() if data}, facts))
