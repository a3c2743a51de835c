"""Validators and serializers that models and annotations bring themselves."""

import inspect

from ._errors import Invalid, PydanticCustomError, ValidationError, invalid


class _Note:
    def __init__(self, func, **_options):
        self.func = func


class BeforeValidator(_Note):
    pass


class AfterValidator(_Note):
    pass


class PlainValidator(_Note):
    pass


class WrapValidator(_Note):
    pass


class PlainSerializer(_Note):
    pass


class WrapSerializer(_Note):
    pass


class ValidationInfo:
    def __init__(self, data=None, field_name=None, context=None, config=None, mode="python"):
        self.data = data if data is not None else {}
        self.field_name = field_name
        self.context = context
        self.config = config
        self.mode = mode


FieldValidationInfo = ValidationInfo


class Decorated:
    """A function of a model's class that takes part in validation or serialization."""

    def __init__(self, func, kind, fields=(), mode="after", **options):
        self.func = func
        self.kind = kind
        self.fields = fields
        self.mode = mode
        self.options = options

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        return self.func.__get__(instance, owner)

    def bind(self, cls):
        func = self.func
        return func.__get__(None, cls) if isinstance(func, (classmethod, staticmethod)) else func


def _as_classmethod(func):
    if isinstance(func, (classmethod, staticmethod)):
        return func
    names = list(inspect.signature(func).parameters)
    return classmethod(func) if names[:1] == ["cls"] else func


def field_validator(field, /, *fields, mode="after", check_fields=None, json_schema_input_type=None):
    return lambda func: Decorated(_as_classmethod(func), "field", (field, *fields), mode)


def validator(field, /, *fields, pre=False, always=False, each_item=False, check_fields=None, allow_reuse=False):
    """The way of version 1."""
    return lambda func: Decorated(_as_classmethod(func), "field", (field, *fields), "before" if pre else "after", old=True)


def model_validator(*, mode):
    return lambda func: Decorated(func if mode == "after" else _as_classmethod(func), "model", (), mode)


def root_validator(func=None, /, *, pre=False, skip_on_failure=False, allow_reuse=False):
    """The way of version 1."""

    def decorate(inner):
        return Decorated(_as_classmethod(inner), "model", (), "before" if pre else "old")

    return decorate(func) if func is not None else decorate


def field_serializer(*fields, mode="plain", return_type=None, when_used="always", check_fields=None):
    return lambda func: Decorated(func, "serializer", fields, mode, when_used=when_used)


def model_serializer(func=None, /, *, mode="plain", when_used="always", return_type=None):
    def decorate(inner):
        return Decorated(inner, "model serializer", (), mode)

    return decorate(func) if func is not None else decorate


class _Computed(property):
    def __init__(self, func, options):
        super().__init__(func)
        self.options = options
        self.return_type = getattr(func, "__annotations__", {}).get("return")


def computed_field(func=None, /, **options):
    def decorate(inner):
        return _Computed(inner.fget if isinstance(inner, property) else inner, options)

    return decorate(func) if func is not None else decorate


def run(func, value, info, *, handler=None, old=False):
    """Calls a validator with as much as it takes. What it raises becomes an error of validation."""
    given = [value] if handler is None else [value, handler]
    try:
        count = _count(func)
        if count is not None and count > len(given):
            given.append(info.data if old else info)
        return func(*given)
    except Invalid:
        raise
    except ValidationError as error:
        raise Invalid(*error.errors()) from error
    except PydanticCustomError as error:
        raise invalid(error.type, str(error), value) from error
    except AssertionError as error:
        raise invalid("assertion_error", f"Assertion failed, {error}", value) from error
    except ValueError as error:
        raise invalid("value_error", f"Value error, {error}", value) from error


def _count(func):
    try:
        parameters = inspect.signature(func).parameters.values()
    except (TypeError, ValueError):
        return None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(each.kind in kinds for each in parameters)


class SerializationInfo:
    def __init__(self, mode, context=None):
        self.mode = mode
        self.context = context


FieldSerializationInfo = SerializationInfo


def run_serializer(func, args, info):
    count = _count(func)
    return func(*args, info) if count is not None and count > len(args) else func(*args)
