"""Tasks on a Dask cluster: `workers` sends them, `on_worker` runs in each Dask worker, `host` in a process beside it.

The host has what a build has on its own machine, a pool of worker processes with limits, audit hook and fixed
environment, so that an answer has the same bytes wherever it was computed.

Lives here: the choice between local workers and a cluster, code as archives, what a worker must have installed.
May import: the pool and the tasks of solving, storage, project, values; Dask where a cluster is used.
Must not know: posts, the cache of results, what tasks compute.
"""
