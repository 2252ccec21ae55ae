"""The builder of the site; it knows posts, tasks and pages, and no puzzle by name."""
