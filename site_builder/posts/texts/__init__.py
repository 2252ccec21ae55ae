"""The text of a post: written by Jinja, converted by Markdown, and packed with its summary, figures and evidence.

Lives here: rendering and its stages, texts of front matter, errors at lines of the text, the summary of a text.
May import: the rest of posts, and what that may.
Must not know: other posts, templates, the cache.
"""
