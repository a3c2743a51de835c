"""Stands in for httpx, over the hosts that the plugin is allowed."""

from ._client import AsyncClient, Client
from ._config import AsyncHTTPTransport, BasicAuth, HTTPTransport, Limits, Proxy, Timeout
from ._errors import (
    ConnectError,
    ConnectTimeout,
    DecodingError,
    HTTPError,
    HTTPStatusError,
    InvalidURL,
    NetworkError,
    PoolTimeout,
    ProtocolError,
    ReadError,
    ReadTimeout,
    RemoteProtocolError,
    RequestError,
    StreamError,
    TimeoutException,
    TooManyRedirects,
    TransportError,
    UnsupportedProtocol,
    WriteTimeout,
)
from ._models import URL, Headers, QueryParams, Request, Response
from ._status import codes

__version__ = "0.28.1"


def request(method, url, *, timeout=5.0, follow_redirects=False, verify=True, **options):
    with Client(timeout=timeout, follow_redirects=follow_redirects) as client:
        return client.request(method, url, **options)


def stream(method, url, *, timeout=5.0, follow_redirects=False, verify=True, **options):
    return Client(timeout=timeout, follow_redirects=follow_redirects).stream(method, url, **options)


def get(url, **options):
    return request("GET", url, **options)


def options(url, **options):
    return request("OPTIONS", url, **options)


def head(url, **options):
    return request("HEAD", url, **options)


def post(url, **options):
    return request("POST", url, **options)


def put(url, **options):
    return request("PUT", url, **options)


def patch(url, **options):
    return request("PATCH", url, **options)


def delete(url, **options):
    return request("DELETE", url, **options)
