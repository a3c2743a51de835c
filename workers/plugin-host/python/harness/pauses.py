"""Pauses while a source is loaded. Some packages have hundreds of modules, which take seconds; what goes on for seconds without a pause
is taken for a loop and stopped. The clock of an isolate stands still while code runs, so modules are counted. What is imported later, by
functions, has no pauses: other calls would see what is half imported."""

import importlib.abc
import sys

from .loop import LOOP

# On a slow machine, so many take about a second.
_MODULES = 40


class _Pauses(importlib.abc.MetaPathFinder):
    """Finds nothing: it is only asked before all others."""

    def __init__(self):
        self._count = 0

    def find_spec(self, fullname, path=None, target=None):
        self._count += 1
        if self._count % _MODULES == 0 and _may_pause(LOOP.active):
            LOOP.pause()
        return None


def _may_pause(call):
    # To describe a source, packages are looked into before it is loaded.
    return call is not None and (call.is_loading or call.is_description)


def install():
    sys.meta_path.insert(0, _Pauses())
