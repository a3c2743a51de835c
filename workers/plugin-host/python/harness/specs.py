"""Specifications of tools, as models are told them, from signatures and docstrings."""

import inspect
import re
import typing

from .parameters import is_reserved


def read_specs(plugin, problems):
    """One for each function, in the order of the source. @returns ToolSpec[]"""
    specs = []
    for name in tool_methods(plugin.cls):
        function = getattr(plugin.instance, name)
        if not callable(function) or isinstance(function, type):
            continue
        if not re.fullmatch(r"[\w-]{1,64}", name, re.ASCII):
            message = f"Models cannot call a tool named {name}: letters, digits and underscores only, up to 64"
            problems.append({"severity": "error", "message": message, "line": _line_of(function)})
            continue
        specs.append(_read_spec(name, function))
    return specs


def tool_methods(cls):
    """The public methods; where there are none, those with one underscore, which older versions of Open WebUI took too."""
    names = _methods(cls)
    return [name for name in names if not name.startswith("_")] or names


def _methods(cls):
    names = []
    for base in reversed(cls.__mro__[:-1]):
        for name, value in vars(base).items():
            is_method = inspect.isfunction(value) or isinstance(value, (staticmethod, classmethod))
            is_own = name.startswith(("__", f"_{base.__name__.lstrip('_')}__"))
            if is_method and not is_own and name not in names:
                names.append(name)
    return names


def _line_of(function):
    return inspect.unwrap(getattr(function, "__func__", function)).__code__.co_firstlineno


def _read_spec(name, function):
    from pydantic import Field

    description, parts = read_docstring(function.__doc__)
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except Exception:
        hints = dict(getattr(function, "__annotations__", {}))
    fields = {}
    for parameter in inspect.signature(function).parameters.values():
        variadic = parameter.kind in (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
        if variadic or is_reserved(parameter.name):
            continue
        hint = hints.get(parameter.name, typing.Any)
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        if type(default).__name__ == "FieldInfo":
            if default.description is None and parameter.name in parts:
                default.description = parts[parameter.name]
            fields[parameter.name] = (hint, default)
        elif parameter.name in parts:
            fields[parameter.name] = (hint, Field(default, description=parts[parameter.name]))
        else:
            fields[parameter.name] = (hint, default)
    schema = _schema_of(name, fields)
    return {"name": name, "description": description or name, "parameters": schema}


def _schema_of(name, fields):
    from pydantic import ConfigDict, create_model

    # Names of parameters that models of pydantic keep for themselves go by another name and come back below.
    taken = {key: f"field{index}_of_{name}" for index, key in enumerate(fields) if key.startswith("_") or key in _KEPT}
    safe = {taken.get(key, key): value for key, value in fields.items()}
    config = ConfigDict(arbitrary_types_allowed=True, protected_namespaces=())
    try:
        schema = create_model(name, __config__=config, **safe).model_json_schema()
    except Exception:
        # A type that has no schema: models may then write anything.
        loose = {key: (typing.Any, value[1]) for key, value in safe.items()}
        schema = create_model(name, __config__=config, **loose).model_json_schema()
    back = {value: key for key, value in taken.items()}
    properties = {back.get(key, key): value for key, value in schema.get("properties", {}).items()}
    found = {"type": "object", "properties": properties, "required": [back.get(key, key) for key in schema.get("required", [])]}
    if "$defs" in schema:
        found["$defs"] = schema["$defs"]
    return strip_titles(found)


_KEPT = frozenset({"copy", "dict", "json", "schema", "validate", "construct", "model_fields", "model_config"})


def strip_titles(schema, name=None):
    """Titles that pydantic makes out of the name of a field or a class say nothing. Those that were written stay."""
    if isinstance(schema, list):
        return [strip_titles(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {}
    for key, value in schema.items():
        if key == "title" and isinstance(value, str) and (name is None or _is_made_of(value, name)):
            continue
        if key in ("properties", "$defs") and isinstance(value, dict):
            kept[key] = {each: strip_titles(inner, each) for each, inner in value.items()}
        elif key in ("default", "enum", "const", "examples"):
            kept[key] = value
        else:
            kept[key] = strip_titles(value, name)
    return kept


def _is_made_of(title, name):
    return title in (name, name.title().replace("_", " ").strip())


def read_docstring(text):
    """@returns the description, and what is said of each parameter, in reST or Google style"""
    if not text:
        return "", {}
    lines = inspect.cleandoc(text).splitlines()
    description = []
    parts = {}
    current = None
    section = "description"
    for line in lines:
        field = re.match(r"\s*:(\w+)(?:\s+([^:]*?))?\s*:\s*(.*)$", line)
        heading = re.match(r"(Args|Arguments|Parameters|Params|Returns?|Yields?|Raises|Examples?|Notes?)\s*:\s*$", line)
        if field and field[1] in _FIELDS:
            section = "fields"
            current = None
            if field[1] in ("param", "parameter", "arg", "argument") and field[2]:
                current = field[2].split()[-1]
                parts[current] = field[3].strip()
        elif heading:
            section = "parameters" if heading[1] in ("Args", "Arguments", "Parameters", "Params") else "other"
            current = None
        elif section == "parameters" and (item := re.match(r"(\s+)\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)$", line)):
            if current is None or len(item[1]) <= indent:
                indent = len(item[1])
                current = item[2]
                parts[current] = item[3].strip()
            else:
                parts[current] += " " + line.strip()
        elif section in ("fields", "parameters") and line[:1].isspace() and current and line.strip():
            parts[current] = f"{parts[current]} {line.strip()}".strip()
        elif section == "description":
            description.append(line)
        elif section == "parameters" and line.strip() and not line[:1].isspace():
            section = "description"
            description.append(line)
        else:
            if not line.strip():
                current = current if section == "parameters" else None
    return "\n".join(description).strip(), {name: text for name, text in parts.items() if text}


_FIELDS = frozenset("param parameter arg argument return returns rtype type raise raises yield yields".split())
