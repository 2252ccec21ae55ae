"""What editors are told of this project: JSON Schemas that know its solvers."""

from collections.abc import Callable, Mapping
from pathlib import Path

from site_builder.build.build import sources_of
from site_builder.build.last_build import STORE, Variant
from site_builder.build.steps.answers import ask_solvers
from site_builder.cli.json_schema import config_schema, front_matter_schema, written
from site_builder.project.config import load_config
from site_builder.solving.catalog import SolverDescription, solver_names
from site_builder.solving.pool import local_workers
from site_builder.storage.code_fingerprints import CodeKeys
from site_builder.storage.store import Store

SCHEMAS: Mapping[str, Callable[[Mapping[str, SolverDescription]], dict[str, object]]] = {
    "config": config_schema,
    "front-matter": front_matter_schema,
}


def schemas_of(root: Path, jobs: int, warn: Callable[[str], None]) -> dict[str, bytes]:
    """The schemas by name, for the project in `root` with its solvers.

    Raises SiteError for a solver that cannot be described.
    """
    config = load_config(root)
    with Store(root / STORE, config.settings.store.max_size, warn) as store, local_workers(root, jobs) as workers:
        sources, _ = sources_of(config, Variant("", False, ()), store)
        codes = CodeKeys(root, store, sources.digests, sources.stamp)
        questions = dict.fromkeys(solver_names(root), ())
        told = ask_solvers(workers, store, codes, config.settings.limits, {}, questions)
    solvers = {name: description for name, (description, _) in told.items()}
    return {name: written(schema(solvers)) for name, schema in SCHEMAS.items()}
