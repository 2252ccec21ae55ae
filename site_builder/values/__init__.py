"""Plain values, whatever they are used for.

Lives here: packing to bytes; digests; reading, writing and comparing numbers; records; JSON and canonical text.
May import: contract, errors.
Must not know: files, posts, TeX, HTML.
"""
