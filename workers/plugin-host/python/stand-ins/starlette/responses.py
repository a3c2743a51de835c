import json

from .concurrency import iterate_in_threadpool
from .datastructures import MutableHeaders


class Response:
    media_type = None
    charset = "utf-8"

    def __init__(self, content=None, status_code=200, headers=None, media_type=None, background=None):
        self.status_code = status_code
        if media_type is not None:
            self.media_type = media_type
        self.background = background
        self.body = self.render(content)
        self._set_headers(headers)

    def _set_headers(self, headers):
        self.headers = MutableHeaders(headers or {})
        if self.media_type is not None and "content-type" not in self.headers:
            is_text = self.media_type.startswith("text/") and "charset=" not in self.media_type
            self.headers["content-type"] = f"{self.media_type}; charset={self.charset}" if is_text else self.media_type

    def render(self, content):
        if content is None:
            return b""
        return bytes(content) if isinstance(content, (bytes, bytearray, memoryview)) else content.encode(self.charset)

    def set_cookie(self, key, value="", **_options):
        self.headers.add("set-cookie", f"{key}={value}")


class HTMLResponse(Response):
    media_type = "text/html"


class PlainTextResponse(Response):
    media_type = "text/plain"


class JSONResponse(Response):
    media_type = "application/json"

    def render(self, content):
        return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


class RedirectResponse(Response):
    def __init__(self, url, status_code=307, headers=None, background=None):
        super().__init__(b"", status_code, headers, None, background)
        self.headers["location"] = str(url)


class StreamingResponse(Response):
    def __init__(self, content, status_code=200, headers=None, media_type=None, background=None):
        self.body_iterator = content if hasattr(content, "__aiter__") else iterate_in_threadpool(content)
        self.status_code = status_code
        self.media_type = self.media_type if media_type is None else media_type
        self.background = background
        self._set_headers(headers)


class FileResponse(Response):
    def __init__(self, path, status_code=200, headers=None, media_type=None, background=None, filename=None, **_options):
        with open(path, "rb") as file:
            super().__init__(file.read(), status_code, headers, media_type or "application/octet-stream", background)
