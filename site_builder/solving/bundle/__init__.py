"""A run as a zip file that readers compute again at home.

Lives here: the archive, its run.py, the proof that it gives the published answer.
May import: errors, values, solving.
Must not know: posts and pages.
"""
