"""One call of a plugin's function: what it may ask for, and that it may not ask once it has ended."""

import contextvars
import heapq
from collections import deque

CURRENT: contextvars.ContextVar = contextvars.ContextVar("plugin_call", default=None)

# What one call may log before the rest is dropped; the host has limits of its own.
_LOG_ENTRIES = 1000
_LOG_LENGTH = 10_000


class Call:
    """Everything that belongs to one call. `port` is the JavaScript side, which knows the capabilities of the caller."""

    def __init__(self, port, is_description=False):
        self.port = port
        # A source is only looked at: nothing can be asked for.
        self.is_description = is_description
        self.ready = deque()
        self.timers = []
        self.runner = None
        self.tasks = set()
        self.ended = False
        self.valves = None
        self.main = None
        self.gates = {}
        # Chat, message and session that it belongs to.
        self.place = {}
        self.is_cancelled = False
        self._timer_count = 0
        self._logged = 0

    def add_timer(self, handle):
        self._timer_count += 1
        heapq.heappush(self.timers, (handle.when(), self._timer_count, handle))

    def check(self):
        """Capabilities serve the code of their own call, and only as long as it lasts."""
        if self.ended:
            raise RuntimeError("This call has ended, and so have its permissions")
        if CURRENT.get() is not self or not self.is_running():
            raise RuntimeError("This belongs to another call")

    def is_running(self):
        """Whether it is its own pump that runs this code, and not another call's that borrowed its context."""
        from .loop import LOOP

        return LOOP.active is self

    async def ask_host(self, method, *args):
        from .loop import HostError

        self.check()
        try:
            return await getattr(self.port, method)(*args)
        except HostError as error:
            raise RuntimeError(getattr(error, "message", None) or str(error)) from None

    def log(self, level, text):
        if self.ended or self._logged > _LOG_ENTRIES:
            return
        self._logged += 1
        if self._logged > _LOG_ENTRIES:
            level, text = "warning", "More output was dropped"
        self.port.log(level, text[:_LOG_LENGTH])

    def cancel(self):
        """The caller has let go: what is waited for is given up."""
        self.is_cancelled = True
        for gate in list(self.gates.values()):
            gate.open()
        if self.main is not None:
            self.main.cancel()

    def end(self):
        self.ended = True
        self.ready.clear()
        self.timers.clear()
        self.tasks.clear()


def current_call():
    """The call that this code runs for. Raises RuntimeError where there is none."""
    call = CURRENT.get()
    if call is None or call.ended:
        raise RuntimeError("This is only possible during a call of the plugin")
    return call
