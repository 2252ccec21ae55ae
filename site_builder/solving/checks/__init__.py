"""Checks of results: run in a worker and watched there, compared in the build's own process.

Lives here: which fields a check reads, whether it is independent, what came of it.
May import: the rest of solving that runs tasks, values, contract.
Must not know: posts, the cache.
"""
