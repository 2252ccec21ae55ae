"""The steps of a build. Each takes a result from the cache or computes it.

Lives here: answers, texts, drawings, share cards, bundles, search index.
May import: site and below.
Must not know: the output folder, the command line.
"""
