"""A site shown while it is written.

Lives here: the controller, the partial build, the background thread, the file watcher.
May import: build and below.
Must not know: the command line.
"""
