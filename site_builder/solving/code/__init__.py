"""The code that a task reaches, as named inputs of its key.

Lives here: facts of a module, the modules of a project, the walk by names, versions of libraries.
May import: errors, values.
Must not know: the cache, tasks, worker processes.
"""
