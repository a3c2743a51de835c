"""What a plugin's function is called with: the arguments, and of the reserved parameters those that its signature names."""

import enum
import inspect
import types
import typing

from .capabilities import make_event_call, make_event_emitter, make_request, make_tools
from .failures import to_failure
from .logs import write

RESERVED = frozenset(
    "__user__ __metadata__ __event_emitter__ __event_call__ __model__ __messages__ __files__ __request__ __chat_id__ "
    "__session_id__ __message_id__ __task__ __task_body__ __tools__ __oauth_token__ __id__ __features__ __body__ "
    "__skill_ids__ __model_knowledge__".split()
)


def is_reserved(name):
    return name.startswith("__") and name.endswith("__")


def bind(call, plugin, function, args, reserved):
    """@returns positional and named arguments. Raises TypeError where something required is missing."""
    signature = inspect.signature(function)
    named = {}
    positional = []
    takes_all = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in signature.parameters.values())
    hints = _hints_of(function) if plugin.kind == "tools" else {}
    # What a model made up goes by no reserved name.
    rest = {name: value for name, value in args.items() if not is_reserved(name)}
    for name, parameter in signature.parameters.items():
        if parameter.kind in (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL):
            continue
        if is_reserved(name):
            if name in reserved or name in RESERVED:
                value = _make_reserved(call, plugin, name, reserved)
                if value is None and name not in reserved and parameter.default is not inspect.Parameter.empty:
                    continue
                named[name] = value
            elif parameter.default is inspect.Parameter.empty:
                named[name] = None
        elif name in rest:
            value = rest.pop(name)
            named[name] = shape(value, hints[name]) if name in hints else value
        elif type(parameter.default).__name__ == "FieldInfo":
            # `x: str = Field(default, description="…")`: the default stands inside.
            default = parameter.default.get_default(call_default_factory=True)
            if type(default).__name__ != "PydanticUndefinedType":
                named[name] = default
    if plugin.kind != "tools" and len(rest) == 1 and not takes_all:
        # Functions of filters and pipes sometimes call their body otherwise.
        free = [
            name
            for name, parameter in signature.parameters.items()
            if name not in named and not is_reserved(name) and parameter.default is inspect.Parameter.empty
        ]
        if free:
            named[free[0]] = next(iter(rest.values()))
            rest = {}
    if takes_all:
        named.update(rest)
    return positional, named


def _make_reserved(call, plugin, name, reserved):
    value = reserved.get(name)
    if name == "__event_emitter__":
        return make_event_emitter(call)
    if name == "__event_call__":
        return None if name in reserved and value is None else make_event_call(call)
    if name == "__tools__":
        return make_tools(call, value or {})
    if name == "__request__":
        return make_request(value)
    if name == "__user__":
        return _make_user(plugin, value)
    return value


def _make_user(plugin, value):
    user = dict(value or {})
    cls = plugin.user_valves_class
    if cls is None:
        return user
    values = user.get("valves")
    given = {key: item for key, item in (values or {}).items() if item is not None}
    try:
        user["valves"] = cls(**given)
    except Exception as error:
        write("warning", f"The person's own values are invalid, so the defaults are used: {to_failure(error)['message']}")
        user["valves"] = cls()
    return user


def _hints_of(function):
    try:
        return typing.get_type_hints(function)
    except Exception:
        return {}


def shape(value, hint):
    """What models wrote as an object or a word becomes the pydantic model or the enumeration that the signature names."""
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        if value is None:
            return None
        options = [each for each in typing.get_args(hint) if each is not type(None)]
        return shape(value, options[0]) if len(options) == 1 else value
    if origin is list and isinstance(value, list):
        (item,) = typing.get_args(hint) or (object,)
        return [shape(each, item) for each in value]
    if origin is dict and isinstance(value, dict):
        pair = typing.get_args(hint)
        return {key: shape(each, pair[1]) for key, each in value.items()} if len(pair) == 2 else value
    if isinstance(hint, type):
        if issubclass(hint, enum.Enum) and not isinstance(value, hint):
            try:
                return hint(value)
            except ValueError:
                options = ", ".join(str(each.value) for each in hint)
                raise ValueError(f"{value!r} is not one of: {options}") from None
        if hasattr(hint, "model_validate") and isinstance(value, dict):
            return _as_mapping(hint).model_validate(value)
    return value


_mappings = {}


def _as_mapping(model):
    """At Open WebUI such arguments arrive as dicts, whatever the signature says. Plugins written for either find what they expect."""
    if model not in _mappings:
        extras = {
            "__getitem__": lambda self, key: _item(self, key),
            "__contains__": lambda self, key: key in type(self).model_fields,
            "__iter__": lambda self: iter(self.keys()),
            "keys": lambda self: list(type(self).model_fields),
            "values": lambda self: [getattr(self, key) for key in type(self).model_fields],
            "items": lambda self: [(key, getattr(self, key)) for key in type(self).model_fields],
            "get": lambda self, key, default=None: getattr(self, key) if key in type(self).model_fields else default,
        }
        free = {name: value for name, value in extras.items() if name not in model.model_fields}
        names = {"__module__": model.__module__, "__qualname__": model.__qualname__, "__doc__": model.__doc__}
        _mappings[model] = type(model)(model.__name__, (model,), {**names, **free})
    return _mappings[model]


def _item(model, key):
    if key not in type(model).model_fields:
        raise KeyError(key)
    return getattr(model, key)
