"""The way out of one plugin: a proxy (CONNECT, and plain http) on a Unix socket in the folder of its process. Only what the
plugin's list of hosts has passes, only to public addresses, and to exactly the address that was looked at."""

import asyncio
import socket
import urllib.parse

from .hosts import ANY_HOST, is_listed, is_private_allowed, is_public, name_of
from .traffic_meter import BudgetError

_MAX_HEAD = 65_536
_PIECE = 65_536
# Seconds.
_CONNECT_TIMEOUT = 30
_HEAD_TIMEOUT = 30


class Refusal(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class GuardedProxy:
    def __init__(self, path, hosts, private_hosts, meter):
        self._path = path
        self._hosts = hosts
        self._private_hosts = private_hosts
        self._meter = meter
        self._server = None
        self._open = set()

    async def start(self):
        self._server = await asyncio.start_unix_server(self._serve, self._path, limit=_MAX_HEAD)

    def close(self):
        if self._server:
            self._server.close()
        for writer in list(self._open):
            writer.close()

    async def _serve(self, reader, writer):
        self._open.add(writer)
        try:
            try:
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _HEAD_TIMEOUT)
                await self._forward(head, reader, writer)
            except Refusal as error:
                await _answer(writer, error)
            except (asyncio.LimitOverrunError, ValueError):
                await _answer(writer, Refusal(400, "This is not a request to a proxy"))
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            pass
        finally:
            self._open.discard(writer)
            writer.close()

    async def _forward(self, head, reader, writer):
        line, _, rest = head.decode("latin-1").partition("\r\n")
        method, target, version = line.split(" ")
        if method == "CONNECT":
            url = urllib.parse.urlsplit(f"//{target}")
            default, sent = 443, b""
        else:
            url = urllib.parse.urlsplit(target)
            if url.scheme != "http":
                raise Refusal(400, "Only http addresses can be asked for without CONNECT")
            path = urllib.parse.urlunsplit(("", "", url.path or "/", url.query, ""))
            default, sent = 80, f"{method} {path} {version}\r\n{_own_headers(rest)}".encode("latin-1")
        if not url.hostname:
            raise Refusal(400, "The request names no host")
        port = url.port or default
        shown = name_of(url.hostname, port)
        there, out = await self._connect(url.hostname, port, shown)
        self._open.add(out)
        try:
            self._meter.request(shown)
            try:
                self._meter.send(shown, len(head))
            except BudgetError as error:
                raise Refusal(429, str(error)) from None
            if sent:
                out.write(sent)
            else:
                writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
            await self._join(shown, reader, writer, there, out)
        finally:
            self._open.discard(out)
            out.close()

    async def _connect(self, host, port, shown):
        is_listed_here = is_listed(host, port, self._hosts)
        if not is_listed_here and ANY_HOST not in self._hosts:
            self._meter.refuse(shown)
            raise Refusal(403, f"This plugin is not allowed to reach {shown}")
        may_be_private = is_listed_here and is_private_allowed(host, port, self._private_hosts)
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise Refusal(502, f"{shown} cannot be reached") from None
        addresses = [address[4][0] for address in found]
        if not may_be_private and not all(is_public(address) for address in addresses):
            self._meter.refuse(shown)
            hint = "The operator of the runner can allow it with RUNNER_ALLOWED_PRIVATE_HOSTS"
            raise Refusal(403, f"{shown} is not a public address. {hint}")
        for address in addresses:
            try:
                return await asyncio.wait_for(asyncio.open_connection(address, port), _CONNECT_TIMEOUT)
            except (OSError, TimeoutError):
                continue
        raise Refusal(502, f"{shown} cannot be reached")

    async def _join(self, shown, reader, writer, there, out):
        async def send():
            while piece := await reader.read(_PIECE):
                self._meter.send(shown, len(piece))
                out.write(piece)
                await out.drain()
            if out.can_write_eof():
                out.write_eof()

        async def receive():
            while piece := await there.read(_PIECE):
                self._meter.receive(shown, len(piece))
                writer.write(piece)
                await writer.drain()

        sending, receiving = asyncio.create_task(send()), asyncio.create_task(receive())
        try:
            done, _ = await asyncio.wait({sending, receiving}, return_when=asyncio.FIRST_COMPLETED)
            # What was asked may be answered after the asking has ended; a budget or a lost connection ends both.
            if sending in done and sending.exception() is None:
                await receiving
        finally:
            for task in (sending, receiving):
                task.cancel()
            await asyncio.gather(sending, receiving, return_exceptions=True)


def _own_headers(rest):
    """One request for each connection, so that each address is looked at."""
    kept = [line for line in rest.split("\r\n") if not line.lower().startswith(("proxy-", "connection:"))]
    return "\r\n".join(["Connection: close", *kept])


async def _answer(writer, refusal):
    # Clients show what stands in the first line, and few the body.
    body = f"{refusal}\n".encode()
    head = f"HTTP/1.1 {refusal.status} {refusal}\r\ncontent-type: text/plain\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
    writer.write(head.encode("ascii", "replace") + body)
    await writer.drain()
