"""The code of a post's runs: `{{ source(solver, name) }}` shows it, `{{ run_yourself(run) }}` offers it as a zip file.

Lives here: what is shown, the archive, its run.py, the proof that it gives the published answer.
May import: errors, highlighting of markup, storage, values, the interface of extensions.
Must not know: posts, the cache, other extensions.
"""
