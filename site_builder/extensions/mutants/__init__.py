"""The command `mutants`: a solver is run with one fault at a time in its code, and what its checks find is listed.

Lives here: faults in code, trials of a solver with each of them, the session and its lines for the author.
May import: public modules of the packages below, click.
Must not know: pages.
"""
