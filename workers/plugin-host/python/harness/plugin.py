"""Loads the source of a plugin and makes its one instance, which lives as long as the isolate."""

import ast
import builtins
import copy
import linecache
import os
import re
import sys
import types

from . import absent, distribution_names, old_paths, unavailable
from .calls import CURRENT
from .failures import FILENAME
from .frontmatter import read_frontmatter
from .imports import guarded_names
from .surroundings import SOURCE_FOLDER

# Tables of Open WebUI that newer sources wait for.
_AWAITED_TABLE = re.compile(r"\bawait\s+(?:Users|Chats|Files|Functions|Tools|Folders|Memories|Models|Skills)\.")
_source = {"awaits_tables": False}

KINDS = {"Tools": "tools", "Pipe": "pipe", "Filter": "filter", "Action": "action"}
MODULE = "plugin"


class PluginError(Exception):
    """The source is no plugin."""


class Plugin:
    def __init__(self, module, cls, instance, broken):
        """@param broken imports of packages that lack another one: what uses them fails"""
        self.broken = broken
        self.module = module
        self.cls = cls
        self.kind = KINDS[cls.__name__]
        self.instance = instance

    @property
    def user_valves_class(self):
        found = getattr(self.instance, "UserValves", None)
        return found if isinstance(found, type) else None


def awaits_tables():
    return _source["awaits_tables"]


def find_class(module):
    found = [module.__dict__[name] for name in KINDS if isinstance(module.__dict__.get(name), type)]
    if not found:
        raise PluginError("No class named Tools, Pipe, Filter or Action")
    if len(found) > 1:
        # Some name their data like that too: `class Action(BaseModel)` beside a pipe.
        found = [cls for cls in found if _looks_like_plugin(cls)] or found
    if len(found) > 1:
        names = " and ".join(cls.__name__ for cls in found)
        raise PluginError(f"A source can have only one plugin, but this one has the classes {names}")
    return found[0]


# What Parley calls of each.
_FUNCTIONS = {"Pipe": ("pipe", "pipes"), "Filter": ("inlet", "outlet", "stream", "toggle"), "Action": ("action", "actions")}


def _looks_like_plugin(cls):
    if cls.__name__ == "Tools":
        return any(callable(value) and not name.startswith("_") for name, value in vars(cls).items())
    return any(hasattr(cls, name) for name in _FUNCTIONS[cls.__name__])


def load(call, code, values):
    """@param values what the administrator set; what is missing is filled by the class of the valves"""
    call.is_loading = True
    try:
        return _load(code, values, call.is_description)
    finally:
        call.is_loading = False


def _load(code, values, is_description):
    """@param is_description nothing is called but the constructor, so valves that have to be set may be missing, and a
    constructor that needs the network is left out"""
    code = old_paths.renew(code)
    _source["awaits_tables"] = _AWAITED_TABLE.search(code) is not None
    lines = code.splitlines(keepends=True)
    linecache.cache[FILENAME] = (len(code), None, lines, FILENAME)
    if any(package in code for package in unavailable.PACKAGES):
        unavailable.guard(guarded_names(ast.parse(code)))
    # An import that fails later is told with the package that the source itself requires.
    distribution_names.expect(read_frontmatter(code)[0].get("requirements", ""))
    compiled = compile(code, FILENAME, "exec", dont_inherit=True)
    module = types.ModuleType(MODULE)
    module.__file__ = _write_source(code)
    sys.modules[MODULE] = module
    broken = []
    module.__builtins__ = {**vars(builtins), "__import__": absent.importer(code, broken)}
    exec(compiled, module.__dict__)
    cls = find_class(module)
    _keep_valves_apart(cls)
    instance = _make_instance(cls, is_description)
    valves_class = getattr(instance, "Valves", None)
    if isinstance(valves_class, type):
        given = {key: value for key, value in values.items() if value is not None}
        # A plugin whose valves lack something required gets on with those it made itself until they are set.
        if given or getattr(instance, "valves", None) is None:
            try:
                instance.valves = valves_class(**given)
            except ValueError:
                if not is_description:
                    raise
    return Plugin(module, cls, instance, broken)


def _write_source(code):
    """Some read their own source, by `open(__file__)`."""
    path = os.path.join(SOURCE_FOLDER, FILENAME)
    with open(path, "w", encoding="utf-8", errors="surrogatepass") as file:
        file.write(code)
    return path


def _make_instance(cls, is_description):
    try:
        return cls()
    except Exception:
        if not is_description or not CURRENT.get().port.wasRefused:
            raise
        # It asks for something over the network, which there is none of until it runs.
        instance = cls.__new__(cls)
        valves_class = getattr(cls, "Valves", None)
        if isinstance(valves_class, type):
            try:
                instance.valves = valves_class()
            except ValueError:
                pass
        return instance


def _keep_valves_apart(cls):
    """Each call sees valves of its own: what one changes in them is gone with it, and no other call sees it. What is set outside of
    `__init__` and the loading counts for the call."""
    base = cls.__dict__.get("valves")
    store = "_plugin_valves"

    def get(self):
        own = self.__dict__
        call = CURRENT.get()
        if store not in own:
            if base is None:
                raise AttributeError(f"{cls.__name__!r} object has no attribute 'valves'")
            own[store] = base
        if call is None or call.valves is None:
            return own[store]
        if call.valves is UNTOUCHED:
            call.valves = copy.deepcopy(own[store])
        return call.valves

    def put(self, value):
        call = CURRENT.get()
        if call is None or call.valves is None:
            self.__dict__[store] = value
        else:
            call.valves = value

    if "__slots__" not in cls.__dict__:
        cls.valves = property(get, put)


# What `call.valves` is while a call has not looked at its valves yet; None while the plugin is being loaded.
UNTOUCHED = object()
