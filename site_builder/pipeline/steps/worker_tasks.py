"""The tasks of the build that run no solver: write texts, draw figures and share cards, check files."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from site_builder.solving.processes.failure import Failure
from site_builder.solving.processes.worker import project_root, run_limited
from site_builder.values.number_format import number_style

if TYPE_CHECKING:
    from site_builder.errors import SiteError
    from site_builder.figures.rendered import RenderedFigure
    from site_builder.figures.share_card import CardLook, ShareCard
    from site_builder.posts.texts.job import Job, WrittenPost
    from site_builder.project.config import Limits


Answer = TypeVar("Answer")


def _task(function: Callable[..., Answer]) -> Callable[..., "Answer | Failure"]:
    """The function as a task: its first argument is the memory that it may use, in bytes."""

    @wraps(function)
    def run(memory: int, *arguments: Any) -> "Answer | Failure":
        return run_limited(memory, function, *arguments)

    return run


@_task
def write(jobs: "Sequence[Job]", limits: "Limits") -> "list[WrittenPost | list[SiteError]]":
    """The texts of posts, or their errors."""
    from site_builder.posts.texts.write import write_text  # paid for by the processes that write

    return [write_text(project_root(), job, limits) for job in jobs]


@_task
def draw(figure: bytes, language: str) -> bytes:
    """The drawing of a figure and its data, as a mapping of their parts. language: in which numbers are written."""
    from site_builder.figures.house_style import letters_without_glyph
    from site_builder.figures.kinds import data  # paid for by the processes that draw
    from site_builder.figures.kinds.registry import draw_figure, kind_of
    from site_builder.values.packing import pack, unpack

    shown = unpack(figure)
    with number_style(language):
        drawn = draw_figure(shown)
        files = {**data.data_files(shown), "js": data.explore_script(shown, drawn)}
    steps = [_pictures(frame) for frame in drawn.frames]
    warnings = [*kind_of(shown).warnings(shown)]
    if missing := letters_without_glyph(b"".join(each.svg for each in (drawn, *drawn.frames))):
        warnings.append(f"the PNG shows a box for each of {' '.join(missing)}, which its font does not have")
    facts = {"frames": steps, "axes": kind_of(shown).axis_names(shown), "warnings": warnings}
    return pack(_pictures(drawn) | facts | files)


def _pictures(drawn: "RenderedFigure") -> dict[str, Any]:
    """The pictures of a drawing and their sizes; the script has where their plots lie."""
    beside = ("frames", "plot", "narrow_plot", "spans", "missing")
    return {name: value for name, value in vars(drawn).items() if name not in beside}


@_task
def draw_cards(cards: "Sequence[tuple[ShareCard, bytes]]", look: "CardLook") -> list[bytes]:
    """Share cards, each with the picture beside its words, if any."""
    from site_builder.figures.share_card_drawing import draw_cards  # paid for by the processes that draw

    return draw_cards(cards, look)


@_task
def check_file(check: str, extension: str, data: bytes, seconds: float) -> bytes:
    """Nothing when a check of an extension passes; raises TaskError with what it finds wrong."""
    from site_builder.errors import CuredError
    from site_builder.project.extensions import load_extensions  # paid for by the processes that check
    from site_builder.solving.processes.failure import TaskError

    try:
        load_extensions(project_root(), only=[extension]).registry.get("file check", check)(data, seconds)
    except CuredError as error:
        raise TaskError(Failure("contract", str(error), cure=error.cure)) from error
    return b""
