"""Models."""

import copy
import inspect
import json
import typing

from . import _dump
from ._errors import Invalid, ValidationError, at
from ._meta import ConfigDict, Meta
from ._read import after_model, before_model, is_excluded, put, read_field, read_fields
from ._schema import Builder, to_title
from .fields import FieldInfo, PydanticUndefined
from .functional_validators import SerializationInfo, run_serializer


class BaseModel(metaclass=Meta):
    model_config: typing.ClassVar[ConfigDict] = ConfigDict()

    def __init__(self, /, **data):
        self._fill(data)

    def __init_subclass__(cls, **options):
        super().__init_subclass__()

    @classmethod
    def __class_getitem__(cls, item):
        return cls

    # Validation

    def _fill(self, data, context=None):
        cls = type(self)
        try:
            data = before_model(cls, data, context)
            values, given, extra = read_fields(cls, data, context)
        except Invalid as error:
            raise ValidationError(cls.__name__, error.errors) from None
        put(self, values, given, extra)
        self.model_post_init(context)
        try:
            after_model(self, context)
        except Invalid as error:
            raise ValidationError(cls.__name__, error.errors) from None

    def model_post_init(self, context, /):
        pass

    @classmethod
    def _validate_value(cls, value):
        if isinstance(value, cls):
            return value
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            raise Invalid(*error.errors()) from None

    @classmethod
    def model_validate(cls, obj, *, strict=None, from_attributes=None, context=None, by_alias=None, by_name=None):
        if isinstance(obj, cls):
            return obj
        reads_attributes = from_attributes or cls.model_config.get("from_attributes")
        has_before = any(each.kind == "model" and each.mode == "before" for each in cls.__pydantic_decorated__.values())
        if not isinstance(obj, dict) and reads_attributes and not has_before:
            obj = {name: getattr(obj, name) for name in cls.model_fields if hasattr(obj, name)}
        if not isinstance(obj, dict) and not has_before:
            message = f"Input should be a valid dictionary or instance of {cls.__name__}"
            raise ValidationError(cls.__name__, [{"type": "model_type", "loc": (), "msg": message, "input": obj}])
        self = cls.__new__(cls)
        self._fill(obj, context)
        return self

    @classmethod
    def model_validate_json(cls, json_data, **options):
        try:
            data = json.loads(json_data)
        except ValueError as error:
            problem = {"type": "json_invalid", "loc": (), "msg": f"Invalid JSON: {error}", "input": json_data}
            raise ValidationError(cls.__name__, [problem]) from None
        return cls.model_validate(data, **options)

    @classmethod
    def model_construct(cls, _fields_set=None, **values):
        self = cls.__new__(cls)
        fields = cls.model_fields
        found = {name: field.get_default(call_default_factory=True) for name, field in fields.items() if not field.is_required()}
        found.update({name: value for name, value in values.items() if name in fields})
        put(self, found, set(_fields_set or values), {})
        return self

    # Looking at it

    @property
    def model_fields_set(self):
        return self.__dict__["__given__"]

    @property
    def model_extra(self):
        return self.__dict__["__extra__"] if self.model_config.get("extra") == "allow" else None

    def model_dump(
        self,
        *,
        mode="python",
        include=None,
        exclude=None,
        by_alias=None,
        exclude_unset=False,
        exclude_defaults=False,
        exclude_none=False,
        **_options,
    ):
        own = next((each for each in self.__pydantic_decorated__.values() if each.kind == "model serializer"), None)
        options = {
            "by_alias": by_alias,
            "exclude_unset": exclude_unset,
            "exclude_defaults": exclude_defaults,
            "exclude_none": exclude_none,
        }
        if own is not None:
            args = (self,) if own.mode == "plain" else (self, lambda each: each._dump(mode, include, exclude, options))
            return run_serializer(own.func, args, SerializationInfo(mode))
        return self._dump(mode, include, exclude, options)

    def _dump(self, mode, include, exclude, options):
        cls = type(self)
        found = {}
        for name, value in self._items():
            field = cls.model_fields.get(name, FieldInfo())
            is_left = include is not None and name not in include
            is_left = is_left or is_excluded(exclude, name) or field.exclude
            is_left = is_left or (options["exclude_none"] and value is None)
            is_left = is_left or (options["exclude_unset"] and name not in self.model_fields_set)
            is_default = not field.is_required() and value == field.get_default(call_default_factory=True)
            if is_left or (options["exclude_defaults"] and is_default):
                continue
            alias = field.serialization_alias or field.alias
            by_alias = options["by_alias"] if options["by_alias"] is not None else cls.model_config.get("serialize_by_alias")
            inner = exclude.get(name) if isinstance(exclude, dict) else None
            extra = {"exclude": inner} if inner and hasattr(value, "model_dump") else {}
            found[alias if by_alias and alias else name] = self._dump_one(name, field, value, mode, {**options, **extra})
        return found

    def _dump_one(self, name, field, value, mode, options):
        for each in type(self).__pydantic_decorated__.values():
            if each.kind == "serializer" and (name in each.fields or "*" in each.fields):
                if each.options.get("when_used") == "json" and mode != "json":
                    continue
                args = (self, value) if each.mode == "plain" else (self, value, lambda given: _dump.dump(given, mode))
                return run_serializer(each.func, args, SerializationInfo(mode))
        if value is PydanticUndefined:
            return None
        return _dump.dump_field(field, value, mode, **options)

    def _items(self):
        for name in type(self).model_fields:
            if name in self.__dict__:
                yield name, self.__dict__[name]
        yield from self.__dict__.get("__extra__", {}).items()
        for name in type(self).model_computed_fields:
            yield name, getattr(self, name)

    def model_dump_json(self, *, indent=None, ensure_ascii=False, **options):
        value = self.model_dump(mode="json", **options)
        return json.dumps(value, indent=indent, ensure_ascii=ensure_ascii, separators=None if indent else (",", ":"))

    def model_copy(self, *, update=None, deep=False):
        fresh = copy.deepcopy(self) if deep else copy.copy(self)
        fresh.__dict__.update(update or {})
        fresh.__dict__["__given__"] = fresh.model_fields_set | set(update or {})
        return fresh

    def __copy__(self):
        fresh = type(self).__new__(type(self))
        fresh.__dict__.update(self.__dict__)
        fresh.__dict__["__given__"] = set(self.__dict__["__given__"])
        fresh.__dict__["__extra__"] = dict(self.__dict__["__extra__"])
        return fresh

    def __deepcopy__(self, memo):
        fresh = type(self).__new__(type(self))
        memo[id(self)] = fresh
        fresh.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return fresh

    @classmethod
    def model_json_schema(cls, by_alias=True, ref_template="#/$defs/{model}", schema_generator=None, mode="validation"):
        builder = Builder(ref_template, mode)
        schema = cls._build_schema(builder, by_alias)
        definitions = builder.definitions
        if cls.__name__ in definitions and definitions[cls.__name__] != schema:
            schema = {"$ref": ref_template.format(model=cls.__name__)}
        elif definitions.get(cls.__name__) == schema and "$ref" not in schema:
            schema = {"$ref": ref_template.format(model=cls.__name__)}
        return {**({"$defs": definitions} if definitions else {}), **schema}

    @classmethod
    def _build_schema(cls, builder, by_alias=True):
        properties = {}
        required = []
        for name, field in cls.model_fields.items():
            alias = field.validation_alias if isinstance(field.validation_alias, str) else field.alias
            key = alias if by_alias and alias else name
            notes = field.metadata
            inner = builder._of_noted(field.annotation, notes) if notes else builder.of(field.annotation)
            schema = builder.noted(inner, field)
            if "$ref" not in inner and "title" not in schema:
                schema["title"] = to_title(name)
            if not field.is_required() and field.default_factory is None:
                try:
                    schema["default"] = _dump.dump_field(field, field.get_default(), "json")
                except ValueError:
                    pass
            if field.is_required():
                required.append(key)
            properties[key] = schema
        schema = {"properties": properties}
        if required:
            schema["required"] = required
        schema["title"] = cls.model_config.get("title") or cls.__name__
        schema["type"] = "object"
        doc = cls.__dict__.get("__doc__")
        if doc:
            schema = {"description": inspect.cleandoc(doc), **schema}
        extra = cls.model_config.get("extra")
        if extra in ("forbid", "allow"):
            schema["additionalProperties"] = extra == "allow"
        more = cls.model_config.get("json_schema_extra")
        if callable(more):
            more(schema)
        elif more:
            schema.update(more)
        return schema

    @classmethod
    def model_rebuild(cls, *, force=False, raise_errors=True, _types_namespace=None, **_options):
        cls.__pydantic_frame__ = {**cls.__pydantic_frame__, **(_types_namespace or {})}
        type.__setattr__(cls, "__pydantic_fields_ready__", False)
        return True

    # As it was in version 1

    def dict(self, **options):
        return self.model_dump(**options)

    def json(self, **options):
        return self.model_dump_json(**options)

    def copy(self, *, update=None, deep=False, include=None, exclude=None):
        return self.model_copy(update=update, deep=deep)

    parse_obj = model_validate
    parse_raw = model_validate_json
    construct = model_construct
    schema = model_json_schema
    update_forward_refs = model_rebuild

    @classmethod
    def schema_json(cls, **options):
        return json.dumps(cls.model_json_schema(), **options)

    # As an object

    def __getattr__(self, name):
        own = self.__dict__
        if name in own.get("__private__", ()):
            return own["__private__"][name]
        if name in own.get("__extra__", ()):
            return own["__extra__"][name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name, value):
        cls = type(self)
        if name in cls.__private_attributes__:
            self.__dict__.setdefault("__private__", {})[name] = value
        elif isinstance(getattr(cls, name, None), property):
            object.__setattr__(self, name, value)
        elif name in cls.model_fields:
            self._set_field(cls, name, value)
        elif cls.model_config.get("extra") == "allow":
            self.__dict__["__extra__"][name] = value
        elif name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            raise ValueError(f'"{cls.__name__}" object has no field "{name}"')

    def _set_field(self, cls, name, value):
        if cls.model_config.get("frozen") or cls.model_fields[name].frozen:
            problem = {"type": "frozen_instance", "loc": (name,), "msg": "Instance is frozen", "input": value}
            raise ValidationError(cls.__name__, [problem])
        if cls.model_config.get("validate_assignment"):
            try:
                value = read_field(cls, name, cls.model_fields[name], value, self.__dict__, None)
            except Invalid as error:
                raise ValidationError(cls.__name__, at(name, error)) from None
        self.__dict__[name] = value
        self.__dict__["__given__"].add(name)

    def __delattr__(self, name):
        self.__dict__.pop(name, None)

    def __eq__(self, other):
        if not isinstance(other, BaseModel):
            return NotImplemented
        return type(self) is type(other) and dict(self._items()) == dict(other._items())

    def __hash__(self):
        if not self.model_config.get("frozen"):
            raise TypeError(f"unhashable type: {type(self).__name__!r}")
        return hash((type(self), tuple(self._items())))

    def __iter__(self):
        yield from ((name, value) for name, value in self._items() if name not in type(self).model_computed_fields)

    def __repr_args__(self):
        fields = type(self).model_fields
        return [(name, value) for name, value in self._items() if name not in fields or fields[name].repr is not False]

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__repr_args__())})"

    def __str__(self):
        return " ".join(f"{name}={value!r}" for name, value in self.__repr_args__())

    def __dir__(self):
        return [*object.__dir__(self), *type(self).model_fields]
