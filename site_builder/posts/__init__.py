"""One post and its results -> HTML with placeholders.

Lives here: the post language, rendering, claims, the summary, evidence, links.
May import: solving, figures, markup, project and below; not storage.
Must not know: other posts, templates, the output folder, the cache.
"""
