"""What the sandbox of solvers is made of.

Lives here: rules of the kernel, the guarded clock, the loader that compiles a project's code from its text.
May import: values.
Must not know: solvers' tasks, and which files a solver may open.
"""
