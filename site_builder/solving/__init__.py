"""Solvers: described, planned, run in worker processes.

Lives here: the catalog, the plan of runs, views of results; in folders tasks of solvers, processes, checks, code.
May import: figures, markup, project, storage and below.
Must not know: HTML, pages, drawing.
"""
