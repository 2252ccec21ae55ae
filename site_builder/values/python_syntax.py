"""Syntax trees of Python, made one at a time.

Python 3.11 counts in one place for all threads how deep it is in a tree, and gives up when two of them make one at once
(SystemError: AST constructor recursion depth mismatch).
"""

import ast
import threading

_one_at_a_time = threading.Lock()


def syntax_tree(text: str | bytes) -> ast.Module:
    """The tree of a text. Raises what `ast.parse` raises."""
    with _one_at_a_time:
        return ast.parse(text)
