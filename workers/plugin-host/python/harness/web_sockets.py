"""WebSockets over the one way out that a plugin has. Packages write HTTP/1.1 and frames (RFC 6455) to a connection: here its other end
is the host's own WebSocket, which knows whole messages."""

import asyncio
import base64
import hashlib
import json
import struct

from .calls import current_call
from .loop import LOOP

_ACCEPT = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_TEXT, _BINARY, _CLOSE, _PING, _PONG = 1, 2, 8, 9, 10
# What the host decides itself.
_OF_THE_CONNECTION = frozenset(
    "connection host upgrade sec-websocket-key sec-websocket-version sec-websocket-extensions content-length".split()
)
# Seconds that a package gets to answer the end of a connection.
_CLOSING = 1


class SocketTransport(asyncio.Transport):
    """The server's side of one connection. Anything but a WebSocket ends it."""

    def __init__(self, protocol, origin, peer, refuse=None):
        """@param origin such as https://host:port
        @param refuse takes the reason where there is no connection; otherwise the package gets an answer with status 502"""
        super().__init__({"peername": peer})
        self._protocol = protocol
        self._origin = origin
        self._refuse = refuse
        self._received = bytearray()
        self._pieces = bytearray()
        self._kind = 0
        self._channel = None
        self._task = None
        self._has_begun = False
        self._is_open = False
        self._is_closing = False
        self._may_read = asyncio.Event()
        self._may_read.set()

    # What packages ask of a transport

    def set_protocol(self, protocol):
        self._protocol = protocol

    def get_protocol(self):
        return self._protocol

    def write(self, data):
        if self._is_closing:
            return
        self._received += data
        if not self._has_begun:
            self._read_head()
        elif self._is_open:
            self._read_frames()

    def writelines(self, pieces):
        self.write(b"".join(pieces))

    def get_write_buffer_size(self):
        return 0

    def set_write_buffer_limits(self, high=None, low=None):
        pass

    def can_write_eof(self):
        return False

    def is_closing(self):
        return self._is_closing

    def pause_reading(self):
        self._may_read.clear()

    def resume_reading(self):
        self._may_read.set()

    def is_reading(self):
        return self._may_read.is_set()

    def close(self):
        self._end(None)

    abort = close

    def _end(self, error):
        if self._is_closing:
            return
        self._is_closing = True
        if self._channel is not None:
            self._channel.close(1000, "")
        if self._task is not None and self._task is not asyncio.current_task():
            self._task.cancel()
        LOOP.call_soon(self._protocol.connection_lost, error)

    # The handshake

    def _read_head(self):
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            return
        first, *lines = self._received[:end].decode("latin-1").split("\r\n")
        del self._received[: end + 4]
        self._has_begun = True
        pairs = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
        given = {name.lower(): value for name, value in pairs}
        if given.get("upgrade", "").lower() != "websocket":
            self._end(OSError("Sockets are not available to plugins, except WebSockets"))
            return
        _, target, *_ = first.split(" ")
        url = target if "://" in target else self._origin + target
        kept = [(name, value) for name, value in pairs if name.lower() not in _OF_THE_CONNECTION]
        self._task = LOOP.create_task(self._run(url, kept, given.get("sec-websocket-key", "")))

    async def _run(self, url, pairs, key):
        call = current_call()
        call.check()
        try:
            self._channel = call.port.connect(url, json.dumps(pairs))
            answer = json.loads(await self._channel.opened)
        except Exception as error:
            reason = explain(error, url)
            call.log("warning", reason)
            if self._refuse is not None:
                self._refuse(reason)
            else:
                self._give(f"HTTP/1.1 502 Bad Gateway\r\nContent-Length: {len(reason.encode())}\r\n\r\n{reason}".encode())
            self._end(None)
            return
        if answer["status"] != 101:
            self._give(f"HTTP/1.1 {answer['status']} Refused\r\nContent-Length: 0\r\n\r\n".encode())
            self._end(None)
            return
        accept = base64.b64encode(hashlib.sha1(key.encode() + _ACCEPT).digest()).decode()
        lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Accept: {accept}"]
        if answer["protocol"]:
            lines.append(f"Sec-WebSocket-Protocol: {answer['protocol']}")
        self._is_open = True
        self._give("\r\n".join([*lines, "", ""]).encode())
        self._read_frames()
        await self._deliver()

    # Messages

    async def _deliver(self):
        while not self._is_closing:
            message = await self._channel.read()
            await self._may_read.wait()
            if message is None:
                break
            if isinstance(message, str):
                self._give(_frame(_TEXT, message.encode()))
            else:
                self._give(_frame(_BINARY, message.to_bytes()))
        code, reason = self._channel.closeCode, self._channel.closeReason.encode()[:120]
        # These are never sent: they say that nothing was said.
        self._give(_frame(_CLOSE, b"" if code in (1005, 1006) else struct.pack("!H", code) + reason))
        if code == 1006:
            self._end(ConnectionResetError("The connection was lost"))
        else:
            LOOP.call_later(_CLOSING, self._end, None)

    def _read_frames(self):
        while not self._is_closing and (found := _take_frame(self._received)) is not None:
            is_last, kind, data = found
            if kind == _PING:
                self._give(_frame(_PONG, data))
            elif kind == _CLOSE:
                code = struct.unpack("!H", data[:2])[0] if len(data) >= 2 else 1000
                self._channel.close(code, bytes(data[2:]).decode("utf-8", "replace"))
                self._give(_frame(_CLOSE, data))
                self._end(None)
            elif kind != _PONG:
                self._kind = kind or self._kind
                self._pieces += data
                if is_last:
                    whole, self._pieces = bytes(self._pieces), bytearray()
                    self._send(whole)

    def _send(self, data):
        from pyodide.ffi import to_js

        self._channel.send(data.decode() if self._kind == _TEXT else to_js(data))

    def _give(self, data):
        if not self._is_closing:
            self._protocol.data_received(data)


def explain(error, url):
    reason = getattr(error, "message", None) or str(error)
    if "not permitted to access the internet" in reason:
        return f"This plugin is not allowed to reach {url.split('/')[2]}: it has no allowed hosts"
    return f"{url} could not be reached: {reason}"


def _frame(kind, data):
    size = len(data)
    if size < 126:
        return struct.pack("!BB", 0x80 | kind, size) + data
    if size < 65536:
        return struct.pack("!BBH", 0x80 | kind, 126, size) + data
    return struct.pack("!BBQ", 0x80 | kind, 127, size) + data


def _take_frame(received):
    """@returns whether it is the last of its message, its opcode, and its bytes without their mask; None while it is not whole"""
    if len(received) < 2:
        return None
    size = received[1] & 0x7F
    at = 2
    if size >= 126:
        width = 2 if size == 126 else 8
        if len(received) < at + width:
            return None
        size = int.from_bytes(received[at : at + width])
        at += width
    is_masked = received[1] & 0x80
    mask = received[at : at + 4] if is_masked else b""
    at += len(mask) if is_masked else 0
    if len(received) < at + size or (is_masked and len(mask) < 4):
        return None
    first = received[0]
    data = bytes(received[at : at + size])
    del received[: at + size]
    if is_masked:
        key = int.from_bytes((bytes(mask) * (size // 4 + 1))[:size])
        data = (int.from_bytes(data) ^ key).to_bytes(size)
    return bool(first & 0x80), first & 0x0F, data


async def create_connection(protocol_factory, host=None, port=None, *, ssl=None, **_options):
    """`loop.create_connection`, for packages that speak WebSocket over it."""
    if host is None:
        raise OSError("Sockets are not available to plugins")
    protocol = protocol_factory()
    name = f"[{host}]" if ":" in host else host
    transport = SocketTransport(protocol, f"{'https' if ssl else 'http'}://{name}:{port}", (host, port))
    protocol.connection_made(transport)
    return transport, protocol


class BlockingSocket:
    """The same for packages that read and write a socket themselves."""

    # None that packages have options for.
    family = None

    def __init__(self, origin, peer, timeout=None):
        self._timeout = timeout
        self._peer = peer
        self._data = bytearray()
        self._is_over = False
        self._error = None
        self._arrived = asyncio.Event()
        self._transport = SocketTransport(self, origin, peer, self._refused)

    def _refused(self, reason):
        self._error = OSError(reason)

    def data_received(self, data):
        self._data += data
        self._arrived.set()

    def connection_lost(self, error):
        self._error = self._error or error
        self._is_over = True
        self._arrived.set()

    def send(self, data, _flags=0):
        if self._is_over:
            raise self._error or BrokenPipeError("The connection is closed")
        self._transport.write(data)
        return len(data)

    def sendall(self, data, _flags=0):
        self.send(data)

    def recv(self, size, _flags=0):
        while not self._data:
            if self._is_over:
                if self._error is not None:
                    raise self._error
                return b""
            self._arrived.clear()
            if self._timeout == 0:
                raise BlockingIOError("Nothing has come yet")
            LOOP.wait_for(asyncio.wait_for(self._arrived.wait(), self._timeout))
        data = bytes(self._data[:size])
        del self._data[:size]
        return data

    @property
    def is_readable(self):
        return bool(self._data) or self._is_over

    async def arrival(self):
        while not self.is_readable:
            self._arrived.clear()
            await self._arrived.wait()

    def settimeout(self, timeout):
        self._timeout = timeout

    def gettimeout(self):
        return self._timeout

    def setblocking(self, flag):
        self._timeout = None if flag else 0

    def getpeername(self):
        return self._peer

    def setsockopt(self, *_options):
        pass

    def fileno(self):
        return -1

    def shutdown(self, _how):
        self._transport.close()

    def close(self):
        self._transport.close()


def blocking_socket(host, port, is_secure, timeout=None):
    name = f"[{host}]" if ":" in host else host
    return BlockingSocket(f"{'https' if is_secure else 'http'}://{name}:{port}", (host, port), timeout)


def change_client(module):
    """`websocket._http`, of the package websocket-client"""
    parse_url = module.parse_url

    def connect(url, options, proxy, socket):
        host, port, resource, is_secure = parse_url(url)
        return blocking_socket(host, port, is_secure, options.timeout), (host, port, resource)

    module.connect = connect
