"""A site shown while it is written.

Lives here: the controller, whose one thread builds; the partial build, the computation, the file watcher.
May import: build and below.
Must not know: the command line.
"""
