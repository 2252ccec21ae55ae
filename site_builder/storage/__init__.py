"""What is kept on disk between builds, and how it is keyed.

Lives here: the SQLite cache, atomic writes, the folder transaction, fingerprints of files and of code.
May import: errors, values.
Must not know: what is cached: posts, figures, pages.
"""
