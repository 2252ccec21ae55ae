"""Converts the Markdown of Jekyll, Hugo, Quarto and notebooks to the Markdown of posts.

Lives here: blocks and spans, Liquid tags, shortcodes, divs and cells of Quarto, MathJax.
May import: errors, markup, posts.media.
Must not know: files and front matter.
"""
