"""The functions that core schemas are written with. Schemas are dictionaries that the stand-in for pydantic follows."""

CoreSchema = dict
_NOTES = ("serialization", "metadata", "ref", "strict")


def _schema(kind, options=None, **parts):
    notes = {name: value for name, value in (options or {}).items() if name in _NOTES and value is not None}
    constraints = {name: value for name, value in (options or {}).items() if name not in _NOTES and value is not None}
    schema = {"type": kind, **{name: value for name, value in parts.items() if value is not None}, **notes}
    if constraints:
        schema["constraints"] = constraints
    return schema


def _plain(kind):
    def make(**options):
        return _schema(kind, options)

    make.__name__ = f"{kind}_schema"
    return make


any_schema = _plain("any")
none_schema = _plain("none")
bool_schema = _plain("bool")
int_schema = _plain("int")
float_schema = _plain("float")
decimal_schema = _plain("decimal")
str_schema = _plain("str")
bytes_schema = _plain("bytes")
date_schema = _plain("date")
time_schema = _plain("time")
datetime_schema = _plain("datetime")
timedelta_schema = _plain("timedelta")
uuid_schema = _plain("uuid")
callable_schema = _plain("callable")


def is_instance_schema(cls, *, cls_repr=None, **options):
    return _schema("is-instance", options, cls=cls)


def union_schema(choices, *, mode=None, auto_collapse=None, custom_error_type=None, **options):
    return _schema("union", options, choices=choices)


def chain_schema(steps, **options):
    return _schema("chain", options, steps=steps)


def nullable_schema(schema, **options):
    return _schema("nullable", options, schema=schema)


def literal_schema(expected, **options):
    return _schema("literal", options, expected=list(expected))


def list_schema(items_schema=None, **options):
    return _schema("list", options, items_schema=items_schema)


def set_schema(items_schema=None, **options):
    return _schema("set", options, items_schema=items_schema)


def tuple_variable_schema(items_schema=None, **options):
    return _schema("tuple", options, items_schema=items_schema)


def dict_schema(keys_schema=None, values_schema=None, **options):
    return _schema("dict", options, keys_schema=keys_schema, values_schema=values_schema)


def with_default_schema(schema, *, default=None, default_factory=None, **options):
    return _schema("default", options, schema=schema, default=default, default_factory=default_factory)


def json_or_python_schema(json_schema, python_schema, **options):
    return _schema("json-or-python", options, json_schema=json_schema, python_schema=python_schema)


def lax_or_strict_schema(lax_schema, strict_schema, **options):
    return _schema("lax-or-strict", options, lax_schema=lax_schema, strict_schema=strict_schema)


def _plain_function(function, *, json_schema_input_schema=None, **options):
    return _schema("function", options, mode="plain", function=function)


def _around(mode):
    def make(function, schema, *, json_schema_input_schema=None, **options):
        return _schema("function", options, mode=mode, function=function, schema=schema)

    return make


def _named(func, name):
    func.__name__ = name
    return func


no_info_plain_validator_function = with_info_plain_validator_function = _plain_function
no_info_before_validator_function = with_info_before_validator_function = _named(_around("before"), "before_validator")
no_info_after_validator_function = with_info_after_validator_function = _named(_around("after"), "after_validator")
no_info_wrap_validator_function = with_info_wrap_validator_function = _named(_around("wrap"), "wrap_validator")
general_plain_validator_function = _plain_function


def plain_serializer_function_ser_schema(function, *, is_field_serializer=None, info_arg=None, return_schema=None, when_used="always"):
    return {"type": "function-plain", "function": function, "info_arg": bool(info_arg), "when_used": when_used}


def wrap_serializer_function_ser_schema(function, *, is_field_serializer=None, info_arg=None, schema=None, return_schema=None, when_used="always"):
    return {"type": "function-wrap", "function": function, "info_arg": bool(info_arg), "when_used": when_used}


def to_string_ser_schema(*, when_used="json-unless-none"):
    return {"type": "to-string", "when_used": when_used}


class ValidationInfo:
    pass


class SerializationInfo:
    pass


ValidatorFunctionWrapHandler = SerializerFunctionWrapHandler = object
