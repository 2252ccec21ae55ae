"""The kinds of pages.

Lives here: pages of posts, lists, feeds, search, and the list of all pages.
May import: site and below.
Must not know: processes, the cache, the output folder.
"""
