"""Renders figure data as images, alt text and data files, and draws share cards.

Lives here: charts, the canvas, alt text, data as CSV and JSON, share cards, validation.
May import: contract, errors, values, markup.
Must not know: runs, posts, processes, the cache.
"""
