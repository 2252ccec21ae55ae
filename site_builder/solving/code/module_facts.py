"""Definitions of a Python module and the names that each of them uses, read from the bytes of the file alone.

A definition is a function, a class, a plain assignment or one name of an import at the top of the file. All else at the
top, such as `if`, `for`, a bare call, `+=` or `import *`, is a statement: a definition without a name; the functions
and classes in it, which are names of the module too, are definitions beside it. Facts can be cached under the digest of
the bytes, the path and Python's minor version. Comments, formatting and line numbers do not change them.
"""

import ast
import builtins
import re
import symtable
import sys
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from site_builder.errors import Place, SiteError
from site_builder.values.digest import digest
from site_builder.values.python_syntax import syntax_tree

_HARMLESS = ("numba.jit", "numba.njit", "site_builder.contract.rules")
_NEVER_RUN = ("__name__ == '__main__'", "TYPE_CHECKING", "typing.TYPE_CHECKING")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_RULES = ("site_builder.contract.rules", "contract.rules")
Kind = Literal["function", "class", "record", "value", "rules", "import"]
_NAME = re.compile(r"[^\W\d][\w.]*")


@dataclass(frozen=True)
class Import:
    """One name of an import statement.

    bound: the name that it binds; "*" for all names of the module. module: its full name. name: what is taken from it;
    "" for the module itself, and for all of its names. inner: a.b of `import a.b`, which binds a.
    """

    bound: str
    module: str
    name: str = ""
    inner: str = ""

    @property
    def target(self) -> str:
        """The full name of what it takes."""
        return f"{self.module}.{self.name}".rstrip(".")


@dataclass(frozen=True)
class Definition:
    """A definition, or a statement, which has the name "".

    digest, docs: of its syntax without docstrings; of its docstrings. names: dotted names that it takes from its module
    or from Python. imports: those inside of it, at any depth. is_always_run: a statement, or a definition that a
    decorator or base class may register somewhere. kind: "function" also of an assignment with a lambda; "class" of one
    with methods, "record" of one without; "rules" of functions and classes that are marked with @rules.
    """

    name: str
    digest: str
    docs: str
    names: tuple[str, ...]
    imports: tuple[Import, ...]
    is_always_run: bool
    kind: Kind = "value"


@dataclass(frozen=True)
class ModuleFacts:
    """Facts of one module. definitions: in their order."""

    definitions: tuple[Definition, ...] = ()
    docs: str = ""


def module_facts(content: bytes, shown: str) -> ModuleFacts:
    """Read the facts of a module. Raises SiteError with the line of the file `shown` when it is not valid Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a doubtful escape in a string is reported when the module is run
            tree = syntax_tree(content)
            scope = symtable.symtable(content, shown, "exec")  # type: ignore[arg-type]  # which takes bytes too
        return _facts(tree, scope, shown.rpartition("/")[0].replace("/", "."))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _refusal(error, shown) from error


def _refusal(error: Exception, shown: str) -> SiteError:
    """The error of a file that is not valid Python, or that cannot be analysed."""
    place = Place(shown, getattr(error, "lineno", 0) or 0)
    if isinstance(error, SyntaxError):
        cure = f"correct this line: {(error.text or '').strip()}"
        return SiteError(place, f"this is not Python: {error.msg}", cure)
    message = f"this file cannot be analysed: {str(error) or type(error).__name__}"
    return SiteError(place, message, "split long expressions, and write long numbers as products or powers")


def _facts(tree: ast.Module, scope: symtable.SymbolTable, package: str) -> ModuleFacts:
    origins = {row.bound: row.target for row in _imports(tree.body, package)}
    outside = {symbol.get_name() for symbol in scope.get_symbols() if symbol.is_referenced()}
    inside = [(each.get_lineno(), _global_names(each)) for each in scope.get_children()]
    definitions: list[Definition] = []
    begin, end = 0, 0
    for statement in tree.body:
        begin, end = end, statement.end_lineno or 0
        if isinstance(statement, ast.Import | ast.ImportFrom):
            definitions += map(_imported, _imports([statement], package))
        elif not _is_text(statement) and _runs(statement):
            known = outside.union(*(names for line, names in inside if begin <= line <= end))
            for each in (statement, *_functions_in(statement)):
                definitions += _definitions(each, known, origins, package)
    docs = [ast.dump(statement) for statement in tree.body if _is_text(statement)]
    return ModuleFacts(tuple(definitions), digest(docs))


def _functions_in(statement: ast.AST) -> Iterator[ast.stmt]:
    """The functions and classes that a statement such as `if` or `try` defines in the module."""
    for part in () if isinstance(statement, _DEFINITIONS) else ast.iter_child_nodes(statement):
        if isinstance(part, _DEFINITIONS):
            yield part
        elif isinstance(part, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from _functions_in(part)


def _imported(row: Import) -> Definition:
    """The definition that one name of an import makes; a statement where it may bind or change any name."""
    is_always_run = row.bound == "*" or row.module == "__future__"
    return Definition("" if is_always_run else row.bound, digest(repr(row)), "", (), (row,), is_always_run, "import")


def _global_names(scope: symtable.SymbolTable) -> set[str]:
    """Names that a function or class takes from its module, or from Python."""
    is_class = scope.get_type() == "class"  # which may read a global name before it binds the same: `size = size`
    own = {s.get_name() for s in scope.get_symbols() if s.is_global() or (is_class and s.is_referenced())}
    return own.union(*map(_global_names, scope.get_children()))


def _definitions(
    statement: ast.stmt, known: Collection[str], origins: Mapping[str, str], package: str
) -> list[Definition]:
    """The definitions that one statement makes. known: names that are not local in it. Takes its docstrings out."""
    nodes = list(ast.walk(statement))
    imports = tuple(dict.fromkeys(_imports(nodes, package)))
    known = {*known, *(row.bound for row in imports), "__doc__"}
    annotations = [getattr(node, field, None) for node in nodes for field in ("annotation", "returns")]
    parts = [part for each in annotations if isinstance(each, ast.AST) for part in ast.walk(each)]
    texts = [name for each in annotations if isinstance(each, ast.AST) for name in _NAME.findall(_text(each))]
    names = {name for name in _dotted_names(nodes) if name.partition(".")[0] in known}.union(
        _dotted_names(parts), texts
    )
    if isinstance(statement, ast.ClassDef):  # what its body imports are attributes
        names |= {row.bound for row in _imports(statement.body, package)}
    names |= {"__doc__" for node in nodes if isinstance(node, ast.Attribute) and node.attr == "__doc__"}
    docs = digest([_without_docs(node) for node in nodes if isinstance(node, _DEFINITIONS)])
    bound = _bound_names(statement, nodes) or [""]
    is_always_run = not bound[0] or _may_register(statement, origins)
    rest = (digest(ast.dump(statement)), docs, tuple(sorted(names)), imports, is_always_run)
    return [Definition(name, *rest, _kind(statement, nodes, origins)) for name in bound]


def _without_docs(definition: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[str]:
    """Take the docstrings out of a definition."""
    docs = [ast.dump(each) for each in definition.body if _is_text(each)]
    definition.body = [each for each in definition.body if not _is_text(each)]
    return docs


def _dotted_names(nodes: Sequence[ast.AST]) -> set[str]:
    """The dotted names in nodes, each as long as it is written: np.linalg.norm and neither np.linalg nor np."""
    owners = {node.value for node in nodes if isinstance(node, ast.Attribute)}
    return {name for node in nodes if node not in owners and (name := _dotted(node))}


def _kind(statement: ast.stmt, nodes: Sequence[ast.AST], origins: Mapping[str, str]) -> Kind:
    """The kind of the definitions that a statement makes."""
    if any(_origin(each, origins) in _RULES for each in getattr(statement, "decorator_list", ())):
        return "rules"
    if isinstance(statement, ast.ClassDef):
        return "class" if any(isinstance(part, ast.FunctionDef) for part in statement.body) else "record"
    has_function = any(isinstance(node, ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef) for node in nodes)
    return "function" if has_function else "value"


def _bound_names(statement: ast.stmt, nodes: Sequence[ast.AST]) -> list[str]:
    """Names that a function, a class or a plain assignment defines; none for every other statement."""
    if isinstance(statement, _DEFINITIONS):
        return [statement.name]
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or any(isinstance(node, ast.NamedExpr) for node in nodes):
        return []
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    single = [each for target in targets for each in (target.elts if isinstance(target, ast.Tuple) else [target])]
    names = [each.id for each in single if isinstance(each, ast.Name)]
    return names if len(names) == len(single) else []


def _may_register(statement: ast.stmt, origins: Mapping[str, str]) -> bool:
    """True when a decorator or base class, other than Python's own, may add a definition to some table."""
    expressions = [*getattr(statement, "decorator_list", ()), *getattr(statement, "bases", ())]
    expressions += [each.value for each in getattr(statement, "keywords", ())]  # such as metaclass=
    found = [_origin(each.func if isinstance(each, ast.Call) else each, origins) for each in expressions]
    return any(each.partition(".")[0] not in sys.stdlib_module_names and each not in _HARMLESS for each in found)


def _origin(node: ast.expr, origins: Mapping[str, str]) -> str:
    """The full name of what a dotted name means."""
    head, dot, rest = _dotted(node).partition(".")
    return origins.get(head, "builtins" if hasattr(builtins, head) else "") + dot + rest


def _runs(statement: ast.stmt) -> bool:
    """False for `if __name__ == "__main__":` and `if TYPE_CHECKING:`, whose bodies no import runs."""
    return not isinstance(statement, ast.If) or bool(statement.orelse) or ast.unparse(statement.test) not in _NEVER_RUN


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and bool(_text(statement.value))


def _text(node: ast.AST) -> str:
    """The text that a constant is; "" for every other expression."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _dotted(node: ast.AST) -> str:
    """The dotted name that an expression is, such as `np.linalg`; "" for every other expression."""
    if isinstance(node, ast.Name):
        return node.id
    owner = _dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{owner}.{node.attr}" if isinstance(node, ast.Attribute) and owner else ""


def _imports(nodes: Sequence[ast.AST], package: str) -> Iterator[Import]:
    """The imports among nodes of a module that lies in this package."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            parent = package.rsplit(".", node.level - 1)[0] if node.level else ""
            module = ".".join(filter(None, (parent, node.module)))
            rows = ((each.asname or each.name, each.name) for each in node.names)
            yield from (Import(bound, module, "" if bound == "*" else name) for bound, name in rows)
        elif isinstance(node, ast.Import):
            for each in node.names:
                top, dot, _ = each.name.partition(".")
                yield Import(each.asname, each.name) if each.asname else Import(top, top, inner=each.name * bool(dot))
