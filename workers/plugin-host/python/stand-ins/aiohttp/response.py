import asyncio
import http.cookies
import json as _json
import types

from plugin_harness.web import WebError, WebTimeout, charset_of, decode

from .client_exceptions import ClientPayloadError, ClientResponseError, ContentTypeError, SocketTimeoutError


class StreamReader:
    """The body, as it comes."""

    def __init__(self, exchange, timeout):
        self._exchange = exchange
        self._timeout = timeout
        self._rest = b""

    async def _next(self):
        try:
            return await self._exchange.read(self._timeout)
        except WebTimeout as error:
            raise SocketTimeoutError(str(error)) from None
        except WebError as error:
            raise ClientPayloadError(str(error)) from None

    def at_eof(self):
        return self._exchange.is_done and not self._rest

    async def readany(self):
        rest, self._rest = self._rest, b""
        return rest or await self._next()

    async def read(self, n=-1):
        if n is None or n < 0:
            pieces = []
            while piece := await self.readany():
                pieces.append(piece)
            return b"".join(pieces)
        data = await self.readany() if n else b""
        data, self._rest = data[:n], data[n:]
        return data

    async def readexactly(self, n):
        while len(self._rest) < n:
            piece = await self._next()
            if not piece:
                raise asyncio.IncompleteReadError(self._rest, n)
            self._rest += piece
        data, self._rest = self._rest[:n], self._rest[n:]
        return data

    async def readuntil(self, separator=b"\n"):
        while separator not in self._rest:
            piece = await self._next()
            if not piece:
                rest, self._rest = self._rest, b""
                return rest
            self._rest += piece
        line, found, self._rest = self._rest.partition(separator)
        return line + found

    async def readline(self):
        return await self.readuntil(b"\n")

    async def iter_any(self):
        while piece := await self.readany():
            yield piece

    async def iter_chunks(self):
        while piece := await self.readany():
            yield piece, True

    async def iter_chunked(self, n):
        while piece := await self.read(n):
            yield piece

    async def __aiter__(self):
        while line := await self.readline():
            yield line


class ClientResponse:
    def __init__(self, exchange, read_timeout=None):
        self._exchange = exchange
        self._body = None
        self.status = exchange.status
        self.reason = exchange.reason
        self.method = exchange.request["method"]
        self.url = self.real_url = exchange.url
        self.headers = exchange.headers
        self.content = StreamReader(exchange, read_timeout)
        self.history = ()
        self.request_info = types.SimpleNamespace(
            url=exchange.request["url"], real_url=exchange.request["url"], method=self.method, headers=exchange.request["headers"]
        )
        self.cookies = http.cookies.SimpleCookie()
        for header in exchange.headers.get_list("set-cookie"):
            self.cookies.load(header)

    @property
    def ok(self):
        return self.status < 400

    @property
    def content_type(self):
        return self.headers.get("content-type", "application/octet-stream").split(";")[0].strip().lower()

    @property
    def charset(self):
        return charset_of(self.headers, None)

    @property
    def content_length(self):
        length = self.headers.get("content-length")
        return int(length) if length else None

    @property
    def closed(self):
        return self._exchange.is_done

    def get_encoding(self):
        return self.charset or "utf-8"

    async def read(self):
        if self._body is None:
            self._body = await self.content.read()
        return self._body

    async def text(self, encoding=None, errors="strict"):
        data = await self.read()
        return data.decode(encoding, errors) if encoding else decode(data, self.charset)

    async def json(self, *, encoding=None, loads=_json.loads, content_type="application/json"):
        data = await self.read()
        if content_type and not (self.content_type == content_type or self.content_type.endswith("+json")):
            message = f"Attempt to decode JSON with unexpected mimetype: {self.headers.get('content-type', '')}"
            raise ContentTypeError(self.request_info, (), status=self.status, message=message, headers=self.headers)
        text = data.decode(encoding) if encoding else decode(data, self.charset)
        return loads(text) if text.strip() else None

    def raise_for_status(self):
        if self.status >= 400:
            raise ClientResponseError(
                self.request_info, (), status=self.status, message=self.reason, headers=self.headers
            )

    def release(self):
        self._exchange.close()

    def close(self):
        self._exchange.close()

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_error):
        self.close()

    def __repr__(self):
        return f"<ClientResponse({self.url}) [{self.status} {self.reason}]>"
