import io
import types
import urllib.parse

from plugin_harness.web import Headers as _Headers


class Headers(_Headers):
    def __init__(self, headers=None, raw=None, scope=None):
        pairs = raw if raw is not None else (scope["headers"] if scope is not None else headers)
        super().__init__(pairs)


class MutableHeaders(Headers):
    pass


class QueryParams(_Headers):
    def __init__(self, query=""):
        text = query.decode() if isinstance(query, bytes) else query
        super().__init__(urllib.parse.parse_qsl(text, keep_blank_values=True) if isinstance(text, str) else text)


class URL(str):
    @property
    def _parts(self):
        return urllib.parse.urlsplit(self)

    @property
    def scheme(self):
        return self._parts.scheme

    @property
    def netloc(self):
        return self._parts.netloc

    @property
    def hostname(self):
        return self._parts.hostname

    @property
    def port(self):
        return self._parts.port

    @property
    def path(self):
        return self._parts.path

    @property
    def query(self):
        return self._parts.query


class State(types.SimpleNamespace):
    pass


class FormData(_Headers):
    pass


class UploadFile:
    def __init__(self, file=None, *, size=None, filename=None, headers=None):
        self.file = file if file is not None else io.BytesIO()
        self.filename = filename
        self.headers = headers if isinstance(headers, _Headers) else Headers(headers)
        self.size = size

    @property
    def content_type(self):
        return self.headers.get("content-type")

    async def read(self, size=-1):
        return self.file.read(size)

    async def write(self, data):
        self.file.write(data)

    async def seek(self, offset):
        self.file.seek(offset)

    async def close(self):
        self.file.close()


class Address(tuple):
    host = property(lambda self: self[0])
    port = property(lambda self: self[1])
