"""The exit statuses of commands."""

DONE, AUTHORS_FAULT, USAGE, CRASHED, INTERRUPTED = 0, 1, 2, 70, 130
