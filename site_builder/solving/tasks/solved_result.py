"""The result that `solve` returned: its fields, refused where no result may have them."""

import ast
import importlib
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from textwrap import dedent
from typing import Any

from site_builder.contract.bounds import AnnotationError, declared_by
from site_builder.solving.plan import plain
from site_builder.solving.processes.audit import is_own_code
from site_builder.solving.tasks.annotations import WrongValue, find_wrong_number, find_wrong_type
from site_builder.solving.tasks.solver import READ_CONTRACT, RESULT, ContractError, Solver, place_of
from site_builder.values.packing import kind_of, unpack
from site_builder.values.plain_values import classify, fields_of_any, text_of
from site_builder.values.python_syntax import syntax_tree
from site_builder.values.records import BESIDE, Record, fields_of

_RECORD = "result"  # the kind of record that a mapping is packed as
_TAKEN = (*BESIDE, RESULT, "look")


@dataclass(frozen=True)
class SolvedResult:
    """A result of a solver. whole: what is packed, a record; fields: by name."""

    solver: Solver
    whole: Any
    fields: Mapping[str, Any]

    def refuse_wrong_numbers(self, names: Sequence[str] | None = None) -> None:
        """Raise TaskError for infinity and NaN, and for numbers outside of their Bounds. names: of fields, or all."""
        try:
            wrong = find_wrong_number(self.fields if isinstance(self.whole, Record) else self.whole, names)
        except AnnotationError as error:
            raise unreadable(self.solver, error) from error
        if wrong:
            message, cure = _explained(wrong)
            raise _at_field(self.solver, message, wrong.record, wrong.field, cure)


def _explained(wrong: WrongValue) -> tuple[str, str]:
    """The message and the cure for a number that its field may not hold."""
    held = f"in the result, {wrong.field} holds {text_of(wrong.value)}"
    if wrong.wanted:
        bounds = f"Bounds({wrong.wanted.low}, {wrong.wanted.high})"
        return f"{held}, outside of its bounds", f"correct solve, or the mark {bounds} of {wrong.field}"
    cure = f'correct solve, or say why it is meant: {wrong.field}: Annotated[..., NotFinite("what it stands for")]'
    if wrong.record is object:
        cure = 'correct solve, or return a dataclass in which it is meant: Annotated[float, NotFinite("why")]'
    return f"{held}, and no field says that this is meant", cure


def result_of(solver: Solver, parameters: Mapping[str, Any], returned: Any) -> SolvedResult:
    """The result that `solve` returned for these parameters. Raises TaskError for what is none."""
    is_record = is_dataclass(returned) and not isinstance(returned, type)
    if not isinstance(returned, Mapping) and not is_record:
        cure = 'return a mapping of names to values, such as {"flips": flips}, or a dataclass'
        raise ContractError(f"solve returned {_shown(returned)}", solver.place(), cure)
    fields = fields_of_any(returned) if is_record else dict(returned)
    if message := _wrong_name(fields, parameters):
        raise ContractError(message, solver.place(), READ_CONTRACT)
    if wrong := find_wrong_type(returned):
        message = f"in the result, {wrong.field} is {_shown(wrong.value)}, and its type is {wrong.wanted}"
        cure = f"correct solve, or the annotation of {wrong.field}"
        raise _at_field(solver, message, wrong.record, wrong.field, cure)
    return SolvedResult(solver, returned if is_record else Record(fields, _RECORD), fields)


def _shown(value: Any) -> str:
    """A value in words; of one of another library its class, since its text may look like that of a number."""
    return kind_of(value) if classify(value)[0] == "other" else text_of(value)


def read_result(data: bytes) -> tuple[Any, Mapping[str, Any]]:
    """A packed result as `solve` returned it, a mapping or a dataclass, and its fields."""
    whole = unpack(data, _made_record)
    fields = fields_of(whole) if isinstance(whole, Record) else fields_of_any(whole)
    return (dict(fields) if isinstance(whole, Record) else whole), fields


def unreadable(solver: Solver, error: AnnotationError) -> ContractError:
    """The failure of a dataclass whose annotation cannot be read."""
    cure = "correct the name, or import it where the solver runs, too, and not under `if TYPE_CHECKING:` alone"
    return _at_field(solver, str(error), error.record, error.field, cure)


def _at_field(solver: Solver, message: str, record: type, field: str, cure: str) -> ContractError:
    """A breach of the contract at a field of a solver's class; at solve where the class is no one's of the project."""
    owner = declared_by(record, field) if record is not object else object
    file, line = place_of(owner)
    if not is_own_code(file):
        return ContractError(message, solver.place(), cure)
    return ContractError(message, (file, line + _lines_above(owner, field)), cure)


def _lines_above(owner: type, field: str) -> int:
    """The number of lines of a class above the one that declares a field; none where it is not found."""
    (tree,) = syntax_tree(dedent(inspect.getsource(owner))).body
    fields = [node for node in getattr(tree, "body", ()) if isinstance(node, ast.AnnAssign)]
    return next((node.lineno - 1 for node in fields if getattr(node.target, "id", "") == field), 0)


def _wrong_name(fields: Mapping[str, Any], parameters: Mapping[str, Any]) -> str:
    """The error in the names of the fields; empty when there is none."""
    if not fields:
        return "the result is empty"
    for name, value in fields.items():
        if not (isinstance(name, str) and name.isidentifier() and not name.startswith("_")):
            return f"the result has a field {name!r}; a field is named by letters, digits and _"
        if name in _TAKEN:
            return f"the result has a field {name!r}, a name that every run has already"
        if name in parameters and text_of(plain(value)) != text_of(plain(parameters[name])):
            return f"the result has a field {name!r}, the name of a parameter, with another value"
    return ""


def _made_record(kind: str, fields: dict[str, Any]) -> Any:
    """A solver's own dataclass from its packed form, or the record that a mapping is packed as."""
    module_name, _, class_name = kind.partition(":")
    if kind == _RECORD:
        return Record(fields, kind)
    if not module_name.startswith("solvers."):
        raise ValueError(f"{kind} is no class of a solver")
    return getattr(importlib.import_module(module_name), class_name)(**fields)
