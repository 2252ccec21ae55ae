"""The extensions that come with the builder: each a folder with a module `extend`, which registers what it adds.

Lives here: what fewer than one author in twenty would miss.
May import: site_builder.extension, and public modules of the packages below.
Must not know: one another. No other package imports anything from here, and a blog can turn each of them off.
"""
