"""Values of models as dictionaries, lists and what JSON knows."""

import base64
import dataclasses
import datetime
import decimal
import enum
import pathlib
import re
import types
import uuid

from .functional_validators import PlainSerializer, SerializationInfo, WrapSerializer, run_serializer


def dump(value, mode, **options):
    """@param mode `python` keeps what JSON has no word for, `json` turns it into text"""
    if hasattr(value, "__pydantic_fields_ready__") and not isinstance(value, type):
        return value.model_dump(mode=mode, **options)
    if isinstance(value, dict):
        return {_key(key, mode): dump(item, mode, **options) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset, types.GeneratorType)):
        items = [dump(item, mode, **options) for item in value]
        return items if mode == "json" or isinstance(value, (list, types.GeneratorType)) else type(value)(items)
    own = getattr(type(value), "__get_pydantic_core_schema__", None)
    if own is not None:
        return _dump_by_schema(value, mode)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: dump(getattr(value, field.name), mode, **options) for field in dataclasses.fields(value)}
    return _to_json(value) if mode == "json" else value


def dump_field(field, value, mode, **options):
    for note in field.metadata:
        if isinstance(note, PlainSerializer):
            return run_serializer(note.func, (value,), SerializationInfo(mode))
        if isinstance(note, WrapSerializer):
            inner = lambda given: dump(given, mode, **options)
            return run_serializer(note.func, (value, inner), SerializationInfo(mode))
    return dump(value, mode, **options)


def _dump_by_schema(value, mode):
    from .annotated_handlers import GetCoreSchemaHandler

    schema = type(value).__get_pydantic_core_schema__(type(value), GetCoreSchemaHandler())
    way = schema.get("serialization")
    if way and (mode == "json" or not str(way.get("when_used", "always")).startswith("json")):
        if way["type"] == "to-string":
            return str(value)
        info = SerializationInfo(mode)
        args = (value,) if way["type"] == "function-plain" else (value, lambda given: _to_json(given))
        return way["function"](*args, info) if way["info_arg"] else way["function"](*args)
    return _to_json(value) if mode == "json" else value


def _key(key, mode):
    return str(_to_json(key)) if mode == "json" and not isinstance(key, (str, int, float, bool, type(None))) else key


def _to_json(value):
    if isinstance(value, enum.Enum):
        return value.value
    if value is None or isinstance(value, (str, int, float, bool)):
        return value if type(value) in (str, int, float, bool, type(None)) else _base(value)
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, datetime.timedelta):
        return f"PT{value.total_seconds():g}S"
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return base64.urlsafe_b64encode(value).decode()
    if isinstance(value, re.Pattern):
        return value.pattern
    if isinstance(value, (decimal.Decimal, uuid.UUID, pathlib.PurePath)):
        return str(value)
    if hasattr(value, "get_secret_value"):
        return str(value)
    from pydantic_core import PydanticSerializationError

    raise PydanticSerializationError(f"Unable to serialize unknown type: {type(value)}")


def _base(value):
    for cls in (bool, int, float, str):
        if isinstance(value, cls):
            return cls(value)
    return value
