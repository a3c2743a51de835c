"""The runner's view of the process of one plugin."""

import asyncio
import itertools
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys

from .guarded_proxy import GuardedProxy

CHILD = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "child", "start.py"))
# As in child/native_process/main.py.
_WOULD_NOT_END = 97
# Where the runner is root, each plugin is a user of its own from here on.
_FIRST_USER = 61_000
# Seconds a process may take until it is ready; importing nothing but the harness.
_START_TIMEOUT = 30
_PAGE = os.sysconf("SC_PAGE_SIZE")


class StartError(Exception):
    """The process could not be started; for people."""


class PluginProcess:
    _numbers = itertools.count()

    def __init__(self, options, code, valves, hosts, meter):
        self._options = options
        self._number = next(PluginProcess._numbers)
        self._setup = {"code": code, "valves": json.dumps(valves)}
        self._folder = os.path.join(options.folder, str(self._number))
        self._proxy = GuardedProxy(os.path.join(self._folder, "proxy"), hosts, options.private_hosts, meter)
        self._meter = meter
        self._calls = {}
        self._ids = itertools.count(1)
        self._process = None
        self._writer = None
        self._lock = asyncio.Lock()
        self._is_stopped = False
        # With why it has ended; None where it was told to.
        self.ended = asyncio.get_running_loop().create_future()
        self.sessions = 0
        self.idle_since = asyncio.get_running_loop().time()

    @property
    def is_alive(self):
        return not self._is_stopped and not self.ended.done()

    async def start(self):
        """Raises StartError."""
        user = user_of(self._options, self._number)
        try:
            self._make_folder(user)
            await self._proxy.start()
            if user is not None:
                os.chown(os.path.join(self._folder, "proxy"), user, user)
            reader = await self._spawn(user)
            await self._send({
                "t": "setup",
                **self._setup,
                "proxy": os.path.join(self._folder, "proxy"),
                "memory": self._options.memory,
                "fileSize": self._options.file_size,
                "cpuSeconds": self._options.cpu_seconds,
                "needsWall": self._options.needs_wall,
            })
            answer = await asyncio.wait_for(_read(reader), _START_TIMEOUT)
        except (OSError, subprocess.SubprocessError, TimeoutError, asyncio.IncompleteReadError) as error:
            self._clear()
            raise StartError(f"Its process could not be started: {error or type(error).__name__}") from None
        if answer["t"] != "ready":
            self._clear()
            raise StartError(answer["message"])
        asyncio.create_task(self._listen(reader))

    def _make_folder(self, user):
        for folder in (self._folder, os.path.join(self._folder, "tmp")):
            os.makedirs(folder, mode=0o700)
            if user is not None:
                os.chown(folder, user, user)

    async def _spawn(self, user):
        ours, theirs = socket.socketpair()
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": self._folder,
            "TMPDIR": os.path.join(self._folder, "tmp"),
            "LANG": "C.UTF-8",
        }
        if "PARLEY_HARNESS" in os.environ:
            environment["PARLEY_HARNESS"] = os.environ["PARLEY_HARNESS"]
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-IB", CHILD, str(theirs.fileno())],
                cwd=self._folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
                **as_user(user),
            )
        reader, self._writer = await asyncio.open_connection(sock=ours)
        return reader

    def open_call(self, listener):
        """@param listener called with each frame of the call. @returns the number that it has here"""
        id = next(self._ids)
        self._calls[id] = listener
        return id

    def close_call(self, id):
        self._calls.pop(id, None)

    async def send(self, frame):
        """Nothing where it has ended: `ended` says so."""
        try:
            await self._send(frame)
        except (OSError, RuntimeError):
            pass

    async def _send(self, frame):
        data = json.dumps(frame).encode()
        async with self._lock:
            self._writer.write(struct.pack("!I", len(data)) + data)
            await self._writer.drain()

    async def _listen(self, reader):
        try:
            while True:
                frame = await _read(reader)
                if frame["t"] == "result":
                    self._measure()
                listener = self._calls.get(frame["id"])
                if listener:
                    await listener(frame)
        except (asyncio.IncompleteReadError, OSError, ValueError, KeyError, TypeError):
            pass
        was_told = self._is_stopped
        # One that ends by itself says more by how it does.
        status = await asyncio.to_thread(self._wait, 1)
        if status is None:
            self._kill()
            status = await asyncio.to_thread(self._process.wait)
        self._clear()
        self.ended.set_result(None if was_told else _explain(status, self._options))

    def stop(self):
        self._is_stopped = True
        self._kill()

    def _wait(self, seconds):
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def _kill(self):
        """With what it has started, as far as that has not left its session."""
        if self._process is None:
            return
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass

    def _measure(self):
        try:
            with open(f"/proc/{self._process.pid}/statm") as file:
                self._meter.note_memory(int(file.read().split()[1]) * _PAGE)
        except (OSError, ValueError, IndexError):
            pass

    def _clear(self):
        self._is_stopped = True
        self._kill()
        if self._process is not None:
            self._process.wait()
        self._proxy.close()
        if self._writer:
            self._writer.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def user_of(options, number):
    """@returns the user that a process gets, or None: that of the runner"""
    return _FIRST_USER + number % 1000 if os.geteuid() == 0 and not options.keeps_root else None


def as_user(user):
    """Arguments for subprocess."""
    return {} if user is None else {"user": user, "group": user, "extra_groups": []}


async def _read(reader):
    (length,) = struct.unpack("!I", await reader.readexactly(4))
    return json.loads(await reader.readexactly(length))


def _explain(status, options):
    if status == -signal.SIGXCPU:
        return f"It used more than {options.cpu_seconds} seconds of processor time and was stopped"
    if status == _WOULD_NOT_END:
        return "It did not end when nobody waited for it any more, and was stopped"
    if status == -signal.SIGKILL:
        return "The system stopped it: it may have used too much memory"
    if status < 0:
        return f"Its process crashed ({signal.Signals(-status).name})"
    return f"Its process ended by itself ({status})"
