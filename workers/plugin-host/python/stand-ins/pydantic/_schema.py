"""JSON Schema of models and annotations, as pydantic 2 writes it."""

import collections
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import pathlib
import re
import types
import typing
import uuid

from ._dump import dump
from .fields import FieldInfo

_PLAIN = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    bytes: {"type": "string", "format": "binary"},
    dict: {"type": "object", "additionalProperties": True},
    list: {"type": "array", "items": {}},
    tuple: {"type": "array", "items": {}},
    set: {"type": "array", "items": {}, "uniqueItems": True},
    frozenset: {"type": "array", "items": {}, "uniqueItems": True},
    datetime.datetime: {"type": "string", "format": "date-time"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.time: {"type": "string", "format": "time"},
    datetime.timedelta: {"type": "string", "format": "duration"},
    decimal.Decimal: {"anyOf": [{"type": "number"}, {"type": "string"}]},
    uuid.UUID: {"type": "string", "format": "uuid"},
    pathlib.Path: {"type": "string", "format": "path"},
    re.Pattern: {"type": "string", "format": "regex"},
    object: {},
}
_ARRAYS = (list, collections.deque, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection)
_SETS = (set, frozenset, collections.abc.Set)
_DICTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping, collections.defaultdict, collections.OrderedDict)
_LIMITS = {
    "gt": "exclusiveMinimum",
    "ge": "minimum",
    "lt": "exclusiveMaximum",
    "le": "maximum",
    "multiple_of": "multipleOf",
}


class Builder:
    def __init__(self, ref_template="#/$defs/{model}", mode="validation"):
        self.definitions = {}
        self._template = ref_template
        self._mode = mode

    def of(self, annotation):
        if annotation is typing.Any or isinstance(annotation, (typing.TypeVar, str, typing.ForwardRef)):
            return {}
        if annotation is None:
            return {"type": "null"}
        origin = typing.get_origin(annotation)
        if origin is None:
            return self._of_class(annotation)
        arguments = typing.get_args(annotation)
        if origin is typing.Annotated:
            return self._of_noted(arguments[0], arguments[1:])
        if origin in (typing.Union, types.UnionType):
            options = []
            for each in arguments:
                option = self.of(each)
                if option not in options:
                    options.append(option)
            return {"anyOf": options} if len(options) > 1 else options[0]
        if origin is typing.Literal:
            return _of_values([each.value if isinstance(each, enum.Enum) else each for each in arguments])
        if origin in _ARRAYS:
            return {"type": "array", "items": self.of(arguments[0]) if arguments else {}}
        if origin in _SETS:
            return {"type": "array", "items": self.of(arguments[0]), "uniqueItems": True}
        if origin is tuple:
            return self._of_tuple(arguments)
        if origin in _DICTS:
            values = self.of(arguments[1]) if len(arguments) == 2 else {}
            return {"type": "object", "additionalProperties": values or True}
        if origin in (typing.Required, typing.NotRequired, typing.Final, typing.ClassVar):
            return self.of(arguments[0])
        return self._of_class(origin) if isinstance(origin, type) else {}

    def _of_tuple(self, arguments):
        if len(arguments) == 2 and arguments[1] is ...:
            return {"type": "array", "items": self.of(arguments[0])}
        items = [self.of(each) for each in arguments if each != ()]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}

    def _of_noted(self, annotation, notes):
        schema = self.of(annotation)
        for note in notes:
            if isinstance(note, FieldInfo):
                schema = self.noted(schema, note)
            elif hasattr(note, "json_schema"):
                schema = {**schema, **note.json_schema}
        return schema

    def _of_class(self, cls):
        if cls in _PLAIN:
            return dict(_PLAIN[cls])
        if isinstance(cls, typing.NewType):
            return self.of(cls.__supertype__)
        if isinstance(cls, typing.TypeAliasType):
            return self.of(cls.__value__)
        if not isinstance(cls, type):
            return {}
        if hasattr(cls, "__pydantic_fields_ready__"):
            return self._reference(cls, lambda: cls._build_schema(self))
        own = getattr(cls, "__get_pydantic_json_schema__", None)
        if own is not None:
            from .annotated_handlers import GetJsonSchemaHandler

            return own({}, GetJsonSchemaHandler())
        if hasattr(cls, "__get_pydantic_core_schema__"):
            from .annotated_handlers import GetCoreSchemaHandler

            return self.of_core(cls.__get_pydantic_core_schema__(cls, GetCoreSchemaHandler()))
        if issubclass(cls, enum.Enum):
            return self._reference(cls, lambda: self._of_enum(cls))
        if typing.is_typeddict(cls):
            return self._reference(cls, lambda: self._of_typed_dict(cls))
        if dataclasses.is_dataclass(cls):
            return self._reference(cls, lambda: self._of_dataclass(cls))
        for base in cls.__mro__[1:]:
            if base in _PLAIN and base is not object:
                return dict(_PLAIN[base])
        return {}

    def _reference(self, cls, build):
        name = cls.__name__
        if name not in self.definitions:
            # First the name, so that what refers to itself ends.
            self.definitions[name] = {}
            self.definitions[name] = build()
        return {"$ref": self._template.format(model=name)}

    def _of_enum(self, cls):
        schema = _of_values([each.value for each in cls], always_list=True)
        doc = cls.__dict__.get("__doc__")
        return {"title": cls.__name__, **({"description": doc} if doc else {}), **schema}

    def _of_typed_dict(self, cls):
        hints = typing.get_type_hints(cls, include_extras=True)
        properties = {name: {"title": to_title(name), **self.of(hint)} for name, hint in hints.items()}
        required = [name for name in hints if name in cls.__required_keys__]
        return {"properties": properties, **({"required": required} if required else {}), "title": cls.__name__, "type": "object"}

    def _of_dataclass(self, cls):
        hints = typing.get_type_hints(cls)
        properties = {}
        required = []
        for field in dataclasses.fields(cls):
            properties[field.name] = {**self.of(hints[field.name]), "title": to_title(field.name)}
            if field.default is not dataclasses.MISSING:
                properties[field.name]["default"] = dump(field.default, "json")
            elif field.default_factory is dataclasses.MISSING:
                required.append(field.name)
        return {"properties": properties, **({"required": required} if required else {}), "title": cls.__name__, "type": "object"}

    def noted(self, schema, field):
        """What `Field()` says, put onto a schema."""
        noted = dict(schema)
        for name, limit in field.constraints.items():
            target = _inner(noted)
            if name in _LIMITS:
                target[_LIMITS[name]] = limit
            elif name in ("min_length", "max_length"):
                unit = {"array": "Items", "object": "Properties"}.get(target.get("type"), "Length")
                target[name[:3] + unit] = limit
            elif name == "pattern":
                target["pattern"] = getattr(limit, "pattern", limit)
        for name in ("title", "description"):
            if getattr(field, name) is not None:
                noted[name] = getattr(field, name)
        if field.examples is not None:
            noted["examples"] = dump(field.examples, "json")
        if field.deprecated:
            noted["deprecated"] = True
        extra = field.json_schema_extra
        if callable(extra):
            extra(noted)
        elif extra:
            noted.update(dump(extra, "json"))
        return noted

    def of_core(self, schema):
        kind = schema["type"]
        if kind == "annotation":
            return self.of(schema["annotation"])
        if kind in _CORE:
            return dict(_PLAIN[_CORE[kind]])
        if kind == "chain":
            return self.of_core(schema["steps"][0])
        if kind in ("nullable",):
            return {"anyOf": [self.of_core(schema["schema"]), {"type": "null"}]}
        if kind == "union":
            options = [self.of_core(each) for each in schema["choices"] if each["type"] != "is-instance"]
            return options[0] if len(options) == 1 else {"anyOf": options}
        if kind == "literal":
            return _of_values(schema["expected"])
        if kind == "json-or-python":
            return self.of_core(schema["json_schema"])
        if kind == "list":
            return {"type": "array", "items": self.of_core(schema["items_schema"]) if "items_schema" in schema else {}}
        return self.of_core(schema["schema"]) if "schema" in schema else {}


_CORE = {"str": str, "int": int, "float": float, "bool": bool, "bytes": bytes, "dict": dict, "none": type(None)}


def _inner(schema):
    """Where a limit goes: of an optional value to what is not null."""
    options = [each for each in schema.get("anyOf", ()) if each.get("type") != "null"]
    return options[0] if len(options) == 1 else schema


def _of_values(values, always_list=False):
    kinds = {type(value) for value in values}
    names = {str: "string", int: "integer", bool: "boolean", float: "number", type(None): "null"}
    schema = {"const": values[0]} if len(values) == 1 and not always_list else {"enum": values}
    if len(kinds) == 1 and (kind := kinds.pop()) in names:
        schema["type"] = names[kind]
    return schema


def to_title(name):
    return name.title().replace("_", " ").strip()
