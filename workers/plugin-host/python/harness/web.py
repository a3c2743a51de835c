"""Requests over the one way out that a plugin has: the hosts that an administrator allowed. The transports of requests, httpx, aiohttp
and urllib are made of this."""

import asyncio
import collections.abc
import json
import time
import urllib.parse

from .calls import current_call


class WebError(Exception):
    """There was no answer."""


class WebTimeout(WebError):
    pass


class Headers(collections.abc.MutableMapping):
    """Names in any case; several values of one name are joined, `get_list` has them apart."""

    def __init__(self, values=None):
        self._values = []
        if values is not None:
            self.update(values) if isinstance(values, collections.abc.Mapping) else [self.add(*pair) for pair in values]

    def add(self, name, value):
        self._values.append((_text(name), _text(value)))

    def get_list(self, name, *_options):
        return [value for key, value in self._values if key.lower() == name.lower()]

    getall = getlist = get_list

    def multi_items(self):
        return list(self._values)

    @property
    def raw(self):
        return [(key.encode("latin-1"), value.encode("latin-1", "replace")) for key, value in self._values]

    def __getitem__(self, name):
        found = self.get_list(_text(name))
        if not found:
            raise KeyError(name)
        return ", ".join(found)

    def __setitem__(self, name, value):
        self.pop(name, None)
        if value is not None:
            self.add(name, value)

    def __delitem__(self, name):
        lower = _text(name).lower()
        kept = [pair for pair in self._values if pair[0].lower() != lower]
        if len(kept) == len(self._values):
            raise KeyError(name)
        self._values = kept

    def __iter__(self):
        return iter(dict.fromkeys(key for key, _ in self._values))

    def __len__(self):
        return len(set(key.lower() for key, _ in self._values))

    def __contains__(self, name):
        return bool(self.get_list(_text(name)))

    def copy(self):
        return type(self)(self._values)

    def __repr__(self):
        return f"{type(self).__name__}({dict(self)!r})"


def _text(value):
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


class Exchange:
    """One request and its answer, whose body is read piece by piece."""

    def __init__(self, port, meta, request, started):
        self._port = port
        self.status = meta["status"]
        self.reason = meta["statusText"]
        self.url = meta["url"] or request["url"]
        self.headers = Headers(meta["headers"])
        self.request = request
        self.elapsed = time.monotonic() - started
        self.is_done = False

    async def read(self, timeout=None):
        """The next piece; empty at the end."""
        if self.is_done:
            return b""
        try:
            piece = await _limit(self._port.read(), timeout)
        except Exception as error:
            self.close()
            raise _explain(error, self.request["url"]) from None
        if piece is None:
            self.is_done = True
            return b""
        data = piece.to_bytes() if hasattr(piece, "to_bytes") else bytes(piece)
        return data or await self.read(timeout)

    def close(self):
        if not self.is_done:
            self.is_done = True
            self._port.close()


async def send(method, url, *, headers=None, body=None, follow=True, timeout=None):
    """Sends a request. @param timeout seconds until the answer begins, or None. @returns Exchange. Raises WebError."""
    from pyodide.ffi import to_js

    call = current_call()
    call.check()
    started = time.monotonic()
    request = {"method": method.upper(), "url": url, "headers": Headers(headers), "body": body}
    if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
        raise WebError(f"Only http:// and https:// addresses can be fetched, not {url!r}")
    pairs = json.dumps(request["headers"].multi_items())
    port = None
    try:
        port = call.port.open(request["method"], url, pairs, None if body is None else to_js(body), follow)
        meta = await _limit(port.response, timeout)
    except Exception as error:
        if port is not None:
            port.close()
        raise _explain(error, url) from None
    return Exchange(port, json.loads(meta), request, started)


async def _limit(promise, timeout):
    return await promise if timeout is None else await asyncio.wait_for(asyncio.ensure_future(promise), timeout)


def _explain(error, url):
    if isinstance(error, TimeoutError):
        return WebTimeout(f"{url} did not answer in time")
    reason = getattr(error, "message", None) or str(error)
    if "not permitted to access the internet" in reason:
        return WebError(f"This plugin is not allowed to reach {urllib.parse.urlsplit(url).netloc}: it has no allowed hosts")
    return WebError(f"{url} could not be fetched: {reason}")


# What the transports of the packages have in common


# The host decides how an answer is packed and how a connection is kept, and says itself how long a body is.
_OF_THE_CONNECTION = frozenset({"accept-encoding", "connection", "content-length", "host", "keep-alive", "transfer-encoding"})


def request_headers(pairs):
    pairs = [(_text(name), _text(value)) for name, value in pairs]
    return [pair for pair in pairs if pair[0].lower() not in _OF_THE_CONNECTION]


def response_headers(exchange, method):
    """As list of pairs. The host has unpacked the body, so what says how it was packed is left out."""
    pairs = exchange.headers.multi_items()
    left_out = {"connection", "transfer-encoding"}
    if method != "HEAD" and "content-encoding" in exchange.headers:
        left_out |= {"content-encoding", "content-length"}
    return [pair for pair in pairs if pair[0].lower() not in left_out]


def to_body(value):
    """@param value bytes, text, a file, or an iterable of them; or None"""
    if value is None or isinstance(value, bytes):
        return value or None
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    if hasattr(value, "read"):
        return to_body(value.read())
    return b"".join(to_body(each) or b"" for each in value)
