"""Finds the stand-ins: packages that are offered here in place of ones that a sandbox cannot have, or that nobody uploaded.
Their code lies in memory. Uploaded packages stand before them."""

import importlib.abc
import importlib.machinery
import importlib.util
import sys

# Packages whose real selves open sockets, which a sandbox has none of: uploads never take their place.
PINNED = frozenset({"requests", "httpx", "aiohttp", "urllib3", "open_webui"})

# Names under which packages are required, where they differ from what is imported.
DISTRIBUTIONS = {
    "pydantic": "2.12.0",
    "pydantic-core": "2.41.0",
    "typing-extensions": "4.15.0",
    "requests": "2.32.5",
    "httpx": "0.28.1",
    "aiohttp": "3.13.0",
    "urllib3": "2.5.0",
    "loguru": "0.7.3",
    "fastapi": "0.120.0",
    "starlette": "0.48.0",
    "cryptography": "46.0.0",
    "open-webui": "0.12.4",
}


class StandIns(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, codes):
        # Module name -> (code object, whether it is a package)
        self._codes = codes

    def __contains__(self, name):
        return name in self._codes

    @property
    def packages(self):
        return {name.partition(".")[0] for name in self._codes}

    def find_spec(self, fullname, path=None, target=None):
        found = self._codes.get(fullname)
        if found is None:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin="stand-in", is_package=found[1])

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        from . import unavailable

        if unavailable.is_inside(module.__name__):
            module.__getattr__ = unavailable.names_of(module.__name__)
        exec(self._codes[module.__name__][0], module.__dict__)

    def make_room(self, uploaded):
        """Forgets what was imported, when real packages take the place of some: stand-ins build upon one another."""
        if not (uploaded - PINNED) & self.packages:
            return
        for name in [name for name in sys.modules if name.partition(".")[0] in self.packages]:
            del sys.modules[name]
        importlib.invalidate_caches()


class _Pinned(importlib.abc.MetaPathFinder):
    def find_spec(self, fullname, path=None, target=None):
        return STAND_INS.find_spec(fullname) if fullname.partition(".")[0] in PINNED else None


STAND_INS = StandIns({})


def install(codes):
    STAND_INS._codes = codes
    sys.meta_path.insert(0, _Pinned())
    sys.meta_path.append(STAND_INS)
    from .unavailable import MODULES

    sys.meta_path.append(MODULES)
