"""The steps of a build. Each takes a result from the cache or computes it.

Lives here: descriptions of solvers, results, texts, turned settings, drawings, share cards, files of extensions, seeded
faults.
May import: site and below.
Must not know: the output folder, the command line.
"""
