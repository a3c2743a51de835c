"""Packages that a source imports and that are not here. They can be imported by it, named as types and derived from, and using them
fails as their import would have: most plugins need them for some of what they do, and do the rest without."""

import ast
import builtins
import sys
import types

from . import imports
from .unavailable import is_inside, make


class _Absent(types.ModuleType):
    def __init__(self, path, missing, real=None):
        """@param missing name of the module that was not found
        @param real a namespace that is there, of which only this part is missing"""
        super().__init__(path)
        self._missing = missing
        self._real = real

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if hasattr(self._real, name):
            return getattr(self._real, name)
        return make(f"{self.__name__}.{name}", self._missing)


def importer(code, broken):
    """`__import__` for this source only: packages that look for others find what is really there.
    @param broken takes name, missing module and line of what is there and cannot be imported without another package"""
    wanted = None

    def is_wanted(name):
        # Reading the source takes time, and is needed only where something is missing.
        nonlocal wanted
        if wanted is None:
            wanted = imports.needed_names(ast.parse(code))
        return name in wanted and not is_inside(name) and imports.distribution_of(name) is not None

    def find(name, globals=None, locals=None, fromlist=(), level=0):
        # `from google import genai`: each name is a package of its own.
        below = [f"{name}.{each}" for each in fromlist or ()] if imports.has_parts(name) else []
        try:
            module = builtins.__import__(name, globals, locals, fromlist, level)
        except ModuleNotFoundError as error:
            missing = None if level else next(filter(is_wanted, [name, *below]), None)
            if missing is None:
                raise
            if error.name and not f"{name}.".startswith(f"{error.name}.") and error.name not in below:
                if imports.distribution_of(error.name) is None:
                    raise
                missing = error.name
                broken.append((name, missing, sys._getframe(1).f_lineno))
            top = name.partition(".")[0]
            return _Absent(name, missing) if fromlist else _Absent(top, missing, sys.modules.get(top))
        missing = next((each for each in below if not hasattr(module, each.rpartition(".")[2]) and is_wanted(each)), None)
        return module if missing is None else _Absent(name, missing, module)

    return find
