"""The author's files as checked values.

Lives here: the root folder, config.yaml with the settings of theme, publishing and limits, content/, front matter, YAML
with line numbers.
May import: errors, contract, values.
Must not know: results, HTML, the cache.
"""
