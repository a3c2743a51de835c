"""Validates by a core schema (pydantic_core.core_schema): what types with a schema of their own are written in."""

import datetime
import decimal
import typing
import uuid

from ._errors import Invalid, invalid
from ._validate import constrain, validate
from .functional_validators import run

_PLAIN = {
    "any": typing.Any,
    "none": type(None),
    "bool": bool,
    "int": int,
    "float": float,
    "str": str,
    "bytes": bytes,
    "date": datetime.date,
    "time": datetime.time,
    "datetime": datetime.datetime,
    "timedelta": datetime.timedelta,
    "decimal": decimal.Decimal,
    "uuid": uuid.UUID,
    "callable": typing.Callable,
}


def apply(schema, value, info):
    kind = schema["type"]
    if kind == "annotation":
        return validate(schema["annotation"], value, info)
    if kind in _PLAIN:
        return constrain(schema.get("constraints", {}), validate(_PLAIN[kind], value, info))
    return _KINDS[kind](schema, value, info)


def _is_instance(schema, value, info):
    if not isinstance(value, schema["cls"]):
        name = schema["cls"].__name__
        raise invalid("is_instance_of", f"Input should be an instance of {name}", value)
    return value


def _union(schema, value, info):
    errors = []
    for choice in schema["choices"]:
        try:
            return apply(choice[0] if isinstance(choice, tuple) else choice, value, info)
        except Invalid as error:
            errors += error.errors
    raise Invalid(*errors)


def _chain(schema, value, info):
    for step in schema["steps"]:
        value = apply(step, value, info)
    return value


def _function(schema, value, info):
    func = schema["function"]
    mode = schema["mode"]
    if mode == "plain":
        return run(func, value, info)
    if mode == "before":
        return apply(schema["schema"], run(func, value, info), info)
    if mode == "after":
        return run(func, apply(schema["schema"], value, info), info)
    return run(func, value, info, handler=lambda given: apply(schema["schema"], given, info))


def _literal(schema, value, info):
    if value not in schema["expected"]:
        expected = " or ".join(repr(each) for each in schema["expected"])
        raise invalid("literal_error", f"Input should be {expected}", value)
    return value


def _items(cls):
    def check(schema, value, info):
        inner = schema.get("items_schema") or {"type": "any"}
        return cls(apply(inner, each, info) for each in validate(list, value, info))

    return check


def _dict(schema, value, info):
    keys = schema.get("keys_schema") or {"type": "any"}
    values = schema.get("values_schema") or {"type": "any"}
    return {apply(keys, key, info): apply(values, each, info) for key, each in validate(dict, value, info).items()}


_KINDS = {
    "is-instance": _is_instance,
    "union": _union,
    "chain": _chain,
    "function": _function,
    "literal": _literal,
    "list": _items(list),
    "set": _items(set),
    "tuple": _items(tuple),
    "dict": _dict,
    "nullable": lambda schema, value, info: None if value is None else apply(schema["schema"], value, info),
    "json-or-python": lambda schema, value, info: apply(schema["python_schema"], value, info),
    "lax-or-strict": lambda schema, value, info: apply(schema["lax_schema"], value, info),
    "default": lambda schema, value, info: apply(schema["schema"], value, info),
}
