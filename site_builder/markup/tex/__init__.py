"""TeX -> MathML and plain text; no formula that is not understood.

Lives here: the parser, its tables of commands, symbols and environments, spacing.
May import: nothing of ours but itself.
Must not know: Markdown, posts, placeholders.
"""
