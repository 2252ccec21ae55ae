"""Plain values.

Lives here: packing into bytes; digests; parsing, writing and comparing numbers; records; plain text and JSON.
May import: contract, errors.
Must not know: files, posts, TeX, HTML.
"""
