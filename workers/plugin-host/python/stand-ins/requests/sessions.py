import base64
import http.cookies
import urllib.parse

from plugin_harness.loop import LOOP
from plugin_harness.web import Headers, WebError, WebTimeout, encode_body, send, with_params

from .exceptions import ConnectionError, ConnectTimeout, InvalidSchema, MissingSchema, ReadTimeout
from .models import PreparedRequest, Request, Response


class Session:
    def __init__(self):
        self.headers = Headers({"User-Agent": "python-requests/2.32.5", "Accept": "*/*"})
        self.auth = None
        self.params = {}
        self.cookies = {}
        self.verify = True
        self.proxies = {}
        self.stream = False
        self.trust_env = False
        self.hooks = {}
        self.adapters = {}
        self._jars = {}

    def request(
        self,
        method,
        url,
        params=None,
        data=None,
        headers=None,
        cookies=None,
        files=None,
        auth=None,
        timeout=None,
        allow_redirects=True,
        proxies=None,
        hooks=None,
        stream=None,
        verify=None,
        cert=None,
        json=None,
    ):
        made = Request(method, url, params=params, data=data, headers=headers, cookies=cookies, files=files, auth=auth, json=json)
        return self.send(self.prepare_request(made), timeout=timeout, allow_redirects=allow_redirects, stream=stream)

    def prepare_request(self, request):
        given = request.options
        url = str(request.url)
        scheme = urllib.parse.urlsplit(url).scheme
        if not scheme:
            raise MissingSchema(f"Invalid URL {url!r}: No scheme supplied. Perhaps you meant https://{url}?")
        if scheme not in ("http", "https"):
            raise InvalidSchema(f"No connection adapters were found for {url!r}")
        headers = self.headers.copy()
        for name, value in (given.get("headers") or {}).items():
            headers[name] = value
        url = with_params(with_params(url, self.params), given.get("params"))
        json_value = given.get("json")
        body = encode_body(
            headers,
            json_value=json_value,
            data=given.get("data") or None,
            files=given.get("files"),
            has_json=json_value is not None and not given.get("data"),
        )
        cookies = {**self.cookies, **self._jars.get(urllib.parse.urlsplit(url).netloc, {}), **(given.get("cookies") or {})}
        if cookies and "Cookie" not in headers:
            headers["Cookie"] = "; ".join(f"{key}={value}" for key, value in cookies.items())
        made = PreparedRequest(request.method.upper(), url, headers, body)
        auth = given.get("auth") or self.auth
        if isinstance(auth, (tuple, list)):
            pair = ":".join(str(part) for part in auth)
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        elif auth is not None:
            made = auth(made) or made
        return made

    def send(self, request, timeout=None, allow_redirects=True, stream=None, **_options):
        connect, read = timeout if isinstance(timeout, (tuple, list)) else (timeout, timeout)
        # The real library counts the wait for the answer's begin as reading.
        limit = None if connect is None and read is None else max(filter(None, (connect, read)), default=None)
        sending = send(
            request.method, request.url, headers=request.headers, body=request.body, follow=allow_redirects, timeout=limit
        )
        try:
            exchange = LOOP.wait_for(sending)
        except WebTimeout as error:
            kind = ReadTimeout if read is not None else ConnectTimeout
            raise kind(str(error), request=request) from None
        except WebError as error:
            raise ConnectionError(str(error), request=request) from None
        response = Response(exchange, read)
        self._take_cookies(response)
        if not (self.stream if stream is None else stream):
            response.content
        return response

    def _take_cookies(self, response):
        for header in response.headers.get_list("set-cookie"):
            jar = http.cookies.SimpleCookie()
            try:
                jar.load(header)
            except http.cookies.CookieError:
                continue
            for name, morsel in jar.items():
                response.cookies[name] = morsel.value
                self._jars.setdefault(urllib.parse.urlsplit(response.url).netloc, {})[name] = morsel.value

    def get(self, url, **options):
        return self.request("GET", url, **options)

    def options(self, url, **options):
        return self.request("OPTIONS", url, **options)

    def head(self, url, **options):
        options.setdefault("allow_redirects", False)
        return self.request("HEAD", url, **options)

    def post(self, url, data=None, json=None, **options):
        return self.request("POST", url, data=data, json=json, **options)

    def put(self, url, data=None, **options):
        return self.request("PUT", url, data=data, **options)

    def patch(self, url, data=None, **options):
        return self.request("PATCH", url, data=data, **options)

    def delete(self, url, **options):
        return self.request("DELETE", url, **options)

    def mount(self, prefix, adapter):
        self.adapters[prefix] = adapter

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.close()


def session():
    return Session()
