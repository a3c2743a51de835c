import datetime
import json as _json

from plugin_harness.loop import LOOP
from plugin_harness.web import Lines, WebError, WebTimeout, charset_of, decode

from .exceptions import ChunkedEncodingError, HTTPError, JSONDecodeError, ReadTimeout, StreamConsumedError


class PreparedRequest:
    def __init__(self, method=None, url=None, headers=None, body=None):
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body


class Request:
    def __init__(self, method=None, url=None, **options):
        self.method = method
        self.url = url
        self.options = options

    def prepare(self):
        from .sessions import Session

        return Session().prepare_request(self)


class Response:
    def __init__(self, exchange, read_timeout=None):
        self._exchange = exchange
        self._timeout = read_timeout
        self._content = None
        self.status_code = exchange.status
        self.reason = exchange.reason
        self.url = exchange.url
        self.headers = exchange.headers
        self.encoding = charset_of(exchange.headers, None)
        self.elapsed = datetime.timedelta(seconds=exchange.elapsed)
        self.request = PreparedRequest(**exchange.request)
        self.history = []
        self.cookies = {}
        self.raw = self

    @property
    def ok(self):
        return self.status_code < 400

    @property
    def is_redirect(self):
        return "location" in self.headers and self.status_code in (301, 302, 303, 307, 308)

    @property
    def content(self):
        if self._content is None:
            if self._exchange.is_done:
                raise RuntimeError("The content for this response was already consumed")
            self._content = b"".join(self._pieces())
        return self._content

    @property
    def apparent_encoding(self):
        return "utf-8"

    @property
    def text(self):
        return decode(self.content, self.encoding or "utf-8")

    def json(self, **options):
        try:
            return _json.loads(decode(self.content, "utf-8-sig"), **options)
        except _json.JSONDecodeError as error:
            raise JSONDecodeError(error.msg, error.doc, error.pos) from None

    def _pieces(self):
        while True:
            try:
                piece = LOOP.wait_for(self._exchange.read(self._timeout))
            except WebTimeout as error:
                raise ReadTimeout(str(error), response=self) from None
            except WebError as error:
                raise ChunkedEncodingError(str(error), response=self) from None
            if not piece:
                return
            yield piece

    def iter_content(self, chunk_size=1, decode_unicode=False):
        if self._content is not None:
            pieces = iter([self._content])
        elif self._exchange.is_done:
            raise StreamConsumedError("The content for this response was already consumed")
        else:
            pieces = self._pieces()
        rest = b""
        for piece in pieces:
            rest += piece
            if not chunk_size:
                yield self._shown(rest, decode_unicode)
                rest = b""
                continue
            while len(rest) >= chunk_size:
                yield self._shown(rest[:chunk_size], decode_unicode)
                rest = rest[chunk_size:]
            # What has come is passed on, as the real library does with a stream.
            if rest and chunk_size > 1:
                yield self._shown(rest, decode_unicode)
                rest = b""
        if rest:
            yield self._shown(rest, decode_unicode)

    def iter_lines(self, chunk_size=512, decode_unicode=False, delimiter=None):
        lines = Lines(delimiter.encode() if isinstance(delimiter, str) else delimiter)
        for piece in iter([self._content]) if self._content is not None else self._pieces():
            for line in lines.feed(piece):
                yield self._shown(line, decode_unicode)
        for line in lines.end():
            yield self._shown(line, decode_unicode)

    def _shown(self, data, decode_unicode):
        return decode(data, self.encoding or "utf-8") if decode_unicode else data

    def __iter__(self):
        return self.iter_content(128)

    def read(self, size=-1, **_options):
        data = self.content
        start = getattr(self, "_read_at", 0)
        end = len(data) if size is None or size < 0 else start + size
        self._read_at = min(end, len(data))
        return data[start:end]

    def raise_for_status(self):
        if self.status_code < 400:
            return
        kind = "Client" if self.status_code < 500 else "Server"
        raise HTTPError(f"{self.status_code} {kind} Error: {self.reason} for url: {self.url}", response=self)

    def close(self):
        self._exchange.close()

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.close()

    def __bool__(self):
        return self.ok

    def __repr__(self):
        return f"<Response [{self.status_code}]>"
