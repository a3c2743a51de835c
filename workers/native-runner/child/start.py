"""Started by the runner with the number of a socket; with `probe` it only says whether it could have a network of its own."""

import os
import sys

# Behind everything that is installed: no name of ours stands before a package.
sys.path.append(os.path.dirname(os.path.abspath(__file__)))

from native_process.main import main, probe  # noqa: E402

if __name__ == "__main__":
    probe() if sys.argv[1] == "probe" else main(int(sys.argv[1]))
