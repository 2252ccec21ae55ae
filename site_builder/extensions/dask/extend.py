"""`--workers tcp://...` and `tls://...`: the workers of a Dask scheduler."""

from collections.abc import Callable
from pathlib import Path

from site_builder.extension import Site
from site_builder.solving.processes.pool import Workers


def extend(site: Site) -> None:
    """Register the schemes of Dask's addresses."""
    for scheme in ("tcp", "tls"):
        site.workers(scheme, _connect)


def _connect(address: str, root: Path, jobs: int, warn: Callable[[str], None]) -> Workers:
    from site_builder.extensions.dask.workers import ClusterWorkers  # paid for where a cluster is used

    return ClusterWorkers(address, root, jobs, warn)
