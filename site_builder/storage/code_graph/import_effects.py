"""Which top-level statements only bind a name, so that they count only where the name is used."""

import ast
import builtins
from collections.abc import Mapping

_TYPING = "typing.Annotated typing.NewType typing.ParamSpec typing.TypeVar typing.TypeVarTuple"
_DECORATORS = (
    "abc.abstractmethod builtins.classmethod builtins.property builtins.staticmethod dataclasses.dataclass enum.unique "
    "functools.cache functools.cached_property functools.lru_cache functools.total_ordering functools.wraps "
    "pydantic.field_validator pydantic.model_validator site_builder.contract.parameters typing.dataclass_transform "
    "typing.final typing.no_type_check typing.overload typing.override typing.runtime_checkable "
    "typing_extensions.override"
)
_CALLS = (
    "builtins.bool builtins.bytes builtins.complex builtins.float builtins.int builtins.object builtins.range "
    "builtins.slice builtins.str builtins.str.maketrans dataclasses.field decimal.Decimal enum.auto fractions.Fraction "
    "functools.partial numpy.array operator.attrgetter operator.itemgetter pathlib.Path pathlib.PurePath "
    "pydantic.ConfigDict pydantic.Field re.compile types.MappingProxyType"
)
_COLLECTING = frozenset(f"builtins.{name}" for name in ("dict", "frozenset", "list", "set", "tuple"))
_MATHEMATICS = "ceil comb cos exp factorial floor gcd lcm log log10 log2 radians sin sqrt tan"
_CONTRACT = "Action Column Field Line Mark Rational Reference"
_WRAPPING = frozenset(_DECORATORS.split())
_PURE = (
    _WRAPPING
    | frozenset(f"{_TYPING} {_CALLS}".split())
    | frozenset(f"math.{name}" for name in _MATHEMATICS.split())
    | frozenset(f"site_builder.contract.{name}" for name in _CONTRACT.split())
)
_ENUMS = frozenset(f"enum.{name}" for name in ("Enum", "Flag", "IntEnum", "IntFlag", "StrEnum"))
_TYPES = ("Generic", "NamedTuple", "Protocol", "TypedDict")
_BASES = _ENUMS | {"abc.ABC", "fractions.Fraction"} | {f"typing.{name}" for name in _TYPES}
_TYPES_FROM = ("builtins.", "collections.abc.", "numpy.", "typing.", "typing_extensions.")
_META = frozenset(("abc.ABCMeta", "enum.EnumMeta", "enum.EnumType"))
_BUILTINS = frozenset(dir(builtins))
_MADE_BY_MEMBERS = frozenset(("__init__", "__new__", "__set_name__", "__call__", "_generate_next_value_"))
_DISPLAYS = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Constant)
_EVALUATING = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_PLAIN = (
    *(ast.Attribute, ast.BinOp, ast.BoolOp, ast.Compare, ast.Dict, ast.FormattedValue, ast.IfExp, ast.JoinedStr),
    *(ast.List, ast.Set, ast.Slice, ast.Tuple, ast.UnaryOp, ast.keyword),
)
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Quiet:
    """The judgement for one file.

    imported: where the names come from that one top-level import binds and nothing else does, as dotted names; every
    other name that the file binds stands there with an empty origin. functions: its functions that are bound once.
    """

    def __init__(self, imported: Mapping[str, str], functions: Mapping[str, Function], lazy_annotations: bool) -> None:
        self._origins = dict(imported)
        self._functions = functions
        self._lazy_annotations = lazy_annotations
        self._inner: frozenset[str] = frozenset()
        self._properties: frozenset[str] = frozenset()

    def is_quiet(self, node: ast.AST) -> bool:
        """Whether the definition or assignment does nothing that anybody could notice elsewhere."""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return self._function(node)
        if isinstance(node, ast.ClassDef):
            return self._class(node)
        if isinstance(node, ast.AnnAssign):
            return self._annotation(node.annotation) and (node.value is None or self.is_inert(node.value))
        return isinstance(node, ast.Assign) and self.is_inert(node.value)

    def is_inert(self, node: ast.AST | None) -> bool:
        """Whether evaluating the expression does nothing but give a value."""
        if node is None or isinstance(node, ast.Constant | ast.Name):
            return True
        if isinstance(node, ast.Compare) and any(isinstance(o, ast.In | ast.NotIn) for o in node.ops):
            return False  # looking for something in a generator uses it up
        if isinstance(node, _PLAIN):
            return all(self.is_inert(c) for c in ast.iter_child_nodes(node) if isinstance(c, ast.expr | ast.keyword))
        if isinstance(node, ast.Subscript):  # a defaultdict of this file would grow
            return self._origin(node.value).startswith(_TYPES_FROM) and self.is_inert(node.slice)
        if isinstance(node, ast.Lambda):
            return self._defaults(node.args)
        if isinstance(node, ast.ListComp | ast.SetComp):
            return self.is_inert(node.elt) and self._runs_over_displays(node.generators)
        if isinstance(node, ast.DictComp):
            return self.is_inert(node.key) and self.is_inert(node.value) and self._runs_over_displays(node.generators)
        return isinstance(node, ast.Call) and self._call(node)

    def _call(self, node: ast.Call) -> bool:
        origin = self._origin(node.func)
        if origin in _COLLECTING and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            inner = node.args[0]
            return self.is_inert(inner.elt) and self._runs_over_displays(inner.generators) and not node.keywords
        values = [*node.args, *(keyword.value for keyword in node.keywords)]
        if not all(self.is_inert(value) for value in values):
            return False
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Constant):
            return all(isinstance(value, _DISPLAYS) for value in values)  # "a b".split()
        if origin in _COLLECTING:  # a generator bound to a name would be used up
            return all(isinstance(a, (*_DISPLAYS, ast.ListComp, ast.SetComp)) or self._is_range(a) for a in node.args)
        return origin in _PURE

    def _runs_over_displays(self, generators: list[ast.comprehension]) -> bool:
        return all(
            (isinstance(g.iter, _DISPLAYS) or self._is_range(g.iter))
            and self.is_inert(g.iter)
            and all(self.is_inert(test) for test in g.ifs)
            for g in generators
        )

    def _is_range(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and self._origin(node.func) == "builtins.range"

    def _function(self, node: Function) -> bool:
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
        annotations = [argument.annotation for argument in arguments if argument is not None]
        return (
            all(self._decorator(decorator) for decorator in node.decorator_list)
            and self._defaults(node.args)
            and all(self._annotation(annotation) for annotation in [*annotations, node.returns])
        )

    def _annotation(self, node: ast.expr | None) -> bool:
        parts = [] if node is None or self._lazy_annotations else list(ast.walk(node))
        return all(
            not isinstance(p, (*_EVALUATING, *_COMPREHENSIONS)) and (not isinstance(p, ast.Call) or self._call(p))
            for p in parts
        )

    def _defaults(self, arguments: ast.arguments) -> bool:
        return all(self.is_inert(default) for default in [*arguments.defaults, *arguments.kw_defaults])

    def _decorator(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            return self._origin(node.func) in _WRAPPING and self._call(node)
        if isinstance(node, ast.Attribute) and node.attr in ("setter", "getter", "deleter"):
            return isinstance(node.value, ast.Name) and node.value.id in self._properties
        if isinstance(node, ast.Name) and node.id in self._functions and node.id not in self._inner:
            return self._only_wraps(self._functions[node.id])
        return self._origin(node) in _WRAPPING

    def _only_wraps(self, node: Function) -> bool:
        """Whether calling the function does no more than define a function and return it."""
        outer = self._inner
        self._inner = frozenset(a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)) | {node.name}
        try:
            return isinstance(node, ast.FunctionDef) and not node.decorator_list and all(map(self._in_wrap, node.body))
        finally:
            self._inner = outer

    def _in_wrap(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.FunctionDef):
            return node.name not in _BUILTINS | self._origins.keys() and self._function(node)
        if isinstance(node, ast.Return):
            return isinstance(node.value, ast.Name)
        return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)

    def _class(self, node: ast.ClassDef) -> bool:
        if not all(self._decorator(decorator) for decorator in node.decorator_list):
            return False
        bases = {self._origin(b.value if isinstance(b, ast.Subscript) else b) for b in node.bases}
        if not all(base in _BASES or _is_builtin_class(base) for base in bases):
            return False
        for keyword in node.keywords:
            meta = keyword.arg == "metaclass" and self._origin(keyword.value) in _META
            if not meta and (keyword.arg in (None, "metaclass") or not self.is_inert(keyword.value)):
                return False
        if bases & _ENUMS and any(getattr(s, "name", "") in _MADE_BY_MEMBERS for s in node.body):
            return False  # its members are made, by this code, when the class is
        return self._class_body(node.body)

    def _class_body(self, body: list[ast.stmt]) -> bool:
        outer = self._inner, self._properties
        self._inner = frozenset(name for statement in body for name in _bound_in_class(statement))
        self._properties = frozenset(
            s.name
            for s in body
            if isinstance(s, ast.FunctionDef) and any(self._origin(d) == "builtins.property" for d in s.decorator_list)
        )
        try:
            return all(self._in_class(statement) for statement in body)
        finally:
            self._inner, self._properties = outer

    def _in_class(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.Assign):
            return all(isinstance(target, ast.Name) for target in node.targets) and self.is_quiet(node)
        if isinstance(node, ast.AnnAssign):
            return isinstance(node.target, ast.Name) and self.is_quiet(node)
        if isinstance(node, ast.Expr):
            return isinstance(node.value, ast.Constant)
        definition = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        return isinstance(node, ast.Pass) or (definition and self.is_quiet(node))

    def _origin(self, node: ast.expr) -> str:
        """The dotted name of what an expression means, as far as the text tells; empty when it does not."""
        if isinstance(node, ast.Attribute):
            base = self._origin(node.value)
            return f"{base}.{node.attr}" if base else ""
        if not isinstance(node, ast.Name) or node.id in self._inner:
            return ""
        if node.id in self._origins:
            return self._origins[node.id]
        return f"builtins.{node.id}" if node.id in _BUILTINS else ""


def _is_builtin_class(origin: str) -> bool:
    module, _, name = origin.partition(".")
    return module == "builtins" and isinstance(getattr(builtins, name, None), type)


def _bound_in_class(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [target.id for target in targets if isinstance(target, ast.Name)]
