"""Faults that somebody could make in a solver: one operator, constant, comparison or bound is another.

Each is a change of a few characters, so that all code keeps its line. Annotations, decorators, texts, the messages of
exceptions and the class of the parameters are left as they are: a fault there changes no answer.
"""

import ast
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from site_builder.values.digest import digest
from site_builder.values.python_syntax import syntax_tree

MOST = 30  # faults in one solver
_LONGEST = 60  # bytes of code that is shown around a change
_BESIDE = 40  # bytes on each side of a change that are shown at most

_ARITHMETIC = {
    **{ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+"), ast.Div: ("/", "*"), ast.FloorDiv: ("//", "*")},
    **{ast.Mod: ("%", "//"), ast.Pow: ("**", "*"), ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<")},
    **{ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"), ast.BitXor: ("^", "|")},
}
_COMPARISONS = {
    **{ast.Lt: ("<", "<=", ">="), ast.LtE: ("<=", "<", ">"), ast.Gt: (">", ">=", "<="), ast.GtE: (">=", ">", "<")},
    **{ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in")},
    **{ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is")},
}
_OPPOSITES = {"min": "max", "any": "all", "floor": "ceil", "argmin": "argmax", "minimum": "maximum"}
_OPPOSITES |= {other: name for name, other in _OPPOSITES.items()}
_LEFT_OUT = (ast.Import, ast.ImportFrom, ast.Raise, ast.Assert, ast.JoinedStr)
_TYPES = ("int", "float", "bool", "str", "bytes", "tuple", "list", "dict", "set", "frozenset", "complex", "None")
_BETWEEN = rb"(?:[\s()\\]|#[^\n]*)*"  # what may stand between an operand and its operator


@dataclass(frozen=True)
class Fault:
    """A fault that can be seeded.

    path: the file, relative to the project; name: the function, class or constant in which it is. before and after: the
    changed expression. number: from 0 on, among faults that look the same. start and end: of the bytes that
    `replacement` takes the place of.
    """

    path: str
    line: int
    name: str
    before: str
    after: str
    start: int
    end: int
    replacement: bytes
    number: int = 0

    @property
    def place(self) -> str:
        """The file and the line."""
        return f"{self.path}:{self.line}"

    @property
    def change(self) -> str:
        """The change, which stays the same when the lines of the file move."""
        again = f" ({self.number + 1})" if self.number else ""
        return f"in {self.name}: {self.before} -> {self.after}{again}"

    def seeded(self, text: bytes) -> bytes:
        """The text of the file with this fault."""
        return text[: self.start] + self.replacement + text[self.end :]


def choose_faults(texts: Mapping[str, bytes], names: Mapping[str, Collection[str]], most: int = MOST) -> list[Fault]:
    """At most so many of the faults in these definitions, in the order of their places.

    texts: of files, by path; names: the definitions of each file that count. The choice is seeded by the changes alone,
    so that an edit elsewhere leaves it nearly as it is.
    """
    every = [fault for path in sorted(names) for fault in faults_in(path, texts[path], names[path])]
    ranked = sorted(every, key=lambda fault: digest(fault.path, fault.change))
    chosen: list[Fault] = []
    for fault in ranked:
        if len(chosen) == most:
            break
        with suppress(SyntaxError, ValueError):
            if ast.dump(syntax_tree(fault.seeded(texts[fault.path]))) != ast.dump(syntax_tree(texts[fault.path])):
                chosen.append(fault)
    return sorted(chosen, key=lambda fault: (fault.path, fault.start, fault.after))


def faults_in(path: str, text: bytes, names: Collection[str]) -> list[Fault]:
    """All faults in the definitions of these names at the top of a file. Raises SyntaxError for what is no Python."""
    seeding = _Seeding(path, text)
    found: list[Fault] = []
    seen: Counter[tuple[str, str, str]] = Counter()
    for statement in syntax_tree(text).body:
        for name in sorted(_defined(statement) & set(names)):
            for fault in seeding.of(statement, name):
                alike = (name, fault.before, fault.after)
                found.append(Fault(**{**vars(fault), "number": seen[alike]}))
                seen[alike] += 1
            break  # of several names that one statement defines, the first stands for all
    return found


def _defined(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    nodes = (node for target in targets if target is not None for node in ast.walk(target))
    return {node.id for node in nodes if isinstance(node, ast.Name)}


Span = tuple[int, int]  # the first byte and the one after the last


@dataclass(frozen=True)
class _Edit:
    """A change of some bytes. shown: the code around them that shows a reader the change; None for their line."""

    shown: Span | None
    span: Span
    new: str


class _Seeding:
    """Finds the faults in one file."""

    def __init__(self, path: str, text: bytes) -> None:
        self._path, self._text = path, text
        self._starts = [0, *(match.end() for match in re.finditer(rb"\r\n?|\n", text))]

    def of(self, statement: ast.stmt, name: str) -> Iterator[Fault]:
        """The faults in a statement at the top of the file, in the order of its syntax tree."""
        for edit in self._edits(statement, None):
            (start, end), (first, last), new = edit.shown or self._line(edit.span), edit.span, edit.new.encode()
            head, tail = _shown(self._text[start:first]), _shown(self._text[last:end][::-1])[::-1]
            before, after = head + self._text[first:last] + tail, head + new + tail
            line = bisect_right(self._starts, first)
            yield Fault(self._path, line, name, _on_one_line(before), _on_one_line(after), first, last, new)

    def _span(self, node: ast.expr | ast.stmt) -> Span:
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
        return self._starts[node.lineno - 1] + node.col_offset, self._starts[end_line - 1] + end_column

    def _line(self, span: Span) -> Span:
        """The line of some bytes, without the spaces around it."""
        number = bisect_right(self._starts, span[0])
        start = self._starts[number - 1]
        line = self._text[start : self._starts[number] if number < len(self._starts) else None]
        return start + len(line) - len(line.lstrip()), max(start + len(line.rstrip()), span[1])

    def _is_short(self, span: Span) -> bool:
        return span[1] - span[0] <= _LONGEST and b"\n" not in self._text[slice(*span)]

    def _edits(self, node: ast.AST, shown: Span | None) -> Iterator[_Edit]:
        """The changes in a node. shown: the widest code around it that is short enough to be shown."""
        if isinstance(node, _LEFT_OUT):
            return
        if isinstance(node, ast.expr | ast.Assign | ast.AugAssign | ast.Return) and shown is None:
            is_short = self._is_short(self._span(node)) and not isinstance(node, ast.Constant | ast.Name)
            shown = self._span(node) if is_short else None
        if isinstance(node, ast.expr | ast.AugAssign | ast.If | ast.While | ast.comprehension):
            yield from self._own(node, shown)
        for field, value in ast.iter_fields(node):
            declares_parameters = field == "args" and getattr(node, "name", "") == "solve"
            if field not in ("annotation", "returns", "decorator_list", "type_params") and not declares_parameters:
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        yield from self._edits(child, shown)

    def _own(self, node: Any, shown: Span | None) -> Iterator[_Edit]:
        """The changes of the node itself, without those within it."""
        match node:
            case ast.BinOp(left, operator, right) if type(operator) in _ARITHMETIC:
                if not (isinstance(operator, ast.BitOr) and (_is_type(left) or _is_type(right))):
                    yield from self._operator(shown, node, left, *_ARITHMETIC[type(operator)])
            case ast.AugAssign(target, operator) if type(operator) in _ARITHMETIC:
                yield from self._operator(shown, node, target, *_ARITHMETIC[type(operator)])
            case ast.Compare(left, operators, others):
                for operand, each in zip((left, *others), operators, strict=False):
                    yield from self._operator(shown, node, operand, *_COMPARISONS[type(each)])
            case ast.BoolOp(operator, operands):
                words = ("and", "or") if isinstance(operator, ast.And) else ("or", "and")
                for operand, _ in pairwise(operands):
                    yield from self._operator(shown, node, operand, *words)
            case ast.UnaryOp(ast.Not() | ast.Invert() | ast.USub(), operand):
                if not isinstance(operand, ast.Constant):  # which is changed itself
                    start = self._span(node)[0]
                    size = 3 if isinstance(node.op, ast.Not) else 1
                    yield _Edit(shown, (start, start + size), "")
            case ast.Constant(bool() | int() | float() as value):
                yield _Edit(shown, self._span(node), repr(not value if isinstance(value, bool) else value + 1))
            case ast.Name(name) | ast.Attribute(_, name) if name in _OPPOSITES:
                end = self._span(node)[1]
                yield _Edit(shown, (end - len(name), end), _OPPOSITES[name])
            case ast.Call(ast.Name("range"), arguments, []) if arguments:
                yield from self._shifted(shown, arguments[min(1, len(arguments) - 1)], "- 1")
            case ast.Slice(lower, upper):
                for bound in filter(None, (lower, upper)):
                    yield from self._shifted(shown, bound, "+ 1")
            case ast.If(test) | ast.While(test) | ast.IfExp(test):
                yield from self._negated(shown, test)
            case ast.comprehension(ifs=tests):
                for test in tests:
                    yield from self._negated(shown, test)

    def _operator(
        self, shown: Span | None, node: ast.expr | ast.stmt, left: ast.expr, old: str, *new: str
    ) -> Iterator[_Edit]:
        """Other operators after an operand of a node."""
        written = re.escape(old).replace(r"\ ", r"\s+").encode()
        start, end = self._span(left)[1], self._span(node)[1]
        if found := re.compile(_BETWEEN + b"(" + written + b")").match(self._text, start, end):
            for each in new:
                yield _Edit(shown, found.span(1), each)

    def _shifted(self, shown: Span | None, bound: ast.expr, by: str) -> Iterator[_Edit]:
        """A bound that is one more or less; that of a constant is a changed constant already."""
        is_sum = isinstance(bound, ast.BinOp) and isinstance(bound.op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv)
        if is_sum or isinstance(bound, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            end = self._span(bound)[1]
            yield _Edit(shown, (end, end), f" {by}")

    def _negated(self, shown: Span | None, test: ast.expr) -> Iterator[_Edit]:
        """A condition that is no comparison, negated."""
        if isinstance(test, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            start = self._span(test)[0]
            yield _Edit(shown, (start, start), "not ")


def _is_type(node: ast.expr) -> bool:
    """True when an operand of `|` is a type."""
    node = node.value if isinstance(node, ast.Subscript) else node
    return (isinstance(node, ast.Name) and node.id in _TYPES) or (isinstance(node, ast.Constant) and node.value is None)


def _shown(code: bytes) -> bytes:
    """The end of the code before a change, from a space on; of the code after it, all backwards, the beginning."""
    return b"... " + code[-_BESIDE:].partition(b" ")[2] if len(code) > _BESIDE else code


def _on_one_line(code: bytes) -> str:
    return " ".join(code.decode("utf-8", "replace").split())
