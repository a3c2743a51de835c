"""Requests over the one way out that a plugin has: the hosts that an administrator allowed. What requests, httpx, aiohttp and
urllib look like to plugins is made of this."""

import asyncio
import collections.abc
import json
import mimetypes
import secrets
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


# Bodies and addresses as the libraries take them


def with_params(url, params):
    if not params:
        return url
    if isinstance(params, (str, bytes)):
        query = _text(params)
    else:
        pairs = params.items() if hasattr(params, "items") else params
        flat = []
        for key, value in pairs:
            for each in value if isinstance(value, (list, tuple, set)) else [value]:
                if each is not None:
                    flat.append((key, str(each).lower() if isinstance(each, bool) else each))
        query = urllib.parse.urlencode(flat)
    parts = urllib.parse.urlsplit(url)
    return urllib.parse.urlunsplit(parts._replace(query="&".join(filter(None, (parts.query, query)))))


def encode_body(headers, *, json_value=None, data=None, files=None, has_json=False):
    """@returns bytes or None; says in the headers what they are"""
    if files:
        body, kind = _multipart(data, files)
        headers["Content-Type"] = kind
        return body
    if has_json:
        headers.setdefault("Content-Type", "application/json")
        return json.dumps(json_value, allow_nan=False).encode()
    if data is None:
        return None
    if isinstance(data, str):
        return data.encode()
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(data)
    if hasattr(data, "read"):
        return _bytes(data.read())
    if hasattr(data, "items") or (isinstance(data, (list, tuple)) and all(isinstance(each, tuple) for each in data)):
        headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
        return urllib.parse.urlencode(list(data.items()) if hasattr(data, "items") else data, doseq=True).encode()
    return b"".join(_bytes(each) for each in data)


def _bytes(value):
    return value.encode() if isinstance(value, str) else bytes(value)


def _multipart(data, files):
    boundary = secrets.token_hex(16)
    parts = []
    fields = data.items() if hasattr(data, "items") else data or []
    for name, value in fields:
        for each in value if isinstance(value, (list, tuple)) else [value]:
            parts.append((f'form-data; name="{_quote(name)}"', None, _bytes(each if isinstance(each, (str, bytes)) else str(each))))
    for name, value in files.items() if hasattr(files, "items") else files:
        filename, content, kind = _file_of(name, value)
        disposition = f'form-data; name="{_quote(name)}"'
        if filename is not None:
            disposition += f'; filename="{_quote(filename)}"'
            kind = kind or mimetypes.guess_type(filename)[0] or "application/octet-stream"
        parts.append((disposition, kind, _bytes(content.read() if hasattr(content, "read") else content)))
    body = bytearray()
    for disposition, kind, content in parts:
        body += f"--{boundary}\r\nContent-Disposition: {disposition}\r\n".encode()
        if kind:
            body += f"Content-Type: {kind}\r\n".encode()
        body += b"\r\n" + content + b"\r\n"
    body += f"--{boundary}--\r\n".encode()
    return bytes(body), f"multipart/form-data; boundary={boundary}"


def _file_of(name, value):
    if isinstance(value, (tuple, list)):
        filename, content, *rest = value
        return filename, content, rest[0] if rest else None
    return getattr(value, "name", name) if not isinstance(value, (str, bytes)) else name, value, None


def _quote(text):
    return str(text).replace("\\", "\\\\").replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def charset_of(headers, default="utf-8"):
    kind = headers.get("content-type", "")
    for part in kind.split(";")[1:]:
        key, _, value = part.strip().partition("=")
        if key.lower() == "charset" and value:
            return value.strip("\"'")
    return default


def decode(data, encoding):
    try:
        return data.decode(encoding or "utf-8", "replace")
    except LookupError:
        return data.decode("utf-8", "replace")


class Lines:
    """Cuts pieces into lines, whatever ends them."""

    def __init__(self, delimiter=None):
        self._rest = b""
        self._delimiter = delimiter

    def feed(self, piece):
        data = self._rest + piece
        if self._delimiter:
            *lines, self._rest = data.split(self._delimiter)
            return lines
        lines = data.splitlines(keepends=True)
        # A \r at the very end may be half of a \r\n.
        self._rest = lines.pop() if lines and (not lines[-1].endswith((b"\n", b"\r")) or lines[-1].endswith(b"\r")) else b""
        return [line.rstrip(b"\r\n") for line in lines]

    def end(self):
        rest, self._rest = self._rest, b""
        return [rest.rstrip(b"\r\n")] if rest else []
