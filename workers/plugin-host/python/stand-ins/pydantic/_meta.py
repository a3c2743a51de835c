"""How the class of a model is made."""

import annotationlib
import copy
import sys
import typing

from ._errors import PydanticUserError
from .fields import FieldInfo, ModelPrivateAttr, PydanticUndefined, field_of
from .functional_validators import Decorated, _Computed


class ConfigDict(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Meta(type):
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
            if isinstance(base, Meta):
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
