"""The built site -> a git branch, another machine, a folder, or where a command or an extension puts it.

Lives here: the targets, what changes there, the check before publishing.
May import: build and below.
Must not know: the command line.
"""
