"""One build: the author's files -> the output folder.

Lives here: the pipeline, its log and reasons, dry run, check, accepted answers, output.
May import: site and below.
Must not know: the command line, HTTP, terminals.
"""
