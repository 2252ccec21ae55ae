"""What the checks of a solver find of each of its mutants: recorded, from pytest's cache, or run in other processes.

An outcome holds as long as the solver, the project's code that it imports, the runs, the harness and the versions of
the libraries are the same. mutant_outcomes.json records the outcomes of the solvers as they are committed, so that a
clean clone need not run them; `.venv/bin/python -m tests.solvers.test_mutants` writes it. `script/test --deep` runs
every mutant, whatever is recorded.
"""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

from site_builder.storage.code_graph.project_modules import Code
from site_builder.storage.code_graph.reachability import reach
from tests.conftest import ROOT

HARNESS = [Path(__file__).with_name("run_mutants.py")]
RECORD = Path(__file__).with_name("mutant_outcomes.json")


def run_mutants(solver, mutants, runs):
    """The outcome of each mutant, in order, as `run_mutants.py` writes it; from two processes at once."""
    found = [None] * len(mutants)
    with ThreadPoolExecutor() as pool:
        halves = (mutants[::2], mutants[1::2])
        found[::2], found[1::2] = pool.map(_run_in_process, [solver] * 2, halves, [runs] * 2)
    return found


def _run_in_process(solver, mutants, runs):
    with TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "solvers", Path(folder, "solvers"), ignore=shutil.ignore_patterns("__pycache__"))
        job = {"root": folder, "solver": solver, "mutants": mutants, "runs": runs}
        lines = subprocess.run(
            [sys.executable, str(HARNESS[0])],
            input=json.dumps(job),
            env={**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    return [json.loads(line) for line in lines.splitlines()]


def outcomes(solver, mutants, runs, cache, recorded=None, root=ROOT, run=run_mutants):
    """The outcome of each mutant by mutant. Runs those that neither the record nor the cache has under the present key.

    cache: pytest's `Cache`. recorded: the solver's part of the record. root: the project whose code the key is made
    from. run: see `run_mutants`.
    """
    entry, key = f"mutants/{solver}", outcomes_key(solver, runs, root)
    found = {}
    for kept in (recorded, cache.get(entry, None)):
        found |= kept["found"] if kept and kept["key"] == key else {}
    pending = [mutant for mutant in mutants if str(mutant) not in found]
    if pending:
        found |= zip(map(str, pending), run(solver, pending, runs), strict=True)
        cache.set(entry, {"key": key, "found": {str(mutant): found[str(mutant)] for mutant in mutants}})
    return {mutant: found[str(mutant)] for mutant in mutants}


def read_record():
    """The recorded outcomes: {solver: {"key": ..., "found": {mutant: outcome}}}."""
    return json.loads(RECORD.read_text("utf-8"))


def write_record(mutants, runs):
    """Run the mutants of every solver and record what became of them."""
    record = {}
    for solver, some in sorted(mutants.items()):
        found = dict(zip(map(str, some), run_mutants(solver, some, runs[solver]), strict=True))
        record[solver] = {"key": outcomes_key(solver, runs[solver], ROOT), "found": found}
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")


def outcomes_key(solver, runs, root):
    """Digest of all that the outcomes are made from besides the mutants."""
    code = Code(root)
    reached = reach(code, [(f"solvers.{solver}", name) for name in ("Parameters", "Result", "solve", "checks")])
    files = {name: code.path(name) for name in sorted(reached.files | reached.data)} | {p.name: p for p in HARNESS}
    texts = {name: blake2b(path.read_bytes()).hexdigest() for name, path in files.items()}
    versions = {name: version for name, version in reached.ingredients.items() if "/" not in name}
    return blake2b(json.dumps([texts, versions, runs]).encode()).hexdigest()
