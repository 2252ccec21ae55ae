"""Mutants of a solver: faults that are seeded in its code, to see whether its checks find them.

Lives here: which faults there are, the choice among them, the code with one of them, the record of the outcomes.
May import: errors, values.
Must not know: how a solver is run.
"""
