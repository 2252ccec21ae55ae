"""Converts the Markdown of Jekyll, Hugo and notebooks to the Markdown of posts.

Lives here: blocks and spans, Liquid tags, shortcodes, MathJax.
May import: markup and below.
Must not know: files and front matter.
"""
