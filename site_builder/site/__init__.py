"""Posts -> every file of the site as a page.

Lives here: the theme, the layout, entries of lists, provenance, what pages depend on.
May import: posts, figures, markup, project and below; not storage, not solving.
Must not know: processes, the cache, the output folder.
"""
