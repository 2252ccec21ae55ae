"""The builder from Python: solvers run one at a time, for the command `solve` and for notebooks.

Lives here: one run or sweep of a solver, the project as a notebook loads it, figures that show themselves.
May import: build and below.
Must not know: how a command line is written, terminals.
"""
