"""Real packages run as they are, above a lowest layer of ours: modules of theirs that would open sockets or start threads are replaced
here, or changed once they are loaded."""

import importlib.abc
import importlib.machinery
import sys

from . import databases, over_aiohttp, over_anyio, over_httpx, over_mcp, over_urllib3, sync_sockets, web_sockets

_REPLACED = {
    "httpx._transports.default": over_httpx.fill,
    # What httpx2 takes for its transports where it runs in WebAssembly.
    "httpx2_jsfetch": over_httpx.fill_jsfetch,
    "urllib3.contrib.emscripten.fetch": over_urllib3.fill,
    "anyio.to_interpreter": over_anyio.fill_interpreters,
}
_CHANGED = {
    "sqlite3.dbapi2": databases.change,
    "httpx2._config": over_httpx.change_config,
    "urllib3.contrib.emscripten.connection": over_urllib3.change,
    "aiohttp.connector": over_aiohttp.change,
    "mcp.client.streamable_http": over_mcp.change_streamable_http,
    "websocket._http": web_sockets.change_client,
    "websockets.sync.client": sync_sockets.change_client,
    "websockets.sync.connection": sync_sockets.change_connection,
    "websockets.sync.messages": sync_sockets.change_messages,
    "anyio._backends._asyncio": over_anyio.change,
}


class _Patches(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, fullname, path=None, target=None):
        if fullname in _REPLACED:
            return importlib.machinery.ModuleSpec(fullname, self, origin="built-in package")
        if fullname not in _CHANGED:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(fullname, path, target)
            if spec is not None:
                spec.loader = _Changing(spec.loader)
                return spec
        return None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        _REPLACED[module.__name__](module)


class _Changing(importlib.abc.Loader):
    def __init__(self, loader):
        self._loader = loader

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        self._loader.exec_module(module)
        _CHANGED[module.__name__](module)


PATCHES = _Patches()
