"""The commands, imported when they run.

Lives here: click commands, each by its own name.
May import: everything.
Must not know: each other.
"""
