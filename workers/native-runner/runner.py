"""Runs plugins that no sandbox can run: see docs/native-runner.md. Needs Python 3.11 or later on Linux, and no packages.

    RUNNER_TOKEN=... python3 workers/native-runner/runner.py
"""

import sys

if sys.version_info < (3, 11):
    sys.exit("The runner needs Python 3.11 or later")

sys.dont_write_bytecode = True
# Its own folder comes first on the path, whatever the working folder is.
from native_runner.main import main  # noqa: E402

if __name__ == "__main__":
    main()
