"""Step: questions about solvers -> their descriptions, and which parameters of runs they accept."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, starmap

from site_builder.errors import Place, SiteError, collecting, raise_all
from site_builder.pipeline.steps.context import StepContext, StepPlan, Task
from site_builder.solving.catalog import SolverDescription
from site_builder.solving.plan import Question, SolverReply, read_reply
from site_builder.solving.processes.failure import Failure, TaskAnswer
from site_builder.values.digest import bytes_digest, digest
from site_builder.values.packing import pack


@dataclass(frozen=True)
class Descriptions:
    """The step that asks solvers. Its items are questions; each is answered, and cached, by itself."""

    context: StepContext

    def plan(self, questions: Iterable[Question]) -> StepPlan[Question, SolverReply]:
        """Look up answers in the cache; one about a solver whose code cannot be read counts as missing."""
        plan: StepPlan[Question, SolverReply] = StepPlan()
        for solver, own in _by_solver(questions).items():
            keys = dict.fromkeys(own, "")  # where code cannot be read, which its task reports
            with collecting([]):
                keys = {each: self._key(each) for each in own}
            found = self.context.look_up("reply", keys, read_reply, solver)
            plan.found.update(found.found)
            plan.missing.extend(found.missing)
        return plan

    def _key(self, question: Question) -> str:
        self.context.codes.loadable(question.solver)
        code = self.context.codes.of(question.solver).whole
        return digest(code.key, bytes_digest(pack(list(question.parameters))))

    def run(self, plan: StepPlan[Question, SolverReply]) -> StepPlan[Question, SolverReply]:
        """Ask each solver once for all of its missing questions."""
        tasks = starmap(partial(self._task, plan.found), _by_solver(plan.missing).items())
        plan.errors.extend(self.context.compute(tasks))
        return plan

    def _task(self, found: dict[Question, SolverReply], solver: str, questions: list[Question]) -> Task:
        from site_builder.solving.tasks import solver_tasks  # only builds that ask solvers pay for this import

        errors: list[SiteError] = []
        with collecting(errors):
            loadable = self.context.codes.loadable(solver)
        raise_all([each.copy(message=f"solver '{solver}': {each.message}") for each in errors])

        def keep(answer: TaskAnswer) -> None:
            reply = read_reply(answer.data)
            answers = iter(reply.answers)
            for question in questions:
                found[question] = replace(reply, answers=tuple(islice(answers, len(question.parameters))))
                self.context.put_answer("reply", solver, self._key(question), pack(found[question]), answer.reads)

        def fail(failure: Failure) -> SiteError:
            self.context.codes.reads.note(solver, failure.reads)
            return _error(solver, self.context.codes.of(solver).whole.modules[f"solvers.{solver}"], failure)

        asked = [parameters for question in questions for parameters in question.parameters]
        return Task(solver_tasks.describe, (solver, loadable, asked), self.context.limits, keep, fail, steps=0)


def _by_solver(questions: Iterable[Question]) -> dict[str, list[Question]]:
    found: dict[str, list[Question]] = {}
    for question in questions:
        found.setdefault(question.solver, []).append(question)
    return found


def contract_errors(description: SolverDescription) -> list[SiteError]:
    """The errors in the names and arguments of a solver's functions."""
    return [_error(description.name, each.path, each) for each in description.errors]


def _error(solver: str, file: str, failure: Failure) -> SiteError:
    """A solver that cannot even be described: the error lies in its file, not in the post."""
    if failure.path:
        return failure.error(Place(failure.path, failure.line), f"solver '{solver}'")
    return failure.error(Place(file), f"solver '{solver}' cannot be described")
