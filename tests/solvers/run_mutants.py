"""A script that runs the checks of a solver with one mutant after another, each in a child process.

Reads JSON from the standard input: root, a folder whose `solvers` may be changed; solver; mutants, each a list of a
file, a text that occurs in it once, and the text that replaces it; runs, each a mapping of parameters. Writes a line of
JSON for each mutant: `failed`, the names of the checks that failed in the first run in which any did; `raised`, the
name of the exception that ended it; `endless`, whether it used more processor time than SECONDS.
"""

import compileall
import importlib
import json
import os
import resource
import sys
from pathlib import Path
from py_compile import PycInvalidationMode

import numpy  # noqa: F401 (imported once here, so that no child has to)

import site_builder.contract  # noqa: F401

SECONDS = 5  # of processor time; no mutant that ends needs a third of it


def tuples(value):
    return tuple(map(tuples, value)) if isinstance(value, list) else value


def outcome(solver, runs):
    """What the checks of the solver find in the first run with a failure."""
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
        written = answer.read()
    os.waitpid(child, 0)
    return {**json.loads(written or '{"failed": [], "raised": ""}'), "endless": not written}


def main():
    job = json.load(sys.stdin)
    by_hash = PycInvalidationMode.CHECKED_HASH  # by time and size, the .pyc of the original could pass for a mutant's
    for folder in (job["solver"], "common"):
        compileall.compile_dir(Path(job["root"], "solvers", folder), quiet=1, invalidation_mode=by_hash)
    sys.dont_write_bytecode = True
    sys.path.insert(0, job["root"])
    for file, old, new in job["mutants"]:
        path = Path(job["root"], "solvers", file)
        text = path.read_text("utf-8")
        path.write_text(text.replace(old, new), "utf-8")
        print(json.dumps(in_child(job["solver"], job["runs"])), flush=True)
        path.write_text(text, "utf-8")


main()
