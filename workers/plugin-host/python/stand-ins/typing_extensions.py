"""All of it has come into typing by now."""

from typing import *  # noqa: F403
from typing import (  # noqa: F401
    Annotated,
    Any,
    Concatenate,
    Literal,
    LiteralString,
    Never,
    NotRequired,
    ParamSpec,
    Protocol,
    ReadOnly,
    Required,
    Self,
    TypeAlias,
    TypeAliasType,
    TypedDict,
    TypeGuard,
    TypeIs,
    TypeVar,
    TypeVarTuple,
    Unpack,
    assert_never,
    assert_type,
    dataclass_transform,
    final,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
    override,
    runtime_checkable,
)
from warnings import deprecated  # noqa: F401

__version__ = "4.15.0"


def Doc(documentation):
    return documentation
