"""Games: a solver's `game`, verified state by state, and `{{ play(...) }}`, with which readers play it.

Lives here: what solvers import (`contract`), the verification, boards and the script that plays them.
May import: the contract of solvers, values, markup, errors, the interface of extensions.
Must not know: posts, the cache, other extensions.
"""
