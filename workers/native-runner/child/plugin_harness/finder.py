"""Finds what the Python of the runner lacks and plugins expect: Open WebUI's own modules, and stand-ins for a few packages where
these are not installed. Everything else is what is installed."""

import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys

from . import HARNESS

_FOLDER = os.path.join(HARNESS, "stand-ins")
# They stand in only where the real ones are not installed.
_OPTIONAL = ("cryptography", "fastapi", "loguru", "starlette")
PINNED = frozenset()
DISTRIBUTIONS = {"open-webui": "0.12.4"}


class StandIns(importlib.abc.MetaPathFinder):
    def __init__(self, packages):
        self._packages = frozenset(packages)
        self._names = frozenset(_modules_below(_FOLDER, packages))

    def __contains__(self, name):
        return name in self._names

    def find_spec(self, fullname, path=None, target=None):
        if fullname not in self._names:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, [_FOLDER] if "." not in fullname else path)
        if spec is not None:
            spec.loader = _StandIn(spec.loader)
        return spec


class _StandIn(importlib.abc.Loader):
    def __init__(self, loader):
        self._loader = loader

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        from . import unavailable

        if unavailable.is_inside(module.__name__):
            module.__getattr__ = unavailable.names_of(module.__name__)
        self._loader.exec_module(module)


class _ProxiesForAiohttp(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """aiohttp is the one client that looks for a proxy in the environment only when it is told to."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname != "aiohttp.client":
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is not None:
            self._loader, spec.loader = spec.loader, self
        return spec

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        self._loader.exec_module(module)
        original = module.ClientSession.__init__

        def __init__(self, *args, **kwargs):
            kwargs.setdefault("trust_env", True)
            original(self, *args, **kwargs)

        module.ClientSession.__init__ = __init__


def _modules_below(folder, packages):
    for package in packages:
        for root, _, files in os.walk(os.path.join(folder, package)):
            dotted = os.path.relpath(root, folder).replace(os.sep, ".")
            for file in files:
                name, extension = os.path.splitext(file)
                if extension == ".py":
                    yield dotted if name == "__init__" else f"{dotted}.{name}"
            yield dotted


STAND_INS = StandIns(["open_webui", *(name for name in _OPTIONAL if importlib.util.find_spec(name) is None)])


def install():
    from .unavailable import MODULES

    # Before what is installed: an Open WebUI that stands there would open its database.
    sys.meta_path.insert(0, STAND_INS)
    sys.meta_path.insert(0, _ProxiesForAiohttp())
    sys.meta_path.append(MODULES)
