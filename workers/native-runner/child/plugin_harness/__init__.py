"""The harness of the sandbox (workers/plugin-host/python/harness) with the three modules that differ outside of it, which lie here."""

import os

_here = os.path.dirname(os.path.abspath(__file__))
# A container may have it elsewhere than the project has.
HARNESS = os.environ.pop("PARLEY_HARNESS", None) or os.path.join(_here, "..", "..", "..", "plugin-host", "python")
__path__.append(os.path.join(HARNESS, "harness"))
