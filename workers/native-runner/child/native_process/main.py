"""Sets the process up by the first frame, and then begins and lets go of calls as the runner says."""

import os
import signal
import socket
import sys
import threading

from . import walls
from .port import Line, Port
from .relay import start_relay

# Seconds a plugin may take to tidy up when nobody waits for its call any more; as in isolate/main.ts.
_TIDY_TIMEOUT = 3
# Seconds a source may take to load.
_LOAD_TIMEOUT = 40
# What it ends with when a call does not let go; native_runner/plugin_process.py knows it.
_WOULD_NOT_END = 97


class Process:
    def __init__(self, line):
        self._line = line
        self._calls = {}
        self._cpu_seconds = 0
        self._has_tried_network = False

    def set_up(self, frame):
        """@returns the frame that answers it"""
        self._cpu_seconds = frame["cpuSeconds"]
        reason = walls.leave_network()
        if reason is not None and frame["needsWall"]:
            return {"t": "refused", "message": f"The system gives plugins no network of their own: {reason}"}
        walls.drop_capabilities()
        walls.set_limits(frame["memory"], frame["fileSize"])
        walls.allow_processor_time(self._cpu_seconds)
        _use_proxy(frame["proxy"])
        self._prepare(frame["code"], frame["valves"])
        return {"t": "ready"}

    def run(self):
        from plugin_harness.loop import LOOP

        threading.Thread(target=self._listen, daemon=True, name="line").start()
        LOOP.run_forever()

    def _prepare(self, code, valves):
        import plugin_harness.databases
        import plugin_harness.finder
        import plugin_harness.logs
        import plugin_harness.loop
        from plugin_harness.run import configure
        from plugin_harness.surroundings import DATA_FOLDER

        plugin_harness.finder.install()
        plugin_harness.loop.install()
        plugin_harness.logs.install()
        plugin_harness.databases.install()
        for folder in ("uploads", "cache"):
            os.makedirs(os.path.join(DATA_FOLDER, folder), exist_ok=True)
        sys.addaudithook(self._notice)
        configure(code, valves)

    def _notice(self, event, _details):
        if event in ("socket.connect", "socket.getaddrinfo"):
            self._has_tried_network = True

    def _listen(self):
        from plugin_harness.loop import LOOP

        for frame in self._line.frames():
            id = frame["id"]
            port, _ = self._calls.get(id, (None, None))
            match frame["t"]:
                case "call" | "describe":
                    LOOP.call_soon_threadsafe(self._start, id, frame.get("json"))
                case "end":
                    LOOP.call_soon_threadsafe(self._let_go, id)
                    # The loop may be what is stuck.
                    _after(_TIDY_TIMEOUT, lambda id=id: self._stop(id))
                case "answer" if port:
                    port.answer(frame["ref"], frame["json"])
                case "refusal" if port:
                    port.answer(frame["ref"], None, frame["message"])
        # The runner has gone.
        os._exit(0)

    def _start(self, id, work):
        from plugin_harness.run import start

        walls.allow_processor_time(self._cpu_seconds)
        port = Port(
            self._line,
            id,
            has_bridge=work is not None,
            was_refused=lambda: self._has_tried_network,
            on_finish=lambda: self._calls.pop(id, None),
        )
        self._calls[id] = port, start(port, work)
        if work is None:
            _after(_LOAD_TIMEOUT, lambda: self._stop(id))

    def _let_go(self, id):
        if id in self._calls:
            self._calls[id][1].cancel()

    def _stop(self, id):
        """Native code can't be taken off the processor: what does not end takes the process with it."""
        if id in self._calls:
            os._exit(_WOULD_NOT_END)


def _use_proxy(proxy):
    address = f"http://127.0.0.1:{start_relay(proxy)}"
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        os.environ[name] = os.environ[name.lower()] = address


def _after(seconds, work):
    timer = threading.Timer(seconds, work)
    timer.daemon = True
    timer.start()


def main(number):
    walls.end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    line = Line(socket.socket(fileno=number))
    # What the plugin starts does not get it.
    os.set_inheritable(number, False)
    process = Process(line)
    answer = process.set_up(next(line.frames()))
    line.send(answer)
    if answer["t"] == "ready":
        process.run()


def probe():
    reason = walls.leave_network()
    if reason is not None:
        sys.exit(reason)
