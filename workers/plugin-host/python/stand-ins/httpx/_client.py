import base64
import contextlib
import urllib.parse

from plugin_harness.loop import LOOP
from plugin_harness.web import Headers, WebError, WebTimeout, encode_body, send, with_params

from ._config import BasicAuth, Timeout
from ._errors import ConnectError, ReadTimeout, UnsupportedProtocol
from ._models import URL, Request, Response

_UNSET = object()


class _Base:
    def __init__(
        self,
        *,
        base_url="",
        headers=None,
        params=None,
        cookies=None,
        auth=None,
        timeout=5.0,
        follow_redirects=False,
        **_connection,
    ):
        self.base_url = URL(str(base_url))
        self.headers = Headers({"Accept": "*/*", "User-Agent": "python-httpx/0.28.1"})
        self.headers.update(headers or {})
        self.params = params or {}
        self.cookies = dict(cookies or {})
        self.auth = auth
        self.timeout = Timeout(timeout)
        self.follow_redirects = follow_redirects
        self.is_closed = False

    def build_request(
        self, method, url, *, content=None, data=None, files=None, json=_UNSET, params=None, headers=None, cookies=None, **_options
    ):
        url = str(url)
        if self.base_url and not urllib.parse.urlsplit(url).scheme:
            url = f"{self.base_url.rstrip('/')}/{url.lstrip('/')}"
        url = with_params(with_params(url, self.params), params)
        if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
            raise UnsupportedProtocol("Request URL is missing an 'http://' or 'https://' protocol.")
        own = self.headers.copy()
        own.update(headers or {})
        has_json = json is not _UNSET and json is not None
        body = encode_body(
            own, json_value=json if has_json else None, data=data if content is None else content, files=files, has_json=has_json
        )
        jar = {**self.cookies, **(cookies or {})}
        if jar and "cookie" not in own:
            own["Cookie"] = "; ".join(f"{key}={value}" for key, value in jar.items())
        return Request(method, url, headers=own, body=body)

    async def _send(self, request, *, stream=False, auth=_UNSET, follow_redirects=_UNSET, timeout=_UNSET):
        auth = self.auth if auth is _UNSET else auth
        pair = auth.pair if isinstance(auth, BasicAuth) else auth
        if isinstance(pair, (tuple, list)):
            text = ":".join(str(part) for part in pair)
            request.headers["Authorization"] = f"Basic {base64.b64encode(text.encode()).decode()}"
        limits = self.timeout if timeout is _UNSET else Timeout(timeout)
        follow = self.follow_redirects if follow_redirects is _UNSET else follow_redirects
        try:
            exchange = await send(
                request.method, request.url, headers=request.headers, body=request.content, follow=follow, timeout=limits.read
            )
        except WebTimeout as error:
            raise ReadTimeout(str(error), request=request) from None
        except WebError as error:
            raise ConnectError(str(error), request=request) from None
        response = Response(
            exchange.status, headers=exchange.headers, request=request, exchange=exchange, read_timeout=limits.read
        )
        self.cookies.update(response.cookies)
        if not stream:
            await response.aread()
        return response

    @staticmethod
    def _split(options):
        names = ("auth", "follow_redirects", "timeout")
        sending = {name: options.pop(name) for name in names if name in options}
        options.pop("extensions", None)
        return sending, options


class AsyncClient(_Base):
    async def send(self, request, **options):
        return await self._send(request, **options)

    async def request(self, method, url, **options):
        sending, building = self._split(options)
        return await self._send(self.build_request(method, url, **building), **sending)

    @contextlib.asynccontextmanager
    async def stream(self, method, url, **options):
        sending, building = self._split(options)
        response = await self._send(self.build_request(method, url, **building), stream=True, **sending)
        try:
            yield response
        finally:
            response.close()

    async def get(self, url, **options):
        return await self.request("GET", url, **options)

    async def options(self, url, **options):
        return await self.request("OPTIONS", url, **options)

    async def head(self, url, **options):
        return await self.request("HEAD", url, **options)

    async def post(self, url, **options):
        return await self.request("POST", url, **options)

    async def put(self, url, **options):
        return await self.request("PUT", url, **options)

    async def patch(self, url, **options):
        return await self.request("PATCH", url, **options)

    async def delete(self, url, **options):
        return await self.request("DELETE", url, **options)

    async def aclose(self):
        self.is_closed = True

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_error):
        await self.aclose()


class Client(_Base):
    def send(self, request, **options):
        return LOOP.wait_for(self._send(request, **options))

    def request(self, method, url, **options):
        sending, building = self._split(options)
        return self.send(self.build_request(method, url, **building), **sending)

    @contextlib.contextmanager
    def stream(self, method, url, **options):
        sending, building = self._split(options)
        response = self.send(self.build_request(method, url, **building), stream=True, **sending)
        try:
            yield response
        finally:
            response.close()

    def get(self, url, **options):
        return self.request("GET", url, **options)

    def options(self, url, **options):
        return self.request("OPTIONS", url, **options)

    def head(self, url, **options):
        return self.request("HEAD", url, **options)

    def post(self, url, **options):
        return self.request("POST", url, **options)

    def put(self, url, **options):
        return self.request("PUT", url, **options)

    def patch(self, url, **options):
        return self.request("PATCH", url, **options)

    def delete(self, url, **options):
        return self.request("DELETE", url, **options)

    def close(self):
        self.is_closed = True

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.close()
