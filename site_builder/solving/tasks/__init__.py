"""The tasks of a worker for a solver: reads it by its contract, describes it, solves, makes figures, runs checks.

Lives here: everything that imports solvers.
May import: checks, processes, contract, values.
Must not know: posts, pages, the cache.
"""
