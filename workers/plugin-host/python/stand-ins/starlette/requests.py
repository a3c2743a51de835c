import http.cookies
import json

from .datastructures import URL, Address, Headers, QueryParams, State


class ClientDisconnect(Exception):
    pass


class HTTPConnection:
    def __init__(self, scope, receive=None):
        self.scope = scope
        self._receive = receive

    def __getitem__(self, key):
        return self.scope[key]

    def get(self, key, default=None):
        return self.scope.get(key, default)

    @property
    def app(self):
        return self.scope["app"]

    @property
    def headers(self):
        return Headers(scope=self.scope)

    @property
    def query_params(self):
        return QueryParams(self.scope.get("query_string", b""))

    @property
    def path_params(self):
        return self.scope.get("path_params", {})

    @property
    def cookies(self):
        jar = http.cookies.SimpleCookie()
        jar.load(self.headers.get("cookie", ""))
        return {name: morsel.value for name, morsel in jar.items()}

    @property
    def client(self):
        client = self.scope.get("client")
        return Address(client) if client else None

    @property
    def url(self):
        host = self.headers.get("host") or ":".join(str(part) for part in self.scope.get("server", ("localhost", 80)))
        query = self.scope.get("query_string", b"").decode()
        return URL(f"{self.scope.get('scheme', 'http')}://{host}{self.scope.get('path', '/')}{'?' + query if query else ''}")

    @property
    def base_url(self):
        return URL(f"{self.url.scheme}://{self.url.netloc}/")

    def url_for(self, name, /, **values):
        return URL(f"{self.url.scheme}://{self.url.netloc}{self.app.url_path_for(name, **values)}")

    @property
    def state(self):
        if not isinstance(self.scope.get("state"), State):
            self.scope["state"] = State(**(self.scope.get("state") or {}))
        return self.scope["state"]

    @property
    def session(self):
        return self.scope.get("session", {})


class Request(HTTPConnection):
    def __init__(self, scope, receive=None, send=None):
        super().__init__(scope, receive)
        self._body = None

    @property
    def method(self):
        return self.scope["method"]

    async def stream(self):
        if self._body is not None:
            yield self._body
            return
        while self._receive is not None:
            message = await self._receive()
            if message["type"] != "http.request":
                return
            yield message.get("body", b"")
            if not message.get("more_body"):
                return

    async def body(self):
        if self._body is None:
            self._body = b"".join([piece async for piece in self.stream()])
        return self._body

    async def json(self):
        return json.loads(await self.body())

    async def is_disconnected(self):
        return False
