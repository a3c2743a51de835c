import datetime
import json as _json
import urllib.parse

from plugin_harness.loop import LOOP
from plugin_harness.web import Headers, Lines, WebError, WebTimeout, charset_of, decode

from ._errors import HTTPStatusError, ReadError, ReadTimeout

QueryParams = dict


class URL(str):
    @property
    def _parts(self):
        return urllib.parse.urlsplit(self)

    @property
    def scheme(self):
        return self._parts.scheme

    @property
    def host(self):
        return self._parts.hostname or ""

    @property
    def port(self):
        return self._parts.port

    @property
    def path(self):
        return self._parts.path or "/"

    @property
    def query(self):
        return self._parts.query.encode()

    def join(self, url):
        return URL(urllib.parse.urljoin(self, str(url)))


class Request:
    def __init__(self, method, url, *, headers=None, content=None, body=None):
        self.method = method.upper()
        self.url = URL(url)
        self.headers = headers if isinstance(headers, Headers) else Headers(headers)
        self.content = body if body is not None else content


class Response:
    def __init__(self, status_code, *, headers=None, content=None, request=None, exchange=None, read_timeout=None):
        self.status_code = status_code
        self.headers = headers if isinstance(headers, Headers) else Headers(headers)
        self._content = content if exchange is None else None
        self._exchange = exchange
        self._timeout = read_timeout
        self.request = request
        self.history = []
        self.http_version = "HTTP/1.1"
        self.encoding = charset_of(self.headers)
        self.elapsed = datetime.timedelta(seconds=exchange.elapsed if exchange else 0)
        self.is_stream_consumed = exchange is None

    @property
    def url(self):
        return URL(self._exchange.url) if self._exchange else self.request.url

    @property
    def reason_phrase(self):
        return self._exchange.reason if self._exchange else ""

    @property
    def is_success(self):
        return 200 <= self.status_code < 300

    @property
    def is_error(self):
        return self.status_code >= 400

    @property
    def is_client_error(self):
        return 400 <= self.status_code < 500

    @property
    def is_server_error(self):
        return self.status_code >= 500

    @property
    def is_redirect(self):
        return 300 <= self.status_code < 400

    @property
    def cookies(self):
        pairs = (each.split(";")[0].partition("=") for each in self.headers.get_list("set-cookie"))
        return {name.strip(): value for name, _, value in pairs}

    @property
    def content(self):
        if self._content is None:
            raise ResponseNotRead()
        return self._content

    @property
    def text(self):
        return decode(self.content, self.encoding)

    def json(self, **options):
        return _json.loads(self.content, **options)

    def raise_for_status(self):
        if self.status_code < 400:
            return self
        kind = "Client error" if self.status_code < 500 else "Server error"
        message = f"{kind} '{self.status_code} {self.reason_phrase}' for url '{self.url}'"
        raise HTTPStatusError(message, request=self.request, response=self)

    async def aread(self):
        if self._content is None:
            self._content = b"".join([piece async for piece in self._apieces()])
        return self._content

    def read(self):
        return LOOP.wait_for(self.aread()) if self._content is None else self._content

    async def _apieces(self):
        if self._content is not None:
            yield self._content
            return
        while True:
            try:
                piece = await self._exchange.read(self._timeout)
            except WebTimeout as error:
                raise ReadTimeout(str(error), request=self.request) from None
            except WebError as error:
                raise ReadError(str(error), request=self.request) from None
            if not piece:
                self.is_stream_consumed = True
                return
            yield piece

    async def aiter_bytes(self, chunk_size=None):
        rest = b""
        async for piece in self._apieces():
            if chunk_size is None:
                yield piece
                continue
            rest += piece
            while len(rest) >= chunk_size:
                yield rest[:chunk_size]
                rest = rest[chunk_size:]
        if rest:
            yield rest

    aiter_raw = aiter_bytes

    async def aiter_text(self, chunk_size=None):
        import codecs

        decoder = codecs.getincrementaldecoder(self.encoding or "utf-8")("replace")
        async for piece in self._apieces():
            text = decoder.decode(piece)
            if text:
                yield text
        rest = decoder.decode(b"", True)
        if rest:
            yield rest

    async def aiter_lines(self):
        lines = Lines()
        async for piece in self._apieces():
            for line in lines.feed(piece):
                yield decode(line, self.encoding)
        for line in lines.end():
            yield decode(line, self.encoding)

    def _step(self, values):
        while True:
            try:
                yield LOOP.wait_for(anext(values))
            except StopAsyncIteration:
                return

    def iter_bytes(self, chunk_size=None):
        return self._step(self.aiter_bytes(chunk_size))

    iter_raw = iter_bytes

    def iter_text(self, chunk_size=None):
        return self._step(self.aiter_text(chunk_size))

    def iter_lines(self):
        return self._step(self.aiter_lines())

    def close(self):
        if self._exchange is not None:
            self._exchange.close()

    async def aclose(self):
        self.close()

    def __repr__(self):
        return f"<Response [{self.status_code} {self.reason_phrase}]>"


class ResponseNotRead(RuntimeError):
    def __init__(self):
        super().__init__("Attempted to access streaming response content, without having called `read()`.")
