"""Text with code, TeX, Jinja and Markdown in it -> HTML and plain text.

Lives here: segments, placeholders, Markdown and its extensions, highlighting, line numbers.
May import: errors, values.
Must not know: runs, results, paths of the site, config.yaml.
"""
