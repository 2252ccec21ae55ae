"""What editors are told of this project: JSON Schemas that know its solvers."""

from collections.abc import Callable, Mapping
from pathlib import Path

from site_builder.build.build import sources_of
from site_builder.build.last_build import STORE
from site_builder.build.options import BuildOptions
from site_builder.build.pipeline import Build
from site_builder.build.steps.context import NoReport
from site_builder.cli.json_schema import config_schema, front_matter_schema, written
from site_builder.project.config import load_config
from site_builder.solving.catalog import SolverDescription, solver_names
from site_builder.solving.pool import local_workers
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
        sources, _ = sources_of(config, BuildOptions(config.root), store)
        build = Build(BuildOptions(root), sources, store, NoReport(), workers)
        solvers = build.describe(solver_names(root))
    return {name: written(schema(solvers)) for name, schema in SCHEMAS.items()}
