"""Faults seeded in a solver, and whether its game alone refuses them, without any check.

Run as a program: the folder of a copy of solvers/, the solver, its parameters as JSON, and how many faults at most.
Prints how many faults change a field that the game takes, and lists those of them that the game holds with. Each fault
has a process of its own, forked from this one, which has loaded the libraries.
"""

import importlib
import json
import multiprocessing
import os
import resource
import signal
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from site_builder.extensions.games.solver_games import games_in
from site_builder.extensions.games.verification import GameError, game_proof
from site_builder.extensions.mutants.faults import choose_faults
from site_builder.solving.code.code_inputs import ProjectModules, code_inputs
from site_builder.solving.tasks.solved_result import fields_of_result
from site_builder.solving.tasks.solver import read_solver
from site_builder.values.digest import bytes_digest
from site_builder.values.packing import pack
from tests.support.short_solvers import GAMES

_SECONDS, _BYTES = 30, 4 << 30  # of a process


def tried(folder: Path, solver: str, given: dict[str, Any], fields: list[str], answer: Any) -> None:
    """Solve, verify the game and put into `answer` whether it holds, and the digest of each field that it takes.

    fields: those of the solver without a fault; none for it itself. Nothing is put when solving fails.
    """
    resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))
    signal.alarm(_SECONDS)
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    sys.path.insert(0, str(folder))
    read = read_solver(importlib.import_module(f"solvers.{solver}"), GAMES)
    tuples = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    parameters = read.completed(tuples)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "overflow encountered in scalar", RuntimeWarning)  # as the builder does
        result = fields_of_result(read.solve(parameters))
    holds = True
    try:
        games = games_in(read.added[0].call({**parameters, **result}))
        for game in games:
            game_proof(game)
    except GameError:
        holds, games = False, []
    names = fields or [part.partition("[")[0] for game in games for part in game.of.split(", ")]
    answer.put((holds, {name: _digest(result, name) for name in names}))


def _digest(result: Any, path: str) -> str:
    for name in path.split("."):
        result = result.get(name) if isinstance(result, Mapping) else getattr(result, name, None)
    return bytes_digest(pack(result))


def ask(folder: Path, solver: str, given: dict[str, Any], fields: list[str]) -> tuple[bool, dict[str, str]] | None:
    """What `tried` says in a process of its own; None where it ends with an error."""
    forked = multiprocessing.get_context("fork")
    answer = forked.Queue()
    process = forked.Process(target=tried, args=(folder, solver, given, fields, answer))
    process.start()
    process.join()
    return answer.get() if process.exitcode == 0 else None


def count(folder: Path, solver: str, given: dict[str, Any], most: int) -> dict[str, Any]:
    """How many faults were seeded, how many change a field that the game takes, and those that it holds with.

    Raises RuntimeError where the solver fails without any fault.
    """
    entries = [(f"solvers.{solver}", "solve")]
    names: dict[str, set[str]] = {}
    for file, name in code_inputs(ProjectModules(folder), entries).definitions:
        names.setdefault(file, set()).add(name)
    texts = {name: (folder / name).read_bytes() for name in names}
    whole = ask(folder, solver, given, [])
    if whole is None or not whole[0]:
        raise RuntimeError(f"{solver} fails without any fault")
    digests = whole[1]
    faults, changed, held = choose_faults(texts, names, most), 0, []
    for fault in faults:
        (folder / fault.path).write_bytes(fault.seeded(texts[fault.path]))
        found = ask(folder, solver, given, list(digests))
        (folder / fault.path).write_bytes(texts[fault.path])
        if found and found[1] != digests:
            changed += 1
            held += [f"{fault.path} {fault.change}"] if found[0] else []
    return {"seeded": len(faults), "changed": changed, "held": held}


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    print(json.dumps(count(Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3]), int(sys.argv[4]))))
