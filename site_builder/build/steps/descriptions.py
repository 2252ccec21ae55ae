"""Step: questions about solvers -> their descriptions, and what they say to the parameters that runs ask for."""

from collections.abc import Iterable, Mapping
from typing import Any

from site_builder.build.steps.context import StepContext, StepPlan, StepResult, Task
from site_builder.errors import Place, SiteError, faults_of
from site_builder.solving import solver_tasks
from site_builder.solving.catalog import read_description
from site_builder.solving.failure import Failure
from site_builder.solving.plan import Described, Question
from site_builder.values.digest import bytes_digest, digest
from site_builder.values.packing import pack, unpack


class Descriptions:
    """The step that asks solvers. Its items are questions; each is answered, and cached, by itself."""

    def __init__(self, context: StepContext) -> None:
        self._context = context
        self._errors: dict[str, list[SiteError]] = {}  # of solvers whose code cannot be read

    def plan(self, questions: Iterable[Question]) -> StepPlan[Question, Described]:
        """Which questions the cache answers."""
        codes = self._context.codes
        keys: dict[Question, str] = {}
        unreadable: list[Question] = []
        descriptions: dict[str, bytes] = {}
        for question in questions:
            try:
                code = codes.describing(question.solver).key
                codes.loadable(question.solver)
            except* SiteError as group:
                self._errors[question.solver] = faults_of(group)
                unreadable.append(question)
            else:
                keys[question] = digest(code, bytes_digest(pack(list(question.parameters))))
                if question.solver not in descriptions:
                    descriptions[question.solver] = self._context.store.get("description", code) or b""
        plan = self._context.look_up("granted", keys, unpack)
        found: StepPlan[Question, Described] = StepPlan(missing=unreadable)
        for question in keys:
            if question in plan.cached and (description := descriptions[question.solver]):
                found.cached[question] = Described(read_description(unpack(description)), plan.cached[question])
            else:
                found.missing.append(question)
        return found

    def run(self, missing: Iterable[Question], places: Mapping[str, Place]) -> StepResult[Question, Described]:
        """Ask each solver once for all of these questions. places: where a solver was first named, for errors."""
        by_solver: dict[str, list[Question]] = {}
        for question in missing:
            by_solver.setdefault(question.solver, []).append(question)
        found: dict[Question, Described] = {}
        tasks: list[Task] = []
        errors: list[SiteError] = []
        for solver, questions in by_solver.items():
            if solver in self._errors:
                of = self._errors[solver]
                errors += [SiteError(each.place, f"solver '{solver}': {each.fault}", each.cure) for each in of]
            else:
                tasks.append(self._task(solver, questions, places, found))
        return StepResult(found, errors + self._context.compute(tasks))

    def _task(
        self,
        solver: str,
        questions: list[Question],
        places: Mapping[str, Place],
        found: dict[Question, Described],
    ) -> Task:
        context, code = self._context, self._context.codes.describing(solver).key

        def keep(answer: bytes) -> tuple[()]:
            fields: Mapping[str, Any] = unpack(answer)
            context.store.put("description", code, pack(fields["description"]))
            description, answers = read_description(fields["description"]), iter(fields["answers"])
            for question in questions:
                own = [next(answers) for _ in question.parameters]
                context.store.put("granted", digest(code, bytes_digest(pack(list(question.parameters)))), pack(own))
                found[question] = Described(description, own)
            return ()

        def fail(failure: Failure) -> tuple[()]:
            raise _error(failure, solver, places.get(solver, Place(f"solvers/{solver}.py")))

        asked = [parameters for question in questions for parameters in question.parameters]
        arguments = (solver, context.codes.loadable(solver), asked)
        return Task(solver_tasks.describe, arguments, context.limits, keep, fail, steps=0)


def _error(failure: Failure, solver: str, place: Place) -> SiteError:
    """A solver that cannot even be described: the error lies in its file, not in the post."""
    if failure.kind == "changed":
        return SiteError(Place(failure.path), failure.message, failure.cure)
    if failure.path:
        return SiteError(Place(failure.path, failure.line), f"solver '{solver}': {failure.message}", failure.cure)
    return SiteError(place, f"solver '{solver}' cannot be described: {failure.message}", failure.cure)
