"""Single values, converted as leniently as pydantic does it: "5" is an integer, 5 is no text."""

import collections
import collections.abc
import datetime
import decimal
import enum
import math
import pathlib
import re
import types
import uuid

from ._errors import invalid

_TRUE = {1, "1", "on", "t", "true", "y", "yes"}
_FALSE = {0, "0", "off", "f", "false", "n", "no"}


def _bool(value):
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float, str)):
        key = value.lower() if isinstance(value, str) else value
        if key in _TRUE:
            return True
        if key in _FALSE:
            return False
        raise invalid("bool_parsing", "Input should be a valid boolean, unable to interpret input", value)
    raise invalid("bool_type", "Input should be a valid boolean", value)


def _int(value):
    if isinstance(value, int):
        return int(value)
    if isinstance(value, (float, decimal.Decimal)):
        if math.isfinite(value) and value == int(value):
            return int(value)
        raise invalid("int_from_float", "Input should be a valid integer, got a number with a fractional part", value)
    if isinstance(value, (str, bytes)):
        try:
            text = value.decode() if isinstance(value, bytes) else value
            return int(re.sub(r"\.0+$", "", text.strip()))
        except ValueError:
            raise invalid("int_parsing", "Input should be a valid integer, unable to parse string as an integer", value) from None
    raise invalid("int_type", "Input should be a valid integer", value)


def _float(value):
    if isinstance(value, (int, float, decimal.Decimal)):
        return float(value)
    if isinstance(value, (str, bytes)):
        try:
            return float(value)
        except ValueError:
            raise invalid("float_parsing", "Input should be a valid number, unable to parse string as a number", value) from None
    raise invalid("float_type", "Input should be a valid number", value)


def _str(value):
    if isinstance(value, str):
        return value.value if isinstance(value, enum.Enum) else value
    if isinstance(value, (bytes, bytearray)):
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise invalid("string_unicode", "Input should be a valid string, unable to parse raw data as a unicode string", value) from None
    raise invalid("string_type", "Input should be a valid string", value)


def _bytes(value):
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if isinstance(value, str):
        return value.encode()
    raise invalid("bytes_type", "Input should be a valid bytes", value)


def _moment(cls, name):
    def check(value):
        if isinstance(value, datetime.datetime):
            return value if cls is datetime.datetime else getattr(value, name)()
        if isinstance(value, cls):
            return value if cls is not datetime.datetime else datetime.datetime.combine(value, datetime.time())
        try:
            if isinstance(value, (int, float)) and not isinstance(value, bool) and cls is not datetime.time:
                stamp = datetime.datetime.fromtimestamp(value / 1000 if abs(value) > 2e10 else value, datetime.timezone.utc)
                return stamp if cls is datetime.datetime else stamp.date()
            if isinstance(value, str):
                return cls.fromisoformat(value)
        except (ValueError, OverflowError) as error:
            raise invalid(f"{name}_parsing", f"Input should be a valid {name}, {error}", value) from None
        raise invalid(f"{name}_type", f"Input should be a valid {name}", value)

    return check


def _timedelta(value):
    if isinstance(value, datetime.timedelta):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return datetime.timedelta(seconds=value)
    raise invalid("time_delta_type", "Input should be a valid timedelta", value)


def _parsed(cls, kinds, kind, words):
    def check(value):
        if isinstance(value, cls):
            return value
        if isinstance(value, kinds) and not isinstance(value, bool):
            try:
                return cls(str(value) if cls is decimal.Decimal else value)
            except (ValueError, decimal.InvalidOperation, re.error):
                raise invalid(f"{kind}_parsing", f"Input should be {words}", value) from None
        raise invalid(f"{kind}_type", f"Input should be {words}", value)

    return check


def _container(cls, kind, words, accepted):
    def check(value):
        if isinstance(value, accepted) and not isinstance(value, (str, bytes, dict)):
            return cls(value)
        raise invalid(kind, words, value)

    return check


def to_dict(value):
    if isinstance(value, collections.abc.Mapping):
        return dict(value)
    raise invalid("dict_type", "Input should be a valid dictionary", value)


_SEQUENCES = (list, tuple, set, frozenset, collections.deque, types.GeneratorType, type({}.keys()), type({}.values()))
to_list = _container(list, "list_type", "Input should be a valid list", _SEQUENCES)
to_tuple = _container(tuple, "tuple_type", "Input should be a valid tuple", _SEQUENCES)
to_set = _container(set, "set_type", "Input should be a valid set", _SEQUENCES)
to_frozenset = _container(frozenset, "frozen_set_type", "Input should be a valid frozenset", _SEQUENCES)

CLASSES = {
    bool: _bool,
    int: _int,
    float: _float,
    str: _str,
    bytes: _bytes,
    dict: to_dict,
    list: to_list,
    tuple: to_tuple,
    set: to_set,
    frozenset: to_frozenset,
    datetime.datetime: _moment(datetime.datetime, "datetime"),
    datetime.date: _moment(datetime.date, "date"),
    datetime.time: _moment(datetime.time, "time"),
    datetime.timedelta: _timedelta,
    decimal.Decimal: _parsed(decimal.Decimal, (int, float, str), "decimal", "a valid decimal"),
    uuid.UUID: _parsed(uuid.UUID, (str,), "uuid", "a valid UUID"),
    pathlib.Path: _parsed(pathlib.Path, (str,), "path", "a valid path"),
    re.Pattern: lambda value: value if isinstance(value, re.Pattern) else re.compile(_str(value)),
    collections.abc.Callable: lambda value: value,
}
