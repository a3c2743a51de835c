"""The transports of httpx, and of httpx2, over the hosts that the plugin is allowed. All above them is the real package."""

import importlib

from .loop import LOOP
from .web import WebError, WebTimeout, request_headers, response_headers, send


def fill(module):
    """`httpx._transports.default`"""
    module.HTTPTransport, module.AsyncHTTPTransport = _make("httpx")


def fill_jsfetch(module):
    """`httpx2_jsfetch`"""
    module.JavascriptFetchTransport, module.AsyncJavascriptFetchTransport = _make("httpx2")


def change_config(module):
    """`httpx2._config`: what it makes would ask its own connections for their settings. Certificates are checked by the host."""
    import ssl

    def create_ssl_context(verify=True, cert=None, trust_env=True):
        return verify if isinstance(verify, ssl.SSLContext) else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

    module.create_ssl_context = create_ssl_context


def _make(package):
    base = importlib.import_module(f"{package}._transports.base")
    errors = importlib.import_module(f"{package}._exceptions")
    models = importlib.import_module(f"{package}._models")
    types = importlib.import_module(f"{package}._types")

    class _Stream(types.SyncByteStream, types.AsyncByteStream):
        def __init__(self, exchange, timeout):
            self._exchange = exchange
            self._timeout = timeout

        async def _read(self):
            try:
                return await self._exchange.read(self._timeout)
            except WebTimeout as error:
                raise errors.ReadTimeout(str(error)) from None
            except WebError as error:
                raise errors.ReadError(str(error)) from None

        def __iter__(self):
            while piece := LOOP.wait_for(self._read()):
                yield piece

        async def __aiter__(self):
            while piece := await self._read():
                yield piece

        def close(self):
            self._exchange.close()

        async def aclose(self):
            self._exchange.close()

    async def exchange_of(request, body):
        if request.url.scheme not in ("http", "https"):
            raise errors.UnsupportedProtocol(f"Request URL has an unsupported protocol '{request.url.scheme}://'.", request=request)
        limits = request.extensions.get("timeout") or {}
        headers = request_headers(request.headers.multi_items())
        try:
            exchange = await send(
                request.method, str(request.url), headers=headers, body=body or None, follow=False, timeout=limits.get("read")
            )
        except WebTimeout as error:
            raise errors.ReadTimeout(str(error), request=request) from None
        except WebError as error:
            raise errors.ConnectError(str(error), request=request) from None
        return models.Response(
            exchange.status,
            headers=response_headers(exchange, request.method),
            stream=_Stream(exchange, limits.get("read")),
            extensions={"http_version": b"HTTP/1.1", "reason_phrase": exchange.reason.encode("latin-1", "replace")},
        )

    class HTTPTransport(base.BaseTransport):
        """Certificates are checked by the host, and connections are its own: what is set for them here has no effect."""

        def __init__(self, *_settings, **_more):
            pass

        def handle_request(self, request):
            body = b"".join(request.stream)
            return LOOP.wait_for(exchange_of(request, body))

    class AsyncHTTPTransport(base.AsyncBaseTransport):
        def __init__(self, *_settings, **_more):
            pass

        async def handle_async_request(self, request):
            body = b"".join([piece async for piece in request.stream])
            return await exchange_of(request, body)

    return HTTPTransport, AsyncHTTPTransport
