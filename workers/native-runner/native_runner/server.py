"""The runner's address: `/ping` for everyone, `/health` and the sockets of the service for those with the token."""

import asyncio
import hmac
import importlib.metadata
import json
import platform
import urllib.parse

from .session import Session
from .websocket import WebSocket, accept_key

_MAX_HEAD = 16_384
_HEAD_TIMEOUT = 10
# What the service and the runner have to agree on.
PROTOCOL = 1
_MAX_PACKAGES = 1000


class Server:
    def __init__(self, options, processes, wall):
        self._options = options
        self._processes = processes
        self._wall = wall
        self._server = None
        self._sessions = set()

    async def start(self):
        """@returns the port"""
        self._server = await asyncio.start_server(self._serve, self._options.host, self._options.port, limit=_MAX_HEAD)
        return self._server.sockets[0].getsockname()[1]

    async def stop(self):
        self._server.close()
        await asyncio.gather(*(session.leave() for session in list(self._sessions)), return_exceptions=True)

    async def _serve(self, reader, writer):
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _HEAD_TIMEOUT)
            method, target, headers = _read_head(head)
            await self._route(method, urllib.parse.urlsplit(target), headers, reader, writer)
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError, TimeoutError):
            pass
        except ValueError:
            await _answer(writer, "400 Bad Request", {"error": "This is not a request"})
        finally:
            writer.close()

    async def _route(self, method, url, headers, reader, writer):
        if method != "GET":
            return await _answer(writer, "405 Method Not Allowed", {"error": "Only GET"})
        if url.path == "/ping":
            return await _answer(writer, "200 OK", "pong")
        if not self._is_allowed(headers):
            return await _answer(writer, "401 Unauthorized", {"error": "The token is missing or wrong: RUNNER_TOKEN"})
        if url.path == "/health":
            return await _answer(writer, "200 OK", self._health())
        prefix, _, plugin = url.path.partition("/plugins/")
        if prefix or not plugin:
            return await _answer(writer, "404 Not Found", {"error": "No such address"})
        key = headers.get("sec-websocket-key", "")
        if headers.get("upgrade", "").lower() != "websocket" or not key:
            return await _answer(writer, "426 Upgrade Required", {"error": "This is an address for WebSockets"})
        pause = self._processes.pause_of(urllib.parse.unquote(plugin))
        if pause > 0:
            message = {"error": "It was stopped several times and is paused"}
            return await _answer(writer, "503 Service Unavailable", message, f"retry-after: {int(pause) + 1}\r\n")
        writer.write(
            f"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
            f"sec-websocket-accept: {accept_key(key)}\r\n\r\n".encode()
        )
        session = Session(self._processes, WebSocket(reader, writer))
        self._sessions.add(session)
        try:
            return await session.run()
        finally:
            self._sessions.discard(session)

    def _is_allowed(self, headers):
        scheme, _, token = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(token.strip().encode(), self._options.token.encode())

    def _health(self):
        packages = {each.metadata["Name"]: each.version for each in importlib.metadata.distributions()}
        return {
            "status": True,
            "protocol": PROTOCOL,
            "python": platform.python_version(),
            "processes": self._processes.count,
            "max_processes": self._options.processes,
            "memory": self._options.memory,
            # Whether the only way out of a plugin is the proxy, or why it is not.
            "network_wall": self._wall is None,
            "network_wall_reason": self._wall,
            "packages": [{"name": str(name), "version": packages[name]} for name in sorted(packages, key=str)][:_MAX_PACKAGES],
        }


def _read_head(head):
    """Raises ValueError."""
    line, *fields = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, target, version = line.split(" ")
    if not version.startswith("HTTP/1."):
        raise ValueError(version)
    headers = {}
    for field in fields:
        name, separator, value = field.partition(":")
        if not separator:
            raise ValueError(field)
        headers[name.strip().lower()] = value.strip()
    return method, target, headers


async def _answer(writer, status, body, more=""):
    text = body if isinstance(body, str) else json.dumps(body)
    kind = "text/plain" if isinstance(body, str) else "application/json"
    data = text.encode()
    head = f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(data)}\r\n{more}connection: close\r\n\r\n"
    writer.write(head.encode() + data)
    await writer.drain()
