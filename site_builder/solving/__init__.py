"""Solvers: described, planned, run in worker processes.

Lives here: the catalog, the plan of runs, the worker pool, the worker process, the audit hook, views of results.
May import: figures, markup, project, storage and below.
Must not know: HTML, pages, drawing.
"""
