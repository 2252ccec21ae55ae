"""A solver's module by the contract: `solve` with its parameters, its checks and figures, arguments by name."""

import ast
import dataclasses
import importlib
import inspect
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from textwrap import dedent
from types import FunctionType, MappingProxyType, ModuleType, NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import ConfigDict, PlainValidator
from pydantic.dataclasses import dataclass as validated_dataclass
from pydantic.fields import FieldInfo

from site_builder.errors import CuredError, guide, nearest
from site_builder.extension import SolverAnswer, Verified
from site_builder.project.extensions import OWN, load_extensions
from site_builder.project.validation import exact_fraction
from site_builder.solving.processes.audit import unrecorded
from site_builder.solving.processes.failure import Failure, TaskError
from site_builder.solving.processes.worker import project_root, shown_path
from site_builder.storage.file_fingerprints import Loadable
from site_builder.values.python_syntax import syntax_tree
from site_builder.values.records import BESIDE

CHECK, FIGURE = "check_", "figure_"
RESULT = "result"  # the argument that is the whole result
LOOK = "look"  # the argument of a figure that has its colours and its width
READ_CONTRACT = f"{guide('solver-contract')} has the contract"
_PLAIN_TYPES = (int, float, Fraction, bool, str, NoneType)
_CONFIG = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class ContractError(TaskError):
    """Raised where a solver breaks its contract. place: file and line."""

    def __init__(self, message: str, place: tuple[str, int], cure: str = READ_CONTRACT) -> None:
        super().__init__(Failure("contract", message, shown_path(place[0]), place[1], cure=cure))


@contextmanager
def contract_at(place: tuple[str, int]) -> Iterator[None]:
    """Raise what is refused meanwhile as a breach of the contract at this place."""
    try:
        yield
    except CuredError as error:
        raise ContractError(str(error), place, error.cure or READ_CONTRACT) from error


@dataclass(frozen=True)
class NamedFunction:
    """A function of a solver whose arguments are filled in by name.

    takes: names of its arguments. place: file and line. verify: the function of an extension that reads what it
    returns; None for those that the builder knows.
    """

    name: str
    function: Callable[..., Any]
    takes: tuple[str, ...]
    place: tuple[str, int]
    verify: Callable[[SolverAnswer], Verified] | None = None

    @property
    def title(self) -> str:
        """The first line of its docstring, or its name in words without one."""
        words = (inspect.getdoc(self.function) or "").partition("\n")[0].rstrip(".")
        return words or self.name.removeprefix(CHECK).replace("_", " ")

    @property
    def figure(self) -> str:
        """The name of the figure that it makes."""
        return self.name.removeprefix(FIGURE)

    @cached_property
    def answers(self) -> frozenset[str] | None:
        """The fields in the mappings that it returns; None where they are not written out."""
        return _returned_keys(self.function)

    @cached_property
    def reads(self) -> frozenset[str]:
        """The names that its body reads."""
        nodes = ast.walk(_syntax_of(self.function))
        return frozenset(each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load))

    @cached_property
    def asserts(self) -> bool:
        """True when there is an assert in it."""
        return any(isinstance(node, ast.Assert) for node in ast.walk(_syntax_of(self.function)))

    def call(self, values: Mapping[str, Any]) -> Any:
        """Call it with the values of its arguments."""
        return self.function(**{name: values[name] for name in self.takes})


@dataclass(frozen=True)
class Solver:
    """A solver by its contract. parameters: a class that validates them, made from the signature of `solve`.

    added: functions that extensions read. result_fields: of its results; None where they show only once it has run.
    """

    module: ModuleType
    parameters: type
    checks: tuple[NamedFunction, ...]
    figures: tuple[NamedFunction, ...]
    added: tuple[NamedFunction, ...]
    result_fields: tuple[str, ...] | None

    @property
    def fields(self) -> Mapping[str, FieldInfo]:
        """The parameters as pydantic has them, by name."""
        return self.parameters.__pydantic_fields__  # type: ignore[attr-defined,no-any-return]

    @property
    def functions(self) -> tuple[NamedFunction, ...]:
        """All functions whose arguments are filled in by name."""
        return (*self.checks, *self.figures, *self.added)

    def place(self, name: str = "solve") -> tuple[str, int]:
        """File and line of a function of the module."""
        return place_of(getattr(self.module, name, None), str(self.module.__file__))

    def completed(self, requested: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters, with the defaults of those that are not requested.

        Raises pydantic's ValidationError, and ValueError where `validate` refuses them.
        """
        made = self.parameters(**requested)
        values = {name: getattr(made, name) for name in self.fields}
        if self.validated:
            self.module.validate(**{name: values[name] for name in self.validated})
        return values

    def changed(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters among complete ones that differ from their defaults."""
        return {name: value for name, value in parameters.items() if value != self.fields[name].default}

    @cached_property
    def validated(self) -> tuple[str, ...]:
        """The names of the parameters that the function `validate` takes; none without one."""
        validate = getattr(self.module, "validate", None)
        return tuple(inspect.signature(validate).parameters) if isinstance(validate, FunctionType) else ()

    def solve(self, parameters: Mapping[str, Any]) -> Any:
        """The result for these parameters, which are complete."""
        return self.module.solve(**parameters)


def load_solver(name: str, extensions: Mapping[str, tuple[str, str]] = MappingProxyType({})) -> Solver:
    """The solver of this name. extensions: see Loadable. Raises ContractError."""
    return read_solver(importlib.import_module(f"solvers.{name}"), tuple(sorted(extensions.items())))


def prepare_solver(name: str, loadable: Loadable) -> None:
    """Import and read a solver, and the source of its checks, so that each child of this process has them."""
    solver = load_solver(name, loadable.extensions)
    for each in solver.checks:
        _ = each.answers, each.asserts
    for each in solver.added:
        _ = each.reads


@lru_cache(maxsize=1)
def read_solver(module: ModuleType, extensions: tuple[tuple[str, tuple[str, str]], ...] = ()) -> Solver:
    """The solver that a module is. extensions: pairs of Loadable's mapping. Raises ContractError."""
    place = str(module.__file__), 1
    solve = getattr(module, "solve", None)
    if not isinstance(solve, FunctionType):
        cure = "write a function solve whose keyword parameters have defaults, and which returns a mapping"
        raise ContractError("it has no function solve", place, f"{cure}; {READ_CONTRACT}")
    functions = {name: value for name, value in vars(module).items() if isinstance(value, FunctionType)}
    for name, value in vars(module).items():
        if name.startswith((CHECK, FIGURE)) and callable(value) and name not in functions:
            message = f"{name} is a {type(value).__name__} and no function, so that it would not count"
            raise ContractError(message, place, f"write def {name}(...), without functools.cache or partial around it")
    checks = tuple(_named(name, each) for name, each in functions.items() if name.startswith(CHECK))
    figures = tuple(_named(name, each) for name, each in functions.items() if name.startswith(FIGURE))
    verify = _verifying(extensions)
    added = tuple(replace(_named(name, functions[name]), verify=verify[name]) for name in verify if name in functions)
    return Solver(module, _parameters_of(solve), checks, figures, added, _result_fields(solve))


def _verifying(
    extensions: Iterable[tuple[str, tuple[str, str]]],
) -> dict[str, Callable[[SolverAnswer], Verified]]:
    """The functions of extensions that verify what functions of solvers return, by the names of these."""
    if not (wanted := dict(extensions)):
        return {}
    with unrecorded():
        known = load_extensions(project_root(), only=[owner for owner, _ in wanted.values()])
    for owner, expected in wanted.values():
        if known.digests.get(owner) != expected:
            raise TaskError(Failure("changed", f"the extension {owner} is another one here", OWN, cure="build again"))
    return {name: each.value for name, each in known.registry.of("function of solvers").items() if name in wanted}


def place_of(thing: Any, otherwise: str = "") -> tuple[str, int]:
    """File and line of a function or class; those of `otherwise` for what is written in no file."""
    try:
        return inspect.getsourcefile(thing) or otherwise, inspect.getsourcelines(thing)[1] or 1
    except (OSError, TypeError):
        return otherwise, 1


def _named(name: str, function: FunctionType) -> NamedFunction:
    return NamedFunction(name, function, _arguments(function), place_of(function))


def _arguments(function: FunctionType) -> tuple[str, ...]:
    """The names of the arguments of a function. Raises ContractError for those that cannot be given by name."""
    parameters = inspect.signature(function).parameters.values()
    for each in parameters:
        if each.kind not in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY):
            message = f"{function.__name__} takes {each}, which cannot be filled in by name"
            raise ContractError(message, place_of(function), "write each argument by its name")
    return tuple(each.name for each in parameters)


# Parameters


def _parameters_of(solve: FunctionType) -> type:
    """A class with the parameters of `solve`, which validates them strictly."""
    place = place_of(solve)
    _arguments(solve)  # raises for those without a name
    try:
        hints = typing.get_type_hints(solve, include_extras=True)
    except NameError as error:
        message = f"an annotation of solve cannot be read: {error}"
        raise ContractError(message, place, "correct the name, or import it where the solver runs, too") from error
    fields = []
    for each in inspect.signature(solve).parameters.values():
        if each.default is each.empty:
            message = f"the parameter {each.name} of solve has no default"
            raise ContractError(message, place, f"write {each.name}=..., the value that a post has which sets none")
        if each.name in (*BESIDE, RESULT, LOOK):
            raise ContractError(f"solve has a parameter {each.name}, a name that is taken", place, "name it otherwise")
        kind = hints.get(each.name, type(each.default))
        fields.append((each.name, _validated_type(kind, each.name, place), each.default))
    made = dataclasses.make_dataclass("Parameters", fields, namespace={"__module__": solve.__module__}, frozen=True)
    return validated_dataclass(frozen=True, config=_CONFIG)(made)


def _validated_type(kind: Any, name: str, place: tuple[str, int]) -> Any:
    """The type as it is validated: a Fraction is read from decimals and texts, too."""
    if kind is Fraction:
        return Annotated[Fraction, PlainValidator(exact_fraction)]
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return Annotated[(_validated_type(inner[0], name, place), *inner[1:])]
    if origin is Literal or kind in _PLAIN_TYPES or kind is Ellipsis or kind is None:
        return kind
    if origin in (tuple, Union, UnionType):
        around: Any = tuple if origin is tuple else Union
        return around[tuple(_validated_type(each, name, place) for each in inner)]
    if kind is tuple:
        return tuple[Any, ...]
    shown = getattr(kind, "__name__", None) or str(kind)
    cure = "a parameter is int, float, Fraction, bool, str, Literal[...], None, or a tuple or union of these"
    raise ContractError(f"the parameter {name} of solve is of the type {shown}", place, cure)


# The result


def _result_fields(solve: FunctionType) -> tuple[str, ...] | None:
    """The fields of the results, where the code says them."""
    kind = inspect.signature(solve).return_annotation
    if isinstance(kind, str):
        kind = vars(importlib.import_module(solve.__module__)).get(kind)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return tuple(each.name for each in dataclasses.fields(kind) if each.init)
    names = _returned_keys(solve)
    return tuple(sorted(names)) if names else None


def _syntax_of(function: Callable[..., Any]) -> ast.AST:
    try:
        return syntax_tree(dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return ast.Module([], [])


def _returned_keys(function: Callable[..., Any]) -> frozenset[str] | None:
    """The keys of the mappings that a function returns, besides nothing; None unless all are written out as such."""
    found = [value for value in _returned(_syntax_of(function)) if getattr(value, "value", value) is not None]
    keys = [getattr(key, "value", None) for value in found for key in getattr(value, "keys", (None,))]
    names = [key for key in keys if isinstance(key, str)]
    return frozenset(names) if len(names) == len(keys) else None


def _returned(tree: ast.AST) -> Iterator[ast.expr | None]:
    """The values of the return statements of a function, without those of functions in it."""
    waiting: list[ast.AST] = [part for each in getattr(tree, "body", ()) for part in getattr(each, "body", ())]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return):
            yield node.value
        elif not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


# Names


def contract_errors(solver: Solver, fields: Collection[str] | None) -> Iterator[ContractError]:
    """Every error in the names of a solver's functions. fields: those of its result; None where they are not known."""
    known = {} if fields is None else dict.fromkeys([*fields, *solver.fields, RESULT])
    for each in solver.functions if known else ():
        yield from _unknown_arguments(each, known, each in solver.figures)
    for each in solver.checks:
        yield from answer_errors(each, each.answers, fields)


def _unknown_arguments(function: NamedFunction, known: Mapping[str, Any], is_figure: bool) -> Iterator[ContractError]:
    names = [*known, LOOK] if is_figure else [*known]
    for name in function.takes:
        if name not in names:
            message = f"{function.name} takes {name!r}, which is no parameter of solve and no field of its result"
            cure, listed = nearest(name, names), f"there is: {', '.join(names)}"
            yield ContractError(message, function.place, f"{cure}\n{listed}" if cure.startswith("did you") else listed)


def answer_errors(
    check: NamedFunction, answers: Collection[str] | None, fields: Collection[str] | None
) -> Iterator[ContractError]:
    """Errors in what a check confirms: fields that it was given, or that do not exist."""
    for name in answers or ():
        if name in check.takes or RESULT in check.takes:
            message = f"{check.name} is given {name} and cannot confirm it"
            cure = f"compute {name} from the parameters, or from other fields, and take it out of the arguments"
            yield ContractError(message, check.place, cure)
        if fields is not None and name not in fields:
            message = f"{check.name} confirms {name!r}, which is no field of the result"
            yield ContractError(message, check.place, nearest(name, list(fields)))
