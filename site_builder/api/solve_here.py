"""Runs tasks of solvers in this process, where `breakpoint()` and `print` work, without limits."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from site_builder.project.config import Limits
from site_builder.solving.processes import worker
from site_builder.solving.processes.failure import Failure, TaskAnswer
from site_builder.solving.processes.pool import Points, TaskFuture, Workers


class ThisProcess(Workers):
    """Workers without processes: a task, of one call, is done when it was submitted, and nothing of it is recorded."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, 1)
        worker.use_project(root)

    def submit(
        self, task: Callable[..., Any], *arguments: Any, limits: Limits, points: Points = None
    ) -> "Future[Any | Failure]":
        """Run a task of a solver. arguments: the solver, what it may load, and its own."""
        assert points is None, "a sweep does not run here"
        name, _, *own = arguments
        future = TaskFuture()
        try:
            future.set_result(TaskAnswer(task.__wrapped__(name, *own), {}))  # type: ignore[attr-defined]
        except Exception as error:
            future.set_result(worker.failure_of(error))
        return future
