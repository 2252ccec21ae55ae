"""The command `import`: converts other blogs and notebooks to posts in content/.

Lives here: posts of Jekyll, Hugo and Quarto, notebooks, links, the plan of files to write, what is not converted.
May import: errors, values, storage, markup, project, posts, site, click.
Must not know: pipeline, solving.
"""
