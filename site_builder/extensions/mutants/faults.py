"""Faults that somebody could make in a solver: one operator, constant, comparison or bound is another.

Each is another value of one field in the syntax tree of a file. Annotations, decorators, texts, the messages of
exceptions and the parameters of `solve` are left as they are: a fault there changes no answer.
"""

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from operator import eq
from typing import Any

from site_builder.values.digest import digest
from site_builder.values.python_syntax import syntax_tree

MOST = 30  # faults in one solver
_BESIDE = 40  # characters on each side of a change that are shown at most

_ARITHMETIC: Mapping[type, type] = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult},
    **{ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift},
    **{ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr},
}
_COMPARISONS: Mapping[type, tuple[type, ...]] = {
    **{ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt)},
    **{ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,)},
    **{ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,)},
}
_OPPOSITES = {"min": "max", "any": "all", "floor": "ceil", "argmin": "argmax", "minimum": "maximum"}
_OPPOSITES |= {other: name for name, other in _OPPOSITES.items()}
_LEFT_OUT = (ast.Import, ast.ImportFrom, ast.Raise, ast.Assert, ast.JoinedStr)
_TYPES = ("int", "float", "bool", "str", "bytes", "tuple", "list", "dict", "set", "frozenset", "complex", "None")
_VALUES = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)  # conditions and bounds that are negated and shifted
_SUMS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv)


@dataclass(frozen=True, eq=False)
class Fault:
    """A fault that can be seeded.

    path: the file, relative to the project; name: the function, class or constant in which it is. before and after: the
    changed code. node: the number of the node among those of the file; value: the new one of its `field`. number: from
    0 on, among faults that look the same.
    """

    path: str
    line: int
    name: str
    before: str
    after: str
    node: int
    field: str
    value: Any
    number: int

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
        """The code of the file with this fault, without comments."""
        tree = syntax_tree(text)
        setattr(list(ast.walk(tree))[self.node], self.field, self.value)
        return ast.unparse(tree).encode()


def choose_faults(texts: Mapping[str, bytes], names: Mapping[str, Collection[str]], most: int = MOST) -> list[Fault]:
    """At most so many of the faults in these definitions, in the order of their lines.

    texts: of files, by path; names: the definitions of each file that count. The choice is seeded by the changes alone,
    so that an edit elsewhere leaves it nearly as it is.
    """
    every = [fault for path in sorted(names) for fault in faults_in(path, texts[path], names[path])]
    chosen = sorted(every, key=lambda fault: digest(fault.path, fault.change))[:most]
    return sorted(chosen, key=lambda fault: (fault.path, fault.line, fault.node, fault.after))


def faults_in(path: str, text: bytes, names: Collection[str]) -> list[Fault]:
    """All faults in the definitions of these names at the top of a file. Raises SyntaxError for what is no Python."""
    tree = syntax_tree(text)
    numbers = {node: number for number, node in enumerate(ast.walk(tree))}
    found: list[Fault] = []
    seen: Counter[tuple[str, str, str]] = Counter()
    for statement in tree.body:
        for name in sorted(_defined(statement) & set(names))[:1]:  # of several, the first stands for all
            for node, shown in _nodes(statement, None):
                for field, value in _changes(node):
                    before, after = _in_words(node, field, value, shown)
                    line = getattr(node, "lineno", 0) or getattr(shown, "lineno", statement.lineno)
                    number = seen[name, before, after]
                    found.append(Fault(path, line, name, before, after, numbers[node], field, value, number))
                    seen[name, before, after] += 1
    return found


def _defined(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    nodes = (node for target in targets if target is not None for node in ast.walk(target))
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def _nodes(node: ast.AST, shown: ast.AST | None) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    """The nodes that may have faults, each with the expression or assignment around it that shows them."""
    if isinstance(node, _LEFT_OUT):
        return
    if shown is None and isinstance(node, ast.expr | ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return):
        shown = node
    yield node, shown
    for field, value in ast.iter_fields(node):
        declares_parameters = field == "args" and getattr(node, "name", "") == "solve"
        if field not in ("annotation", "returns", "decorator_list", "type_params") and not declares_parameters:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _nodes(child, shown)


def _changes(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """The fields of a node that may be others, each with another value."""
    match node:
        case ast.BinOp(left, ast.BitOr(), right) if _is_type(left) or _is_type(right):
            return
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator) if type(operator) in _ARITHMETIC:
            yield "op", _ARITHMETIC[type(operator)]()
        case ast.Compare(ops=operators):
            for place, each in enumerate(operators):
                for other in _COMPARISONS[type(each)]:
                    yield "ops", _with(operators, place, other())
        case ast.BoolOp(operator):
            yield "op", ast.Or() if isinstance(operator, ast.And) else ast.And()
        case ast.UnaryOp(ast.UAdd()) | ast.UnaryOp(operand=ast.Constant()):  # no effect; the constant is changed itself
            return
        case ast.UnaryOp(operator, operand):
            yield "operand", ast.UnaryOp(operator, operand)  # twice is as good as never
        case ast.Constant(bool() | int() | float() as value) if value + 1 != value:
            yield "value", not value if isinstance(value, bool) else value + 1
        case ast.Name(name) | ast.Attribute(_, name) if name in _OPPOSITES:
            yield "id" if isinstance(node, ast.Name) else "attr", _OPPOSITES[name]
        case ast.Call(ast.Name("range"), [_, *_] as arguments, []) if _is_bound(arguments[:2][-1]):
            last = min(1, len(arguments) - 1)
            yield "args", _with(arguments, last, ast.BinOp(arguments[last], ast.Sub(), ast.Constant(1)))
        case ast.Slice(lower, upper):
            for field, bound in {"lower": lower, "upper": upper}.items():
                if bound and _is_bound(bound):
                    yield field, ast.BinOp(bound, ast.Add(), ast.Constant(1))
        case ast.If(test) | ast.While(test) | ast.IfExp(test) if isinstance(test, _VALUES):
            yield "test", ast.UnaryOp(ast.Not(), test)
        case ast.comprehension(ifs=tests):
            for place, test in enumerate(tests):
                if isinstance(test, _VALUES):
                    yield "ifs", _with(tests, place, ast.UnaryOp(ast.Not(), test))


def _with(nodes: Sequence[ast.AST], place: int, node: ast.AST) -> list[ast.AST]:
    return [*nodes[:place], node, *nodes[place + 1 :]]


def _is_type(node: ast.expr) -> bool:
    """True when an operand of `|` is a type."""
    node = node.value if isinstance(node, ast.Subscript) else node
    return (isinstance(node, ast.Name) and node.id in _TYPES) or (isinstance(node, ast.Constant) and node.value is None)


def _is_bound(node: ast.expr) -> bool:
    """True for a bound that may be one more or less; that of a constant is a changed constant already."""
    is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, _SUMS)
    return is_sum or isinstance(node, _VALUES)


def _in_words(node: ast.AST, field: str, value: Any, shown: ast.AST | None) -> tuple[str, str]:
    """The code before and after a change of a node, of which what is beside the change is left."""
    before = getattr(node, field)
    if shown is None:  # the condition of a statement
        return ast.unparse(before), ast.unparse(value)
    one = ast.unparse(shown)
    setattr(node, field, value)
    other = ast.unparse(shown)
    setattr(node, field, before)
    start = _common(one, other)
    end = _common(one[start:][::-1], other[start:][::-1])
    head, tail = _end_of(one[:start]), _end_of(one[len(one) - end :][::-1])[::-1]
    return head + one[start : len(one) - end] + tail, head + other[start : len(other) - end] + tail


def _common(one: str, other: str) -> int:
    """The number of characters with which both begin."""
    return sum(takewhile(bool, map(eq, one, other)))


def _end_of(code: str) -> str:
    """The end of the code before a change, from a space on; of the code after it, all backwards, the beginning."""
    return "... " + code[-_BESIDE:].partition(" ")[2] if len(code) > _BESIDE else code
