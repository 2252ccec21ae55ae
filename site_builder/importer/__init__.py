"""Other blogs and notebooks -> posts in content/.

Lives here: Jekyll posts, notebooks, link targets, the list of files to write.
May import: errors, values, storage, markup, project, posts, site.
Must not know: build, solving.
"""
