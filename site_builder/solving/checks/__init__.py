"""Answers of checks: compared with results, and how closely they agree; games verified state by state.

Lives here: comparisons, tolerances, closeness, outcomes, games, boards.
May import: values, contract.
Must not know: posts, the cache.
"""
