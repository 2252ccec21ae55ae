"""Answers of checks: compared with results, and how closely they agree.

Lives here: comparisons, tolerances, closeness, outcomes.
May import: values, contract.
Must not know: posts, the cache.
"""
