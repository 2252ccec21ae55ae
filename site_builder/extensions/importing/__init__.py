"""The command `import`: converts other blogs and notebooks to posts in content/.

Lives here: posts of Jekyll, Hugo and Quarto, notebooks, links, the plan of files to write, what is not converted.
May import: errors, extension, storage, markup, project, site, cli, click.
Must not know: pipeline, solving, how texts are rendered.
"""
