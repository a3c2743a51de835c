"""`websockets.sync`: its thread that reads, its locks and its select, made so that a call that waits lets other calls go on."""

import asyncio
import socket
import threading
import types

from .loop import LOOP
from .web_sockets import blocking_socket


def change_client(module):
    """`websockets.sync.client`"""

    def open_socket(self, _deadline):
        uri = self.ws_uri
        return blocking_socket(uri.host, uri.port, uri.secure)

    module.reconnect.open_socket = open_socket
    # The host does that.
    module.reconnect.enable_tls = lambda _self, connected, _deadline: connected


def change_messages(module):
    """`websockets.sync.messages`"""
    module.threading = types.SimpleNamespace(**{**vars(threading), "Lock": _Lock})


def change_connection(module):
    """`websockets.sync.connection`"""
    change_messages(module)
    module.socket = types.SimpleNamespace(**{**vars(socket), "socketpair": _make_pair})
    module.selectors = types.SimpleNamespace(DefaultSelector=_Selector, EVENT_READ=1)


class _Lock:
    def __init__(self):
        self._is_locked = False
        self._freed = asyncio.Event()

    def acquire(self, blocking=True, timeout=-1):
        while self._is_locked:
            if not blocking:
                return False
            self._freed.clear()
            try:
                LOOP.wait_for(asyncio.wait_for(self._freed.wait(), None if timeout < 0 else timeout))
            except TimeoutError:
                return False
        self._is_locked = True
        return True

    def release(self):
        if not self._is_locked:
            raise RuntimeError("release unlocked lock")
        self._is_locked = False
        self._freed.set()

    def locked(self):
        return self._is_locked

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *_error):
        self.release()


class _End:
    """One end of a pair of sockets over which nothing is sent but that it ends."""

    def __init__(self, over):
        self._over = over

    @property
    def is_readable(self):
        return self._over.is_set()

    async def arrival(self):
        await self._over.wait()

    def close(self):
        self._over.set()

    def shutdown(self, _how):
        self._over.set()

    def send(self, data):
        self._over.set()
        return len(data)

    sendall = send


def _make_pair():
    over = asyncio.Event()
    return _End(over), _End(over)


class _Selector:
    def __init__(self):
        self._keys = []

    def register(self, fileobj, _events, data=None):
        self._keys.append(types.SimpleNamespace(fileobj=fileobj, data=data))

    def unregister(self, fileobj):
        self._keys = [key for key in self._keys if key.fileobj is not fileobj]

    def close(self):
        self._keys = []

    def select(self, timeout=None):
        while not (ready := [key for key in self._keys if key.fileobj.is_readable]):
            if LOOP.wait_for(_first_of(self._keys, timeout)):
                return []
        return [(key, 1) for key in ready]


async def _first_of(keys, timeout):
    """@returns whether the time was up before anything came"""
    waiting = [asyncio.ensure_future(key.fileobj.arrival()) for key in keys]
    try:
        return not (await asyncio.wait(waiting, timeout=timeout, return_when=asyncio.FIRST_COMPLETED))[0]
    finally:
        for each in waiting:
            each.cancel()
