"""What is found out about a source when it is saved (PluginInfo), and what is wrong with it (SourceProblem)."""

import ast
import inspect

from . import distribution_names, old_paths
from .failures import line_of, to_text
from .frontmatter import read_frontmatter
from .imports import find_import_problems, find_missing_parts, find_requirement_problems, problems_of_broken
from .parameters import RESERVED, is_reserved
from .plugin import KINDS, PluginError, load
from .specs import read_specs, strip_titles
from .values import to_json

_HOOKS = ("pipe", "pipes", "inlet", "outlet", "stream", "action")
_NEEDED = {"pipe": ("pipe",), "filter": ("inlet", "outlet", "stream"), "action": ("action",)}


async def describe(call, code):
    """@returns an IsolateDescription (isolate.ts)"""
    code = old_paths.renew(code)
    try:
        tree = ast.parse(code, "plugin.py")
    except SyntaxError as error:
        problem = {"severity": "error", "message": f"{type(error).__name__}: {error.msg}"}
        if error.lineno:
            problem["line"] = error.lineno
        if error.offset and error.offset > 0:
            problem["column"] = error.offset
        return {"problems": [problem]}
    except (ValueError, RecursionError, MemoryError) as error:
        return {"problems": [{"severity": "error", "message": f"The source cannot be read: {error}"}]}
    manifest, lines = read_frontmatter(code)
    requirements = manifest.get("requirements", "")
    distribution_names.expect(requirements)
    problems, _ = find_import_problems(tree)
    problems += find_requirement_problems(requirements, lines.get("requirements", 1))
    problems += find_missing_parts()
    if any(problem["severity"] == "error" for problem in problems):
        return {"problems": problems}
    try:
        plugin = load(call, code, {})
        told = {problem.get("package") for problem in problems}
        problems += [problem for problem in problems_of_broken(plugin.broken) if problem["package"] not in told]
        info = _read_info(plugin, manifest, problems)
    except BaseException as error:
        call.log("error", to_text(error))
        name = "" if isinstance(error, PluginError) else f"{type(error).__name__}: "
        problem = {"severity": "error", "message": f"{name}{error}" or type(error).__name__}
        line = line_of(error)
        if line:
            problem["line"] = line
        return {"problems": [*problems, problem]}
    if any(problem["severity"] == "error" for problem in problems):
        return {"problems": problems}
    return {"info": info, "problems": problems}


def _read_info(plugin, manifest, problems):
    instance = plugin.instance
    hooks = [] if plugin.kind == "tools" else [name for name in _HOOKS if callable(getattr(instance, name, None))]
    needed = _NEEDED.get(plugin.kind, ())
    # A filter with nothing but `toggle` is a switch that other functions look at.
    is_switch = plugin.kind == "filter" and bool(getattr(instance, "toggle", False))
    if needed and not is_switch and not any(name in hooks for name in needed):
        expected = ", ".join(f"{name}()" for name in needed)
        problems.append(_at(plugin.cls, "error", f"It has none of the functions that Parley calls: {expected}"))
    specs = read_specs(plugin, problems) if plugin.kind == "tools" else []
    if plugin.kind == "tools" and not specs:
        problems.append(_at(plugin.cls, "warning", "It has no public function, so it is not a tool yet"))
    _warn_of_unknown(plugin, hooks, specs, problems)
    valves = getattr(instance, "Valves", None)
    pipes = getattr(instance, "pipes", None)
    toggle = getattr(instance, "toggle", False)
    icon = getattr(instance, "icon", None)
    name = getattr(instance, "name", "")
    return {
        "type": plugin.kind,
        "language": "python",
        "manifest": manifest,
        "hooks": hooks,
        "specs": specs,
        "valvesSchema": _schema_of(valves),
        "userValvesSchema": _schema_of(plugin.user_valves_class),
        "valveDefaults": _defaults_of(instance, valves),
        "toggle": plugin.kind == "filter" and bool(toggle),
        "icon": icon if isinstance(icon, str) and icon else None,
        "fileHandler": plugin.kind == "filter" and bool(getattr(instance, "file_handler", False)),
        "pipes": _entries(pipes) if plugin.kind == "pipe" and isinstance(pipes, (list, tuple)) else None,
        "namePrefix": name if plugin.kind == "pipe" and isinstance(name, str) else "",
        "actions": _entries(getattr(instance, "actions", None), with_icon=True) if plugin.kind == "action" else [],
    }


def _schema_of(cls):
    return strip_titles(cls.model_json_schema()) if isinstance(cls, type) and hasattr(cls, "model_json_schema") else None


def _defaults_of(instance, cls):
    """JSON values: of the instance's valves, or of the fields where those cannot be made without being set."""
    import json

    if not (isinstance(cls, type) and hasattr(cls, "model_fields")):
        return {}
    own = getattr(instance, "valves", None)
    if isinstance(own, cls):
        return json.loads(to_json(own.model_dump(mode="json")))
    fields = cls.model_fields
    found = {name: field.get_default(call_default_factory=True) for name, field in fields.items() if not field.is_required()}
    return json.loads(to_json(found))


def _entries(values, with_icon=False):
    entries = []
    for value in values if isinstance(values, (list, tuple)) else []:
        if not isinstance(value, dict) or "id" not in value:
            continue
        entry = {"id": str(value["id"]), "name": str(value.get("name") or value["id"])}
        if with_icon:
            icon = value.get("icon") or value.get("icon_url")
            entry["icon"] = icon if isinstance(icon, str) else None
        entries.append(entry)
    return entries


def _warn_of_unknown(plugin, hooks, specs, problems):
    for name in [*hooks, *(spec["name"] for spec in specs)]:
        function = getattr(plugin.instance, name)
        for parameter in inspect.signature(function).parameters.values():
            unknown = is_reserved(parameter.name) and parameter.name not in RESERVED
            if unknown and parameter.default is inspect.Parameter.empty:
                problems.append(_at(function, "warning", f"{name}() requests {parameter.name}, which is unknown: it is None"))


def _at(thing, severity, message):
    problem = {"severity": severity, "message": message}
    try:
        problem["line"] = inspect.unwrap(getattr(thing, "__func__", thing)).__code__.co_firstlineno
    except AttributeError:
        line = getattr(thing, "__firstlineno__", None)
        if line:
            problem["line"] = line
    return problem


