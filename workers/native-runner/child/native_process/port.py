"""The port of one call (as call-port.ts in the sandbox), and the line to the runner that all calls share."""

import asyncio
import concurrent.futures
import json
import struct
import threading

# Chunks under way before the plugin waits; as in call-bridge.ts.
_CHUNK_WINDOW = 16
# What a call may have asked for without an answer yet.
_MAX_PENDING = 1000


class Line:
    """Frames to and from the runner over a socket: length (four bytes), then JSON."""

    def __init__(self, socket):
        self._socket = socket
        self._lock = threading.Lock()

    def send(self, frame):
        data = json.dumps(frame).encode()
        with self._lock:
            self._socket.sendall(struct.pack("!I", len(data)) + data)

    def frames(self):
        while True:
            head = self._read(4)
            if head is None:
                return
            data = self._read(struct.unpack("!I", head)[0])
            if data is None:
                return
            yield json.loads(data)

    def _read(self, count):
        pieces = []
        while count:
            piece = self._socket.recv(min(count, 1 << 20))
            if not piece:
                return None
            pieces.append(piece)
            count -= len(piece)
        return b"".join(pieces)


class Port:
    def __init__(self, line, id, *, has_bridge, was_refused, on_finish):
        self._line = line
        self._id = id
        self._has_bridge = has_bridge
        self._was_refused = was_refused
        self._on_finish = on_finish
        self._lock = threading.Lock()
        self._waiting = {}
        self._refs = 0
        self._chunks = []
        self._is_over = False

    @property
    def wasRefused(self):
        """Whether something was asked for while the source was only inspected."""
        return not self._has_bridge and self._was_refused()

    async def emit(self, event):
        await self._ask("emit", event)

    async def call(self, event):
        return await self._ask("call", event)

    async def request(self, name, args):
        return await self._ask("request", args, name)

    async def chunk(self, value):
        """A few may be under way; what went wrong with one is told with a later one."""
        self._chunks.append(self._send("chunk", value))
        if len(self._chunks) >= _CHUNK_WINDOW:
            await asyncio.wrap_future(self._chunks.pop(0))

    async def rest(self, result):
        """The function has answered. @returns how many ms what it left running may go on"""
        return await self._ask("rest", result)

    def log(self, level, text):
        if self._has_bridge and not self._is_over:
            self._line.send({"t": "log", "id": self._id, "level": level, "text": text})

    def signal(self):
        """Nothing to do: the loop wakes by itself."""

    def finish(self, text):
        self._is_over = True
        self._on_finish()
        self._line.send({"t": "result", "id": self._id, "json": text})
        with self._lock:
            waiting, self._waiting = list(self._waiting.values()), {}
        for future in waiting:
            _settle(future, None, "The call has ended")

    def answer(self, ref, json_text, error=None):
        with self._lock:
            future = self._waiting.pop(ref, None)
        if future is not None:
            _settle(future, json_text, error)

    async def _ask(self, kind, json_text, name=None):
        return await asyncio.wrap_future(self._send(kind, json_text, name))

    def _send(self, kind, json_text, name=None):
        from plugin_harness.loop import HostError

        if not self._has_bridge:
            raise HostError("Requests are not possible while the source is only inspected")
        future = concurrent.futures.Future()
        with self._lock:
            if self._is_over:
                raise HostError("The call has ended")
            if len(self._waiting) >= _MAX_PENDING:
                raise HostError("Too many requests at the same time")
            self._refs += 1
            ref = self._refs
            self._waiting[ref] = future
        frame = {"t": "ask", "id": self._id, "ref": ref, "kind": kind, "json": json_text}
        self._line.send(frame if name is None else {**frame, "name": name})
        return future


def _settle(future, json_text, error):
    from plugin_harness.loop import HostError

    if not future.set_running_or_notify_cancel():
        return
    if error is None:
        future.set_result(json_text)
    else:
        future.set_exception(HostError(error))
