"""Names that plugins import from Open WebUI and that cannot be given here. They can be imported, named as types and derived from;
using them raises NotImplementedError with their name. Most plugins need them in one branch only."""

import importlib.abc
import importlib.machinery

from . import finder

PACKAGES = ("open_webui", "fastapi", "starlette")

# Names whose import the source is prepared to see fail: it has another way for that.
_guarded = set()


def is_inside(name):
    return name.partition(".")[0] in PACKAGES


def guard(names):
    """@param names dotted names of modules, and of what is imported from them"""
    _guarded.clear()
    _guarded.update(names)


class _Unavailable(type):
    def __call__(cls, *args, **kwargs):
        if "_unavailable" in cls.__dict__:
            _refuse(cls)
        return super().__call__(*args, **kwargs)

    def __getattr__(cls, name):
        path = cls.__dict__.get("_unavailable")
        if path is None or name.startswith(("__", "model_")):
            raise AttributeError(name)
        return make(f"{path}.{name}", cls.__dict__["_missing"])

    def __str__(cls):
        return _refuse(cls) if "_unavailable" in cls.__dict__ else super().__str__()

    def __repr__(cls):
        return f"<{cls.__dict__.get('_unavailable') or cls.__name__} (not available)>"

    def _refuse_use(cls, *_values):
        return _refuse(cls)

    __iter__ = __len__ = __contains__ = __getitem__ = __setitem__ = __add__ = __radd__ = __truediv__ = __rtruediv__ = _refuse_use
    __int__ = __float__ = __index__ = __fspath__ = __enter__ = __exit__ = __aenter__ = __aexit__ = __await__ = __lt__ = __gt__ = _refuse_use


def _refuse(cls):
    missing = cls.__dict__.get("_missing")
    if missing is not None:
        raise ModuleNotFoundError(f"The module {missing} is not available", name=missing)
    raise NotImplementedError(f"{cls.__dict__.get('_unavailable', cls.__name__)} is not available to plugins")


def make(path, missing=None):
    """@param missing the module of a package that has it, where that can be added"""
    module, _, name = path.rpartition(".")
    # What is caught has to be an exception, also where nothing can raise it.
    bases = (Exception,) if missing is not None and name.endswith(("Error", "Exception", "Warning", "Timeout")) else ()
    return _Unavailable(name, bases, {"_unavailable": path, "_missing": missing, "__module__": module})


def names_of(module):
    """A module's `__getattr__`."""

    def find(name):
        path = f"{module}.{name}"
        # Modules that are there are imported by themselves.
        if name.startswith("__") or path in finder.STAND_INS or path in _guarded:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return make(path)

    return find


class _Modules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Modules that Open WebUI has and that are not here."""

    def find_spec(self, fullname, path=None, target=None):
        if not fullname.startswith("open_webui.") or fullname in finder.STAND_INS or fullname in _guarded:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin="unavailable", is_package=True)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__getattr__ = names_of(module.__name__)


MODULES = _Modules()
