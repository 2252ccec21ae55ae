"""The files on disk between builds, and their keys.

Lives here: the SQLite cache, atomic writes, the folder transaction, fingerprints of files and of code.
May import: errors, values.
Must not know: what is cached: posts, figures, pages.
"""
