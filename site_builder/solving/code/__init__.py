"""The code that a task reaches, as named inputs of its key.

Lives here: facts of a module, the modules of a project, the walk by names, libraries, files that tasks have read.
May import: errors, values, storage.
Must not know: tasks, worker processes.
"""
