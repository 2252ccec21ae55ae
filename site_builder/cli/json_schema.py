"""JSON Schemas of config.yaml and front matter, with which editors complete and check YAML.

A schema never refuses what a build takes. To editors a date of YAML is text.
"""

import json
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

from site_builder.project.config import Settings
from site_builder.project.front_matter import FrontMatter

Schema = dict[str, Any]

_DIALECT = "http://json-schema.org/draft-07/schema#"  # more editors know it than 2020-12
_NULL: Schema = {"type": "null"}


def config_schema(solvers: Sequence[str] = ()) -> Schema:
    """The schema of config.yaml. solvers: the names of those of the project."""
    schema = _schema_of(Settings)
    if solvers:
        schema["properties"]["parameters"]["propertyNames"] = {"enum": list(solvers)}
    return schema


def front_matter_schema(solvers: Sequence[str] = ()) -> Schema:
    """The schema of front matter. solvers: the names of those of the project."""
    schema = _schema_of(FrontMatter)
    if solvers:
        schema["$defs"]["Run"]["properties"]["solver"]["enum"] = list(solvers)
        schema["properties"]["solver"]["enum"] = [*solvers, "", None]
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
    for name in schema["properties"].keys() - set(schema["required"]):
        schema["properties"][name] = _or_empty(schema["properties"][name])
    return {"$schema": _DIALECT, **schema}


def _or_empty(found: Schema) -> Schema:
    """Also allow no value: a key may stand at the top with nothing after it."""
    if isinstance(found.get("type"), str):
        return found | {"type": [found["type"], "null"]}
    about = {name: found.pop(name) for name in ("description", "default") if name in found}
    return about | {"anyOf": [*found.pop("anyOf", [found]), _NULL]}
