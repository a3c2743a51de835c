"""Stands in for pydantic 2: models, fields, validators and JSON Schema, as far as plugins need them. Where the real package and
pydantic_core were uploaded, those are used."""

from typing import Annotated

from pydantic_core import core_schema

from ._errors import PydanticUndefinedAnnotation, PydanticUserError, ValidationError
from .adapters import RootModel, TypeAdapter, create_model
from .annotated_handlers import GetCoreSchemaHandler, GetJsonSchemaHandler
from .fields import Field, FieldInfo, PrivateAttr
from .functional_validators import (
    AfterValidator,
    BeforeValidator,
    FieldSerializationInfo,
    FieldValidationInfo,
    PlainSerializer,
    PlainValidator,
    SerializationInfo,
    ValidationInfo,
    WrapSerializer,
    WrapValidator,
    computed_field,
    field_serializer,
    field_validator,
    model_serializer,
    model_validator,
    root_validator,
    validator,
)
from .main import BaseModel, ConfigDict
from .networks import AnyHttpUrl, AnyUrl, EmailStr, HttpUrl
from .types import (
    AliasChoices,
    InstanceOf,
    Json,
    NegativeFloat,
    NegativeInt,
    NonNegativeFloat,
    NonNegativeInt,
    NonPositiveFloat,
    NonPositiveInt,
    PositiveFloat,
    PositiveInt,
    SecretBytes,
    SecretStr,
    SkipValidation,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    StringConstraints,
    WithJsonSchema,
    confloat,
    conint,
    conlist,
    constr,
)

VERSION = __version__ = "2.12.0"
Extra = type("Extra", (), {"allow": "allow", "ignore": "ignore", "forbid": "forbid"})
ValidatorFunctionWrapHandler = SerializerFunctionWrapHandler = object


def parse_obj_as(type_, obj):
    return TypeAdapter(type_).validate_python(obj)
