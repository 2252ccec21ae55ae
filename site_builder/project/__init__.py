"""The author's files as checked values.

Lives here: config.yaml, content/, front matter, publish settings, YAML with line numbers.
May import: errors, contract, values.
Must not know: results, HTML, the cache.
"""
