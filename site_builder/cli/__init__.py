"""The command line: arguments in, messages and exit status out.

Lives here: the program, options, progress, printing, scaffolding, JSON schemas.
May import: everything.
Must not know: nothing is hidden from it, and nothing imports it.
"""
