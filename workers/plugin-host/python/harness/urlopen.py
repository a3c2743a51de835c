"""urllib.request over the hosts that the plugin is allowed."""

import email.message
import io
import urllib.error
import urllib.request
import urllib.response

from .loop import LOOP
from .web import WebError, send


def _open(self, request):
    headers = {**request.headers, **request.unredirected_hdrs}
    data = request.data
    if data is not None and not isinstance(data, (bytes, bytearray)):
        data = data.read() if hasattr(data, "read") else b"".join(data)
    # `timeout` is an object of its own where none was given.
    timeout = request.timeout if isinstance(request.timeout, (int, float)) else None
    try:
        body, exchange = LOOP.wait_for(_fetch(request, headers, data, timeout))
    except WebError as error:
        raise urllib.error.URLError(str(error)) from None
    message = email.message.Message()
    for name, value in exchange.headers.multi_items():
        message.add_header(name, value)
    response = urllib.response.addinfourl(io.BytesIO(body), message, exchange.url, exchange.status)
    response.msg = response.reason = exchange.reason
    return response


async def _fetch(request, headers, data, timeout):
    exchange = await send(request.get_method(), request.full_url, headers=headers, body=data, timeout=timeout)
    pieces = []
    while piece := await exchange.read(timeout):
        pieces.append(piece)
    return b"".join(pieces), exchange


def install():
    urllib.request.HTTPHandler.http_open = _open
    urllib.request.HTTPHandler.https_open = _open
    # Would look for proxies in the environment.
    urllib.request.getproxies = dict
