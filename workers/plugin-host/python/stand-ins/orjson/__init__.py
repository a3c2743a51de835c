"""Stands in for orjson, which is compiled: the same functions over the standard library, only slower."""

import dataclasses
import datetime
import enum
import json
import uuid

__version__ = "3.11.8"
OPT_APPEND_NEWLINE = 1 << 10
OPT_INDENT_2 = 1 << 0
OPT_NAIVE_UTC = 1 << 1
OPT_NON_STR_KEYS = 1 << 2
OPT_OMIT_MICROSECONDS = 1 << 3
OPT_PASSTHROUGH_DATACLASS = 1 << 11
OPT_PASSTHROUGH_DATETIME = 1 << 9
OPT_PASSTHROUGH_SUBCLASS = 1 << 8
OPT_SERIALIZE_DATACLASS = 0
OPT_SERIALIZE_NUMPY = 1 << 4
OPT_SERIALIZE_UUID = 0
OPT_SORT_KEYS = 1 << 5
OPT_STRICT_INTEGER = 1 << 6
OPT_UTC_Z = 1 << 7

JSONDecodeError = json.JSONDecodeError
# As there: a kind of TypeError.
JSONEncodeError = TypeError


class Fragment:
    """JSON that is written as it is."""

    def __init__(self, contents):
        self.contents = contents


def loads(text, /):
    if not isinstance(text, (str, bytes, bytearray, memoryview)):
        raise JSONDecodeError("Input must be bytes, bytearray, memoryview, or str", "", 0)
    try:
        return json.loads(text if isinstance(text, str) else bytes(text).decode("utf-8"), parse_constant=_refuse)
    except UnicodeDecodeError as error:
        raise JSONDecodeError("str is not valid UTF-8", "", error.start) from None


def _refuse(name):
    raise JSONDecodeError(f"unexpected {name}", name, 0)


def dumps(value, /, default=None, option=None):
    option = option or 0
    plain = _plain(value, default, option, 0)
    indent = 2 if option & OPT_INDENT_2 else None
    separators = (",", ": " if indent else ":")
    fragments = {}
    text = json.dumps(_hide(plain, fragments), ensure_ascii=False, indent=indent, separators=separators, sort_keys=bool(option & OPT_SORT_KEYS))
    for mark, contents in fragments.items():
        text = text.replace(f'"{mark}"', contents)
    return (text + ("\n" if option & OPT_APPEND_NEWLINE else "")).encode("utf-8")


def _hide(value, fragments):
    if isinstance(value, Fragment):
        mark = f"fragment-{uuid.uuid4()}"
        fragments[mark] = value.contents if isinstance(value.contents, str) else bytes(value.contents).decode()
        return mark
    if isinstance(value, dict):
        return {key: _hide(each, fragments) for key, each in value.items()}
    return [_hide(each, fragments) for each in value] if isinstance(value, list) else value


def _plain(value, default, option, depth):
    if value is None or isinstance(value, (bool, int, Fragment)) and not isinstance(value, enum.Enum):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, enum.Enum):
        return _plain(value.value, default, option, depth)
    if isinstance(value, str):
        return str(value)
    if depth > 254:
        raise JSONEncodeError("Recursion limit reached")
    if isinstance(value, dict):
        return {_key(key, option): _plain(each, default, option, depth + 1) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each, default, option, depth + 1) for each in value]
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)) and not option & OPT_PASSTHROUGH_DATETIME:
        return _moment(value, option)
    if isinstance(value, uuid.UUID):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and not option & OPT_PASSTHROUGH_DATACLASS:
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if not field.name.startswith("_")}
        return _plain(fields, default, option, depth)
    if default is None:
        raise JSONEncodeError(f"Type is not JSON serializable: {type(value).__name__}")
    return _plain(default(value), default, option, depth + 1)


def _key(key, option):
    if isinstance(key, str):
        return str(key)
    if not option & OPT_NON_STR_KEYS:
        raise JSONEncodeError("Dict key must be str")
    plain = _plain(key, None, option, 0)
    return plain if isinstance(plain, str) else json.dumps(plain)


def _moment(value, option):
    if option & OPT_OMIT_MICROSECONDS and not type(value) is datetime.date:
        value = value.replace(microsecond=0)
    if isinstance(value, datetime.datetime) and value.tzinfo is None and option & OPT_NAIVE_UTC:
        value = value.replace(tzinfo=datetime.timezone.utc)
    text = value.isoformat()
    return f"{text[:-6]}Z" if option & OPT_UTC_Z and text.endswith("+00:00") else text
