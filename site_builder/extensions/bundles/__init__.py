"""Bundles: `{{ run_yourself(run) }}` offers a run as a zip file that readers compute again at home.

Lives here: the archive, its run.py, the proof that it gives the published answer.
May import: errors, storage, values, the interface of extensions.
Must not know: posts, the cache, other extensions.
"""
