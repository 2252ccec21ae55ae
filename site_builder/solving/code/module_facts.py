"""Definitions of a Python module and the names that each of them uses, read from the bytes of the file alone.

A definition is a function, a class or a plain assignment at the top of the file. All else at the top, such as `if`,
`for`, a bare call or `+=`, is a statement: a definition without a name. Facts can be cached under the digest of the
bytes and Python's minor version. Comments, formatting and line numbers do not change them.
"""

import ast
import builtins
import re
import symtable
import sys
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from site_builder.errors import Place, SiteError
from site_builder.values.digest import digest
from site_builder.values.python_syntax import syntax_tree

_HARMLESS = ("numba.jit", "numba.njit", "site_builder.contract.rules")
_NEVER_RUN = ("__name__ == '__main__'", "TYPE_CHECKING", "typing.TYPE_CHECKING")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_RULES = ("site_builder.contract.rules", "contract.rules")
Kind = Literal["code", "rules", "value"]
_NAME = re.compile(r"[^\W\d][\w.]*")


@dataclass(frozen=True)
class Import:
    """One name of an import statement.

    bound: the name that it binds; "*" for all names of the module.
    name: what is taken from the module; "" for the module itself; "." for its first package, as in `import a.b`.
    """

    bound: str
    level: int
    module: str
    name: str


@dataclass(frozen=True)
class Definition:
    """A definition, or a statement, which has the name "".

    digest, docs: of its syntax without docstrings, and of its docstrings.
    names: dotted names that it takes from its module or from Python. imports: those inside of it, at any depth.
    is_always_run: a statement, or a definition that a decorator or base class may register somewhere.
    kind: "code" of a function, of a class with methods and of an assignment with a lambda; "rules" of these where they
    are marked with @rules, "value" of all else.
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
    """Facts of one module. definitions: in their order. imports: those that bind names of the module."""

    definitions: tuple[Definition, ...] = ()
    imports: tuple[Import, ...] = ()
    docs: str = ""


def module_facts(content: bytes, shown: str) -> ModuleFacts:
    """Read the facts of a module. Raises SiteError with the line of the file `shown` when it is not valid Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a doubtful escape in a string is reported when the module is run
            tree = syntax_tree(content)
            scope = symtable.symtable(content, shown, "exec")  # type: ignore[arg-type]  # which takes bytes too
        return _facts(tree, scope)
    except SyntaxError as error:
        cure = f"correct this line: {(error.text or '').strip()}"
        raise SiteError(Place(shown, error.lineno or 0), f"this is not Python: {error.msg}", cure) from error
    except (ValueError, RecursionError, MemoryError) as error:
        reason = str(error) or type(error).__name__
        raise SiteError(Place(shown), f"this file cannot be analysed: {reason}", "split long expressions") from error


def _facts(tree: ast.Module, scope: symtable.SymbolTable) -> ModuleFacts:
    imports = [row for statement in tree.body for row in _imports(statement)]
    origins = {row.bound: f"{row.module}.{row.name}".rstrip(".") for row in imports if not row.level}
    outside = {symbol.get_name() for symbol in scope.get_symbols() if symbol.is_referenced()}
    inside = [(each.get_lineno(), _global_names(each)) for each in scope.get_children()]
    ends = [statement.end_lineno or 0 for statement in tree.body]
    taken = [
        set().union(*(names for line, names in inside if begin <= line <= end))
        for begin, end in zip([0, *ends], ends, strict=False)
    ]
    definitions: list[Definition] = []
    for statement, names in zip(tree.body, taken, strict=True):
        if not isinstance(statement, ast.Import | ast.ImportFrom) and not _is_text(statement) and _runs(statement):
            known = outside | names
            syntax = _Syntax(statement)
            found = _definitions(statement, syntax, known, _may_register(statement, origins), _kind(statement, origins))
            binds_here = not found[0].name or "Global" in syntax.shape
            imports += syntax.imports if binds_here else []
            definitions += found
    docs = [ast.dump(statement) for statement in tree.body if _is_text(statement)]
    return ModuleFacts(tuple(definitions), tuple(imports), digest(docs))


def _global_names(scope: symtable.SymbolTable) -> set[str]:
    """Names that a function or class takes from its module, or from Python."""
    is_class = scope.get_type() == "class"  # which may read a global name before it binds the same: `size = size`
    own = {s.get_name() for s in scope.get_symbols() if s.is_global() or (is_class and s.is_referenced())}
    return own.union(*map(_global_names, scope.get_children()))


def _definitions(
    statement: ast.stmt, syntax: "_Syntax", global_names: set[str], may_register: bool, kind: Kind
) -> list[Definition]:
    """The definitions that one statement makes. global_names: those that are not local in it."""
    known = global_names | {row.bound for row in syntax.imports} | {"__doc__"}
    names = {name for name in syntax.names if name.partition(".")[0] in known} | syntax.annotation_names
    rest = (digest(syntax.shape), digest(syntax.docs), tuple(sorted(names)), tuple(dict.fromkeys(syntax.imports)))
    return [Definition(name, *rest, may_register or not name, kind) for name in _bound_names(statement) or [""]]


def _kind(statement: ast.stmt, origins: Mapping[str, str]) -> Kind:
    """The kind of the definitions that a statement makes."""
    for each in getattr(statement, "decorator_list", ()):
        head, dot, rest = _dotted(each).partition(".")
        if origins.get(head, "") + dot + rest in _RULES:
            return "rules"
    if isinstance(statement, ast.ClassDef):
        return "code" if any(isinstance(part, ast.FunctionDef) for part in statement.body) else "value"
    has_lambda = any(isinstance(node, ast.Lambda) for node in ast.walk(statement))
    return "code" if has_lambda or isinstance(statement, _DEFINITIONS) else "value"


def _bound_names(statement: ast.stmt) -> list[str]:
    """Names that a function, a class or a plain assignment defines; none for every other statement."""
    if isinstance(statement, _DEFINITIONS):
        return [statement.name]
    nodes = list(ast.walk(statement))
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or any(isinstance(node, ast.NamedExpr) for node in nodes):
        return []
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    single = [each for target in targets for each in (target.elts if isinstance(target, ast.Tuple) else [target])]
    names = [each.id for each in single if isinstance(each, ast.Name)]
    return names if len(names) == len(single) else []


class _Syntax:
    """The parts of a statement that facts are made from, collected in one pass, which takes its docstrings out.

    shape: the syntax as words. names: dotted ones, local ones too; annotation_names: those in annotations, of which
    none is local.
    """

    def __init__(self, top: ast.AST) -> None:
        self.shape: list[str] = []
        self.docs: list[str] = []
        self.names: set[str] = set()
        self.annotation_names: set[str] = set()
        self.imports: list[Import] = []
        self._read(top, is_part=False)

    def _read(self, value: Any, is_part: bool) -> None:
        """Read a node or the value of a field. is_part: it is a part of a dotted name that has been read."""
        if isinstance(value, ast.AST):
            self._read_node(value, is_part)
        elif isinstance(value, list):
            self.shape.append(f"list of {len(value)}")
            for each in value:
                self._read(each, is_part)
        else:
            self.shape.append(hex(value) if type(value) is int else repr(value))  # which refuses long integers

    def _read_node(self, node: ast.AST, is_part: bool) -> None:
        self.shape.append(type(node).__name__)
        imports, dotted = _imports(node), _dotted(node)
        self.imports += imports
        if dotted and not is_part:
            self.names.add(dotted)
        if isinstance(node, ast.Attribute) and node.attr == "__doc__":
            self.names.add("__doc__")
        if isinstance(node, _DEFINITIONS):
            self.docs += [ast.dump(each) for each in node.body if _is_text(each)]
            node.body = [each for each in node.body if not _is_text(each)]
        for field in node._fields:
            value = getattr(node, field, None)
            if field in ("annotation", "returns") and value is not None:
                self.annotation_names |= _Syntax(value).names.union(_NAME.findall(_text(value)))
            if field not in ("ctx", "kind"):
                self._read(value, is_part=bool(dotted) or bool(imports))


def _may_register(statement: ast.stmt, origins: Mapping[str, str]) -> bool:
    """True when a decorator or base class, other than Python's own, may add a definition to some table."""
    expressions = [*getattr(statement, "decorator_list", ()), *getattr(statement, "bases", ())]
    expressions += [each.value for each in getattr(statement, "keywords", ())]  # such as metaclass=
    for each in expressions:
        head, dot, rest = _dotted(each.func if isinstance(each, ast.Call) else each).partition(".")
        origin = origins.get(head, "builtins" if hasattr(builtins, head) else "") + dot + rest
        if origin.partition(".")[0] not in sys.stdlib_module_names and origin not in _HARMLESS:
            return True
    return False


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


def _imports(node: ast.AST) -> list[Import]:
    """The imports of an import statement; none of every other node."""
    if isinstance(node, ast.ImportFrom):
        return [Import(each.asname or each.name, node.level, node.module or "", each.name) for each in node.names]
    if isinstance(node, ast.Import):
        rows = [(each.asname, each.name) for each in node.names]
        return [Import(given or name.partition(".")[0], 0, name, "" if given else ".") for given, name in rows]
    return []
