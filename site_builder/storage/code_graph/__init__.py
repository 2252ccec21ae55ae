"""Which code of a project a function can reach, read from the source text alone.

Lives here: definitions of a file, import side effects, library versions, the walk over them.
May import: errors, values.
Must not know: what a solver is; it imports no module of a project.
"""
