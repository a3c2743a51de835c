"""Parts of a package that is only partly here, for packages that import them and may never use them: their names can be imported, and
using them fails as their import would have. A package that is prepared for their absence finds that they are missing."""

import ast
import importlib.abc
import importlib.machinery
import linecache
import sys

from .finder import STAND_INS
from .imports import PARTLY, guarded_names
from .unavailable import make

# File -> names that its imports are prepared to miss.
_guarded = {}


class _Parts(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, fullname, path=None, target=None):
        package, _, below = fullname.partition(".")
        real = getattr(sys.modules.get(package), "__spec__", None)
        if not below or package not in PARTLY or real is None or real.loader is not STAND_INS or _is_guarded(fullname):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin="unavailable", is_package=True)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        name = module.__name__

        def find(attribute):
            if attribute.startswith("__"):
                raise AttributeError(attribute)
            return make(f"{name}.{attribute}", name)

        module.__getattr__ = find


def _is_guarded(fullname):
    """Whether the code that imports it now is prepared to see that fail."""
    frame = sys._getframe(2)
    while frame is not None and _is_machinery(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return False
    file = frame.f_code.co_filename
    if file not in _guarded:
        source = "".join(linecache.getlines(file, frame.f_globals))
        try:
            _guarded[file] = guarded_names(ast.parse(source))
        except SyntaxError:
            _guarded[file] = set()
    return any(f"{name}.".startswith(f"{fullname}.") for name in _guarded[file])


def _is_machinery(file):
    return file.startswith("<frozen importlib") or "/importlib/" in file or "plugin_harness" in file


PARTS = _Parts()
