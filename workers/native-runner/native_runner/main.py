"""Starts and stops the runner."""

import asyncio
import ctypes
import os
import shutil
import signal
import subprocess
import sys

from .options import OptionError, read_options
from .plugin_process import CHILD, as_user, user_of
from .processes import Processes
from .server import Server

_PR_SET_DUMPABLE = 4


def main():
    try:
        options = read_options()
    except OptionError as error:
        sys.exit(str(error))
    # Processes of the same user could otherwise read the token out of this one.
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    os.makedirs(options.folder, mode=0o711, exist_ok=True)
    try:
        asyncio.run(_serve(options))
    finally:
        shutil.rmtree(options.folder, ignore_errors=True)


async def _serve(options):
    try:
        wall = await asyncio.to_thread(_probe_wall, options)
    except PermissionError:
        sys.exit(f"The users that plugins run as may not start {os.path.realpath(sys.executable)}: use a Python that everybody may run")
    if wall is not None and options.needs_wall:
        sys.exit(f"RUNNER_REQUIRE_NETWORK_WALL is set, but the system gives plugins no network of their own: {wall}")
    processes = Processes(options)
    server = Server(options, processes, wall)
    try:
        port = await server.start()
    except OSError as error:
        sys.exit(f"The runner cannot listen at {options.host}:{options.port}: {os.strerror(error.errno or 0)}")
    way = "only through the proxy" if wall is None else f"not only through the proxy ({wall})"
    print(f"The runner listens at http://{options.host}:{port}. Its plugins reach the network {way}.", flush=True)
    over = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, over.set)
    idle = asyncio.create_task(processes.end_idle())
    await over.wait()
    idle.cancel()
    await server.stop()
    processes.stop()


def _probe_wall(options):
    """As the user that plugins have. @returns None, or why they have no network of their own. Raises PermissionError where it may not start Python"""
    command = [sys.executable, "-IB", CHILD, "probe"]
    try:
        tried = subprocess.run(command, capture_output=True, text=True, timeout=30, **as_user(user_of(options, 0)))
    except PermissionError:
        raise
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    return None if tried.returncode == 0 else tried.stderr.strip()[-300:] or "unknown"
