"""The connections of urllib3, and so those of requests, over the hosts that the plugin is allowed. urllib3 knows that it may run in
WebAssembly; what it would ask of a browser there is asked of the host here."""

import email.message
import io
from types import SimpleNamespace

from .loop import LOOP
from .web import WebError, WebTimeout, request_headers, response_headers, send, to_body


def fill(module):
    """`urllib3.contrib.emscripten.fetch`: what its neighbours import; `change` below does what it would do."""

    class _RequestError(Exception):
        pass

    class _TimeoutError(_RequestError):
        pass

    def send_request(request):
        raise NotImplementedError("Requests go through the connection")

    module._RequestError = _RequestError
    module._TimeoutError = _TimeoutError
    module.send_request = module.send_streaming_request = send_request


def change(module):
    """`urllib3.contrib.emscripten.connection`"""
    from urllib3._collections import HTTPHeaderDict
    from urllib3.exceptions import NewConnectionError, ReadTimeoutError

    def request(self, method, url, body=None, headers=None, **_options):
        # Sent when the answer is asked for: only then the pool has set how long that may take.
        self._closed = False
        if url.startswith("/"):
            host = f"[{self.host}]" if ":" in self.host else self.host
            port = f":{self.port}" if self.port and self.port != self.default_port else ""
            url = f"{self.scheme}://{host}{port}{url}"
        self._pending = method, url, to_body(body), request_headers((headers or {}).items())

    def getresponse(self):
        if getattr(self, "_pending", None) is None:
            raise module.ResponseNotReady()
        (method, url, body, headers), self._pending = self._pending, None
        limit = self.timeout if isinstance(self.timeout, (int, float)) and self.timeout > 0 else None
        try:
            exchange = LOOP.wait_for(send(method, url, headers=headers, body=body, follow=False, timeout=limit))
        except WebTimeout as error:
            raise ReadTimeoutError(self.host, url, str(error)) from None
        except WebError as error:
            raise NewConnectionError(self.host, str(error)) from None
        pairs = response_headers(exchange, method)
        asked = module.EmscriptenRequest(method=method, url=url)
        body = _Body(exchange, limit, lambda error: ReadTimeoutError(self.host, url, str(error)))
        inner = module.EmscriptenResponse(status_code=exchange.status, headers=HTTPHeaderDict(pairs), body=body, request=asked)
        response = module.EmscriptenHttpResponseWrapper(internal_response=inner, url=url, connection=self)
        response.reason = exchange.reason
        response.version = 11
        # Where cookies are read from.
        message = email.message.Message()
        for name, value in pairs:
            message.add_header(name, value)
        response._original_response = SimpleNamespace(msg=message, isclosed=lambda: body.closed, close=body.close)
        return response

    module.EmscriptenHTTPConnection.request = request
    module.EmscriptenHTTPConnection.getresponse = getresponse


class _Body(io.RawIOBase):
    def __init__(self, exchange, timeout, too_late):
        self._exchange = exchange
        self._timeout = timeout
        self._too_late = too_late
        self._rest = memoryview(b"")

    def readable(self):
        return True

    def readinto(self, target):
        if not self._rest:
            try:
                self._rest = memoryview(LOOP.wait_for(self._exchange.read(self._timeout)))
            except WebTimeout as error:
                raise self._too_late(error) from None
            except WebError as error:
                raise OSError(str(error)) from None
        count = min(len(target), len(self._rest))
        target[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count

    def close(self):
        if not self.closed:
            self._exchange.close()
        super().close()
