"""An address of the process's own that leads to the proxy of the runner, because clients know no proxies on Unix sockets."""

import asyncio
import threading

_PIECE = 65_536


def start_relay(proxy):
    """@param proxy path of the Unix socket. @returns the port at 127.0.0.1"""
    ready = threading.Event()
    ports = []

    async def serve():
        server = await asyncio.start_server(lambda reader, writer: _relay(proxy, reader, writer), "127.0.0.1", 0)
        ports.append(server.sockets[0].getsockname()[1])
        ready.set()
        await server.serve_forever()

    # Not `asyncio.run` as plugins see it later.
    threading.Thread(target=asyncio.Runner().run, args=(serve(),), daemon=True, name="relay").start()
    if not ready.wait(10):
        raise RuntimeError("The relay to the proxy did not start")
    return ports[0]


async def _relay(proxy, reader, writer):
    try:
        there, out = await asyncio.open_unix_connection(proxy)
    except OSError:
        writer.close()
        return
    await asyncio.gather(_copy(reader, out), _copy(there, writer), return_exceptions=True)
    writer.close()
    out.close()


async def _copy(reader, writer):
    try:
        while piece := await reader.read(_PIECE):
            writer.write(piece)
            await writer.drain()
    finally:
        if writer.can_write_eof() and not writer.is_closing():
            writer.write_eof()
