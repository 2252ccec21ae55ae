"""Runs -> results: in which order they are asked for."""

from concurrent.futures import Future
from dataclasses import replace

import pytest

from site_builder.errors import Place, SiteError, errors_of
from site_builder.pipeline.steps.results import SolveRuns, check_sources
from site_builder.solving.catalog import SolverDescription
from site_builder.solving.checks.answers import comparisons
from site_builder.solving.checks.description import CheckDescription
from site_builder.solving.plan import PlannedRun, Solve
from site_builder.solving.processes.failure import Failure, TaskAnswer
from site_builder.storage.store import Store
from site_builder.values.packing import pack
from tests.conftest import RUIN
from tests.support.steps import StandIn, context_of


class Noting(StandIn):
    """Workers that note which solvers are asked for, and answer with a fault."""

    def __init__(self):
        self.solvers = []

    def submit(self, task, solver, *arguments, limits, **_):
        self.solvers.append(solver)
        answer = Future()
        answer.set_result(Failure("raised", "no"))
        return answer


def test_a_check_whose_code_cannot_be_found_is_no_second_method(project):
    project.write("solvers/ruin.py", RUIN + "globals()['check_' + 'made'] = solve\n")
    described = SolverDescription("ruin", "", "solvers/ruin.py", {}, checks={"check_made": CheckDescription("made")})

    with Store(project.root / ".store", 2**30, pytest.fail) as store:
        found = check_sources(context_of(project.root, store), described)

    assert found["check_made"].shared


def test_the_tasks_of_one_solver_follow_each_other(project):
    for name in ("ruin", "race"):
        project.write(f"solvers/{name}.py", RUIN)
    workers = Noting()
    runs = [
        PlannedRun(
            post=str(number),
            name="mine",
            solver=solver,
            place=Place("content/posts/a.md", number),
            parameters={},
            solves=(Solve(solver, pack({"n": number})),),
            axes={},
            keep=(),
            description=None,
            pinned=False,
        )
        for number, solver in enumerate(["ruin", "race", "ruin", "race"], 1)
    ]

    with Store(project.root / ".store", 2**30, pytest.fail) as store:
        solving = SolveRuns(context_of(project.root, store, workers), lambda part: None)
        with pytest.raises(ExceptionGroup):
            solving.run(solving.plan(runs))

    assert workers.solvers == ["race", "race", "ruin", "ruin"]


class Failing(StandIn):
    """Workers that answer with results whose check failed."""

    def submit(self, task, solver, *arguments, limits, **_):
        answers = {"solve": pack({"half": 1}), "figures": pack({"figures": {}, "takes": {}}), "checks": FAILED}
        answer = Future()
        answer.set_result([TaskAnswer(answers[task.__name__], {})])
        return answer


FAILED = pack(([replace(each, check="check_both_ends") for each in comparisons("half", 1, 2)], {}))


def test_a_check_that_fails_when_it_is_first_computed_is_an_error_and_so_is_one_from_the_cache(project):
    description = SolverDescription("gamblers_ruin", "", "solvers/gamblers_ruin.py", {}, ("half",))
    solve = Solve("gamblers_ruin", pack({"n": 1}))
    place = Place("content/posts/a.md", 5)
    run = PlannedRun("a", "mine", "gamblers_ruin", place, {}, (solve,), {}, (), description, False)

    for _ in range(2):
        with Store(project.root / ".store", 2**30, pytest.fail) as store:
            solving = SolveRuns(context_of(project.root, store, Failing()), lambda part: None)
            with pytest.raises((SiteError, ExceptionGroup)) as caught:
                solving.run(solving.plan([run]))

        said = "failed check_both_ends (check_both_ends) in run 'mine': half: it should be 1, and is 2"
        assert said in str(errors_of(caught.value)[0])
