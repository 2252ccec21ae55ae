"""A solver's parameters as plain data: kinds, ranges and defaults; requested parameters checked."""

import ast
import dataclasses
import inspect
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from textwrap import dedent
from types import ModuleType
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from site_builder.contract import Rational
from site_builder.project.validation import explained_errors
from site_builder.solving.catalog import span_of
from site_builder.values.python_syntax import syntax_tree


def description(name: str, module: ModuleType, path: str) -> dict[str, Any]:
    """The description of a solver: its first sentence, its parameters, the fields of its results."""
    fields: Mapping[str, FieldInfo] = module.Parameters.__pydantic_fields__
    return {
        "name": name,
        "sentence": (inspect.getdoc(module) or "").partition("\n")[0],
        "path": path,
        "parameters": [_parameter(field, info) for field, info in fields.items()],
        "result_fields": [f.name for f in dataclasses.fields(module.Result)],
        "result_kinds": {f.name: _type_in_words(f.type) for f in dataclasses.fields(module.Result)},
    }


def _parameter(name: str, info: FieldInfo) -> dict[str, Any]:
    return {
        "name": name,
        "kind": _kind(info.annotation),
        "default": None if info.is_required() else info.get_default(call_default_factory=True),
        "required": info.is_required(),
        "bounds": _bounds(info),
        "description": info.description or "",
    }


def _kind(annotation: Any) -> str:
    if get_origin(annotation) is Literal:
        return "one of " + ", ".join(str(choice) for choice in get_args(annotation))
    names = {int: "whole number", Rational: "number", float: "number", str: "text", bool: "true or false"}
    if annotation in names:
        return names[annotation]
    if get_origin(annotation) is tuple:
        return f"list of {_kind(get_args(annotation)[0])}s"
    parts = [_kind(part) for part in get_args(annotation) if part is not type(None)]
    return " or ".join(parts) if parts else getattr(annotation, "__name__", str(annotation))


def _type_in_words(annotation: Any) -> str:
    """A type as Python writes it, without modules and marks: `tuple[Fraction, ...]`, `Grid`, `int | None`."""
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.sub(r"\b(?:[A-Za-z_]\w*\.)+(?=[A-Za-z_])", "", text)


def _bounds(info: FieldInfo) -> dict[str, Any]:
    """The range of a parameter: those of ge, gt, le and lt that it has."""
    return {b: getattr(m, b) for m in info.metadata for b in ("ge", "gt", "le", "lt") if hasattr(m, b)}


def answer(module: ModuleType, requested: Mapping[str, Any]) -> dict[str, Any]:
    """Check and complete parameters: {"parameters": all of them}, or {"faults": [[at, fault, cure], ...]}."""
    fields: Mapping[str, FieldInfo] = module.Parameters.__pydantic_fields__
    given = {
        name: _input(value, fields[name].annotation if name in fields else None) for name, value in requested.items()
    }
    try:
        parameters = module.Parameters(**given)
    except ValidationError as error:
        spans = {name: span_of(_bounds(info)) for name, info in fields.items()}
        errors = explained_errors(error, given, lambda _: fields, "the run", spans)
        return {"faults": [[list(at), message, cure] for at, message, cure in errors]}
    return {"parameters": {name: getattr(parameters, name) for name in fields}}


def wrong_default(module: ModuleType) -> str:
    """The error in a default; empty when there is none."""
    fields: Mapping[str, FieldInfo] = module.Parameters.__pydantic_fields__
    defaults = {n: info.get_default(call_default_factory=True) for n, info in fields.items() if not info.is_required()}
    errors = answer(module, defaults).get("faults", ())
    return next((str(message) for at, message, _ in errors if at and at[0] in defaults), "")


def _input(value: Any, annotation: Any) -> Any:
    """A value from YAML as strict types take it: lists are tuples, and a decimal is a float where one is declared."""
    if isinstance(value, (list, tuple)):
        inner = get_args(annotation)[0] if get_origin(annotation) is tuple else None
        return tuple(_input(entry, inner) for entry in value)
    return float(value) if isinstance(value, (Decimal, Fraction)) and annotation is float else value


def origin(thing: Any, field: str = "") -> tuple[str, int]:
    """File and line of a class or function, or of a field of the class; ("", 1) for what is written in no file."""
    try:
        file = inspect.getsourcefile(thing) or ""
        lines, first = inspect.getsourcelines(thing)
    except (OSError, TypeError):
        return "", 1
    return file, first + (_line_of(field, "".join(lines)) if field else 0)


def _line_of(field: str, source: str) -> int:
    """The number of lines from the beginning of a class to the declaration of its field; 0 when that is not found."""
    try:
        (written,) = syntax_tree(dedent(source)).body
    except (SyntaxError, ValueError):  # dedent meets a text within the class that begins further left
        return 0
    declared = [part for part in getattr(written, "body", ()) if isinstance(part, ast.AnnAssign)]
    return next((part.lineno - 1 for part in declared if getattr(part.target, "id", "") == field), 0)
