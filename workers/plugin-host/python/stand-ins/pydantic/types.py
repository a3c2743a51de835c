"""Types that say more than Python's own."""

import typing

from ._errors import invalid
from .fields import FieldInfo

T = typing.TypeVar("T")


class _Secret:
    _empty = ""

    def __init__(self, secret_value):
        self._secret_value = secret_value

    def get_secret_value(self):
        return self._secret_value

    def __len__(self):
        return len(self._secret_value)

    def __eq__(self, other):
        return isinstance(other, type(self)) and self._secret_value == other._secret_value

    def __hash__(self):
        return hash(self._secret_value)

    def __str__(self):
        return "**********" if self._secret_value else ""

    def __repr__(self):
        return f"{type(self).__name__}({str(self)!r})"

    @classmethod
    def __get_pydantic_core_schema__(cls, source, handler):
        def read(value):
            if isinstance(value, cls):
                return value
            if not isinstance(value, cls._kind):
                raise invalid(f"{cls._kind.__name__}_type", "Input should be a valid string", value)
            return cls(value)

        writes = {"type": "function-plain", "function": str, "info_arg": False, "when_used": "json"}
        return {"type": "function", "mode": "plain", "function": read, "serialization": writes}

    @classmethod
    def __get_pydantic_json_schema__(cls, schema, handler):
        return {"type": "string", "format": "password", "writeOnly": True}


class SecretStr(_Secret):
    _kind = str


class SecretBytes(_Secret):
    _kind = bytes


class StringConstraints:
    def __init__(self, *, strip_whitespace=None, to_upper=None, to_lower=None, strict=None, min_length=None, max_length=None, pattern=None):
        given = {"min_length": min_length, "max_length": max_length, "pattern": pattern}
        self.constraints = {name: value for name, value in given.items() if value is not None}


def _noted(kind, options):
    return typing.Annotated[kind, FieldInfo(**options)]


def conint(**options):
    return _noted(int, options)


def confloat(**options):
    return _noted(float, options)


def constr(*, strip_whitespace=None, to_upper=None, to_lower=None, regex=None, **options):
    return _noted(str, {**options, **({"pattern": regex} if regex else {})})


def conlist(item_type, *, min_items=None, max_items=None, **options):
    return _noted(list[item_type], {"min_length": min_items, "max_length": max_items, **options})


PositiveInt = _noted(int, {"gt": 0})
NonNegativeInt = _noted(int, {"ge": 0})
NegativeInt = _noted(int, {"lt": 0})
NonPositiveInt = _noted(int, {"le": 0})
PositiveFloat = _noted(float, {"gt": 0})
NonNegativeFloat = _noted(float, {"ge": 0})
NegativeFloat = _noted(float, {"lt": 0})
NonPositiveFloat = _noted(float, {"le": 0})
StrictStr = str
StrictInt = int
StrictFloat = float
StrictBool = bool


class _Json:
    def __class_getitem__(cls, item):
        return item


Json = _Json


class AliasChoices:
    def __init__(self, first, *choices):
        self.choices = [first, *choices]


class WithJsonSchema:
    def __init__(self, json_schema, mode=None):
        self.json_schema = json_schema or {}


class SkipValidation:
    def __class_getitem__(cls, item):
        return typing.Any


InstanceOf = SkipValidation
