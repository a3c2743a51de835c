"""Models made of something else: fields, a type, one value."""

import json
import types
import typing

from . import _dump
from ._errors import Invalid, ValidationError
from ._schema import Builder
from ._validate import validate
from .fields import PydanticUndefined
from .functional_validators import ValidationInfo
from .main import BaseModel


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
