"""Claims: published or typed numbers, words and lists in a post, held against computed values.

Lives here: where their values come from, what these may be made of, the comparison, and its rows in the evidence.
May import: markup, solving and below; nothing else of posts.
Must not know: the text around a claim, pages and builds.
"""
