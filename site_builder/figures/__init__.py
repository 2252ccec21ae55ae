"""Renders figure data as images, alt text and data files, and draws share cards.

Lives here: the kinds of figures, the canvas, house style, numbers and words of figures, SVG output, share cards.
May import: contract, errors, values, markup.
Must not know: runs, posts, processes, the cache.
"""
