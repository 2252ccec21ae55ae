"""Workers of a Dask scheduler: `workers` sends tasks of solvers over `distributed.Client`, `on_worker` runs them.

Lives here: sending tasks and taking their answers, code as archives, what a worker must have installed.
May import: the pool of solving, storage, project, values; Dask where a cluster is used.
Must not know: posts, the cache of results, what tasks compute.
"""
