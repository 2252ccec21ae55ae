"""The commands, one module each, imported when its command runs.

Lives here: one click command a module.
May import: everything.
Must not know: each other.
"""
