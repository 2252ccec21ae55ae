"""JSON Schemas of config.yaml and front matter, with which editors complete and check YAML.

A schema never refuses what a build takes. To editors a date of YAML is text.
"""

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

from site_builder.project.config import Settings
from site_builder.project.front_matter import FrontMatter
from site_builder.solving.catalog import Parameter, SolverDescription

Schema = dict[str, Any]

_DIALECT = "http://json-schema.org/draft-07/schema#"  # more editors know it than 2020-12
_NULL: Schema = {"type": "null"}
_KINDS: Mapping[str, Schema] = {
    "whole number": {"type": "integer"},
    "number": {"type": ["number", "string"]},
    "text": {"type": "string"},
    "true or false": {"type": "boolean"},
}
_BOUNDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}


def config_schema(solvers: Mapping[str, SolverDescription] | None = None) -> Schema:
    """The schema of config.yaml. solvers: those of the project, if known."""
    schema = _schema_of(Settings)
    if solvers:
        schema["properties"]["parameters"]["properties"] = {name: _reference(name) for name in solvers}
        schema["properties"]["parameters"]["additionalProperties"] = False
        schema["$defs"] |= {f"parameters_of_{name}": _parameters(about) for name, about in solvers.items()}
    return schema


def front_matter_schema(solvers: Mapping[str, SolverDescription] | None = None) -> Schema:
    """The schema of front matter. solvers: those of the project, if known."""
    schema = _schema_of(FrontMatter)
    if solvers:
        run = schema["$defs"]["Run"]
        run["properties"]["solver"]["enum"] = list(solvers)
        run["allOf"] = [
            _if_solver(
                name, {"parameters": _reference(name), "sweep": {"propertyNames": {"enum": list(about.parameters)}}}
            )
            for name, about in solvers.items()
        ]
        schema["properties"]["solver"]["enum"] = [*solvers, "", None]
        schema["allOf"] += [_if_solver(name, {"parameters": {"anyOf": [_reference(name), _NULL]}}) for name in solvers]
        schema["$defs"] |= {f"parameters_of_{name}": _parameters(about) for name, about in solvers.items()}
    return schema


def written(schema: Schema) -> bytes:
    """A schema as a file."""
    return (json.dumps(schema, ensure_ascii=False, indent=2) + "\n").encode()


class _Generator(GenerateJsonSchema):
    """Leaves out the titles that pydantic makes of names in the code."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def _schema_of(model: type[BaseModel]) -> Schema:
    schema = model.model_json_schema(schema_generator=_Generator)
    for found in (schema, *schema["$defs"].values()):
        del found["title"]
        for field in found.get("properties", {}).values():
            if field.get("default", 0) is None:
                del field["default"]  # nothing, rather than null
            if "patternProperties" in field:
                field["additionalProperties"] = False
    for name in schema["properties"].keys() - set(schema["required"]):
        schema["properties"][name] = _or_empty(schema["properties"][name])
    return {"$schema": _DIALECT, **schema}


def _or_empty(found: Schema) -> Schema:
    """Also allow no value: a key may stand at the top with nothing after it."""
    about = {name: found[name] for name in ("description", "default") if name in found}
    rest = {name: value for name, value in found.items() if name not in about}
    if "anyOf" in rest:
        return about | {"anyOf": [*(each for each in rest["anyOf"] if each != _NULL), _NULL]}
    if "type" in rest and "enum" not in rest:
        types = [rest["type"]] if isinstance(rest["type"], str) else rest["type"]
        return about | rest | {"type": [*types, "null"]}
    return about | {"anyOf": [rest, _NULL]}


def _if_solver(name: str, then: Schema) -> Schema:
    """A condition on other keys, for runs of this solver."""
    return {"if": {"required": ["solver"], "properties": {"solver": {"const": name}}}, "then": {"properties": then}}


def _reference(solver: str) -> Schema:
    return {"$ref": f"#/$defs/parameters_of_{solver}"}


def _parameters(solver: SolverDescription) -> Schema:
    """The parameters of a solver by name."""
    return {
        "type": "object",
        "description": solver.sentence,
        "properties": {parameter.name: _parameter(parameter) for parameter in solver.parameters.values()},
        "additionalProperties": False,
    }


def _parameter(parameter: Parameter) -> Schema:
    """The schema of a parameter. Its range holds for numbers alone, for exact ones are often text."""
    words = [parameter.description, parameter.kind, f"it must {parameter.span}" if parameter.span else ""]
    found = _kind(parameter.kind) | {"description": "; ".join(each for each in words if each)}
    found |= {_BOUNDS[name]: _number(value) for name, value in parameter.bounds.items()}
    return found | {"default": _plain(parameter.default)}


def _kind(kind: str) -> Schema:
    """The schema of a kind of value, which a description has in words; an unknown kind may be anything."""
    if kind.startswith("list of "):
        return {"type": "array", "items": _kind(kind.removeprefix("list of ").removesuffix("s"))}
    if kind.startswith("one of "):
        choices = kind.removeprefix("one of ").split(", ")
        return {"enum": choices} if all(choice.isidentifier() for choice in choices) else {}
    return dict(_KINDS.get(kind, {}))


def _number(value: Any) -> int | float:
    """A bound as JSON has numbers; the nearest float is never on the wrong side of another value's nearest float."""
    return int(value) if value == int(value) else float(value)


def _plain(value: Any) -> Any:
    """A value as it is written in YAML."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    return [_plain(entry) for entry in value] if isinstance(value, tuple) else value
