"""Finds what is built in: real packages as they are published (folder wheels), and stand-ins of ours for packages that a sandbox cannot
have. Their code lies in memory, for there are no files in a snapshot. Uploaded packages stand before them."""

import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.util
import marshal
import sys
import zlib

# Packages that reach the network through what is ours below them (patches.py), which fits these versions: uploads never take their place.
PINNED = frozenset({"requests", "httpx", "aiohttp", "urllib3", "open_webui", "httpx2_jsfetch"})

# What builds upon others, and is imported again where another one of these was uploaded.
_ON_PYDANTIC = frozenset({"pydantic", "fastapi", "open_webui"})
_ON_STARLETTE = frozenset({"fastapi", "open_webui"})

# Names under which packages are required, and their versions. The real ones are added from their wheels.
DISTRIBUTIONS = {
    "loguru": "0.7.3",
    "fastapi": "0.120.0",
    "starlette": "0.48.0",
    "cryptography": "46.0.0",
    "orjson": "3.11.8",
    "rpds-py": "0.30.0",
    "open-webui": "0.12.4",
    "httpx2-jsfetch": "2.0.0",
}


class StandIns(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    def __init__(self):
        # Module name -> (code from pack.py, whether it is a package)
        self._codes = {}
        # Module name -> file of its compiled library, which only the maker of the snapshot has
        self._libraries = {}
        # Path inside of a package -> bytes, packed with zlib
        self.data = {}
        self.packages = frozenset()

    def fill(self, codes, libraries, data):
        self._codes = codes
        self._libraries = libraries
        self.data = data
        self.packages = frozenset(name.partition(".")[0] for name in codes)

    def __contains__(self, name):
        return name in self._codes

    def find_spec(self, fullname, path=None, target=None):
        library = self._libraries.get(fullname)
        if library is not None:
            return importlib.util.spec_from_file_location(fullname, library)
        found = self._codes.get(fullname)
        if found is None:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin="built-in package", is_package=found[1])

    def create_module(self, spec):
        return None

    def get_code(self, fullname):
        return marshal.loads(zlib.decompress(self._codes[fullname][0]))

    def get_source(self, fullname):
        return None

    def is_package(self, fullname):
        return self._codes[fullname][1]

    def exec_module(self, module):
        from . import unavailable

        if unavailable.is_inside(module.__name__):
            module.__getattr__ = unavailable.names_of(module.__name__)
        exec(self.get_code(module.__name__), module.__dict__)

    def find_distributions(self, context=importlib.metadata.DistributionFinder.Context()):
        if list(context.path) != list(sys.path):
            return
        for name, version in DISTRIBUTIONS.items():
            if context.name is None or _normalize(context.name) == name:
                yield _Distribution(name, version)

    def make_room(self, uploaded):
        """Forgets what was imported, when uploaded packages take the place of some."""
        replaced = (uploaded - PINNED) & self.packages
        if replaced & {"pydantic", "pydantic_core"}:
            replaced |= _ON_PYDANTIC
        if "starlette" in replaced:
            replaced |= _ON_STARLETTE
        for name in [name for name in sys.modules if name.partition(".")[0] in replaced]:
            del sys.modules[name]
        if replaced:
            importlib.invalidate_caches()


class _Distribution(importlib.metadata.Distribution):
    """What `importlib.metadata.version` says of a built-in package."""

    def __init__(self, name, version):
        self._text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"

    def read_text(self, filename):
        return self._text if filename == "METADATA" else None

    def locate_file(self, path):
        return path


def _normalize(name):
    return name.lower().replace("_", "-").replace(".", "-")


class _Pinned(importlib.abc.MetaPathFinder):
    def find_spec(self, fullname, path=None, target=None):
        return STAND_INS.find_spec(fullname) if fullname.partition(".")[0] in PINNED else None


STAND_INS = StandIns()


def install(codes, libraries, data, versions):
    """@param versions of the real packages, by their normalized names"""
    DISTRIBUTIONS.update(versions)
    STAND_INS.fill(codes, libraries, data)
    sys.meta_path.insert(0, _Pinned())
    sys.meta_path.append(STAND_INS)
    from .lacking_parts import PARTS
    from .patches import PATCHES
    from .unavailable import MODULES

    sys.meta_path.insert(0, PATCHES)
    sys.meta_path.extend([MODULES, PARTS])
