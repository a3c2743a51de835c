"""Stands in for aiohttp's client, over the hosts that the plugin is allowed. There is no server in a sandbox."""

from . import client_exceptions, hdrs
from .client import ClientSession, request
from .client_exceptions import (
    ClientConnectionError,
    ClientConnectorError,
    ClientError,
    ClientOSError,
    ClientPayloadError,
    ClientResponseError,
    ConnectionTimeoutError,
    ContentTypeError,
    InvalidURL,
    ServerConnectionError,
    ServerDisconnectedError,
    ServerTimeoutError,
    SocketTimeoutError,
)
from .helpers import BasicAuth, ClientTimeout, CookieJar, DummyCookieJar, FormData, TCPConnector, TraceConfig
from .response import ClientResponse, StreamReader

__version__ = "3.13.0"
BaseConnector = TCPConnector
