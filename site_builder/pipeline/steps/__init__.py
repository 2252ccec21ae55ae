"""The steps of a build. Each takes a result from the cache or computes it.

Lives here: descriptions of solvers, results, texts, drawings, share cards, files of extensions.
May import: site and below.
Must not know: the output folder, the command line.
"""
