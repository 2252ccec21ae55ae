"""Parse Python code in one thread at a time.

CPython 3.11 keeps one recursion depth for all threads that build syntax trees; when two of them do so at the same time
it raises "SystemError: AST constructor recursion depth mismatch".
"""

import ast
import threading

_one_at_a_time = threading.Lock()


def syntax_tree(text: str | bytes) -> ast.Module:
    """Return the syntax tree of some code. Raises what `ast.parse` raises."""
    with _one_at_a_time:
        return ast.parse(text)
