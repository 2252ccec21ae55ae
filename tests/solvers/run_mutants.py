"""Runs in a process of its own: a solver with one fault after another, each in a child of its own.

Takes JSON on the standard input: root, the folder whose `solvers` may be changed; solver; mutants, each a list of a
file, a text that stands in it once, and what takes its place; runs, each a mapping of parameters. Writes for each
mutant one line of JSON: the names of the checks that failed in the first run in which any did, what was raised, and
whether it was endless.
"""

import importlib
import json
import os
import resource
import sys
from pathlib import Path

import numpy  # noqa: F401 (what every child would load again)

import site_builder.contract  # noqa: F401

SECONDS = 5  # of work, whatever else the machine does; no solver with a fault that ends takes a third of them


def tuples(value):
    return tuple(map(tuples, value)) if isinstance(value, list) else value


def outcome(solver, runs):
    """What the checks of the solver say in the first run with a failure."""
    try:
        module = importlib.import_module(f"solvers.{solver}")
        for run in runs:
            parameters = module.Parameters(**{name: tuples(value) for name, value in run.items()})
            found = list(module.checks(parameters, module.solve(parameters)))
            if failed := [check.name for check in found if not check.passed]:
                return {"failed": failed, "raised": ""}
    except Exception as error:
        return {"failed": [], "raised": type(error).__name__}
    return {"failed": [], "raised": ""}


def in_child(solver, runs):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        os.write(writing, json.dumps(outcome(solver, runs)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        said = answer.read()
    os.waitpid(child, 0)
    return {**json.loads(said or '{"failed": [], "raised": ""}'), "endless": not said}


def main():
    job = json.load(sys.stdin)
    sys.dont_write_bytecode = True
    sys.path.insert(0, job["root"])
    for file, old, new in job["mutants"]:
        path = Path(job["root"], "solvers", file)
        text = path.read_text("utf-8")
        path.write_text(text.replace(old, new), "utf-8")
        print(json.dumps(in_child(job["solver"], job["runs"])), flush=True)
        path.write_text(text, "utf-8")


main()
