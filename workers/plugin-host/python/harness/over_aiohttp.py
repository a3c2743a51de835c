"""The connections of aiohttp over the hosts that the plugin is allowed. aiohttp writes HTTP/1.1 to a transport and reads the answer
from its protocol (RFC 9112): here the other end of that connection is the host's own way out."""

import asyncio

from .loop import LOOP
from .web import WebError, request_headers, response_headers, send
from .web_sockets import SocketTransport


def change(module):
    """`aiohttp.connector`"""
    from aiohttp.client_exceptions import ClientConnectorError

    async def _create_connection(self, req, traces, timeout):
        protocol = self._factory()

        def failed(message):
            return ClientConnectorError(req.connection_key, OSError(111, message))

        protocol.connection_made(_Transport(protocol, req.url, failed))
        return protocol

    module.TCPConnector._create_connection = _create_connection


class _Transport(asyncio.Transport):
    def __init__(self, protocol, url, failed):
        super().__init__({"peername": (url.host, url.port)})
        self._protocol = protocol
        self._origin = str(url.origin())
        self._failed = failed
        self._received = bytearray()
        self._head = None
        self._body = bytearray()
        self._task = None
        self._exchange = None
        self._socket = None
        self._is_closing = False
        self._may_read = asyncio.Event()
        self._may_read.set()

    # What aiohttp asks of a transport

    def write(self, data):
        if self._socket is not None:
            self._socket.write(data)
            return
        self._received += data
        self._read_request()

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
        if self._socket is not None:
            self._socket.pause_reading()

    def resume_reading(self):
        self._may_read.set()
        if self._socket is not None:
            self._socket.resume_reading()

    def is_reading(self):
        return self._may_read.is_set()

    def close(self):
        self._end(None)

    def abort(self):
        self._end(None)

    def _end(self, error):
        if self._is_closing:
            return
        self._is_closing = True
        if self._socket is not None:
            self._socket.close()
            return
        if self._exchange is not None:
            self._exchange.close()
        if self._task is not None and self._task is not asyncio.current_task():
            self._task.cancel()
        self._protocol.connection_lost(error)

    # The request

    def _read_request(self):
        if self._head is None:
            end = self._received.find(b"\r\n\r\n")
            if end < 0:
                return
            first, *lines = self._received[:end].decode("latin-1").split("\r\n")
            del self._received[: end + 4]
            method, target, _ = first.split(" ", 2)
            headers = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
            given = {name.lower(): value for name, value in headers}
            if given.get("upgrade", "").lower() == "websocket":
                self._become_web_socket(first, lines)
                return
            self._head = method, target, headers, given
            if given.get("expect", "").lower() == "100-continue":
                self._protocol.data_received(b"HTTP/1.1 100 Continue\r\n\r\n")
        if self._read_body():
            (method, target, headers, _), self._head = self._head, None
            body, self._body = bytes(self._body), bytearray()
            url = target if target.startswith("http") else self._origin + target
            self._task = LOOP.create_task(self._answer(method, url, headers, body))

    def _become_web_socket(self, first, lines):
        def refuse(reason):
            self._protocol.set_exception(self._failed(reason))

        # ws:// is http:// and wss:// is https:// until the connection has changed.
        origin = self._origin.replace("ws", "http", 1) if self._origin.startswith("ws") else self._origin
        self._socket = SocketTransport(self._protocol, origin, self.get_extra_info("peername"), refuse)
        self._socket.write("\r\n".join([first, *lines, "", ""]).encode("latin-1"))

    def _read_body(self):
        """@returns whether all of it is here"""
        given = self._head[3]
        if "chunked" not in given.get("transfer-encoding", ""):
            if len(self._received) < int(given.get("content-length", 0)):
                return False
            self._body, self._received = self._received, bytearray()
            return True
        while (end := self._received.find(b"\r\n")) >= 0:
            size = int(bytes(self._received[:end]).split(b";")[0], 16)
            if len(self._received) < end + 2 + size + 2:
                return False
            self._body += self._received[end + 2 : end + 2 + size]
            del self._received[: end + 2 + size + 2]
            if size == 0:
                return True
        return False

    # The answer

    async def _answer(self, method, url, headers, body):
        try:
            exchange = self._exchange = await send(method, url, headers=request_headers(headers), body=body or None, follow=False)
        except WebError as error:
            self._protocol.set_exception(self._failed(str(error)))
            self._end(None)
            return
        pairs = response_headers(exchange, method)
        has_body = method != "HEAD" and exchange.status not in (204, 304) and exchange.status >= 200
        is_chunked = has_body and not any(name.lower() == "content-length" for name, _ in pairs)
        if is_chunked:
            pairs.append(("Transfer-Encoding", "chunked"))
        lines = [f"HTTP/1.1 {exchange.status} {exchange.reason}", *(f"{name}: {value}" for name, value in pairs)]
        self._give("\r\n".join([*lines, "", ""]).encode("latin-1", "replace"))
        try:
            while has_body:
                await self._may_read.wait()
                piece = await exchange.read()
                if not piece:
                    break
                self._give(b"%x\r\n%b\r\n" % (len(piece), piece) if is_chunked else piece)
        except WebError as error:
            self._end(OSError(str(error)))
            return
        if is_chunked:
            self._give(b"0\r\n\r\n")

    def _give(self, data):
        if not self._is_closing:
            self._protocol.data_received(data)
