"""Figure data -> pictures, alt text, data files, share cards.

Lives here: charts, the canvas, alt text, data as CSV and JSON, share cards, validation.
May import: contract, errors, values, markup.
Must not know: runs, posts, processes, the cache.
"""
