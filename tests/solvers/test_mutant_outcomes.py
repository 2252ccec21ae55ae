"""The cache of mutants' outcomes: nothing that an outcome is made from may change without a new run."""

import shutil

import pytest

from tests.conftest import ROOT
from tests.solvers.mutant_outcomes import outcomes, outcomes_key, run_mutants
from tests.solvers.mutants import Mutant

MUTANTS = (Mutant("wythoff/game.py", "isqrt(5", "isqrt(6"), Mutant("wythoff/game.py", "a + k", "a + k + 1"))
RUNS = [{"max_pile": 8}]


class Kept:
    """As much of pytest's cache as is used."""

    def __init__(self):
        self.entries = {}

    def get(self, name, default):
        return self.entries.get(name, default)

    def set(self, name, value):
        self.entries[name] = value


@pytest.fixture
def find(tmp_path):
    """Gives the mutants that had to be run, and their outcomes, one cache being used throughout."""
    shutil.copytree(ROOT / "solvers", tmp_path / "solvers", ignore=shutil.ignore_patterns("__pycache__"))
    kept = Kept()

    def found(mutants=MUTANTS, runs=RUNS, recorded=None):
        ran = []

        def run(solver, pending, runs):
            ran.extend(pending)
            return [{"failed": [mutant.new], "raised": "", "endless": False} for mutant in pending]

        made = outcomes("wythoff", mutants, runs, kept, recorded, tmp_path, run)
        assert [outcome["failed"] for outcome in made.values()] == [[mutant.new] for mutant in mutants]
        assert tuple(made) == tuple(mutants)
        return tuple(ran)

    return found


def test_an_outcome_is_kept_while_nothing_changes(find):
    assert find() == MUTANTS
    assert find() == ()


def test_an_outcome_that_is_recorded_for_this_code_is_not_run_and_one_for_other_code_is(find):
    found = {str(mutant): {"failed": [mutant.new], "raised": "", "endless": False} for mutant in MUTANTS}

    assert find(recorded={"key": "of other code", "found": found}) == MUTANTS
    assert (
        find(recorded={"key": outcomes_key("wythoff", [{"max_pile": 9}], ROOT), "found": found}, runs=[{"max_pile": 9}])
        == ()
    )


def test_a_new_mutant_alone_is_run(find):
    find(MUTANTS[:1])

    assert find() == MUTANTS[1:]


@pytest.mark.parametrize(
    "file", ["wythoff/game.py", "wythoff/move_checks.py", "wythoff/figures.py", "wythoff/rule.py", "__init__.py"]
)
def test_a_change_of_code_that_the_solver_imports_runs_all_mutants_again(find, tmp_path, file):
    find()

    with (tmp_path / "solvers" / file).open("a", encoding="utf-8") as text:
        text.write("\n# another line\n")

    assert find() == MUTANTS


def test_a_change_of_another_solver_runs_none(find, tmp_path):
    find()

    with (tmp_path / "solvers" / "penney" / "game.py").open("a", encoding="utf-8") as text:
        text.write("\nANOTHER = 1\n")

    assert find() == ()


def test_other_runs_run_all_mutants_again(find):
    find()

    assert find(runs=[{"max_pile": 9}]) == MUTANTS


@pytest.mark.deep
def test_a_mutant_that_fails_a_check_one_that_raises_and_one_that_never_ends_are_reported_in_order():
    mutants = [
        Mutant("wythoff/solution.py", "far_index=FAR_INDEX", "far_index=FAR_INDEX + 1"),
        Mutant("wythoff/game.py", "isqrt(5 * k * k)", "isqrt(-k)"),
        Mutant("wythoff/game.py", "numbers.append(numbers[-1] + numbers[-2])", "numbers[-1] -= 1"),
        Mutant("wythoff/game.py", "bit = ~seen", "bit  = ~seen"),
    ]

    failed, raised, endless, harmless = run_mutants("wythoff", mutants, RUNS)

    assert (len(failed["failed"]) > 0, failed["raised"], failed["endless"]) == (True, "", False)
    assert raised == {"failed": [], "raised": "ValueError", "endless": False}
    assert endless == {"failed": [], "raised": "", "endless": True}
    assert harmless == {"failed": [], "raised": "", "endless": False}
