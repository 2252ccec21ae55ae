"""The definitions of a Python file and what each of them uses, from the bytes of the file alone.

These facts can be stored as JSON under a digest of the bytes and the Python version, whose grammar they follow. Except
for `text` they are the same whatever the comments, formatting, docstrings and line numbers.
"""

import ast
import builtins
import re
import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from site_builder.storage.code_graph.import_effects import Function, Quiet
from site_builder.values.digest import bytes_digest, digest
from site_builder.values.python_syntax import syntax_tree

OWN_MODULE = "its module"  # the doubts that a definition raises: how much of the code it may reach without naming it
EVERYTHING = "everything"
DOCSTRINGS = "docstrings"

_DOUBTS = {
    **dict.fromkeys(("dir", "globals", "locals", "vars", "__dict__"), OWN_MODULE),
    **dict.fromkeys(("__doc__", "use_attribute_docstrings"), DOCSTRINGS),
    **dict.fromkeys(("__import__", "breakpoint", "compile", "eval", "exec", "__builtins__"), EVERYTHING),
    **dict.fromkeys(("__code__", "__globals__", "__loader__", "__path__", "__spec__", "__subclasses__"), EVERYTHING),
    **dict.fromkeys(("allow_pickle", "f_back", "f_builtins", "f_globals", "f_lineno", "f_locals"), EVERYTHING),
    **dict.fromkeys(("cr_frame", "gi_frame", "tb_frame"), EVERYTHING),
}
_FUNCTIONS = "dir globals locals vars breakpoint compile eval exec"  # doubtful as builtins, not as attributes
_DOUBTFUL_ATTRIBUTES = frozenset(_DOUBTS) - set(_FUNCTIONS.split())
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_SHADOWABLE = frozenset(dir(builtins))
_SPOKEN_OF = frozenset(("__all__", "__author__", "__version__"))  # others mean something to Python, used or not
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SCOPES = (*_DEFINITIONS, ast.Lambda)
_PLAIN = (*_DEFINITIONS, ast.Assign, ast.Import, ast.ImportFrom)
_WITH_STATEMENTS = (ast.stmt, ast.ExceptHandler, ast.match_case)
_CHECKING = "TYPE_CHECKING"


class Import(NamedTuple):
    """What one name of an import statement binds.

    name: what is taken from the module, "*" for all of it; "" when the module itself is bound, "." when its first
    package is, as in `import solvers.common.lattice`.
    """

    bound: str
    level: int
    module: str
    name: str


class Part(NamedTuple):
    """A definition at the top of a file, or (name "") all statements at its top that do more than define.

    shape, docs: hashes of its syntax and of its docstrings. uses: names, with attributes where the name may be a
    module's. modules: dotted names of project modules in its strings. imports: its own imports, at any depth.
    """

    name: str
    kind: str
    shape: str
    docs: str
    uses: tuple[str, ...]
    modules: tuple[str, ...]
    imports: tuple[Import, ...]
    doubts: tuple[str, ...]


class Step(NamedTuple):
    """What importing the file does, in order. kind: import (what: index into `imports`), do (a hash), make (a name)."""

    kind: str
    what: str


@dataclass(frozen=True)
class Facts:
    """The facts of one file.

    text: hash of its bytes. fault: why it is no Python, and then nothing else is known. imports: those at its top, then
    those by which functions bind a `global`. order: hash of the order of all its definitions. data: the declared data
    files, `data_line` their line (0 without any), `data_fault` when they are no literal tuple of strings.
    """

    text: str
    fault: str = ""
    parts: tuple[Part, ...] = ()
    imports: tuple[Import, ...] = ()
    steps: tuple[Step, ...] = ()
    order: str = ""
    docs: str = ""
    data: tuple[str, ...] = ()
    data_line: int = 0
    data_fault: bool = False

    def to_json(self) -> dict[str, Any]:
        """The facts as JSON can hold them."""
        return dict(vars(self))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Facts":
        """Facts from what `to_json` gave, whether or not it has been JSON since."""
        parts = tuple(
            Part(name, kind, shape, docs, tuple(uses), tuple(modules), _imports_from(imports), tuple(doubts))
            for name, kind, shape, docs, uses, modules, imports, doubts in data["parts"]
        )
        imports, steps = _imports_from(data["imports"]), tuple(Step(*row) for row in data["steps"])
        rows = {"parts": parts, "imports": imports, "steps": steps, "data": tuple(data["data"])}
        return cls(**dict(data) | rows)


def facts_of(content: bytes) -> Facts:
    """The facts of a Python file with this content."""
    text = bytes_digest(content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a doubtful escape is the author's business
            tree = syntax_tree(content)
        return _File(tree, b"global" in content, _CHECKING.encode() in content).facts(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return Facts(text, fault=str(error) or type(error).__name__)


def _imports_from(rows: Iterable[Iterable[Any]]) -> tuple[Import, ...]:
    return tuple(Import(*row) for row in rows)


class _File:
    def __init__(self, tree: ast.Module, has_global: bool, has_checking: bool) -> None:
        """has_global, has_checking: whether these words stand in the file; without them less of it is read."""
        checked = _type_checking(tree) if has_checking else set[str]()
        self._body = [each for each in tree.body if not _never_runs(each, checked)]
        docs = [ascii(s.value.value) for s in tree.body if _is_plain_text(s)]  # type: ignore[attr-defined]
        self._docs = digest(docs) if docs else ""
        self._bound = Counter(name for statement in self._body for name in _bound_by(statement))
        self._imports = [row for s in self._body for node in _same_scope(s) for row in _imports_of(node)]
        self._starred = any(row.name == "*" for row in self._imports)
        nodes = ast.walk(tree) if has_global else ()
        self._global = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
        late = (row for node in ast.walk(tree) for row in _imports_of(node)) if self._global else ()
        self._late = [row for row in late if row.bound in self._global]
        self._sure = {name for s in self._body if isinstance(s, _PLAIN) for name in _bound_by(s)}
        self._imported = {row.bound for row in (*self._imports, *self._late)}
        future = {row.name for row in self._imports if row.module == "__future__" and not row.level}
        functions = {s.name: s for s in self._body if isinstance(s, Function) and self._is_single(s.name)}
        self._quiet = Quiet(self._origins(), functions, "annotations" in future)
        self._steps: list[Step] = []
        self._parts: list[Part] = []
        self._order: list[str] = []
        self._doing = _Scan()

    def facts(self, text: str) -> Facts:
        at = 0
        for statement in self._body:
            imports = [row for node in _same_scope(statement) for row in _imports_of(node)]
            self._steps += [Step("import", str(at + i)) for i in range(len(imports))]
            at += len(imports)
            self._read(statement)
        self._add("", "module level", self._doing)
        parts, rows, steps = tuple(self._parts), (*self._imports, *self._late), tuple(self._steps)
        return Facts(text, "", parts, rows, steps, digest(self._order), self._docs, *self._data())

    def _read(self, statement: ast.stmt) -> None:
        names = _defined_by(statement)
        self._order += _bound_by(statement) or ["-"]
        if names and all(self._is_single(name) for name in names):
            quiet = self._quiet.is_quiet(statement)
            definition = isinstance(statement, _DEFINITIONS)
            if quiet or definition:
                loud = not quiet or any(name.startswith("__") and name not in _SPOKEN_OF for name in names)
                self._define(statement, names, loud)
                return
        if isinstance(statement, ast.Import | ast.ImportFrom) and all(
            self._bound[name] == 1 or name == "*" for name in _bound_by(statement)
        ):
            return
        if isinstance(statement, ast.Pass) or _is_plain_text(statement):
            return
        self._steps.append(Step("do", digest(self._doing.read(statement))))

    def _define(self, statement: ast.stmt, names: list[str], loud: bool) -> None:
        scan = _Scan()
        scan.read(statement)
        kinds = {ast.FunctionDef: "function", ast.AsyncFunctionDef: "function", ast.ClassDef: "class"}
        for name in names:
            self._add(name, kinds.get(type(statement), "constant"), scan)
            if loud:
                self._steps.append(Step("make", name))

    def _add(self, name: str, kind: str, scan: "_Scan") -> None:
        modules = self._imported | {row.bound for row in scan.imports}
        roots = {use: use.partition(".")[0] for use in scan.uses}
        uses = {use if root in modules else root for use, root in roots.items()}
        tokens = {use: use.partition(".")[0] for use in scan.tokens}
        uses |= {use if root in modules else root for use, root in tokens.items() if root in self._bound or "." in use}
        doubts = {_DOUBTS[word] for word in _DOUBTFUL_ATTRIBUTES & (scan.words | scan.tokens)} | {
            _DOUBTS[use]
            for use in roots.values()
            if use in _DOUBTS and (use in _DOUBTFUL_ATTRIBUTES or use not in self._sure)
        }
        named = {use for use in scan.tokens if use.startswith(("solvers.", "site_builder."))}
        found = tuple(sorted(uses)), tuple(sorted(named)), tuple(dict.fromkeys(scan.imports)), tuple(sorted(doubts))
        self._parts.append(Part(name, kind, digest(scan.out), digest(scan.docs) if scan.docs else "", *found))

    def _is_single(self, name: str) -> bool:
        """Whether the name has one meaning in the file; where it replaces a builtin, its place in the file counts."""
        return self._bound[name] == 1 and not self._starred and name not in _SHADOWABLE and name not in self._global

    def _origins(self) -> dict[str, str]:
        origins = dict.fromkeys(self._bound, "")
        for row in self._imports:
            if self._bound[row.bound] == 1 and row.bound not in self._global and not row.level:
                whole = row.module.partition(".")[0] if row.name == "." else row.module
                origins[row.bound] = whole if row.name in ("", ".") else f"{row.module}.{row.name}"
        return origins

    def _data(self) -> tuple[tuple[str, ...], int, bool]:
        """The files named in DATA, its line, and whether it is anything else than a literal tuple of strings."""
        lines = [s.lineno for s in self._body if "DATA" in _bound_by(s) and not isinstance(s, ast.ImportFrom)]
        if not lines:
            return (), 0, False
        made = [s for s in self._body if isinstance(s, ast.Assign | ast.AnnAssign) and _defined_by(s) == ["DATA"]]
        value = made[0].value if len(made) == 1 and len(lines) == 1 else None
        names = [e.value if isinstance(e, ast.Constant) else None for e in getattr(value, "elts", ())]
        literal = isinstance(value, ast.Tuple) and all(isinstance(name, str) for name in names)
        return tuple(str(name) for name in names) if literal else (), lines[-1], not literal


class _Scan:
    """What stands in some statements: their syntax written out, their docstrings, and all that they name."""

    def __init__(self) -> None:
        self.uses: set[str] = set()
        self.tokens: set[str] = set()
        self.words: set[str] = set()
        self.imports: list[Import] = []
        self.out: list[str] = []
        self.docs: list[str] = []

    def read(self, statement: ast.stmt) -> str:
        """Read one more statement, which loses its docstrings; returns its syntax."""
        links: set[ast.AST] = set()  # of chains of attributes that have been read from their ends
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                if node not in links:
                    self.uses.add(node.id)
            elif isinstance(node, ast.Constant):
                self._constant(node)
            elif isinstance(node, ast.Attribute):
                self.words.add(node.attr)
                if node not in links:
                    self._chain(node, links)
            elif isinstance(node, ast.keyword) and node.arg:
                self.words.add(node.arg)
            elif isinstance(node, _WITH_STATEMENTS):
                for name in ("body", "orelse", "finalbody"):
                    self._take_docstrings(getattr(node, name, None))
                self.imports += _imports_of(node)
                if isinstance(node, ast.Global):
                    self.uses |= set(node.names)
        self.out.append(ast.dump(statement))
        return self.out[-1]

    def _take_docstrings(self, body: Any) -> None:
        if isinstance(body, list):
            self.docs += [ascii(entry.value.value) for entry in body if _is_plain_text(entry)]
            body[:] = [entry for entry in body if not _is_plain_text(entry)]

    def _constant(self, node: Any) -> None:
        node.kind = None  # u"a" is "a"
        if type(node.value) is int:  # which may have more digits than Python writes
            node.value = ("int", hex(node.value))
        elif isinstance(node.value, str):
            for token in _DOTTED.findall(node.value):
                self.tokens.update((token, *token.split(".")))

    def _chain(self, node: ast.Attribute, links: set[ast.AST]) -> None:
        """A chain of attributes; one that is assigned to is a use of what it belongs to, whatever that is."""
        names = [node.attr] if isinstance(node.ctx, ast.Load) else []
        base: ast.expr = node.value
        while isinstance(base, ast.Attribute):
            links.add(base)
            names.append(base.attr)
            base = base.value
        links.add(base)
        if isinstance(base, ast.Name):
            self.uses.add(".".join([base.id, *reversed(names)]))


def _is_plain_text(node: Any) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _never_runs(node: ast.stmt, checked: Collection[str]) -> bool:
    """`if __name__ == "__main__":`, which no import runs, and `if TYPE_CHECKING:`, which is for type checkers alone."""
    return (
        isinstance(node, ast.If) and not node.orelse and ast.unparse(node.test) in {"__name__ == '__main__'", *checked}
    )


def _type_checking(tree: ast.Module) -> set[str]:
    """TYPE_CHECKING, if it is typing's here and nothing else of that name is bound anywhere in the file."""
    nodes = list(ast.walk(tree))
    given = [row.module for node in nodes for row in _imports_of(node) if row.bound in (_CHECKING, "*")]
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return {_CHECKING} if given == ["typing"] and _CHECKING not in stored else set()


def _same_scope(node: ast.AST) -> Iterator[ast.AST]:
    """The node and what stands in it, without the insides of functions and classes."""
    yield node
    if not isinstance(node, _SCOPES):
        for child in ast.iter_child_nodes(node):
            yield from _same_scope(child)


def _bound_by(statement: ast.stmt) -> list[str]:
    """Every name that the statement binds or deletes at the top of the file."""
    names = []
    for node in _same_scope(statement):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.append(node.id)
        elif isinstance(node, _DEFINITIONS):
            names.append(node.name)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
            names += [node.name] if node.name else []
        elif isinstance(node, ast.MatchMapping):
            names += [node.rest] if node.rest else []
        else:
            names += [row.bound for row in _imports_of(node)]
    return names


def _defined_by(statement: ast.stmt) -> list[str]:
    """The names of a definition: a function, a class, or names that get values."""
    if isinstance(statement, _DEFINITIONS):
        return [statement.name]
    if isinstance(statement, ast.AnnAssign):
        return [statement.target.id] if isinstance(statement.target, ast.Name) and statement.value else []
    if not isinstance(statement, ast.Assign):
        return []
    names: list[str] = []
    for target in statement.targets:
        if isinstance(target, ast.Name):
            names.append(target.id)
        elif (
            isinstance(target, ast.Tuple)
            and all(isinstance(entry, ast.Name) for entry in target.elts)
            and _has_plain_length(statement.value)
        ):
            names += [entry.id for entry in target.elts if isinstance(entry, ast.Name)]
        else:
            return []
    return names


def _has_plain_length(value: ast.expr) -> bool:
    """Whether unpacking the value uses nothing up: a tuple as written, or a range."""
    if isinstance(value, ast.Tuple):
        return not any(isinstance(entry, ast.Starred) for entry in value.elts)
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "range"


def _imports_of(node: ast.AST) -> list[Import]:
    if isinstance(node, ast.ImportFrom):
        module = node.module or ""
        return [Import(alias.asname or alias.name, node.level, module, alias.name) for alias in node.names]
    if isinstance(node, ast.Import):
        return [
            Import(alias.asname or alias.name.partition(".")[0], 0, alias.name, "" if alias.asname else ".")
            for alias in node.names
        ]
    return []
