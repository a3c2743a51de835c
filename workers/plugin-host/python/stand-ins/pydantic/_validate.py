"""Turns what was given into what an annotation asks for, or says why not (Invalid)."""

import collections
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import math
import re
import types
import typing

from ._errors import Invalid, at, invalid
from ._lax import CLASSES, to_dict, to_frozenset, to_list, to_set, to_tuple
from .fields import FieldInfo


def validate(annotation, value, info):
    """@param info ValidationInfo of the model that it is done for"""
    if annotation is typing.Any or annotation is object or isinstance(annotation, (typing.TypeVar, str, typing.ForwardRef)):
        return value
    if annotation is None or annotation is type(None):
        if value is not None:
            raise invalid("none_required", "Input should be None", value)
        return None
    origin = typing.get_origin(annotation)
    if origin is None:
        return _validate_class(annotation, value, info)
    arguments = typing.get_args(annotation)
    if origin is typing.Annotated:
        return validate_noted(arguments[0], arguments[1:], value, info)
    if origin in (typing.Union, types.UnionType):
        return _validate_union(arguments, value, info)
    if origin is typing.Literal:
        return _validate_literal(arguments, value)
    check = _GENERICS.get(origin)
    if check is not None:
        return check(arguments, value, info)
    if origin in (typing.ClassVar, typing.Final, typing.Required, typing.NotRequired):
        return validate(arguments[0], value, info)
    if origin is type:
        if not isinstance(value, type):
            raise invalid("is_type", "Input should be a type", value)
        return value
    if origin is collections.abc.Callable:
        if not callable(value):
            raise invalid("callable_type", "Input should be callable", value)
        return value
    return _validate_class(origin, value, info)


def validate_noted(annotation, notes, value, info):
    """A value with what `Annotated` or `Field()` adds to its type."""
    from .functional_validators import AfterValidator, BeforeValidator, PlainValidator, WrapValidator, run

    plain = next((note for note in notes if isinstance(note, PlainValidator)), None)
    for note in reversed(notes):
        if isinstance(note, BeforeValidator):
            value = run(note.func, value, info)
    inner = lambda given: validate(annotation, given, info)
    for note in notes:
        if isinstance(note, WrapValidator):
            inner = _wrap(note.func, inner, info)
    value = run(plain.func, value, info) if plain else inner(value)
    for note in notes:
        if isinstance(note, FieldInfo):
            value = constrain(note.constraints, value)
        elif isinstance(note, AfterValidator):
            value = run(note.func, value, info)
        elif hasattr(note, "constraints"):
            value = constrain(note.constraints, value)
    return value


def _wrap(func, inner, info):
    from .functional_validators import run

    return lambda value: run(func, value, info, handler=inner)


def constrain(constraints, value):
    if value is None:
        return value
    for name, limit in constraints.items():
        if name in _COMPARE and isinstance(value, (int, float, decimal.Decimal, datetime.date, datetime.timedelta)):
            kind, words, holds = _COMPARE[name]
            if not holds(value, limit):
                raise invalid(kind, f"Input should be {words} {limit}", value, **{name: limit})
        elif name in ("min_length", "max_length") and hasattr(value, "__len__"):
            _check_length(name, limit, value)
        elif name == "pattern" and isinstance(value, str) and re.search(limit, value) is None:
            pattern = getattr(limit, "pattern", limit)
            raise invalid("string_pattern_mismatch", f"String should match pattern '{pattern}'", value, pattern=pattern)
    return value


def _check_length(name, limit, value):
    length = len(value)
    if (length >= limit) if name == "min_length" else (length <= limit):
        return
    few = name == "min_length"
    if isinstance(value, str):
        unit = "character" if limit == 1 else "characters"
        words = f"String should have {'at least' if few else 'at most'} {limit} {unit}"
        raise invalid(f"string_too_{'short' if few else 'long'}", words, value, **{name: limit})
    kind = type(value).__name__.capitalize()
    unit = "item" if limit == 1 else "items"
    words = f"{kind} should have {'at least' if few else 'at most'} {limit} {unit} after validation, not {length}"
    raise invalid(f"too_{'short' if few else 'long'}", words, value, **{name: limit})


_COMPARE = {
    "gt": ("greater_than", "greater than", lambda value, limit: value > limit),
    "ge": ("greater_than_equal", "greater than or equal to", lambda value, limit: value >= limit),
    "lt": ("less_than", "less than", lambda value, limit: value < limit),
    "le": ("less_than_equal", "less than or equal to", lambda value, limit: value <= limit),
    "multiple_of": ("multiple_of", "a multiple of", lambda value, limit: math.isclose(value % limit, 0, abs_tol=1e-9) or math.isclose(value % limit, limit)),
}


def _validate_class(cls, value, info):
    check = CLASSES.get(cls)
    if check is not None:
        return check(value)
    if isinstance(cls, typing.NewType):
        return validate(cls.__supertype__, value, info)
    if isinstance(cls, typing.TypeAliasType):
        return validate(cls.__value__, value, info)
    if not isinstance(cls, type):
        return value
    own = cls.__dict__.get("__get_pydantic_core_schema__") or getattr(cls, "__get_pydantic_core_schema__", None)
    if own is not None:
        from .annotated_handlers import GetCoreSchemaHandler
        from ._core import apply

        return apply(cls.__get_pydantic_core_schema__(cls, GetCoreSchemaHandler()), value, info)
    if hasattr(cls, "__pydantic_fields_ready__"):
        return cls._validate_value(value)
    if issubclass(cls, enum.Enum):
        return _validate_enum(cls, value)
    if typing.is_typeddict(cls):
        return _validate_typed_dict(cls, value, info)
    if isinstance(value, cls):
        return value
    if dataclasses.is_dataclass(cls) and isinstance(value, dict):
        return _validate_dataclass(cls, value, info)
    for base in cls.__mro__[1:]:
        if base in CLASSES and base is not object:
            return cls(CLASSES[base](value))
    raise invalid("is_instance_of", f"Input should be an instance of {cls.__name__}", value, **{"class": cls.__name__})


def _validate_union(options, value, info):
    # First what it is already, then what it can be made into.
    for option in options:
        if isinstance(option, type) and type(value) is option:
            return validate(option, value, info)
    errors = []
    for option in options:
        try:
            return validate(option, value, info)
        except Invalid as error:
            errors += at(getattr(option, "__name__", None) or str(option), error)
    if len(options) == 2 and type(None) in options:
        other = next(option for option in options if option is not type(None))
        return validate(other, value, info)
    raise Invalid(*errors)


def _validate_literal(options, value):
    for option in options:
        if value == option and type(value) is type(option):
            return option
    for option in options:
        if isinstance(option, enum.Enum) and option.value == value:
            return option
    shown = [repr(option) for option in options]
    expected = f"{', '.join(shown[:-1])} or {shown[-1]}" if len(shown) > 1 else shown[0]
    raise invalid("literal_error", f"Input should be {expected}", value, expected=expected)


def _validate_enum(cls, value):
    if isinstance(value, cls):
        return value
    try:
        return cls(value)
    except ValueError:
        shown = [repr(option.value) for option in cls]
        expected = f"{', '.join(shown[:-1])} or {shown[-1]}" if len(shown) > 1 else "".join(shown)
        raise invalid("enum", f"Input should be {expected}", value, expected=expected) from None


def _items(annotation, values, info):
    items = []
    errors = []
    for index, value in enumerate(values):
        try:
            items.append(validate(annotation, value, info))
        except Invalid as error:
            errors += at(index, error)
    if errors:
        raise Invalid(*errors)
    return items


def _generic(make, cls):
    return lambda arguments, value, info: cls(_items(arguments[0] if arguments else typing.Any, make(value), info))


def _validate_tuple(arguments, value, info):
    values = to_tuple(value)
    if len(arguments) == 2 and arguments[1] is ...:
        return tuple(_items(arguments[0], values, info))
    expected = () if arguments == ((),) else arguments
    if len(values) != len(expected):
        raise invalid("too_long" if len(values) > len(expected) else "missing", f"Tuple should have {len(expected)} items", value)
    return tuple(validate(each, item, info) for each, item in zip(expected, values))


def _validate_dict(arguments, value, info):
    key_type, value_type = arguments if len(arguments) == 2 else (typing.Any, typing.Any)
    found = {}
    errors = []
    for key, item in to_dict(value).items():
        try:
            found[validate(key_type, key, info)] = validate(value_type, item, info)
        except Invalid as error:
            errors += at(key, error)
    if errors:
        raise Invalid(*errors)
    return found


def _validate_typed_dict(cls, value, info):
    given = to_dict(value)
    hints = typing.get_type_hints(cls, include_extras=True)
    found = {}
    errors = []
    for name, hint in hints.items():
        if name in given:
            try:
                found[name] = validate(hint, given[name], info)
            except Invalid as error:
                errors += at(name, error)
        elif name in cls.__required_keys__:
            errors.append({"type": "missing", "loc": (name,), "msg": "Field required", "input": value})
    if errors:
        raise Invalid(*errors)
    return found


def _validate_dataclass(cls, value, info):
    hints = typing.get_type_hints(cls)
    try:
        return cls(**{key: validate(hints.get(key, typing.Any), item, info) for key, item in value.items()})
    except TypeError as error:
        raise invalid("dataclass_type", str(error), value) from None


_GENERICS = {
    list: _generic(to_list, list),
    set: _generic(to_set, set),
    frozenset: _generic(to_frozenset, frozenset),
    tuple: _validate_tuple,
    dict: _validate_dict,
    collections.defaultdict: _validate_dict,
    collections.OrderedDict: _validate_dict,
    collections.deque: _generic(to_list, collections.deque),
    collections.abc.Mapping: _validate_dict,
    collections.abc.MutableMapping: _validate_dict,
    collections.abc.Sequence: _generic(to_list, list),
    collections.abc.Iterable: _generic(to_list, list),
    collections.abc.Collection: _generic(to_list, list),
    collections.abc.Set: _generic(to_set, set),
}
