"""Definitions of a Python module and the names that each of them uses, read from the bytes of the file alone.

A definition is a top-level statement with the names that it binds; an import is one for each of its names. Importing
the module runs it for those that use its names alone, or always: a bare call, `if`, `for`, `+=`, `import *`, a call of
the project's own code in an assignment, a decorator or base class that may register what it is given. Facts can be
cached under the digest of the bytes, the path and Python's minor version. Comments, formatting and line numbers do not
change them.
"""

import ast
import builtins
import re
import symtable
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from site_builder.errors import Place, SiteError
from site_builder.values.digest import digest
from site_builder.values.python_syntax import syntax_tree

_PURE = {*sys.stdlib_module_names, "matplotlib", "numba", "numpy", "pydantic", "scipy", "site_builder"}
_IMPURE = {"__import__", "delattr", "eval", "exec", "getattr", "globals", "locals", "next", "setattr", "vars"}
_NEVER_RUN = ("__name__ == '__main__'", "TYPE_CHECKING", "typing.TYPE_CHECKING")
_RULES = "contract.rules"
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FUNCTIONS = (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef)
_NAME = re.compile(r"[^\W\d][\w.]*")
Kind = Literal["rules", "function", "class", "record", "value", "import"]


@dataclass(frozen=True)
class Import:
    """One name of an import statement.

    bound: the name that it binds; "*" for all names of the module. module: its full name. name: what is taken from it;
    "" for the module itself, and for all of its names. `import a.b` has a, and a.b for the attribute that it adds.
    """

    bound: str
    module: str
    name: str = ""

    @property
    def target(self) -> str:
        """The full name of what it takes."""
        return f"{self.module}.{self.name}".rstrip(".")


@dataclass(frozen=True, eq=False)
class Definition:
    """A top-level statement, or one name of an import; two that are alike are not equal.

    bound: the names that it binds. digest: of its syntax without docstrings; "" of a text alone. documented: the same
    with docstrings. names: dotted names that it takes from its module or from Python. imports: those inside of it, at
    any depth. kind: "rules" of functions and classes that are marked with @rules, "function" also of an assignment with
    a lambda, "class" of one with methods, "record" of one without.
    """

    bound: tuple[str, ...]
    digest: str
    documented: str
    names: tuple[str, ...]
    imports: tuple[Import, ...]
    is_always_run: bool
    kind: Kind = "value"


@dataclass(frozen=True, eq=False)
class ModuleFacts:
    """Facts of one module. definitions: in their order."""

    definitions: tuple[Definition, ...] = ()


def module_facts(content: bytes, shown: str) -> ModuleFacts:
    """Read the facts of a module. Raises SiteError with the line of the file `shown` when it is not valid Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a doubtful escape in a string is reported when the module is run
            tree = syntax_tree(content)
            scope = symtable.symtable(content, shown, "exec")  # type: ignore[arg-type]  # which takes bytes too
        return ModuleFacts(tuple(_Reader(tree, scope, shown.rpartition("/")[0].replace("/", ".")).definitions()))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        place = Place(shown, getattr(error, "lineno", 0) or 0)
        if isinstance(error, SyntaxError):
            cure = f"correct this line: {(error.text or '').strip()}"
            raise SiteError(place, f"this is not Python: {error.msg}", cure) from error
        raise SiteError(place, f"this file cannot be analysed: {str(error) or type(error).__name__}") from error


class _Reader:
    """Reads the definitions of a module of a package from its syntax and its scopes."""

    def __init__(self, tree: ast.Module, scope: symtable.SymbolTable, package: str) -> None:
        self._statements = tree.body
        self._package = package
        self._origins = {row.bound: row.target for row in _imports(tree.body, package)}
        self._own = {name for statement in tree.body for name in _names_bound(statement)}
        self._bound = {symbol.get_name() for symbol in scope.get_symbols() if symbol.is_assigned()}
        self._used = {symbol.get_name() for symbol in scope.get_symbols() if symbol.is_referenced()}
        self._inside = [(each.get_lineno(), _global_names(each)) for each in scope.get_children()]

    def definitions(self) -> Iterator[Definition]:
        begin, end = 0, 0
        for statement in self._statements:
            begin, end = end, statement.end_lineno or 0
            if isinstance(statement, ast.Import | ast.ImportFrom):
                yield from map(_imported, _imports([statement], self._package))
            elif _is_text(statement):
                yield Definition((), "", digest(ast.dump(statement)), (), (), True)
            elif not isinstance(statement, ast.If) or statement.orelse or ast.unparse(statement.test) not in _NEVER_RUN:
                known = self._used.union(*(names for line, names in self._inside if begin <= line <= end))
                yield self._definition(statement, known)
                yield from (self._definition(each, known) for each in self._inner(statement))

    def _inner(self, statement: ast.stmt) -> list[ast.stmt]:
        """The functions and classes that a statement such as `if` or `try` defines in the module."""
        if isinstance(statement, _DEFINITIONS):
            return []
        return [each for each in ast.walk(statement) if isinstance(each, _DEFINITIONS) and each.name in self._bound]

    def _definition(self, statement: ast.stmt, known: Collection[str]) -> Definition:
        """The definition that a statement makes. known: names that are not local in it. Takes its docstrings out."""
        nodes = list(ast.walk(statement))
        imports = tuple(dict.fromkeys(_imports(nodes, self._package)))
        names = _names(nodes, {*known, *(row.bound for row in imports)})
        if isinstance(statement, ast.ClassDef):  # what its body imports are attributes
            names |= {row.bound for row in _imports(statement.body, self._package)}
        docs = [_without_docs(node) for node in nodes if isinstance(node, _DEFINITIONS)]
        code = digest(ast.dump(statement))
        return Definition(
            bound=tuple(name for name in _names_bound(statement) if name in self._bound),
            digest=code,
            documented=digest(code, docs) if any(docs) else code,
            names=tuple(sorted(names)),
            imports=imports,
            is_always_run=not self._only_binds(statement),
            kind=self._kind(statement, nodes),
        )

    def _only_binds(self, statement: ast.stmt) -> bool:
        """True when a statement does no more than bind its names, as far as the names of what it calls show."""
        if not isinstance(statement, (*_DEFINITIONS, ast.Assign, ast.AnnAssign)):
            return False
        nodes = list(_run_at_import(statement))
        called = [node.func for node in nodes if isinstance(node, ast.Call)]
        for each in (node for node in nodes if isinstance(node, _DEFINITIONS)):  # with keywords such as metaclass=
            called += [*each.decorator_list, *getattr(each, "bases", ()), *getattr(each, "keywords", ())]
        heads = {part.id for each in called for part in ast.walk(each) if isinstance(part, ast.Name)}
        is_pure = all(self._origin(head).partition(".")[0] in _PURE for head in heads)
        return is_pure and not any(map(_is_changed_part, nodes))

    def _origin(self, dotted: str) -> str:
        """The full name of what a dotted name means; it begins with a dot for one of the module's own."""
        head, dot, rest = dotted.partition(".")
        is_builtin = hasattr(builtins, head) and not (head in {*self._bound, *_IMPURE} or "*" in self._origins)
        origin = f"builtins.{head}" if is_builtin else f".{head}"
        return (origin if head in self._own else self._origins.get(head, origin)) + dot + rest

    def _kind(self, statement: ast.stmt, nodes: Iterable[ast.AST]) -> Kind:
        """The kind of the definition that a statement makes."""
        marks = getattr(statement, "decorator_list", ())
        if any(self._origin(_dotted(each)).endswith(_RULES) for each in marks):
            return "rules"
        if isinstance(statement, ast.ClassDef):
            return "class" if any(isinstance(part, ast.FunctionDef) for part in statement.body) else "record"
        return "function" if any(isinstance(node, _FUNCTIONS) for node in nodes) else "value"


def _imported(row: Import) -> Definition:
    """The definition that one name of an import makes; always run where it may bind or change any name."""
    is_always_run = row.bound == "*" or row.module == "__future__"
    code = digest(repr(row))
    return Definition(() if is_always_run else (row.bound,), code, code, (), (row,), is_always_run, "import")


def _global_names(scope: symtable.SymbolTable) -> set[str]:
    """Names that a function or class takes from its module, or from Python."""
    is_class = scope.get_type() == "class"  # which may read a global name before it binds the same: `size = size`
    own = {s.get_name() for s in scope.get_symbols() if s.is_global() or (is_class and s.is_referenced())}
    return own.union(*map(_global_names, scope.get_children()))


def _names(nodes: Sequence[ast.AST], known: Collection[str]) -> set[str]:
    """The dotted names in nodes that begin with a known one, and all in annotations, which may be texts."""
    annotations = [getattr(node, field, None) for node in nodes for field in ("annotation", "returns")]
    types = [each for each in annotations if isinstance(each, ast.AST)]
    names = {name for name in _dotted_names(nodes) if name.partition(".")[0] in known}
    names |= _dotted_names([part for each in types for part in ast.walk(each)])
    names |= {name for each in types for name in _NAME.findall(_text(each))}
    return names | {node.attr for node in nodes if isinstance(node, ast.Attribute) and node.attr == "__doc__"}


def _dotted_names(nodes: Sequence[ast.AST]) -> set[str]:
    """The dotted names in nodes, each as long as it is written: np.linalg.norm and neither np.linalg nor np."""
    owners = {node.value for node in nodes if isinstance(node, ast.Attribute)}
    return {name for node in nodes if node not in owners and (name := _dotted(node))}


def _dotted(node: ast.AST) -> str:
    """The dotted name that an expression is, such as `np.linalg`; "" for every other expression."""
    if isinstance(node, ast.Name):
        return node.id
    owner = _dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{owner}.{node.attr}" if isinstance(node, ast.Attribute) and owner else ""


def _names_bound(statement: ast.stmt) -> dict[str, None]:
    """The names that a statement binds, if and when it is run; those of functions in it too."""
    if isinstance(statement, _DEFINITIONS):
        return {statement.name: None}
    names = (node for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return dict.fromkeys(node.id for node in names)


def _is_changed_part(node: ast.AST) -> bool:
    """True for an attribute or an item of an object that is assigned to, or deleted."""
    return isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load)


def _run_at_import(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all in it, without the bodies of functions."""
    yield node
    body = node.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else ()
    for part in ast.iter_child_nodes(node):
        if part not in body:
            yield from _run_at_import(part)


def _without_docs(definition: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[str]:
    """Take the docstrings out of a definition."""
    docs = [ast.dump(each) for each in definition.body if _is_text(each)]
    definition.body = [each for each in definition.body if not _is_text(each)]
    return docs


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and bool(_text(statement.value))


def _text(node: ast.AST) -> str:
    """The text that a constant is; "" for every other expression."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _imports(nodes: Iterable[ast.AST], package: str) -> Iterator[Import]:
    """The imports among nodes of a module that lies in this package."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            parent = package.rsplit(".", node.level - 1)[0] if node.level else ""
            module = ".".join(filter(None, (parent, node.module)))
            rows = ((each.asname or each.name, each.name) for each in node.names)
            yield from (Import(bound, module, "" if bound == "*" else name) for bound, name in rows)
        elif isinstance(node, ast.Import):
            for each in node.names:
                yield Import(each.asname or each.name, each.name)
                if "." in each.name and not each.asname:
                    top = each.name.partition(".")[0]
                    yield Import(top, top)
