"""The server's side of a WebSocket (RFC 6455), as much as the bridge needs: no extensions, no subprotocols."""

import asyncio
import base64
import hashlib
import struct

# As in workers/plugin-host/frames.ts; a little more than a frame may have.
MAX_MESSAGE = 32_000_000
_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_TEXT, _BINARY, _CLOSE, _PING, _PONG = 1, 2, 8, 9, 10
# Seconds that the other side has to take what was sent, before it counts as gone.
_SEND_TIMEOUT = 60


class ProtocolError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def accept_key(key):
    return base64.b64encode(hashlib.sha1(key.encode() + _GUID).digest()).decode()


class WebSocket:
    def __init__(self, reader, writer):
        self._reader = reader
        self._writer = writer
        self._lock = asyncio.Lock()
        self.is_closed = False

    async def messages(self):
        """Texts as str, binary ones as bytes, until either side closes."""
        try:
            while True:
                message = await self._message()
                if message is None:
                    return
                yield message
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        except ProtocolError as error:
            await self.close(error.code, str(error))
        finally:
            self.is_closed = True

    async def _message(self):
        kind, pieces, length = None, [], 0
        while True:
            is_final, opcode, payload = await self._frame(MAX_MESSAGE - length)
            if opcode >= 8:
                if opcode == _CLOSE:
                    await self.close(*_read_close(payload))
                    return None
                if opcode == _PING:
                    await self._send(_PONG, payload)
                continue
            if (opcode == 0) != (kind is not None):
                raise ProtocolError(1002, "A frame does not continue a message")
            kind = kind or opcode
            pieces.append(payload)
            length += len(payload)
            if not is_final:
                continue
            data = b"".join(pieces)
            if kind == _BINARY:
                return data
            try:
                return data.decode("utf-8", "strict")
            except UnicodeDecodeError:
                raise ProtocolError(1007, "A text is not UTF-8") from None

    async def _frame(self, room):
        first, second = await self._reader.readexactly(2)
        opcode = first & 0x0F
        if first & 0x70 or opcode not in (0, _TEXT, _BINARY, _CLOSE, _PING, _PONG):
            raise ProtocolError(1002, "An unknown kind of frame")
        if not second & 0x80:
            raise ProtocolError(1002, "Frames of clients must be masked")
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack("!H", await self._reader.readexactly(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", await self._reader.readexactly(8))
        if opcode >= 8 and (length > 125 or not first & 0x80):
            raise ProtocolError(1002, "A control frame is too long or cut")
        if length > room:
            raise ProtocolError(1009, "A message is too long")
        mask = await self._reader.readexactly(4)
        return bool(first & 0x80), opcode, _unmask(await self._reader.readexactly(length), mask)

    async def send(self, text):
        """Waits until the other side takes it. Nothing is sent to one that is closed."""
        await self._send(_TEXT, text.encode("utf-8", "surrogatepass"))

    async def close(self, code=1000, reason=""):
        if self.is_closed:
            return
        await self._send(_CLOSE, struct.pack("!H", code) + reason.encode()[:120])
        self.is_closed = True
        self._writer.close()

    async def _send(self, opcode, payload):
        if self.is_closed:
            return
        length = len(payload)
        if length < 126:
            head = struct.pack("!BB", 0x80 | opcode, length)
        elif length < 65_536:
            head = struct.pack("!BBH", 0x80 | opcode, 126, length)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 127, length)
        try:
            async with self._lock:
                self._writer.write(head + payload)
                await asyncio.wait_for(self._writer.drain(), _SEND_TIMEOUT)
        except (ConnectionError, TimeoutError, RuntimeError):
            self.is_closed = True
            self._writer.close()


def _read_close(payload):
    if len(payload) < 2:
        return 1000, ""
    (code,) = struct.unpack("!H", payload[:2])
    return (code if 1000 <= code < 5000 and code not in (1004, 1005, 1006, 1015) else 1002), ""


def _unmask(data, mask):
    """One operation on two large numbers: byte by byte, a megabyte would take a tenth of a second."""
    if not data:
        return b""
    key = (mask * (len(data) // 4 + 1))[: len(data)]
    return (int.from_bytes(data, "little") ^ int.from_bytes(key, "little")).to_bytes(len(data), "little")
