"""One socket of the service: the calls of one plugin in one version, or the description of one source. The frames are those of
workers/plugin-host/frames.ts."""

import asyncio
import json

from .plugin_process import StartError
from .traffic_meter import BudgetError

# Close codes; as in frames.ts.
_STOPPED = 4001
LEAVING = 4002
# Seconds.
_LOAD_TIMEOUT = 60


class LoadError(Exception):
    """The service could not provide the code."""


class Session:
    def __init__(self, processes, socket):
        self._processes = processes
        self._socket = socket
        self._opened = None
        # Number of the call at the service -> [process, number there], while it runs
        self._calls = {}
        self._entered = set()
        self._code = None
        self._tasks = set()

    async def run(self):
        try:
            async for message in self._socket.messages():
                # Packages are not sent: what is installed is used.
                if isinstance(message, str):
                    await self._take(json.loads(message))
        except (ValueError, KeyError, TypeError):
            await self._socket.close(1002, "A frame could not be read")
        finally:
            for task in list(self._tasks):
                task.cancel()
            for process, id in [*self._calls.values()]:
                if process:
                    process.close_call(id)
                    await process.send({"t": "end", "id": id})
            for process in self._entered:
                process.sessions -= 1
                process.idle_since = asyncio.get_running_loop().time()

    async def leave(self):
        await self._socket.close(LEAVING, "")

    async def _take(self, frame):
        match frame["t"]:
            case "open":
                self._opened = frame
                self._processes.meter_of(frame["plugin"]).budget = frame.get("budget") or {}
            case "describe":
                self._begin(self._describe(frame["source"]))
            case "code" | "no-code":
                if self._code and not self._code.done():
                    self._code.set_result(frame)
            case "call":
                if self._opened is None:
                    raise ValueError("The session is not open")
                self._calls[frame["id"]] = None, 0
                self._begin(self._call(frame["id"], frame["json"]))
            case "end":
                await self._end(frame["id"])
            case "answer" | "refusal":
                process, id = self._calls.get(frame["id"], (None, 0))
                if process:
                    await process.send({**frame, "id": id})

    def _begin(self, work):
        task = asyncio.create_task(self._finish(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _finish(self, work):
        try:
            await work
        except Exception as error:
            await self._socket.close(1011, f"The runner failed: {type(error).__name__}")
            raise

    async def _end(self, id):
        process, there = self._calls.pop(id, (None, 0))
        if process:
            process.close_call(there)
            await process.send({"t": "end", "id": there})

    async def _call(self, id, work):
        opened = self._opened
        meter = self._processes.meter_of(opened["plugin"])
        try:
            meter.begin_call()
            process = await self._processes.acquire(
                opened["plugin"], opened["fingerprint"], opened["hosts"], self._load
            )
        except BudgetError as error:
            return await self._fail(id, "budget", str(error))
        except (StartError, LoadError) as error:
            return await self._fail(id, "unavailable", str(error))
        if id not in self._calls:
            return None
        self._enter(process)
        there = process.open_call(lambda frame: self._pass_on(id, process, there, meter, frame))
        self._calls[id] = process, there
        await self._send({"t": "begun", "id": id})
        await process.send({"t": "call", "id": there, "json": work})
        return None

    def _enter(self, process):
        if process in self._entered:
            return
        self._entered.add(process)
        process.sessions += 1
        self._begin(self._tell_end(process))

    async def _tell_end(self, process):
        reason = await asyncio.shield(process.ended)
        if reason is not None and any(each is process for each, _ in self._calls.values()):
            await self._socket.close(_STOPPED, reason)

    async def _pass_on(self, id, process, there, meter, frame):
        if frame["t"] == "result":
            self._calls.pop(id, None)
            process.close_call(there)
            if traffic := meter.take():
                await self._send({"t": "traffic", "traffic": traffic})
        await self._send({**frame, "id": id})

    async def _fail(self, id, code, message):
        if self._calls.pop(id, None):
            await self._send({"t": "failed", "id": id, "code": code, "message": message})

    async def _load(self):
        if self._code is None or self._code.done():
            self._code = asyncio.get_running_loop().create_future()
            await self._send({"t": "need"})
        try:
            frame = await asyncio.wait_for(asyncio.shield(self._code), _LOAD_TIMEOUT)
        except TimeoutError:
            raise LoadError("The service did not send the code in time") from None
        if frame["t"] == "no-code":
            raise LoadError(frame["message"])
        return frame["code"], frame["valves"]

    async def _describe(self, source):
        await self._send({"t": "described", "described": await self._described(source)})

    async def _described(self, source):
        try:
            process = await self._processes.start_other(source)
        except StartError as error:
            return _problem(str(error))
        try:
            results = asyncio.get_running_loop().create_future()

            async def take(frame):
                if frame["t"] == "result" and not results.done():
                    results.set_result(json.loads(frame["json"]))

            id = process.open_call(take)
            await process.send({"t": "describe", "id": id})
            await asyncio.wait({results, process.ended}, return_when=asyncio.FIRST_COMPLETED)
            if not results.done():
                return _problem(f"It could not be loaded: {process.ended.result() or 'its process was stopped'}")
            found = results.result()
            if "problems" not in found:
                return _problem(f"It could not be loaded: {found.get('error', {}).get('message', '')}")
            info = found.get("info")
            return {**({"code": source, "info": info} if info else {}), "problems": found["problems"]}
        finally:
            process.stop()

    async def _send(self, frame):
        await self._socket.send(json.dumps(frame))


def _problem(message):
    return {"problems": [{"severity": "error", "message": message}]}
