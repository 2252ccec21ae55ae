"""Converts the Markdown of Jekyll blogs and notebooks to the Markdown of posts.

Lives here: kramdown blocks and spans, Liquid tags, MathJax.
May import: markup and below.
Must not know: files and front matter.
"""
