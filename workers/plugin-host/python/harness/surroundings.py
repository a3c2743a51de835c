"""What a plugin finds around it in an isolate. A native runner has a module of this name of its own
(workers/native-runner/child/plugin_harness): the rest of the harness is the same."""

import importlib.metadata

# Where uploaded packages lie.
UPLOADED = "/packages"
# Whether the service can add the packages that a source lacks.
TAKES_PACKAGES = True
# How a package has come here, as the end of a sentence.
GIVEN = "was uploaded"
# Where the source is written to: some read their own.
SOURCE_FOLDER = "/"
# Where plugins written for Open WebUI put files.
DATA_FOLDER = "/app/backend/data"

# In the standard library, but without what they need in a sandbox.
USELESS = {
    "subprocess": "Plugins cannot start processes: calls of subprocess will fail",
    "multiprocessing": "Plugins cannot start processes: calls of multiprocessing will fail",
    "socket": "Sockets are not available: use requests, httpx or aiohttp with the allowed hosts of the plugin",
    "ctypes": "Native libraries are not available",
    "js": "JavaScript is not available",
    "pyodide_js": "JavaScript is not available",
}
# Compiled ones that are made for this interpreter, but not published where most packages are.
_COMPILED = frozenset(
    "brotli cffi contourpy cryptography fonttools h5py kiwisolver lxml matplotlib numpy opencv-python pandas pillow "
    "pycryptodome pymupdf regex scikit-image scikit-learn scipy shapely tiktoken yarl zstandard".split()
)


def added_packages():
    """Distributions that an administrator has added to what every plugin has."""
    return importlib.metadata.distributions(path=[UPLOADED])


def how_to_add(distribution):
    """What an administrator can do where a package is missing, as the end of a sentence."""
    if distribution.lower() in _COMPILED:
        return f": an administrator can add the package {distribution}, made for Pyodide 314 (cp314, pyemscripten_2026_0_wasm32)"
    return f": an administrator can add the package {distribution}"
