import json as _json
import urllib.parse

from plugin_harness.web import Headers, WebError, WebTimeout, encode_body, send, with_params

from .client_exceptions import ClientConnectorError, InvalidURL, ServerTimeoutError
from .helpers import ClientTimeout, FormData
from .response import ClientResponse

_UNSET = object()


class _Pending:
    """A request that is sent when it is awaited or entered."""

    def __init__(self, coroutine, session=None):
        self._coroutine = coroutine
        self._session = session
        self._response = None

    def __await__(self):
        return self._coroutine.__await__()

    async def __aenter__(self):
        self._response = await self._coroutine
        return self._response

    async def __aexit__(self, *_error):
        self._response.close()


class ClientSession:
    def __init__(
        self,
        base_url=None,
        *,
        connector=None,
        headers=None,
        cookies=None,
        auth=None,
        timeout=None,
        json_serialize=_json.dumps,
        raise_for_status=False,
        cookie_jar=None,
        trust_env=False,
        **_options,
    ):
        self._base_url = str(base_url) if base_url else ""
        self.headers = Headers({"Accept": "*/*", "User-Agent": "Python/3.14 aiohttp/3.13.0"})
        self.headers.update(headers or {})
        self.cookie_jar = dict(cookies or {})
        self.auth = auth
        self.timeout = _timeout_of(timeout) if timeout is not None else ClientTimeout(total=300, sock_connect=30)
        self._serialize = json_serialize
        self._raise = raise_for_status
        self.connector = connector
        self.closed = False

    def request(self, method, url, **options):
        return _Pending(self._request(method, url, **options), self)

    async def _request(
        self,
        method,
        url,
        *,
        params=None,
        data=None,
        json=None,
        headers=None,
        cookies=None,
        auth=None,
        allow_redirects=True,
        timeout=_UNSET,
        raise_for_status=None,
        ssl=None,
        **_options,
    ):
        if self.closed:
            raise RuntimeError("Session is closed")
        url = with_params(urllib.parse.urljoin(self._base_url, str(url)) if self._base_url else str(url), params)
        if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
            raise InvalidURL(url)
        own = self.headers.copy()
        own.update(headers or {})
        jar = {**self.cookie_jar, **(cookies or {})}
        if jar and "Cookie" not in own:
            own["Cookie"] = "; ".join(f"{key}={value}" for key, value in jar.items())
        auth = auth or self.auth
        if auth is not None:
            own["Authorization"] = auth.encode()
        limits = self.timeout if timeout is _UNSET else _timeout_of(timeout)
        body = self._encode(own, data, json)
        wait = limits.total or limits.sock_read
        try:
            exchange = await send(method, url, headers=own, body=body, follow=allow_redirects, timeout=wait)
        except WebTimeout as error:
            raise ServerTimeoutError(str(error)) from None
        except WebError as error:
            raise ClientConnectorError(str(error)) from None
        response = ClientResponse(exchange, limits.sock_read or limits.total)
        self.cookie_jar.update({name: morsel.value for name, morsel in response.cookies.items()})
        if self._raise if raise_for_status is None else raise_for_status:
            response.raise_for_status()
        return response

    def _encode(self, headers, data, json):
        if json is not None:
            headers.setdefault("Content-Type", "application/json")
            text = self._serialize(json)
            return text.encode() if isinstance(text, str) else text
        if isinstance(data, FormData):
            if data.files:
                return encode_body(headers, data=data.fields, files=data.files)
            data = data.fields
        return encode_body(headers, data=data)

    def get(self, url, **options):
        return self.request("GET", url, **options)

    def options(self, url, **options):
        return self.request("OPTIONS", url, **options)

    def head(self, url, **options):
        options.setdefault("allow_redirects", False)
        return self.request("HEAD", url, **options)

    def post(self, url, **options):
        return self.request("POST", url, **options)

    def put(self, url, **options):
        return self.request("PUT", url, **options)

    def patch(self, url, **options):
        return self.request("PATCH", url, **options)

    def delete(self, url, **options):
        return self.request("DELETE", url, **options)

    def ws_connect(self, url, **_options):
        raise NotImplementedError("WebSockets are not available to plugins")

    async def close(self):
        self.closed = True

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_error):
        await self.close()


def _timeout_of(value):
    return value if isinstance(value, ClientTimeout) else ClientTimeout(total=value)


def request(method, url, **options):
    return ClientSession().request(method, url, **options)
