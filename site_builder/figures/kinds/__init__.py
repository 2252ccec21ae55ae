"""The kinds of figures, one class in one module each, and what pages are made of them.

Lives here: for each kind its rules, drawing, alt text, columns of data and answers to readers; the list of kinds.
May import: figures.canvas, modules of figures and all below figures.
Must not know: runs, posts, pages, the cache.
"""
