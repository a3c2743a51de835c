"""What a plugin finds around it on a native runner: a Python with its packages, processes and sockets."""

import importlib.metadata
import os

TAKES_PACKAGES = False
GIVEN = "is installed"
# The working folder of the process is its own.
SOURCE_FOLDER = os.getcwd()
DATA_FOLDER = os.path.join(os.getcwd(), "data")

USELESS = {
    "js": "JavaScript is not available",
    "pyodide_js": "JavaScript is not available",
}


def added_packages():
    return importlib.metadata.distributions()


def how_to_add(distribution):
    return f": the operator can install the package {distribution} in the Python of the runner"
