"""Fields: what `Field()` says about one."""

import copy
import inspect
import types
import typing


class PydanticUndefinedType:
    def __repr__(self):
        return "PydanticUndefined"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __bool__(self):
        return False


PydanticUndefined = Undefined = PydanticUndefinedType()

_CONSTRAINTS = (
    "gt",
    "ge",
    "lt",
    "le",
    "multiple_of",
    "min_length",
    "max_length",
    "pattern",
    "strict",
    "allow_inf_nan",
    "max_digits",
    "decimal_places",
)
_PROPERTIES = (
    "alias",
    "validation_alias",
    "serialization_alias",
    "title",
    "description",
    "examples",
    "exclude",
    "frozen",
    "validate_default",
    "json_schema_extra",
    "deprecated",
    "repr",
    "init",
    "kw_only",
    "discriminator",
    "union_mode",
    "coerce_numbers_to_str",
    "fail_fast",
    "alias_priority",
    "field_title_generator",
    "init_var",
    "exclude_if",
)


class FieldInfo:
    def __init__(self, default=PydanticUndefined, default_factory=None, annotation=None, metadata=(), **options):
        self.default = PydanticUndefined if default is ... else default
        self.default_factory = default_factory
        self.annotation = annotation
        self.metadata = list(metadata)
        self.set = {name: value for name, value in options.items() if value is not None}
        for name in (*_CONSTRAINTS, *_PROPERTIES):
            setattr(self, name, options.get(name))

    def is_required(self):
        return self.default is PydanticUndefined and self.default_factory is None

    def get_default(self, *, call_default_factory=False, validated_data=None):
        if self.default_factory is not None:
            if not call_default_factory:
                return PydanticUndefined
            takes_data = _takes_data(self.default_factory)
            return self.default_factory(validated_data or {}) if takes_data else self.default_factory()
        return copy.deepcopy(self.default)

    @property
    def constraints(self):
        return {name: self.set[name] for name in _CONSTRAINTS if name in self.set}

    def merged(self, other):
        """This one, with what another one says put over it."""
        result = copy.copy(self)
        result.set = {**self.set, **other.set}
        result.metadata = [*self.metadata, *other.metadata]
        for name, value in other.set.items():
            setattr(result, name, value)
        if not other.is_required():
            result.default, result.default_factory = other.default, other.default_factory
        return result

    def __repr__(self):
        default = "" if self.is_required() else f", default={self.default!r}"
        return f"FieldInfo(annotation={getattr(self.annotation, '__name__', self.annotation)}{default})"


def _takes_data(factory):
    if isinstance(factory, type):
        return False
    try:
        needed = [each for each in inspect.signature(factory).parameters.values() if each.default is each.empty]
    except (TypeError, ValueError):
        return False
    return len(needed) == 1 and needed[0].kind in (needed[0].POSITIONAL_ONLY, needed[0].POSITIONAL_OR_KEYWORD)


def Field(default=PydanticUndefined, *, default_factory=None, **options):
    """As in pydantic 2. Unknown keywords become extras of the JSON schema, as they did in version 1."""
    if default_factory is not None and default not in (PydanticUndefined, ...):
        raise TypeError("cannot specify both default and default_factory")
    names = {"const": None, "regex": "pattern", "min_items": "min_length", "max_items": "max_length", "allow_mutation": None}
    known = {}
    extras = {}
    for name, value in options.items():
        name = names.get(name, name)
        if name in _CONSTRAINTS or name in _PROPERTIES:
            known[name] = value
        elif name is not None:
            extras[name] = value
    if extras:
        known["json_schema_extra"] = {**(known.get("json_schema_extra") or {}), **extras}
    return FieldInfo(default, default_factory, **known)


class ModelPrivateAttr:
    def __init__(self, default=PydanticUndefined, default_factory=None):
        self.default = default
        self.default_factory = default_factory

    def get_default(self):
        return self.default_factory() if self.default_factory is not None else copy.deepcopy(self.default)


def PrivateAttr(default=PydanticUndefined, *, default_factory=None, init=False):
    return ModelPrivateAttr(default, default_factory)


def field_of(annotation, value):
    """The FieldInfo of `name: annotation = value`."""
    base = FieldInfo()
    if typing.get_origin(annotation) is typing.Annotated:
        annotation, *notes = typing.get_args(annotation)
        for note in notes:
            if isinstance(note, FieldInfo):
                base = base.merged(note)
            elif isinstance(note, str):
                continue
            else:
                base.metadata.append(note)
    if isinstance(value, FieldInfo):
        base = base.merged(value)
    elif value is not PydanticUndefined:
        base = base.merged(FieldInfo(value))
    base.annotation = annotation
    return base


def is_optional(annotation):
    origin = typing.get_origin(annotation)
    return origin in (typing.Union, types.UnionType) and type(None) in typing.get_args(annotation)
