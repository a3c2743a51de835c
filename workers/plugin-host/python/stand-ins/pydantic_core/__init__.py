"""Stands in for pydantic_core: errors, and schemas that types describe themselves by."""

from pydantic._errors import PydanticCustomError, ValidationError
from pydantic.fields import PydanticUndefined, PydanticUndefinedType

from . import core_schema
from .core_schema import CoreSchema

__version__ = "2.41.0"


def to_jsonable_python(value, **_options):
    from pydantic._dump import dump

    return dump(value, "json")


def to_json(value, *, indent=None, **_options):
    import json

    return json.dumps(to_jsonable_python(value), indent=indent, separators=None if indent else (",", ":"), ensure_ascii=False).encode()


def from_json(data, **_options):
    import json

    return json.loads(data)


class PydanticSerializationError(ValueError):
    pass


__all__ = [
    "CoreSchema",
    "PydanticCustomError",
    "PydanticSerializationError",
    "PydanticUndefined",
    "PydanticUndefinedType",
    "ValidationError",
    "core_schema",
    "from_json",
    "to_json",
    "to_jsonable_python",
]
