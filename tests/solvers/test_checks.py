"""The checks of every solver find the faults that are put into it, and share none of its code."""

import importlib
import shutil
import sys
from collections import Counter
from functools import cache

import pytest

from site_builder.extensions.mutants.trials import try_mutants
from site_builder.pipeline.steps.context import Report
from site_builder.project.extensions import load_extensions
from site_builder.solving.code.code_keys import CodeKeys
from site_builder.solving.code.libraries import environment_stamp
from site_builder.storage.file_fingerprints import digests, scan
from site_builder.storage.store import Store
from tests.conftest import ROOT
from tests.support.solvers_checked import complete, outcomes

# As the posts have them.
RUNS = {
    "coinball": [{}, {"n_tosses": 3}, {"n_tosses": 99}, {"pass_points": 3}],
    "notorious_coins": [
        {},
        {"values": [2, 4, 8, 10]},
        {"values": [8, 20, 3, 2]},
        {"values": [19, 19, 30, 21]},
        {"values": [2, 1000, 1, 1]},
        {"values": [1, 3, 1]},
    ],
    "penney": [
        {},
        {"k": 4, "yvonne": "RBRB", "zara": "BBRR", "cards": "RRRBBRB"},
        {"k": 17, "yvonne": "RRRRRRRRRBBBBBBBB"},
        {"reds": 8, "blacks": 12, "yvonne": "RRB", "zara": "BBR"},
    ],
    "riddler_flips": [
        {},
        {"n_flips": 1000, "arithmetic": "float"},
        {"p_a": 0},
        {"p_a": "0.4", "p_b": "0.4"},
    ],
    "wythoff": [{}],
}
OTHER_RUNS = {
    "coinball": [
        {"n_tosses": 7, "opponent": "rush", "first": "opponent"},
        {"n_tosses": 150, "rush_points": 3, "pass_points": 1},
        {"n_tosses": 1, "opponent": "pass"},
    ],
    "notorious_coins": [
        {"n": 30, "p": "1 - 1/k", "q": "0.9"},
        {"values": ["1/2"], "prior": ["3", "1/2"]},
        {"values": [5, 5, 5, 7, 7], "p": "1/3", "q": "1/2", "prior": [2, 5]},
    ],
    "penney": [
        {"k": 5, "reds": 20, "blacks": 14},
        {"k": 1, "reds": 2, "blacks": 1},
        {"k": 20},
    ],
    "riddler_flips": [
        {"n_flips": 1, "target": 0},
        {"n_flips": 40, "p_a": "0.55", "p_b": "0.6", "v_a": 3, "v_b": 7, "target": 9},
        {"n_flips": 1000, "v_b": 1, "target": -3, "arithmetic": "float"},
    ],
    "wythoff": [
        {"total_min": 2, "total_max": 2, "max_pile": 8},
        {"total_min": 50, "total_max": 90, "max_pile": 49},
        {"total_min": 400, "total_max": 500, "max_pile": 200},
    ],
}


@cache
def checked(solver, place):
    """What the checks say with the parameters of a run of the posts, or beyond these of another run."""

    def tuples(value):
        return tuple(map(tuples, value)) if isinstance(value, list) else value

    module, run = importlib.import_module(f"solvers.{solver}"), [*RUNS[solver], *OTHER_RUNS[solver]][place]
    settings = {name: tuples(value) for name, value in run.items()}
    return outcomes(module, module.solve(**complete(module, **settings)), **settings)


MOST_MISSED = {"coinball": 0, "notorious_coins": 0, "penney": 0, "riddler_flips": 0, "wythoff": 0}
"""How many of the faults that are seeded in each solver may be missed: what was found once stays found."""


@pytest.mark.deep
@pytest.mark.parametrize("solver", RUNS)
def test_the_checks_find_as_many_seeded_faults_as_ever(tmp_path, solver):
    for name in ("solvers", "content"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "config.yaml", tmp_path)

    tried = try_mutants(tmp_path, solver, 2, Report())

    counts = Counter(fault.outcome for fault in tried)
    assert counts["missed"] <= MOST_MISSED[solver]
    assert counts["check"] + counts["contract"] >= 4  # the certificate of a game is of the contract
    assert len(tried) - counts["same"] >= 14


# Every day the first run of the post: the solver's own tests have many settings as well, and the posts, which a build
# of the blog checks, these runs themselves.
EVERY_RUN = [
    pytest.param(solver, place, marks=pytest.mark.deep if place else [])
    for solver in RUNS
    for place in range(len(RUNS[solver]) + len(OTHER_RUNS[solver]))
]


@pytest.mark.parametrize(("solver", "place"), EVERY_RUN)
def test_every_answer_passes_two_checks_or_more(solver, place):
    found = checked(solver, place)

    assert [(each.check, each.field, each.difference) for each in found if not each.passed] == []
    assert len({each.check for each in found if each.agrees}) >= 2


@pytest.mark.parametrize(("solver", "place"), EVERY_RUN)
def test_a_reader_can_take_in_every_check(solver, place):
    titles = {each.check: each.title for each in checked(solver, place)}

    assert len(set(titles.values())) == len(titles)
    for check, title in titles.items():
        assert title != check.removeprefix("check_").replace("_", " "), f"{check} has no docstring"
        assert 4 < len(title) < 130, check


@pytest.fixture(scope="module")
def code_keys(tmp_path_factory):
    """Gives the code of solvers and checks, as a build finds it."""
    with Store(tmp_path_factory.mktemp("store"), sys.maxsize, print) as store:
        yield CodeKeys(ROOT, store, digests(scan(ROOT), {}), environment_stamp(), load_extensions(ROOT))


@pytest.mark.parametrize("solver", RUNS)
def test_checks_reach_nothing_that_solves_but_the_rules_of_the_puzzle(code_keys, solver):
    found = code_keys.of(solver).independence

    assert {name: each.shared for name, each in found.items() if each.shared} == {}
    assert len(found) >= 2
