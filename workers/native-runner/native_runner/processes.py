"""All processes of the runner: one for each plugin and version that is in use."""

import asyncio

from .plugin_process import PluginProcess, StartError
from .traffic_meter import TrafficMeter

# Of stops within this time, in seconds, the third pauses a plugin; as on one machine.
_STOPS_WITHIN = 600
_MAX_STOPS = 3
_PAUSE = 120
_LOOK_INTERVAL = 5


class Processes:
    def __init__(self, options):
        self._options = options
        self._by_key = {}
        self._starting = {}
        self._meters = {}
        self._stops = {}
        self._others = set()

    @property
    def count(self):
        return len(self._by_key) + len(self._others)

    def meter_of(self, plugin):
        return self._meters.setdefault(plugin, TrafficMeter())

    def pause_of(self, plugin):
        """Seconds until a plugin that was stopped several times runs again; 0 for the others."""
        now = asyncio.get_running_loop().time()
        stops = [at for at in self._stops.get(plugin, []) if now - at < _STOPS_WITHIN]
        if len(stops) < _MAX_STOPS:
            return 0
        return max(0, _PAUSE - (now - stops[-1]))

    async def acquire(self, plugin, fingerprint, hosts, load):
        """@param load asynchronous: (code, valves). Raises StartError, and what `load` raises."""
        key = plugin, fingerprint
        found = self._by_key.get(key)
        if found and found.is_alive:
            return found
        if key not in self._starting:
            self._starting[key] = asyncio.ensure_future(self._start(key, hosts, load))
            self._starting[key].add_done_callback(lambda _: self._starting.pop(key, None))
        # It goes on when the session that asked first has ended.
        return await asyncio.shield(self._starting[key])

    async def _start(self, key, hosts, load):
        code, valves = await load()
        self._make_room()
        process = PluginProcess(self._options, code, valves, hosts, self.meter_of(key[0]))
        self._by_key[key] = process
        process.ended.add_done_callback(lambda ended: self._note_end(key, process, ended.result()))
        try:
            await process.start()
        except BaseException:
            self._by_key.pop(key, None)
            raise
        return process

    async def start_other(self, code):
        """One that serves nobody but who asked for it, and has no network: for descriptions. The caller stops it."""
        self._make_room()
        process = PluginProcess(self._options, code, {}, [], TrafficMeter())
        self._others.add(process)
        process.ended.add_done_callback(lambda _: self._others.discard(process))
        try:
            await process.start()
        except BaseException:
            self._others.discard(process)
            raise
        return process

    def _make_room(self):
        while self.count >= self._options.processes:
            idle = [(process.idle_since, key) for key, process in self._by_key.items() if process.sessions == 0]
            if not idle:
                raise StartError(f"The runner has no room: {self.count} processes are in use (RUNNER_PROCESSES)")
            self._by_key.pop(min(idle)[1]).stop()

    def _note_end(self, key, process, reason):
        if self._by_key.get(key) is process:
            del self._by_key[key]
        if reason is not None:
            stops = self._stops.setdefault(key[0], [])
            stops.append(asyncio.get_running_loop().time())
            del stops[:-_MAX_STOPS]

    async def end_idle(self):
        """For good: ends processes that nobody has used for a while."""
        while True:
            await asyncio.sleep(_LOOK_INTERVAL)
            now = asyncio.get_running_loop().time()
            for key, process in list(self._by_key.items()):
                if process.sessions == 0 and now - process.idle_since > self._options.idle:
                    self._by_key.pop(key).stop()

    def stop(self):
        for process in [*self._by_key.values(), *self._others]:
            process.stop()
