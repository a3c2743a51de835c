"""Models."""

import annotationlib
import copy
import inspect
import json
import sys
import types
import typing

from . import _dump
from ._errors import Invalid, PydanticUserError, ValidationError, at
from ._schema import Builder, to_title
from ._validate import validate, validate_noted
from .fields import FieldInfo, ModelPrivateAttr, PydanticUndefined, field_of
from .functional_validators import Decorated, SerializationInfo, ValidationInfo, _Computed, run, run_serializer


class ConfigDict(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class _Meta(type):
    def __new__(mcs, name, bases, namespace, **options):
        cls = super().__new__(mcs, name, bases, namespace)
        config = {}
        for base in reversed(cls.__mro__[1:]):
            config.update(base.__dict__.get("model_config") or {})
        config.update(namespace.get("model_config") or {})
        old = namespace.get("Config")
        if isinstance(old, type):
            config.update({key: value for key, value in vars(old).items() if not key.startswith("__")})
        config.update(options)
        cls.model_config = ConfigDict(config)
        cls.__pydantic_fields_ready__ = False
        cls.__pydantic_frame__ = _names_around(cls)
        cls.__private_attributes__ = {}
        cls.__pydantic_decorated__ = {}
        for base in reversed(cls.__mro__[1:]):
            cls.__private_attributes__.update(base.__dict__.get("__private_attributes__", {}))
            cls.__pydantic_decorated__.update(base.__dict__.get("__pydantic_decorated__", {}))
        cls.__pydantic_own__ = mcs._take_values(cls, namespace)
        return cls

    def __init__(cls, name, bases, namespace, **options):
        super().__init__(name, bases, namespace)

    @staticmethod
    def _take_values(cls, namespace):
        """Default values leave the class: reading them from an instance is reading its own."""
        values = {}
        annotations = annotationlib.get_annotations(cls, format=annotationlib.Format.FORWARDREF)
        for name in annotations:
            value = namespace.get(name, PydanticUndefined)
            if name.startswith("_"):
                is_ready = isinstance(value, ModelPrivateAttr)
                cls.__private_attributes__[name] = value if is_ready else ModelPrivateAttr(value)
            elif not _is_class_variable(annotations[name]):
                values[name] = value
            else:
                continue
            if name in cls.__dict__:
                type.__delattr__(cls, name)
        for name, value in namespace.items():
            if isinstance(value, ModelPrivateAttr) and name not in cls.__private_attributes__:
                cls.__private_attributes__[name] = value
                type.__delattr__(cls, name)
            elif isinstance(value, FieldInfo) and name not in annotations:
                raise PydanticUserError(f"Field '{name}' requires a type annotation")
            elif isinstance(value, Decorated):
                cls.__pydantic_decorated__[name] = value
        return values

    @property
    def model_fields(cls):
        return cls._ready()

    @property
    def __fields__(cls):
        return cls._ready()

    @property
    def model_computed_fields(cls):
        return {name: value for base in reversed(cls.__mro__) for name, value in vars(base).items() if isinstance(value, _Computed)}

    def _ready(cls):
        """Fields are worked out when they are first needed: by then all names that they use are there."""
        if cls.__dict__["__pydantic_fields_ready__"] is not False:
            return cls.__dict__["__pydantic_fields_ready__"]
        fields = {}
        for base in reversed(cls.__mro__[1:]):
            if isinstance(base, _Meta):
                fields.update({name: copy.copy(field) for name, field in base._ready().items()})
        own = cls.__pydantic_own__
        if own:
            hints = _hints_of(cls)
            for name, value in own.items():
                fields[name] = field_of(hints[name], value)
        generator = cls.model_config.get("alias_generator")
        for name, field in fields.items():
            if generator is not None and field.alias is None:
                field.alias = (generator.get("alias") if isinstance(generator, dict) else generator)(name)
        type.__setattr__(cls, "__pydantic_fields_ready__", fields)
        return fields

    def __instancecheck__(cls, instance):
        return type.__instancecheck__(cls, instance)


def _is_class_variable(annotation):
    return (
        annotation is typing.ClassVar
        or typing.get_origin(annotation) is typing.ClassVar
        or (isinstance(annotation, str) and annotation.replace("typing.", "").startswith("ClassVar"))
    )


def _names_around(cls):
    """Local names where the class stands: other models of the same plugin's class, mostly."""
    frame = sys._getframe(2)
    return {key: value for key, value in frame.f_locals.items() if isinstance(value, type)} if frame is not None else {}


def _hints_of(cls):
    module = sys.modules.get(cls.__module__)
    names = {**cls.__pydantic_frame__, cls.__name__: cls}
    try:
        return typing.get_type_hints(cls, getattr(module, "__dict__", {}), names, include_extras=True)
    except NameError as error:
        raise PydanticUserError(f"`{cls.__name__}` is not fully defined: {error}") from error


class BaseModel(metaclass=_Meta):
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
            data = _before_model(cls, data, context)
            values, given, extra = _read_fields(cls, data, context)
        except Invalid as error:
            raise ValidationError(cls.__name__, error.errors) from None
        _put(self, values, given, extra)
        self.model_post_init(context)
        try:
            _after_model(self, context)
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
        _put(self, found, set(_fields_set or values), {})
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
            is_left = is_left or _is_excluded(exclude, name) or field.exclude
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
                value = _read_field(cls, name, cls.model_fields[name], value, self.__dict__, None)
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


def _put(model, values, given, extra):
    private = {}
    for name, attribute in type(model).__private_attributes__.items():
        value = attribute.get_default()
        if value is not PydanticUndefined:
            private[name] = value
    model.__dict__.update(values)
    model.__dict__.update(__given__=given, __extra__=extra, __private__=private)


def _before_model(cls, data, context):
    info = ValidationInfo({}, None, context, cls.model_config)
    for each in cls.__pydantic_decorated__.values():
        if each.kind == "model" and each.mode in ("before", "wrap"):
            handler = (lambda given: given) if each.mode == "wrap" else None
            data = run(each.bind(cls), data, info, handler=handler)
    if isinstance(data, BaseModel):
        return dict(data._items())
    if not isinstance(data, dict):
        raise Invalid({"type": "model_type", "loc": (), "msg": "Input should be a valid dictionary", "input": data})
    return data


def _after_model(model, context):
    cls = type(model)
    info = ValidationInfo(model.__dict__, None, context, cls.model_config)
    for each in cls.__pydantic_decorated__.values():
        if each.kind != "model":
            continue
        if each.mode == "after":
            # It may be a plain function of the instance, or a class method of the model as it was done once.
            run(each.bind(cls), model, info)
        elif each.mode == "old":
            values = run(each.bind(cls), {name: model.__dict__[name] for name in cls.model_fields}, info)
            model.__dict__.update(values or {})


def _read_fields(cls, data, context):
    values = {}
    given = set()
    errors = []
    used = set()
    by_name = cls.model_config.get("populate_by_name") or cls.model_config.get("validate_by_name")
    for name, field in cls.model_fields.items():
        key = _find_key(field, name, data, by_name)
        if key is None and field.is_required():
            missing = field.validation_alias if isinstance(field.validation_alias, str) else field.alias
            errors.append({"type": "missing", "loc": (missing or name,), "msg": "Field required", "input": data})
            continue
        try:
            if key is not None:
                used.add(key)
                given.add(name)
                values[name] = _read_field(cls, name, field, data[key], values, context)
            else:
                value = field.get_default(call_default_factory=True, validated_data=values)
                checks = field.validate_default or cls.model_config.get("validate_default")
                values[name] = _read_field(cls, name, field, value, values, context) if checks else value
        except Invalid as error:
            errors += at(key if key is not None else name, error)
    rest = {key: value for key, value in data.items() if key not in used}
    extra = cls.model_config.get("extra")
    if extra == "forbid":
        words = "Extra inputs are not permitted"
        errors += [{"type": "extra_forbidden", "loc": (key,), "msg": words, "input": value} for key, value in rest.items()]
    if errors:
        raise Invalid(*errors)
    return values, given, (rest if extra == "allow" else {})


def _find_key(field, name, data, by_name):
    alias = field.validation_alias if field.validation_alias is not None else field.alias
    options = getattr(alias, "choices", [alias]) if alias is not None else [name]
    for option in [*options, *([name] if by_name else [])]:
        if isinstance(option, str) and option in data:
            return option
    return None


def _read_field(cls, name, field, value, values, context):
    info = ValidationInfo(values, name, context, cls.model_config)
    decorated = [each for each in cls.__pydantic_decorated__.values() if each.kind == "field" and (name in each.fields or "*" in each.fields)]
    for each in decorated:
        if each.mode == "before":
            value = run(each.bind(cls), value, info, old=each.options.get("old", False))
    inner = lambda given: validate_noted(field.annotation, [*field.metadata, field], given, info)
    for each in decorated:
        if each.mode == "wrap":
            inner = _wrap(each.bind(cls), inner, info)
    plain = next((each for each in decorated if each.mode == "plain"), None)
    value = run(plain.bind(cls), value, info) if plain else inner(value)
    config = cls.model_config
    if isinstance(value, str) and config.get("str_strip_whitespace"):
        value = value.strip()
    if config.get("use_enum_values") and hasattr(value, "value") and hasattr(type(value), "__members__"):
        value = value.value
    for each in decorated:
        if each.mode == "after":
            value = run(each.bind(cls), value, info, old=each.options.get("old", False))
    return value


def _wrap(func, inner, info):
    return lambda value: run(func, value, info, handler=inner)


def _is_excluded(exclude, name):
    if exclude is None:
        return False
    return exclude.get(name) is True or exclude.get(name) is ... if isinstance(exclude, dict) else name in exclude


def create_model(model_name, /, *, __config__=None, __base__=None, __module__=None, __validators__=None, __doc__=None, **fields):
    bases = __base__ if isinstance(__base__, tuple) else (__base__ or BaseModel,)
    annotations = {}
    namespace = {"__module__": __module__ or "pydantic.main", "__annotations__": annotations, **(__validators__ or {})}
    if __config__ is not None:
        namespace["model_config"] = __config__
    if __doc__:
        namespace["__doc__"] = __doc__
    for name, definition in fields.items():
        if isinstance(definition, tuple):
            annotations[name], value = definition
            if value is not ...:
                namespace[name] = value
        else:
            annotations[name] = definition
    return types.new_class(model_name, bases, {}, lambda target: target.update(namespace))


class TypeAdapter:
    def __init__(self, type, *, config=None, **_options):
        self._type = type

    def validate_python(self, value, *, context=None, **_options):
        try:
            return validate(self._type, value, ValidationInfo({}, None, context))
        except Invalid as error:
            raise ValidationError(getattr(self._type, "__name__", str(self._type)), error.errors) from None

    def validate_json(self, data, **options):
        return self.validate_python(json.loads(data), **options)

    def dump_python(self, value, *, mode="python", **options):
        return _dump.dump(value, mode, **options)

    def dump_json(self, value, *, indent=None, **options):
        return json.dumps(_dump.dump(value, "json", **options), indent=indent).encode()

    def json_schema(self, **_options):
        builder = Builder()
        schema = builder.of(self._type)
        return {**({"$defs": builder.definitions} if builder.definitions else {}), **schema}


class RootModel(BaseModel):
    root: typing.Any

    @classmethod
    def __class_getitem__(cls, item):
        return types.new_class(f"{cls.__name__}", (cls,), {}, lambda target: target.update(__annotations__={"root": item}))

    def __init__(self, root=PydanticUndefined, /, **data):
        self._fill({"root": data if root is PydanticUndefined else root})

    @classmethod
    def model_validate(cls, obj, **_options):
        return obj if isinstance(obj, cls) else cls(obj)

    def model_dump(self, **options):
        return super().model_dump(**options)["root"]
