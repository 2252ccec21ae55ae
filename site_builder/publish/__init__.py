"""The built site -> a git branch, another machine or a folder.

Lives here: the three targets, what changes there, the check before publishing.
May import: build and below.
Must not know: the command line.
"""
